// SPDX-License-Identifier: Apache-2.0
/*
 * The embedded chip: a Wormhole that runs real RISC-V code, in this process, with modelled time.
 *
 *	struct sim_config config = { 0 };
 *	struct port *chip;
 *	rc = sim_config_from_env(&config, e);
 *	rc = rc ? rc : sim_open(&config, &chip, e);
 *
 * It is driven through device/port.h.  One thread at a time may call it; it makes threads of its own only
 * if asked to.  The same program gives the same memory at the same cycle on every machine, with any
 * number of threads, any window, parking on or off.
 */
#ifndef TTP_SIM_H
#define TTP_SIM_H

#include <stdbool.h>
#include <stdint.h>

#include "device/port.h"

/* All zeros is the usual chip: 64 workers, one thread, clocks that start at 0. */
struct sim_config {
	uint32_t harvest;     /* bit y: row y (NoC 0) cannot be used; see harvest_given */
	bool harvest_given;   /* else the default of the chip's table */
	bool one_row_more;    /* ... without the first of its rows: for dispatch cores */
	int threads;          /* 0 or 1: none but the caller's; 2: one more */
	bool no_parking;      /* interpret polling loops to the last round; for tests */
	bool no_idling;       /* the clock stands still while only the host works */
	int window;           /* cycles between exchanges of the tiles: 16 or 32 (0) */
	uint64_t clock_start; /* what wall clocks say at the start */
	double drift_ppm;     /* by which the clock goes faster than it is said to; see `seed` */
	/*
	 * Not 0: every chip of the process is another one.  To its clock_start comes up to an hour, its drift is
	 * anything from -drift_ppm to drift_ppm; both are functions of seed and `chip`.
	 */
	uint64_t seed;
	int chip; /* number of the device */
	/* Not 0: DRAM answers later at times, a function of this number (docs/explain/sim.md). */
	uint64_t jitter;
	/* One of the channels of DRAM, from 1 (0: none), has an eighth of its rate. */
	int slow_bank;
	/* Added to the wall clock of a tile, [y][x]; NULL is 0 for all.  Read by sim_open only. */
	int64_t (*clock_offset)[PORT_GRID_MAX];
};

/* TTP_SIM_HARVEST, _THREADS, _PARK, _IDLE, _WINDOW, _CLOCK, _DRIFT_PPM, _SEED, _JITTER, _SLOW_BANK (docs/explain/sim.md). */
enum ttp_rc sim_config_from_env(struct sim_config *c, struct ttp_err *e) TTP_CHECKED;

enum ttp_rc sim_open(const struct sim_config *c, struct port **out, struct ttp_err *e) TTP_CHECKED;

/* One number for all L1, local memory and DRAM: equal for equal memory. */
uint64_t sim_hash(struct port *p);

struct sim_stats {
	uint64_t instructions; /* retired by all cores, rounds of parked loops included */
	uint64_t interpreted;  /* the same without them */
	uint64_t packets;      /* that cores asked the NoC for */
	uint64_t parked;       /* times that a core went to sleep in a polling loop */
};

void sim_stats(struct port *p, struct sim_stats *out);

/* Registers and program counter of a core, for tests and for people who look for a fault. */
enum ttp_rc sim_core(struct port *p, struct tile t, enum risc r, uint32_t regs[32], uint32_t *pc,
		     struct ttp_err *e) TTP_CHECKED;

#endif /* TTP_SIM_H */
