// SPDX-License-Identifier: Apache-2.0
/* Single calls that took as long as no other like them: exceptions, and no way in which their ops are slow. */
#ifndef TTP_REPORT_SLOW_CALL_H
#define TTP_REPORT_SLOW_CALL_H

#include "report/findings.h"

/* Of the calls of one number of call_like(). */
struct longest {
	double ns, next_ns, sum_ns;
	uint32_t call, n; /* index of the longest; how many */
	bool is_apart;    /* it is such a call */
};

struct slow_calls {
	struct longest *longest; /* by number of call_like() */
	/* Several times as long as what calls of exactly their kind usually take, here and there in the run; NULL: there are too few. */
	bool *scattered; /* per call */
	double scattered_ns, usual_ns, most_ns;
	uint32_t n, most; /* how many; index of the one that lost most */
};

void slow_calls_find(struct slow_calls *s, const struct calls *c);
void slow_calls_release(struct slow_calls *s);
/* It is such a call, and says nothing of those like it. */
bool slow_calls_has(const struct slow_calls *s, const struct calls *c, size_t call);
void slow_calls_add(struct findings *f, const struct calls *c, const struct slow_calls *s);

#endif /* TTP_REPORT_SLOW_CALL_H */
