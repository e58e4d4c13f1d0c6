// SPDX-License-Identifier: Apache-2.0
#include "draw/gap_cover.h"

#include <stdlib.h>

#include "base/width.h"
#include "report/host_stretch.h"
#include "trace/zone_cover.h"

static void begin(void *ctx, uint32_t track, int64_t ns, uint32_t loc)
{
	zone_covers_enter(ctx, track, ns, loc);
}

static void end(void *ctx, uint32_t track, int64_t ns, const struct trace_extra *x)
{
	(void)x;
	zone_covers_leave(ctx, track, ns);
}

static void tell(struct top *t, struct top_gap *gap, const struct zone_stretch *s,
		 const struct trace *trace)
{
	struct buf clean = { 0 };

	if (s->from_ns >= s->to_ns)
		return;
	gap->host_ns = s->to_ns - s->from_ns;
	gap->cover_ns = s->ns;
	if (s->loc == TRACE_NONE) {
		gap->cover = STR("no zone");
		return;
	}
	width_clean(&clean, str_head(trace_loc_name(trace, s->loc), 200));
	gap->cover = str_n(arena_dup(&t->texts, clean.at ? clean.at : "", clean.len), clean.len);
	buf_release(&clean);
}

enum ttp_rc gap_covers_find(struct top *t, struct trace *trace, struct ttp_err *e)
{
	struct zone_stretch *at = mem_zero(t->gaps.len + 1, sizeof(*at));
	struct zone_covers covers;
	struct trace_sink sink = { .ctx = &covers, .zone_begin = begin, .zone_end = end };
	enum ttp_rc rc = TTP_OK;

	for (size_t i = 0; i < t->gaps.len; i++)
		if (!call_host_stretch(&t->ops->calls, t->gaps.at[i].call, &at[i].from_ns,
				       &at[i].to_ns))
			at[i] = (struct zone_stretch){ 0 };
	zone_covers_init(&covers, at, t->gaps.len);
	if (covers.asked)
		rc = trace_read(trace, &sink, e);
	zone_covers_finish(&covers);
	for (size_t i = 0; !rc && i < t->gaps.len; i++)
		tell(t, &t->gaps.at[i], &at[i], trace);
	free(at);
	return rc;
}
