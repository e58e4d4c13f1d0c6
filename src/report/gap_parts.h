// SPDX-License-Identifier: Apache-2.0
/*
 * What gaps before ops are made of.  Only a part of them is what a model's program makes its device wait:
 *
 *	build_ns     the host built programs: a miss of the program cache, where the report can tell; a gap of BUILD_GAP_NS before
 *	             the first call of a program, if it is longer than the gaps before its later calls; or the host's own time in a
 *	             call, if it is far longer than in others (until 2025 tt-metal compiled inside of the zone that HOST DURATION is of)
 *	profiler_ns  the profiler itself: the host's calls of its marker ops; its zones, such as read-outs, in the host's time before the op
 *
 * Where a trace has the host's time before the op (ops/host_gaps.h), zones of building and of the profiler count as what they are, and what
 * other zones took that call no ops is nobody's building.
 *
 *	CALL_PAUSE   one gap, or a few, apart from all others: they say nothing about how the run goes, and each is a finding of its own
 *
 * What remains (call_own_gap()) are the gaps that reports count.
 */
#ifndef TTP_REPORT_GAP_PARTS_H
#define TTP_REPORT_GAP_PARTS_H

#include "report/calls.h"

/* When all calls are there. */
void gap_parts_find(struct calls *c);
/* The same of one row of a call: its gap, without what building and the profiler took of it. */
double row_own_gap(const struct calls *c, const struct call *call, uint32_t row);

#endif /* TTP_REPORT_GAP_PARTS_H */
