// SPDX-License-Identifier: Apache-2.0
/* What is missing in a trace that was read, as warnings. */
#ifndef TTP_CMD_TRACE_TELL_H
#define TTP_CMD_TRACE_TELL_H

#include "trace/trace.h"

void trace_tell(const char *prog, const struct trace *t);

#endif /* TTP_CMD_TRACE_TELL_H */
