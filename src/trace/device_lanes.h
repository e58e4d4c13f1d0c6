// SPDX-License-Identifier: Apache-2.0
/*
 * Zones of devices while they are put together.  Begins and ends come in order, times of the device later and in any
 * order; a tree is reported when its last time is there.
 */
#ifndef TTP_TRACE_DEVICE_LANES_H
#define TTP_TRACE_DEVICE_LANES_H

#include "trace/trace.h"

enum { LANE_KEPT_MAX = 65536 }; /* complete zones that wait for a possible parent */

struct device_lane {
	uint32_t track;
	VEC(struct trace_device_zone) tree; /* parents before children */
	VEC(uint32_t) open;                 /* numbers in `tree`, outermost first */
	uint64_t untimed;                   /* times that are still to come */
};

/* Returns the zone's number, good until lane_report() tells it. */
uint32_t lane_begin(struct device_lane *l, int64_t cpu_ns, uint32_t loc, uint32_t thread);
/* The innermost zone that is open, or TRACE_NONE. */
uint32_t lane_end(struct device_lane *l, int64_t cpu_ns);
/* The first time of a zone is its start, the second its end; true for its start. */
bool lane_time(struct device_lane *l, uint32_t zone, int64_t gpu_ns);
/* A zone that comes as a whole, after everything inside of it. */
void lane_add_whole(struct device_lane *l, struct trace_device_zone z);
/* Tells what is complete; with `all`, whatever there is. */
void lane_report(struct device_lane *l, const struct trace_sink *sink, bool all);
void lane_release(struct device_lane *l);

#endif /* TTP_TRACE_DEVICE_LANES_H */
