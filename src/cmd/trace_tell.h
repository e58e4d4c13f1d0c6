// SPDX-License-Identifier: Apache-2.0
/* What is missing in a trace that was read, as warnings. */
#ifndef TTP_CMD_TRACE_TELL_H
#define TTP_CMD_TRACE_TELL_H

#include "trace/trace.h"
#include "trace/tracy/tracy_write.h"

void trace_tell(const char *prog, const struct trace *t);

/* What a timeline of another format does not carry. */
void trace_tell_timeline(const char *prog, const struct trace *t);
/* What a .tracy file had no room for. */
void trace_tell_written(const char *prog, const struct trace *t, const struct tracy_written *w);

#endif /* TTP_CMD_TRACE_TELL_H */
