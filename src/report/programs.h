// SPDX-License-Identifier: Apache-2.0
/*
 * What rows say of their programs.
 *
 * PROGRAM CACHE HIT alone is no evidence: tt-metal keeps the text of a program's first call and writes it again for every later one, replays
 * of traces included (op_profiler_serialize.hpp), so that a run of a cached model says False in each row.  It counts where a run
 * has both values; True is never repeated from a first call, and always counts.  Which call is the first of its program is found by
 * PROGRAM HASH, or by what kind of call it is, over the whole run, whichever part of it is reported.
 */
#ifndef TTP_REPORT_PROGRAMS_H
#define TTP_REPORT_PROGRAMS_H

#include "report/row_kinds.h"

struct programs {
	uint16_t *
		flags; /* per row, of enum call_flags: CALL_REPLAY, CALL_OPENS, CALL_CACHE_MISS, CALL_CACHE_HIT */
	bool tells_cache; /* PROGRAM CACHE HIT is of each call */
};

/* `rows`: all of the table, in time order. */
void programs_find(struct programs *p, const struct ops_table *t, const struct row_kinds *kinds,
		   const uint32_t *rows);
void programs_release(struct programs *p);

#endif /* TTP_REPORT_PROGRAMS_H */
