// SPDX-License-Identifier: Apache-2.0
/* ttp/trace.h: zones, messages and plots of a trace as they come. */
#include <string.h>

#include "library/library.h"

struct open_zone {
	int64_t start_ns;
	uint32_t loc;
};

struct track {
	VEC(struct open_zone) open;
	const char *name; /* NULL: not asked for yet */
};

/* Its texts, ended by NUL. */
struct location {
	const char *name, *function, *file; /* name: NULL before its first zone */
};

struct walk {
	struct trace *t;
	struct ttprof_trace_sink sink;
	VEC(struct track) tracks;
	VEC(struct location) locations;
	struct arena texts;
	struct buf name, text, thread;
};

static const char *text_in(struct buf *b, struct str s)
{
	buf_clear(b);
	buf_str(b, s);
	buf_char(b, 0); /* so that there is one also of nothing */
	return b->at;
}

static const char *keep(struct walk *w, struct str s)
{
	return arena_dup(&w->texts, s.at, s.len);
}

static struct track *track_of(struct walk *w, uint32_t track)
{
	vec_reach(&w->tracks, track, (struct track){ 0 });
	return &w->tracks.at[track];
}

static const char *track_name(struct walk *w, uint32_t track)
{
	struct track *k;

	if (track == TRACE_NONE)
		return "";
	k = track_of(w, track);
	if (!k->name) {
		uint32_t context =
			track < w->t->tracks.len ? w->t->tracks.at[track].context : TRACE_NONE;

		buf_clear(&w->thread);
		if (context == TRACE_NONE)
			trace_track_name(w->t, track, &w->thread);
		else
			trace_context_name(w->t, context, &w->thread);
		k->name = keep(w, buf_view(&w->thread));
	}
	return k->name;
}

static void fill_location(struct walk *w, uint32_t loc, struct ttprof_zone *z)
{
	const struct trace_loc *l = trace_loc_at(w->t, loc);
	struct location *at;

	/* one that a damaged trace does not have is behind the last */
	if (loc > w->t->locs.len)
		loc = (uint32_t)w->t->locs.len;
	vec_reach(&w->locations, loc, (struct location){ 0 });
	at = &w->locations.at[loc];
	if (!at->name)
		*at = (struct location){ keep(w, trace_loc_name(w->t, loc)),
					 keep(w, trace_str(w->t, l->function)),
					 keep(w, trace_str(w->t, l->file)) };
	z->name = at->name;
	z->function = at->function;
	z->file = at->file;
	z->line = l->line;
	z->location = loc;
}

static void zone_begin(void *ctx, uint32_t track, int64_t time_ns, uint32_t loc)
{
	*vec_push(&track_of(ctx, track)->open) = (struct open_zone){ time_ns, loc };
}

static void emit(struct walk *w, uint32_t track, uint32_t loc, struct ttprof_zone *z)
{
	fill_location(w, loc, z);
	if (z->named)
		z->name = w->name.at;
	z->thread = track_name(w, track);
	z->track = track;
	w->sink.zone(w->sink.ctx, z);
}

static void zone_leaf(void *ctx, uint32_t track, int64_t start_ns, int64_t end_ns, uint32_t loc)
{
	struct walk *w = ctx;
	struct ttprof_zone z = { .text = "",
				 .tid = track < w->t->tracks.len ? w->t->tracks.at[track].tid : 0,
				 .depth = (uint32_t)track_of(w, track)->open.len,
				 .start_ns = start_ns,
				 .end_ns = end_ns };

	emit(w, track, loc, &z);
}

static void zone_end(void *ctx, uint32_t track, int64_t time_ns, const struct trace_extra *x)
{
	struct walk *w = ctx;
	struct track *k = track_of(w, track);
	struct ttprof_zone z = { .text = "", .end_ns = time_ns };
	struct open_zone o;

	if (!k->open.len)
		return;
	o = k->open.at[--k->open.len];
	z.named = x && x->name.len;
	if (z.named)
		(void)text_in(&w->name, x->name);
	if (x && x->text.len)
		z.text = text_in(&w->text, x->text);
	z.tid = track < w->t->tracks.len ? w->t->tracks.at[track].tid : 0;
	z.depth = (uint32_t)k->open.len;
	z.start_ns = o.start_ns;
	emit(w, track, o.loc, &z);
}

