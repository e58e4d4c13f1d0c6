// SPDX-License-Identifier: Apache-2.0
/*
 * The host's side of a run straight from its trace, a .tracy file or a spool: the same two texts that csvexport would have
 * printed for process_ops_logs, with only what ops need, and properly quoted.
 */
#ifndef TTP_OPS_HOST_HOST_TRACE_H
#define TTP_OPS_HOST_HOST_TRACE_H

#include "base/err.h"
#include "base/inputs.h"
#include "base/str.h"

/*
 * Appends to `messages` (MessageName;total_ns) and `zones` (name,zone_text,…).  A damaged trace gives what can be read, and
 * sets `*damaged`, with what and where in `*e`.
 */
enum ttp_rc host_trace_read(struct inputs *files, const char *path, struct buf *messages,
			    struct buf *zones, bool *damaged, struct ttp_err *e) TTP_CHECKED;

#endif /* TTP_OPS_HOST_HOST_TRACE_H */
