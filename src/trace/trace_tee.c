// SPDX-License-Identifier: Apache-2.0
#include "trace/trace.h"

#define X(event, parameters, ...)                                                        \
	static void event parameters                                                     \
	{                                                                                \
		const struct trace_tee *tee = ctx;                                       \
                                                                                         \
		for (const struct trace_sink *to = tee->to; to < tee->to + tee->n; to++) \
			TRACE_TELL(to, event, __VA_ARGS__);                              \
	}
TRACE_EVENTS(X)
#undef X

static void zone_leaf(void *ctx, uint32_t track, int64_t start_ns, int64_t end_ns, uint32_t loc)
{
	const struct trace_tee *tee = ctx;

	for (size_t i = 0; i < tee->n; i++) {
		const struct trace_sink *to = &tee->to[i];

		if (to->zone_leaf) {
			to->zone_leaf(to->ctx, track, start_ns, end_ns, loc);
			continue;
		}
		TRACE_TELL(to, zone_begin, track, start_ns, loc);
		TRACE_TELL(to, zone_end, track, end_ns, NULL);
	}
}

void trace_tee_sink(struct trace_tee *tee, struct trace_sink *sink)
{
	*sink = (struct trace_sink){ .ctx = tee };
	/* What nobody wants is not asked for: readers skip it. */
	for (const struct trace_sink *to = tee->to; to < tee->to + tee->n; to++) {
		if (to->zone_leaf)
			sink->zone_leaf = zone_leaf;
#define X(event, ...)  \
	if (to->event) \
		sink->event = event;
		TRACE_EVENTS(X)
#undef X
	}
}
