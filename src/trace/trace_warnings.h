// SPDX-License-Identifier: Apache-2.0
/* What is missing in a trace that was read, as warnings. */
#ifndef TTP_TRACE_TRACE_WARNINGS_H
#define TTP_TRACE_TRACE_WARNINGS_H

#include "base/console.h"
#include "trace/trace.h"
#include "trace/tracy/tracy_write.h"

/* A text for each. */
typedef void trace_tell(void *ctx, const char *text);
void trace_damage(const struct trace *t, trace_tell *tell, void *ctx);
/* What its clients had no room for, a text per process. */
void trace_drops(const struct trace *t, trace_tell *tell, void *ctx);
const char *trace_drop_text(unsigned kind); /* of trace_process.dropped */
/* Both as warnings, or the first alone. */
void trace_warn(const struct console *console, const struct trace *t);
void trace_warn_damage(const struct console *console, const struct trace *t);

/* What a timeline of another format does not carry. */
void trace_warn_timeline(const struct console *console, const struct trace *t);
/* What a .tracy file had no room for. */
void trace_warn_written(const struct console *console, const struct trace *t,
			const struct tracy_written *w);

#endif /* TTP_TRACE_TRACE_WARNINGS_H */
