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

#endif /* TTP_EXPORT_CHROME_PERFETTO_H */
