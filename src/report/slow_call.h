// SPDX-License-Identifier: Apache-2.0
/* One call that took as long as no other like it: an exception, and no way in which its op is slow. */
#ifndef TTP_REPORT_SLOW_CALL_H
#define TTP_REPORT_SLOW_CALL_H

#include "report/findings.h"

/* Of the calls of one number of call_like(). */
struct longest {
	double ns, next_ns, sum_ns;
	uint32_t call, n; /* index of the longest; how many */
	bool is_apart;    /* it is such a call */
};

/* By number of call_like(); to be freed. */
struct longest *slow_calls_find(const struct calls *c);
void slow_calls_add(struct findings *f, const struct calls *c, const struct longest *all);

#endif /* TTP_REPORT_SLOW_CALL_H */
