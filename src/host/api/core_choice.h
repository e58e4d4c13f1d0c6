// SPDX-License-Identifier: Apache-2.0
/*
 * What is chosen by chip, core and RISC: cores that print, that are delayed, that record.
 *
 *	chips	all, or numbers with commas: 0,2
 *	cores	all, worker, x,y, (x,y),(x,y), (x,y)-(x,y): logical coordinates
 *	RISCs	BR, NC, TR0, TR1, TR2 with commas; B is BR, R is the other four; nothing is all
 */
#ifndef TTP_HOST_API_CORE_CHOICE_H
#define TTP_HOST_API_CORE_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "device/coord.h"

enum { CHOICE_TEXT = 256, CHOICE_CHIPS_MAX = 1024 };

struct choice {
	bool any;                /* some core is chosen */
	char variable[64];       /* that names the cores, for messages */
	char cores[CHOICE_TEXT]; /* as it was given; checked when the grid is known */
	uint8_t riscs;           /* bit per RISC */
	bool all_chips;
	uint8_t chips[CHOICE_CHIPS_MAX / 8];
};

/*
 * From the variables PREFIX_CORES, PREFIX_CHIPS and PREFIX_RISCVS.  Without the first: `without` (NULL: no
 * core).
 */
enum ttp_rc choice_read(struct choice *c, const char *prefix, const char *without,
			struct ttp_err *e) TTP_CHECKED;

bool choice_has_chip(const struct choice *c, int chip);
/* on[y][x] of each logical core; all false for a chip that is not chosen. */
enum ttp_rc choice_cores(const struct choice *c, int chip, const struct coord *coord,
			 bool (*on)[PORT_GRID_MAX], struct ttp_err *e) TTP_CHECKED;

/* "250" cycles or "2ms" of a clock; no more than 2^32 - 1 cycles. */
enum ttp_rc delay_read(const char *variable, const char *text, uint64_t *cycles, uint64_t *ms,
		       struct ttp_err *e) TTP_CHECKED;

/* Groups of counters, as bits: names with commas, or the mask itself. */
enum counter_group {
	COUNTERS_FPU = 1 << 0,
	COUNTERS_PACK = 1 << 1,
	COUNTERS_UNPACK = 1 << 2,
	COUNTERS_L1_0 = 1 << 3,
	COUNTERS_L1_1 = 1 << 4,
	COUNTERS_INSTRN = 1 << 5,
	COUNTERS_L1_2 = 1 << 6,
	COUNTERS_L1_3 = 1 << 7,
	COUNTERS_L1_4 = 1 << 8,
	COUNTERS_L1_5 = 1 << 9,
	COUNTERS_ALL =
		COUNTERS_FPU | COUNTERS_PACK | COUNTERS_UNPACK | COUNTERS_L1_0 | COUNTERS_INSTRN,
};
enum ttp_rc counters_read(const char *variable, const char *text, uint32_t *groups,
			  struct ttp_err *e) TTP_CHECKED;

#endif /* TTP_HOST_API_CORE_CHOICE_H */
