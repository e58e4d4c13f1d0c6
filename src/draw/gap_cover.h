// SPDX-License-Identifier: Apache-2.0
/* What the host did while a device waited: the zone (trace/zone_cover.h) that covers the host's time before the op (report/host_stretch.h). */
#ifndef TTP_DRAW_GAP_COVER_H
#define TTP_DRAW_GAP_COVER_H

#include "draw/top.h"
#include "trace/trace.h"

/* For the gaps of `t`, which was made; `trace` was opened just now. */
enum ttp_rc gap_covers_find(struct top *t, struct trace *trace, struct ttp_err *e) TTP_CHECKED;

#endif /* TTP_DRAW_GAP_COVER_H */
