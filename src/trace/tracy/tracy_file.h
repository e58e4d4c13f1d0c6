// SPDX-License-Identifier: Apache-2.0
/* The inside of .tracy files: sections in a fixed order, docs/formats/tracy.md. */
#ifndef TTP_TRACE_TRACY_TRACY_FILE_H
#define TTP_TRACE_TRACY_TRACY_FILE_H

#include "trace/trace.h"

/* Reads everything that names things, up to the messages. */
enum ttp_rc tracy_file_open(struct trace *t, struct ttp_err *e) TTP_CHECKED;
enum ttp_rc tracy_file_read(struct trace *t, const struct trace_sink *sink,
			    struct ttp_err *e) TTP_CHECKED;
void tracy_file_free(struct trace *t);

#endif /* TTP_TRACE_TRACY_TRACY_FILE_H */
