// SPDX-License-Identifier: Apache-2.0
#include "ops/device_only.h"

void device_only_make(struct device_only *d, struct op_times *t, int64_t freq_mhz,
		      const struct report_rules *rules, uint64_t analyses,
		      const struct counter_table *counters)
{
	*d = (struct device_only){ .times = t,
				   .freq_mhz = freq_mhz,
				   .rules = rules,
				   .analyses = analyses,
				   .counters = counters };
}

void device_only_write(const struct device_only *d, struct out *to)
{
	(void)d;
	(void)to;
}

void device_only_write_gaps(const struct device_only *d, struct out *to)
{
	(void)d;
	(void)to;
}

void device_only_release(struct device_only *d)
{
	vec_release(&d->runs);
	vec_release(&d->ids);
}
