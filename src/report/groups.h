// SPDX-License-Identifier: Apache-2.0
/* Calls put together by name, shape, category, memory or signpost. */
#ifndef TTP_REPORT_GROUPS_H
#define TTP_REPORT_GROUPS_H

#include "report/report.h"

struct group {
	struct str name;
	uint32_t calls, timed; /* timed: on the device; on the host when none ran there */
	uint32_t host_calls;
	double time_ns, min_ns, max_ns; /* of those */
	double share_ns;                /* device time and gaps: the group's part of the total */
	double gap_ns;
	double build_ns; /* gaps in which programs were built */
	double ideal_ns; /* of calls that have one, and their time */
	double figured_ns;
	double saves_ns;
};

struct groups {
	struct intern names;
	VEC(struct group)
	all; /* most time first; signposts, unless cut by --top, in the order of the run */
};

void groups_make(struct groups *g, const struct report *r, enum group_by by);
void groups_release(struct groups *g);
/* Groups can be sorted by this field. */
bool groups_can_sort(enum field f);

#endif /* TTP_REPORT_GROUPS_H */
