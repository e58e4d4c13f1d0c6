// SPDX-License-Identifier: Apache-2.0
/*
 * Reports without the host: a row per op that the devices ran, and per core the time between ops.
 *
 * Ours has every run in the order of its device, and says which device, trace and replay it was.  The
 * original has the ops that it detects (ops/compat/op_detection.h), and fewer columns.
 */
#ifndef TTP_OPS_DEVICE_ONLY_H
#define TTP_OPS_DEVICE_ONLY_H

#include "ops/counters.h"
#include "ops/ops_report.h"

struct device_only_op {
	uint32_t run; /* of `times` */
	uint64_t id;
};

struct device_only {
	struct op_times *times;
	int64_t freq_mhz;
	const struct report_rules *rules;
	uint64_t analyses;
	const struct counter_table *counters;
	bool original;
	VEC(struct device_only_op) ops; /* devices in the order of the log */
};

/* `original` may add merged runs to `t`. */
void device_only_make(struct device_only *d, struct op_times *t, int64_t freq_mhz,
		      const struct report_rules *rules, uint64_t analyses,
		      const struct counter_table *counters, bool original);
void device_only_write(const struct device_only *d, struct out *to);
/* per_core_op_to_op_times.csv: ours in ns, the original's cells are cycles less 1500. */
void device_only_write_gaps(const struct device_only *d, struct out *to);
void device_only_release(struct device_only *d);

#endif /* TTP_OPS_DEVICE_ONLY_H */
