// SPDX-License-Identifier: Apache-2.0
/*
 * The host's time that belongs to gaps before ops, and what a trace says of it.
 *
 * Each process by itself: what another one does keeps no device of this one waiting.  Rows of one op on several devices share it: from where the host's part of the op before ended to where its part of this one
 * did.  Replays of traces have none, as their rows carry the times of the capture.
 *
 *	host_gaps_find(&g, table);      when, on the clock of HOST START TS
 *	run_host_gaps()                 (runs/run.h) what the trace has there
 */
#ifndef TTP_OPS_HOST_GAPS_H
#define TTP_OPS_HOST_GAPS_H

#include "ops/table/ops_table.h"

#define HOST_GAP_NONE UINT32_MAX
/* The zone of which it is only known that the host was calling the op itself. */
#define HOST_GAP_OWN_CALL STR("the op's own call")

struct host_gap {
	double from_ns, to_ns;
	int64_t pid; /* of the process whose ops are on both sides; 0: not known, or there is one */
	/* where `known`: */
	uint32_t
		zone; /* of `names`: that the host was in most of the time; HOST_GAP_NONE: none that has a tenth */
	double zone_ns; /* in it */
	/* the program's own, of what building and the profiler leave */
	uint32_t own_zone;
	double own_zone_ns;
	uint32_t own_from; /* the zone that calls it, directly or not, and no ops; HOST_GAP_NONE */
	double build_ns, profiler_ns, work_ns; /* as in trace/zone_cover.h */
};

struct host_gaps {
	VEC(struct host_gap) all;
	uint32_t *
		of_row; /* per row of the table: which of them, or HOST_GAP_NONE; NULL: nobody looked */
	struct intern names;
	VEC(struct buf)
	places; /* per name: "file.py:12"; empty where it is not known, or there are several */
	uint32_t before;     /* of them: what came before the first op; HOST_GAP_NONE */
	bool known;          /* a trace was read */
	bool shows_building; /* it has a zone of building programs in some gap */
};

void host_gaps_find(struct host_gaps *g, const struct ops_table *t);
void host_gaps_release(struct host_gaps *g);

/* What came before the first op; NULL: not known. */
const struct host_gap *host_gap_before(const struct host_gaps *g);
/* Of the gap before the op of a row; NULL: not known. */
const struct host_gap *host_gap_of(const struct host_gaps *g, size_t row);
/* The zone that covers it; empty without one. */
struct str host_gap_zone(const struct host_gaps *g, const struct host_gap *gap);
struct str host_gap_own_zone(const struct host_gaps *g, const struct host_gap *gap);
/* What that one works for; empty: for itself. */
struct str host_gap_own_from(const struct host_gaps *g, const struct host_gap *gap);
/* Where that one is in the source, "file.py:12"; empty: not known. */
struct str host_gap_own_place(const struct host_gaps *g, const struct host_gap *gap);

#endif /* TTP_OPS_HOST_GAPS_H */
