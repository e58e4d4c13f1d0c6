// SPDX-License-Identifier: Apache-2.0
/*
 * What is known about each chip, from chips.def: cores, DRAM, clock, matrix rate.  Adding a chip is a
 * line there.  A number that is not known is 0, and who needs it says so instead of guessing.
 */
#ifndef TTP_CHIP_CHIP_H
#define TTP_CHIP_CHIP_H

#include <stdbool.h>

#include "base/str.h"

struct chip {
	const char *id, *name, *arch, *board, *source;
	int cores, dram_banks;
	double dram_gbps, clock_mhz;
	int flop_per_clock, noc_bytes;
	double eth_gbps;
};

enum chip_id {
#define CHIP(id, name, arch, board, cores, banks, gbps, mhz, flop, noc, eth, source) CHIP_##id,
#include "chip/chips.def"
#undef CHIP
	CHIPS
};

extern const struct chip chips[CHIPS];

/* By id ("p150", "n300", also an arch: its usual chip).  Case does not matter.  NULL when unknown. */
const struct chip *chip_find(struct str name);

/*
 * The chip behind a report's DEVICE ARCH and AVAILABLE WORKER CORE COUNT (0 when not given).  The core
 * count tells cards of one arch apart where it leaves no doubt; else the usual one is taken.  *only:
 * no other card fits.  *alike: those that fit have the same figures.  NULL when the arch is unknown.
 */
const struct chip *chip_guess(struct str arch, int worker_cores, bool *only, bool *alike);

/* Passes that the matrix engine makes: LoFi 1, HiFi2 2, HiFi3 3, HiFi4 4; 0 for anything else. */
int fidelity_passes(struct str fidelity);

/* Peak of `cores` cores in FLOP per ns at a number of passes; 0 if not known. */
double chip_flop_per_ns(const struct chip *c, double cores, int passes);

#endif /* TTP_CHIP_CHIP_H */
