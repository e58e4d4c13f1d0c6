// SPDX-License-Identifier: Apache-2.0
/*
 * Reports without the host: a row per op that the devices ran, and per core the time between ops.
 */
#ifndef TTP_OPS_DEVICE_ONLY_H
#define TTP_OPS_DEVICE_ONLY_H

#include "ops/counters.h"
#include "ops/ops_report.h"

struct device_only {
	struct op_times *times;
	int64_t freq_mhz;
	const struct report_rules *rules;
	uint64_t analyses;
	const struct counter_table *counters;
	bool original;      /* columns and ops as the original; else ours */
	VEC(uint32_t) runs; /* of `times`, in the order of the report */
	VEC(uint64_t) ids;  /* their op ids */
};

void device_only_make(struct device_only *d, struct op_times *t, int64_t freq_mhz,
		      const struct report_rules *rules, uint64_t analyses,
		      const struct counter_table *counters);
void device_only_write(const struct device_only *d, struct out *to);
/* per_core_op_to_op_times.csv */
void device_only_write_gaps(const struct device_only *d, struct out *to);
void device_only_release(struct device_only *d);

#endif /* TTP_OPS_DEVICE_ONLY_H */
