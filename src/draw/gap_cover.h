// SPDX-License-Identifier: Apache-2.0
/*
 * What the host did while a device waited.  Between the end of the host's part of one op and the end of that of the next, each moment of a thread
 * belongs to its innermost zone; the zone with most of it covers the gap.
 */
#ifndef TTP_DRAW_GAP_COVER_H
#define TTP_DRAW_GAP_COVER_H

#include "draw/top.h"
#include "trace/trace.h"

/* For the gaps of `t`, which was made; `trace` was opened just now. */
enum ttp_rc gap_covers_find(struct top *t, struct trace *trace, struct ttp_err *e) TTP_CHECKED;

#endif /* TTP_DRAW_GAP_COVER_H */
