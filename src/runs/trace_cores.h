// SPDX-License-Identifier: Apache-2.0
/*
 * Zones of devices in a trace: which core, RISC and launch they are of.  The client writes it into names:
 *
 *	context	"Device: 3, Logical (0,1), Physical (1,2) ..."
 *	lane	its number modulo 8 is the RISC
 *	zone	function "OP ID:1024"
 */
#ifndef TTP_RUNS_TRACE_CORES_H
#define TTP_RUNS_TRACE_CORES_H

#include "markers/marker.h"
#include "runs/clock_map.h"
#include "trace/trace.h"

struct run_processes;

/* -1: the name does not say.  Devices are the run's chips (wire/run_processes.h). */
struct trace_core {
	int32_t device, x, y;
};

/* Asked for every zone, so each context's name is read once. */
struct trace_cores {
	const struct run_processes *processes; /* set by the caller; NULL: the trace's own */
	VEC(struct trace_core) of_context;
	int32_t stride; /* devices of a process, where the trace alone says whose they are; 0: not looked for yet */
};
struct trace_core trace_cores_lane(struct trace_cores *c, const struct trace *t, uint32_t lane);
void trace_cores_release(struct trace_cores *c);

enum risc trace_lane_risc(const struct trace *t, uint32_t lane, uint32_t loc);
/* 0: none. */
uint64_t trace_loc_run_id(const struct trace *t, uint32_t loc);

/* The outermost zones of a tree (trace_sink's device_tree) as sights of a clock map. */
void trace_cores_sights(struct trace_cores *c, const struct trace *t, uint32_t lane,
			const struct trace_device_zone *zones, size_t n, struct clock_map *to);

#endif /* TTP_RUNS_TRACE_CORES_H */
