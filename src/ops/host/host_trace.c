// SPDX-License-Identifier: Apache-2.0
#include "ops/host/host_trace.h"

#include <stdlib.h>

#include "base/csv.h"
#include "trace/trace.h"

/*
 * What tt-metal asks csvexport for: -t TT_ -x CompileProgram,HWCommandQueue_write_buffer; and the other calls that an op
 * of libttpdev makes, as the reports of 2023 had them.
 */
static const struct str special[] = {
	STR_INIT("CompileProgram"),
	STR_INIT("HWCommandQueue_write_buffer"),
	STR_INIT("ConfigureDeviceWithProgram"),
	STR_INIT("LaunchProgram"),
	STR_INIT("ReadFromDevice"),
	STR_INIT("WriteToDevice"),
	STR_INIT("DumpDeviceProfileResults"),
};
enum { SPECIALS = sizeof(special) / sizeof(*special) };

/* A special zone that waits for the text of the zone around it. */
struct waiting {
	uint32_t loc;
	int64_t start_ns, took_ns;
};

struct open_zone {
	uint32_t loc;
	int64_t start_ns;
	VEC(struct waiting) children;
};

struct track {
	VEC(struct open_zone) open;
};

struct message {
	int64_t time_ns;
	size_t number;
	struct str text;
};

struct reading {
	struct trace *t;
	VEC(struct track) tracks;
	VEC(struct message) messages;
	struct arena texts;
	struct csv_writer zones;
};

static bool is_op(struct str name)
{
	return str_has(name, STR("TT_"));
}

static void zone_begin(void *ctx, uint32_t track, int64_t ns, uint32_t loc)
{
	struct reading *g = ctx;

	while (g->tracks.len <= track)
		*vec_push(&g->tracks) = (struct track){ 0 };
	*vec_push(&g->tracks.at[track].open) = (struct open_zone){ .loc = loc, .start_ns = ns };
}

static void row(struct reading *g, uint32_t track, uint32_t loc, int64_t start_ns, int64_t took_ns,
		struct str text, struct str parent)
{
	csv_field(&g->zones, trace_loc_name(g->t, loc));
	csv_field(&g->zones, text);
	csv_plain(&g->zones);
	buf_add_i64(g->zones.out, start_ns);
	csv_plain(&g->zones);
	buf_add_i64(g->zones.out, took_ns);
	csv_plain(&g->zones);
	buf_add_u64(g->zones.out, g->t->tracks.at[track].index);
	csv_field(&g->zones, parent);
	csv_end_row(&g->zones);
}

static void zone_end(void *ctx, uint32_t track, int64_t ns, const struct trace_extra *x)
{
	struct reading *g = ctx;
	struct track *k = &g->tracks.at[track];
	struct open_zone o;
	struct str name, text = x && x->text.at ? x->text : STR("");

	if (!k->open.len)
		return;
	o = k->open.at[--k->open.len];
	name = trace_loc_name(g->t, o.loc);
	vec_each (w, &o.children)
		row(g, track, w->loc, w->start_ns, w->took_ns, STR(""), text);
	vec_release(&o.children);
	if (ns == TRACE_OPEN || ns <= o.start_ns)
		return;
	if (is_op(name))
		row(g, track, o.loc, o.start_ns, ns_minus(ns, o.start_ns), text, STR(""));
	for (size_t i = 0; i < SPECIALS; i++) {
		if (!str_eq(name, special[i]))
			continue;
		for (size_t p = k->open.len; p-- > 0;) {
			if (!is_op(trace_loc_name(g->t, k->open.at[p].loc)))
				continue;
			*vec_push(&k->open.at[p].children) =
				(struct waiting){ o.loc, o.start_ns, ns_minus(ns, o.start_ns) };
			break;
		}
	}
}

static void message(void *ctx, const struct trace_message *m)
{
	struct reading *g = ctx;

	*vec_push(&g->messages) =
		(struct message){ m->time_ns, g->messages.len,
				  str_n(arena_dup(&g->texts, m->text.at, m->text.len),
					m->text.len) };
}

static int by_time(const void *a, const void *b)
{
	const struct message *x = a, *y = b;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

enum ttp_rc host_trace_read(struct inputs *files, const char *path, struct buf *messages,
			    struct buf *zones, bool *damaged, struct ttp_err *e)
{
	struct reading g = { .zones = { .out = zones, .eol = "\n" } };
	struct trace_sink sink = {
		.ctx = &g, .zone_begin = zone_begin, .zone_end = zone_end, .message = message
	};
	struct input in;
	struct trace t;
	enum ttp_rc rc = inputs_open(files, path, trace_accepts, &in, e);

	if (!rc)
		rc = trace_open_input(&t, in, e);

	*damaged = false;
	if (rc)
		return rc;
	g.t = &t;
	buf_text(zones, "name,zone_text,ns_since_start,exec_time_ns,thread,special_parent_text\n");
	buf_text(messages, "MessageName;total_ns\n");
	rc = trace_names(&t, e);
	if (!rc)
		rc = trace_read(&t, &sink, e);
	if (g.messages.len)
		qsort(g.messages.at, g.messages.len, sizeof(*g.messages.at), by_time);
	vec_each (m, &g.messages)
		buf_printf(messages, "%.*s;%lld\n", STR_ARG(m->text), (long long)m->time_ns);
	vec_each (k, &g.tracks) {
		vec_each (o, &k->open)
			vec_release(&o->children);
		vec_release(&k->open);
	}
	vec_release(&g.tracks);
	vec_release(&g.messages);
	arena_release(&g.texts);
	*damaged = t.damaged;
	if (!rc && t.damaged && e)
		*e = t.damage;
	trace_close(&t);
	return rc;
}
