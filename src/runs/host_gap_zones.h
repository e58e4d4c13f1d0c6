// SPDX-License-Identifier: Apache-2.0
/* Gaps before ops and the trace: stretches of time to ask for, and what came back. */
#ifndef TTP_RUNS_HOST_GAP_ZONES_H
#define TTP_RUNS_HOST_GAP_ZONES_H

#include "ops/host_gaps.h"
#include "trace/trace.h"
#include "trace/zone_cover.h"

/* One per gap of `g`; for the caller to free. */
struct zone_stretch *host_gap_stretches(const struct host_gaps *g);
/* They are covered now. */
void host_gaps_take(struct host_gaps *g, const struct zone_stretch *at, const struct trace *t);

/* All of it, with a trace that was opened just now. */
enum ttp_rc host_gaps_read(struct host_gaps *g, struct trace *t, struct ttp_err *e) TTP_CHECKED;

#endif /* TTP_RUNS_HOST_GAP_ZONES_H */
