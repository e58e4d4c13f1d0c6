// SPDX-License-Identifier: Apache-2.0
#include "ops/host/host_trace.h"

#include <stdlib.h>

#include "base/order.h"
#include "ops/host/host_csv.h"
#include "wire/run_names.h"
#include "wire/tt_message.h"

/* What a source location stands for, by its name; each is looked at once. */
enum loc_kind { LOC_KNOWN = 1, LOC_OP = 2, LOC_TT = 4, LOC_SPECIAL = 8 };

static bool in_list(struct str list, struct str name)
{
	struct str piece;

	while (str_split(&list, ',', &piece))
		if (piece.len && str_eq(piece, name))
			return true;
	return false;
}

static unsigned kind_of(struct host_trace *g, uint32_t loc)
{
	uint8_t kind = LOC_KNOWN;
	struct str name;

	if (loc < g->kind_of_loc.len && g->kind_of_loc.at[loc])
		return g->kind_of_loc.at[loc];
	name = trace_loc_name(g->t, loc);
	if (tt_is_op_zone(name))
		kind |= LOC_OP;
	if (str_has(name, STR(SPECIAL_ZONES_PARENT)))
		kind |= LOC_TT;
	if (in_list(STR(SPECIAL_ZONES), name) || in_list(g->more, name))
		kind |= LOC_SPECIAL;
	if (loc < g->t->locs.len) {
		vec_reach(&g->kind_of_loc, loc, 0);
		g->kind_of_loc.at[loc] = kind;
	}
	return kind;
}

static void zone_begin(void *ctx, uint32_t track, int64_t ns, uint32_t loc)
{
	struct host_trace *g = ctx;

	vec_reach(&g->tracks, track, (struct host_trace_track){ 0 });
	*vec_push(&g->tracks.at[track].open) =
		(struct host_trace_open){ .loc = loc, .start_ns = ns };
}

static void put_op(struct host_trace *g, uint32_t track, const struct host_trace_open *o,
		   int64_t exec_ns, struct str text)
{
	struct host_zone z = { .thread = g->t->tracks.at[track].index,
			       .start_ns = o->start_ns,
			       .exec_ns = exec_ns };

	if (tt_zone_id(text, &z.id))
		*vec_push(&g->zones) = z;
	else
		g->h->bad_zones++;
}

/* For the nearest zone around it whose text names an op. */
static void put_call(struct host_trace *g, struct host_trace_track *k, uint32_t loc,
		     int64_t exec_ns)
{
	for (size_t p = k->open.len; p-- > 0;) {
		if (!(kind_of(g, k->open.at[p].loc) & LOC_TT))
			continue;
		*vec_push(&k->open.at[p].calls) = (struct host_trace_call){ loc, exec_ns };
		return;
	}
}

static void zone_end(void *ctx, uint32_t track, int64_t ns, const struct trace_extra *x)
{
	struct host_trace *g = ctx;
	struct host_trace_track *k = &g->tracks.at[track];
	struct str text = x && x->text.at ? x->text : STR("");
	struct host_trace_open o;
	unsigned kind;
	uint64_t id;

	if (!k->open.len)
		return;
	o = k->open.at[--k->open.len];
	if (o.calls.len && tt_parent_id(text, &id))
		vec_each (c, &o.calls)
			*vec_push(&g->children) = (struct host_trace_child){ id, *c };
	vec_release(&o.calls);
	if (ns == TRACE_OPEN || ns <= o.start_ns)
		return;
	kind = kind_of(g, o.loc);
	if (kind & LOC_OP)
		put_op(g, track, &o, ns_minus(ns, o.start_ns), text);
	if (kind & LOC_SPECIAL)
		put_call(g, k, o.loc, ns_minus(ns, o.start_ns));
}

static void zone_leaf(void *ctx, uint32_t track, int64_t start_ns, int64_t end_ns, uint32_t loc)
{
	if (kind_of(ctx, loc) == LOC_KNOWN)
		return;
	zone_begin(ctx, track, start_ns, loc);
	zone_end(ctx, track, end_ns, NULL);
}

/* As clients send them: in back-ticks, of which the last may be cut off. */
static struct host_message message_of(struct arena *texts, struct str raw)
{
	struct host_message m = { 0 };
	bool quoted = raw.len && raw.at[0] == '`';

	raw = str_from(raw, quoted);
	while (quoted && (str_ends(raw, STR("\n")) || str_ends(raw, STR("\r"))))
		raw.len--;
	m.cut = quoted && !str_ends(raw, STR("`"));
	raw.len -= quoted && !m.cut;
	m.text = quoted && str_has(raw, STR("``"))
			 ? message_undouble(texts, raw)
			 : str_n(arena_dup(texts, raw.at, raw.len), raw.len);
	return m;
}

static void message(void *ctx, const struct trace_message *m)
{
	struct host_trace *g = ctx;
	struct host_trace_message *to;

	if (!str_has(m->text, STR("TT_")))
		return;
	to = vec_push(&g->messages);
	to->m = message_of(&g->h->texts, m->text);
	to->m.time_ns = m->time_ns;
	if (m->track != TRACE_NONE)
		to->m.pid = (int64_t)g->t->processes.at[g->t->tracks.at[m->track].process].pid;
	to->number = g->messages.len;
}

ORDER_BY(by_time, struct host_trace_message, m.time_ns, number)

void host_trace_sink(struct host_trace *g, struct trace *t, struct host_events *h, struct str more,
		     struct trace_sink *sink)
{
	*g = (struct host_trace){ .t = t, .h = h, .more = more };
	*sink = (struct trace_sink){ .ctx = g,
				     .zone_begin = zone_begin,
				     .zone_end = zone_end,
				     .zone_leaf = zone_leaf,
				     .message = message };
}

void host_trace_finish(struct host_trace *g)
{
	struct host_builder b;

	g->h->several_processes = g->t->processes.len > 1;
	host_builder_init(&b, g->h);
	vec_sort(&g->messages, by_time);
	vec_each (m, &g->messages)
		host_put_message(&b, &m->m);
	vec_each (z, &g->zones)
		host_put_zone(&b, z);
	vec_each (c, &g->children)
		host_put_child(&b, c->parent_id, trace_loc_name(g->t, c->call.loc),
			       c->call.exec_ns);
	host_builder_finish(&b);
	vec_each (k, &g->tracks) {
		vec_release_with(&k->open, calls);
	}
	RELEASE(vec, &g->tracks, &g->kind_of_loc, &g->messages, &g->zones, &g->children);
}

enum ttp_rc host_trace_read(struct inputs *files, const char *path, struct host_events *h,
			    bool *damaged, struct ttp_err *e)
{
	struct host_trace g;
	struct trace_sink sink;
	struct input in;
	struct trace t;
	enum ttp_rc rc = inputs_open(files, path, trace_accepts, &in, e);

	*damaged = false;
	if (!rc)
		rc = trace_open_input(&t, in, e);
	if (rc)
		return rc;
	host_trace_sink(&g, &t, h, STR(""), &sink);
	rc = trace_names(&t, e);
	if (!rc)
		rc = trace_read(&t, &sink, e);
	host_trace_finish(&g);
	*damaged = t.damaged;
	if (!rc && t.damaged && e)
		*e = t.damage;
	trace_close(&t);
	return rc;
}
