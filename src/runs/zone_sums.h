// SPDX-License-Identifier: Apache-2.0
/* Zones by name: how often, how long, and how long without what is inside of them.  Of a trace, or of a device log. */
#ifndef TTP_RUNS_ZONE_SUMS_H
#define TTP_RUNS_ZONE_SUMS_H

#include "base/map.h"
#include "markers/marker_fold.h"
#include "runs/run.h"

struct zone_sum {
	uint32_t name, where; /* texts of `texts`; where: "host", "device", or a RISC */
	uint32_t at;          /* the same: "file:line" of the host's; empty: not known */
	uint32_t function;    /* the same: a Python function's qualified name; else `name` */
	uint64_t calls;
	double total_ns; /* of recursion the outermost */
	double self_ns, min_ns, max_ns;
	double all_ns; /* of all calls */
};

struct zone_sums {
	struct intern texts; /* clean for a terminal */
	VEC(struct zone_sum) all;
	uint64_t zones, unpaired;
};

/* Reads all of `t`, which was opened just now. */
enum ttp_rc zone_sums_of_trace(struct zone_sums *z, struct trace *t, struct ttp_err *e) TTP_CHECKED;
void zone_sums_of_log(struct zone_sums *z, struct device_log *log);
/* Of a run's trace; where there is none, or none that can be read, of its device log.  Not to be asked for where it has neither. */
enum ttp_rc zone_sums_of_run(struct zone_sums *z, struct run *run, struct ttp_err *e) TTP_CHECKED;
void zone_sums_release(struct zone_sums *z);

/* "train.py:12", of a source location that names its file; clean for a terminal. */
void zone_place(struct buf *b, const struct trace *t, uint32_t loc);

static inline double zone_mean_ns(const struct zone_sum *s)
{
	return s->calls ? s->all_ns / (double)s->calls : 0;
}

#endif /* TTP_RUNS_ZONE_SUMS_H */
