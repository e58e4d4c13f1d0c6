// SPDX-License-Identifier: Apache-2.0
/* Several readers of a trace in one pass. */
#ifndef TTP_TRACE_TRACE_TEE_H
#define TTP_TRACE_TRACE_TEE_H

#include "trace/trace.h"

enum { TRACE_TEE_MAX = 8 };

struct trace_tee {
	struct trace_sink to[TRACE_TEE_MAX];
	size_t n;
};

/* A sink for all of them, in their order, for trace_read().  The tee outlives it. */
void trace_tee_sink(struct trace_tee *tee, struct trace_sink *sink);

#endif /* TTP_TRACE_TRACE_TEE_H */