static void device_tree(void *ctx, uint32_t lane, const struct trace_device_zone *zones, size_t n)
{
	struct walk *w = ctx;

	for (size_t i = 0; i < n; i++) {
		struct ttprof_zone z = { .device = true,
					 .text = "",
					 .depth = zones[i].depth,
					 .start_ns = zones[i].gpu_start_ns,
					 .end_ns = zones[i].gpu_end_ns };

		if (z.start_ns >= 0 && z.end_ns >= z.start_ns)
			emit(w, lane, zones[i].loc, &z);
	}
}

static void message(void *ctx, const struct trace_message *m)
{
	struct walk *w = ctx;
	struct ttprof_message out = { .text = text_in(&w->text, m->text),
				      .thread = track_name(w, m->track),
				      .time_ns = m->time_ns };

	w->sink.message(w->sink.ctx, &out);
}

static void plot(void *ctx, uint32_t plot, int64_t time_ns, double value)
{
	struct walk *w = ctx;
	struct ttprof_plot out = { .time_ns = time_ns, .value = value };

	out.name = text_in(&w->name, plot < w->t->plots.len
					     ? trace_str(w->t, w->t->plots.at[plot].name)
					     : str_n("", 0));
	w->sink.plot(w->sink.ctx, &out);
}

static int walk(struct trace *t, const struct ttprof_trace_sink *sink, struct ttprof_error *to)
{
	struct walk w = { .t = t };
	struct trace_sink events = { .ctx = &w };
	struct ttp_err e;
	enum ttp_rc rc;

	memcpy(&w.sink, sink, sink->size < sizeof(w.sink) ? sink->size : sizeof(w.sink));
	if (w.sink.zone) {
		events.zone_leaf = zone_leaf;
		events.zone_begin = zone_begin;
		events.zone_end = zone_end;
		events.device_tree = device_tree;
	}
	events.message = w.sink.message ? message : NULL;
	events.plot = w.sink.plot ? plot : NULL;
	rc = trace_names(t, &e);
	if (!rc)
		rc = trace_read(t, &events, &e);
	vec_release_with(&w.tracks, open);
	vec_release(&w.locations);
	arena_release(&w.texts);
	buf_release(&w.name);
	buf_release(&w.text);
	buf_release(&w.thread);
	if (!rc)
		e = t->damaged ? t->damage : (struct ttp_err){ 0 };
	if (e.rc)
		(void)ttp_wrap(&e, e.rc, "%s", t->in.name);
	library_error(to, &e);
	return rc ? -1 : 0;
}

static int walk_and_close(struct trace *t, const struct ttprof_trace_sink *sink,
			  struct ttprof_error *to)
{
	int status = walk(t, sink, to);

	trace_close(t);
	return status;
}

int ttprof_trace_walk(const char *path, const struct ttprof_trace_sink *sink,
		      struct ttprof_error *to)
{
	struct ttp_err e;
	struct trace t;

	if (!path || !sink)
		(void)ttp_fail(&e, TTP_USAGE, "no %s", path ? "sink" : "path");
	else if (!trace_open(&t, path, &e))
		return walk_and_close(&t, sink, to);
	library_error(to, &e);
	return -1;
}

int ttprof_run_trace(struct ttprof_run *run, const struct ttprof_trace_sink *sink,
		     struct ttprof_error *to)
{
	struct ttp_err e = { 0 };
	struct trace t;

	if (!run || !sink)
		return 0;
	if (run->run.parts.trace.len && !run_trace(&run->run, &t, &e))
		return walk_and_close(&t, sink, to);
	library_error(to, &e);
	return e.rc ? -1 : 0;
}
