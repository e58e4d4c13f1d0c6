// SPDX-License-Identifier: Apache-2.0
#include "trace/trace_readers.h"
#include "wire/self_report.h"

_Static_assert((int)TRACE_DROPS == (int)SELF_REPORT_DROPS, "clients count what traces keep");

bool trace_take_drops(struct trace *t, uint32_t process, int64_t time_ns, struct str text)
{
	struct trace_process *p;
	struct self_report r;

	if (!self_report_get(text, &r) || !self_report_counts_drops(&r))
		return false;
	p = &t->processes.at[process < t->processes.len ? process : 0];
	for (unsigned i = 0; i < TRACE_DROPS; i++)
		p->dropped[i] = r.values[i];
	p->knows_when_dropped = r.values[SELF_REPORT_DROPS] &&
				r.values[SELF_REPORT_DROPS] < INT64_MAX / 1000 &&
				r.values[SELF_REPORT_DROPS + 1] <= r.values[SELF_REPORT_DROPS];
	if (p->knows_when_dropped) {
		p->first_drop_ns = time_ns - (int64_t)r.values[SELF_REPORT_DROPS] * 1000;
		p->last_drop_ns = time_ns - (int64_t)r.values[SELF_REPORT_DROPS + 1] * 1000;
	}
	return true;
}
