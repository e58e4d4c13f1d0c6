// SPDX-License-Identifier: Apache-2.0
/*
 * The four ways to name a tile, each a type of its own, turned into one another here only.
 *
 *	struct tile		NoC 0, physical: what port.h and the device log speak
 *	struct noc1_tile	NoC 1, physical: counted from the other corner
 *	struct xlat_tile	translated: what kernels send to, the same on both NoCs; harvested rows are
 *				moved to the end, so workers are always a full rectangle from (18,18)
 *	struct logical_tile	(0,0) ... over the workers, as the host's API counts them
 *
 * Facts: tt-isa-documentation WormholeB0/NoC/Coordinates, tt-metal soc descriptors.
 */
#ifndef TTP_DEVICE_COORD_H
#define TTP_DEVICE_COORD_H

#include <stdbool.h>
#include <stdint.h>

#include "device/port.h"

struct noc1_tile {
	uint8_t x, y;
};
struct xlat_tile {
	uint8_t x, y;
};
struct logical_tile {
	uint8_t x, y;
};

/* The tables of one chip, made from what its port says about the grid. */
struct coord {
	int width, height;
	int columns, rows;                                     /* of the logical grid */
	uint8_t column_x[PORT_GRID_MAX], row_y[PORT_GRID_MAX]; /* logical -> NoC 0 */
	uint8_t x_xlat[PORT_GRID_MAX], y_xlat[PORT_GRID_MAX];  /* NoC 0 -> translated */
	uint8_t x_column[PORT_GRID_MAX], y_row[PORT_GRID_MAX]; /* NoC 0 -> logical; 255 none */
	struct tile dram[8];                                   /* a tile of each group */
	int groups, banks; /* groups of DRAM tiles; channels behind all of them */
	uint64_t bank_bytes;
};

/* TTP_FORMAT if the workers of the port are no full rectangle. */
enum ttp_rc coord_init(struct coord *c, const struct port_info *info,
		       struct ttp_err *e) TTP_CHECKED;

struct noc1_tile coord_noc1(const struct coord *c, struct tile t);
struct tile coord_from_noc1(const struct coord *c, struct noc1_tile t);
/* Any tile of the grid has a translated name. */
struct xlat_tile coord_xlat(const struct coord *c, struct tile t);
bool coord_from_xlat(const struct coord *c, struct xlat_tile t, struct tile *out);
/* False: outside the logical grid. */
bool coord_from_logical(const struct coord *c, struct logical_tile t, struct tile *out);
bool coord_logical(const struct coord *c, struct tile t, struct logical_tile *out);

/*
 * A DRAM bank as tt-metal counts them: a channel; on Wormhole two are behind each group of tiles.
 * `offset` is where it begins in the tile's memory.
 */
struct tile coord_bank(const struct coord *c, int bank, uint64_t *offset);
/* x | y << 6 of a tile on a NoC (0 or 1), as the NIU takes it without translation. */
uint16_t coord_raw(const struct coord *c, int noc, struct tile t);

/*
 * The profiler's flat id of each worker and Ethernet tile: its rank by (x, y) of NoC 0.  -1 if it is
 * neither; *count (may be NULL) is how many there are.
 */
int coord_flat_id(const struct port_info *info, struct tile t, int *count);

#endif /* TTP_DEVICE_COORD_H */
