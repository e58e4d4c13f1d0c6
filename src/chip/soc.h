// SPDX-License-Identifier: Apache-2.0
/*
 * What a chip is made of: grid, memories, times and costs, as the embedded chip needs them.  One .def
 * file a chip (wormhole.def); another chip is one more file and one more line in soc.c.
 *
 * Times are cycles of the AI clock.  Rates are thousandths of a byte per cycle, because simulated time
 * knows no fractions that a float would round.
 */
#ifndef TTP_CHIP_SOC_H
#define TTP_CHIP_SOC_H

#include <stdint.h>

#include "base/str.h"

enum { SOC_GRID_MAX = 32, SOC_RISCS = 5, SOC_DRAM_GROUP_TILES = 3 };

/*
 * A letter per tile in a picture of the grid: w worker, e ethernet, p PCIe, a ARC, . nothing,
 * a digit: the DRAM group that it belongs to.
 */
struct soc {
	const char *id, *arch;
	int width, height;
	const char *row[SOC_GRID_MAX];
	int clock_mhz;
	uint32_t harvest_default; /* bit y: row y of workers cannot be used */

	uint32_t l1_bytes, iram_bytes;
	uint32_t local_bytes[SOC_RISCS];
	uint32_t start[SOC_RISCS]; /* where cores begin unless set otherwise */
	int dram_groups, dram_channels_per_group;
	uint64_t dram_channel_bytes;
	uint32_t dram_align, l1_align; /* of what a NoC moves there */
	uint32_t soft_reset;           /* what the register says when the chip is switched on */

	/* where a program sees the tiles: translated coordinates */
	int virtual_x, virtual_y; /* of the first worker */
	int virtual_dram_x[2],
		virtual_edge_y[2]; /* 16, 17: columns and rows that hold no workers */
	int edge_x[2], edge_y[2];  /* the columns and rows that these stand for */

	/* cores */
	int load_l1, load_local, load_register, load_config, load_mailbox;
	int loads_in_flight;
	int store_l1, store_queue;
	int multiply, divide_trivial, divide_min, divide_max;
	int mispredict;

	/* NoC */
	int noc_leg, noc_hop_x, noc_hop_y, noc_corner;
	int noc_l1_read, noc_l1_write;
	int noc_flit_bytes;
	uint32_t noc_packet_max;
	int noc_header_bytes;
	int link_rate, worker_out_rate, worker_in_rate, dram_out_rate, dram_in_rate, dram_rate;
	int dram_latency;

	/* compute */
	int tile_matmul_pass, tile_eltwise, tile_reduce, tile_copy;
	int sfpu_passes, sfpu_load_store;
	int unpack_setup, unpack_rate, pack_rate;
};

extern const struct soc soc_wormhole;

/* "wormhole_b0" or "wormhole"; NULL when there is no table. */
const struct soc *soc_find(struct str name);

/* The letter of a tile; '.' outside the grid. */
char soc_tile(const struct soc *s, int x, int y);

#endif /* TTP_CHIP_SOC_H */
