// SPDX-License-Identifier: Apache-2.0
/*
 * Reports without the host: a row per op that the devices ran, and per core the time between ops.
 *
 * Ours has every run in the order of its device, and says which device, trace and replay it was.  The
 * original has the ops that it detects (ops/compat/exact_runs.h), and fewer columns.
 */
#ifndef TTP_OPS_JOIN_DEVICE_ONLY_H
#define TTP_OPS_JOIN_DEVICE_ONLY_H

#include "markers/counters/counter_values.h"
#include "ops/compat/exact_runs.h"
#include "ops/join/ops_report.h"

struct device_only_op {
	uint32_t run; /* of `times` */
	uint64_t id;
};

struct device_only {
	const struct op_times *times;
	const struct op_times *sub_devices; /* where the original looks for them */
	const struct exact_runs *exact;     /* whose `times` they are; NULL: not needed */
	int64_t freq_mhz, compute_cores;    /* of a device; 0: the log doesn't say */
	struct str arch;                    /* the same; empty */
	const struct report_rules *rules;
	uint64_t analyses;
	struct counter_table *counters;
	bool original;
	/* ours: */
	VEC(struct device_only_op) ops; /* devices in the order of the log */
};

/* The caller has set what is not ours. */
void device_only_make(struct device_only *d);
void device_only_write(const struct device_only *d, struct out *to);
/* per_core_op_to_op_times.csv: ours in ns, the original's cells are cycles less 1500. */
void device_only_write_gaps(const struct device_only *d, struct out *to);
void device_only_release(struct device_only *d);

#endif /* TTP_OPS_JOIN_DEVICE_ONLY_H */
