// SPDX-License-Identifier: Apache-2.0
#include "runs/host_gap_zones.h"

#include <stdlib.h>

#include "runs/run.h"
#include "runs/zone_sums.h"

struct zone_stretch *host_gap_stretches(const struct host_gaps *g)
{
	struct zone_stretch *at = mem_zero(g->all.len + 1, sizeof(*at));

	for (size_t i = 0; i < g->all.len; i++)
		at[i] = (struct zone_stretch){ .from_ns = g->all.at[i].from_ns,
					       .to_ns = g->all.at[i].to_ns,
					       .pid = g->all.at[i].pid };
	return at;
}

/* Zones of one name that are defined more than once have none. */
static void note_place(struct host_gaps *g, uint32_t name, const struct trace *t, uint32_t loc)
{
	SCOPED(buf) struct buf b = { 0 };
	bool is_new = name >= g->places.len;

	zone_place(&b, t, loc);
	vec_reach(&g->places, name, (struct buf){ 0 });
	if (is_new)
		buf_str(&g->places.at[name], buf_view(&b));
	else if (!str_eq(buf_view(&g->places.at[name]), buf_view(&b)))
		buf_clear(&g->places.at[name]);
}

/* Lines of one function have one name: which of them it was is said with it. */
static uint32_t number_zone(struct host_gaps *g, const struct trace *t, uint32_t loc)
{
	struct str name = trace_loc_name(t, loc);
	SCOPED(buf) struct buf b = { 0 };

	if (!str_starts(name, STR("PY_LINE_")))
		return intern_copy(&g->names, name);
	zone_place(&b, t, loc);
	buf_text(&b, " (");
	buf_str(&b, name);
	buf_char(&b, ')');
	return intern_copy(&g->names, buf_view(&b));
}

void host_gaps_take(struct host_gaps *g, const struct zone_stretch *at, const struct trace *t)
{
	g->known = true;
	for (size_t i = 0; i < g->all.len; i++) {
		struct host_gap *gap = &g->all.at[i];

		gap->build_ns = at[i].build_ns;
		g->shows_building |= gap->build_ns > 0;
		gap->profiler_ns = at[i].profiler_ns;
		gap->work_ns = at[i].work_ns;
		if (at[i].own_loc != TRACE_NONE) {
			gap->own_zone = number_zone(g, t, at[i].own_loc);
			note_place(g, gap->own_zone, t, at[i].own_loc);
		}
		if (at[i].own_from != TRACE_NONE)
			gap->own_from = number_zone(g, t, at[i].own_from);
		gap->own_zone_ns = at[i].own_ns;
		if (at[i].loc == TRACE_NONE)
			continue;
		gap->zone_ns = at[i].ns;
		/* that an op was being called says nothing that its own name doesn't */
		gap->zone = at[i].is_op ? intern_copy(&g->names, HOST_GAP_OWN_CALL)
					: number_zone(g, t, at[i].loc);
	}
}

static void begin(void *ctx, uint32_t track, int64_t ns, uint32_t loc)
{
	zone_covers_enter(ctx, track, ns, loc);
}

static void end(void *ctx, uint32_t track, int64_t ns, const struct trace_extra *x)
{
	(void)x;
	zone_covers_leave(ctx, track, ns);
}

enum ttp_rc host_gaps_read(struct host_gaps *g, struct trace *t, struct ttp_err *e)
{
	struct zone_stretch *at = host_gap_stretches(g);
	struct zone_covers covers;
	struct trace_sink sink = { .ctx = &covers, .zone_begin = begin, .zone_end = end };
	enum ttp_rc rc;

	zone_covers_init(&covers, at, g->all.len);
	rc = trace_read(t, &sink, e);
	zone_covers_finish(&covers, t);
	if (!rc)
		host_gaps_take(g, at, t);
	free(at);
	return rc;
}

struct host_gaps *run_host_gaps(struct run *r, struct ttp_err *e)
{
	e->rc = TTP_OK;
	if (!r->has_ops)
		return NULL;
	if (!r->gaps.of_row)
		host_gaps_find(&r->gaps, &r->ops);
	if (!r->gaps_asked && r->parts.trace.len && r->gaps.all.len) {
		struct trace t;

		r->gaps_asked = true;
		if (!run_trace(r, &t, e)) {
			r->gaps.known &= !host_gaps_read(&r->gaps, &t, e);
			run_trace_close(r, &t);
		}
		/* gaps without what the host did in them are no answer to be given in silence */
		if (e->rc)
			run_parts_leave_out(&r->parts, e);
	}
	return &r->gaps;
}
