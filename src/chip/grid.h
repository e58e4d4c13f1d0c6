// SPDX-License-Identifier: Apache-2.0
/*
 * Where things lie on a chip, as a picture: a letter per tile in physical NoC 0 coordinates.
 * w worker, e ethernet, d DRAM, p PCIe, a ARC, . router or nothing.
 */
#ifndef TTP_CHIP_GRID_H
#define TTP_CHIP_GRID_H

#include <stdbool.h>

#include "base/str.h"

enum { GRID_MAX = 32 };

struct chip_grid {
	const char *arch;
	int width, height, workers;
	bool columns_fail; /* faulty workers are switched off by column, else by row */
	char tile[GRID_MAX][GRID_MAX + 1]; /* [y][x] */
};

/* By the name that logs have ("wormhole_b0", "blackhole", "grayskull"); false when there is no picture. */
bool chip_grid_find(struct str arch, struct chip_grid *out);

/* The letter of a tile; '.' outside. */
char chip_grid_tile(const struct chip_grid *g, int x, int y);

/*
 * Lines of workers, a bit each (rows, or columns where those fail), that are harvested or kept for dispatch: those on which nothing ever ran, if
 * the log counts as many `workers` less than the chip has.  Else some of them were merely idle, and nobody can tell which: 0.
 */
uint64_t chip_grid_off(const struct chip_grid *g, uint64_t used, int64_t workers);

#endif /* TTP_CHIP_GRID_H */
