// SPDX-License-Identifier: Apache-2.0
/* The answer for a run without ops, such as a Python program without a device: which functions take the time, by their own time. */
#ifndef TTP_DRAW_HOST_VERDICT_H
#define TTP_DRAW_HOST_VERDICT_H

#include "base/out.h"
#include "draw/top.h"

struct host_verdict {
	struct str source; /* the trace's name */
	int64_t span_ns;   /* of the trace */
	const struct zone_sums *zones;
	size_t most; /* so many functions are shown */
	unsigned width;
};

void host_verdict_text(const struct host_verdict *v, struct out *to);
void host_verdict_json(const struct host_verdict *v, struct out *to);

#endif /* TTP_DRAW_HOST_VERDICT_H */
