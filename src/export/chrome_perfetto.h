// SPDX-License-Identifier: Apache-2.0
/* Traces for viewers of timelines: zones of host and devices, messages, plots and frames, as they are read. */
#ifndef TTP_EXPORT_CHROME_PERFETTO_H
#define TTP_EXPORT_CHROME_PERFETTO_H

#include "base/out.h"
#include "trace/trace.h"

/* Chrome's trace events as JSON; `t` was opened just now. */
enum ttp_rc export_chrome(struct trace *t, struct out *to, struct ttp_err *e) TTP_CHECKED;
/* Perfetto's protobuf. */
enum ttp_rc export_perfetto(struct trace *t, struct out *to, struct ttp_err *e) TTP_CHECKED;

/* Process that stands for a device context: no real one has such a number. */
enum { TIMELINE_CONTEXT_PID = 10000000 };

/* Things that have been described: true the first time that one is asked for. */
typedef VEC(bool) seen_vec;
static inline bool first_time(seen_vec *seen, uint32_t n)
{
	while (seen->len <= n)
		*vec_push(seen) = false;
	if (seen->at[n])
		return false;
	seen->at[n] = true;
	return true;
}

/* Names as both show them. */
static inline struct str timeline_name(const struct trace *t, uint32_t name, struct str without)
{
	return name == TRACE_NONE ? without : trace_str(t, name);
}

static inline void timeline_thread(const struct trace *t, const struct trace_track *k,
				   struct buf *to)
{
	if (k->name != TRACE_NONE)
		buf_str(to, trace_str(t, k->name));
	else
		buf_add_u64(to, k->tid);
}

#endif /* TTP_EXPORT_CHROME_PERFETTO_H */
