// SPDX-License-Identifier: Apache-2.0
/*
 * What replays of a trace say of each other: all of them run the same ops on the same cores.  Where a replay has fewer rows than the
 * fullest, the profiler lost some (its buffers were full), and what lies between the rows that it has left is no gap; where an op has
 * fewer cores than in another replay, the markers of the others were lost.
 */
#ifndef TTP_REPORT_REPLAYS_H
#define TTP_REPORT_REPLAYS_H

#include "ops/table/ops_table.h"

/* Some row is of a replay. */
bool replays_any(const struct ops_table *t);

struct replays {
	uint32_t *
		lost; /* per row: ops that are missing before it, or behind the last of its replay; NULL: none anywhere */
};

/* `rows`: all of the table, in time order; sets CALL_STARTS_REPLAY, CALL_AFTER_LOST and CALL_FEWER_CORES in `flags`. */
void replays_find(struct replays *r, const struct ops_table *t, const uint32_t *rows,
		  uint16_t *flags);
void replays_release(struct replays *r);

#endif /* TTP_REPORT_REPLAYS_H */
