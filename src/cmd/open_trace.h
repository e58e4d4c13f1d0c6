// SPDX-License-Identifier: Apache-2.0
/* The trace that a user names: a file, or a folder, which stands for its latest run. */
#ifndef TTP_CMD_OPEN_TRACE_H
#define TTP_CMD_OPEN_TRACE_H

#include "trace/trace.h"

/* What is to be said of the folder is printed. */
enum ttp_rc open_trace(struct trace *t, const char *prog, const char *name,
		       struct ttp_err *e) TTP_CHECKED;

#endif /* TTP_CMD_OPEN_TRACE_H */
