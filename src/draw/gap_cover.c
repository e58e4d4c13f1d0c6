// SPDX-License-Identifier: Apache-2.0
#include "draw/gap_cover.h"

#include <math.h>
#include <stdlib.h>

#include "base/width.h"

struct share {
	uint32_t loc;
	double ns;
};

/* On the clock of the trace, which is that of HOST START TS. */
struct stretch {
	double from_ns, to_ns; /* from > to: not known */
	VEC(struct share) by_place;
	struct u64map index;
};

struct thread {
	int64_t since;
	VEC(uint32_t) open;
};

struct search {
	struct stretch *at;
	size_t n;
	double first_ns, last_ns; /* of all */
	VEC(struct thread) threads;
};

static bool host_times(const struct ops_table *t, uint32_t row, double *start, double *end)
{
	double took;

	if (!ops_real(t, OPS_HOST_START, row, start) || !ops_real(t, OPS_HOST_DURATION, row, &took))
		return false;
	*end = *start + took;
	return true;
}

static void choose(struct search *s, const struct top *t)
{
	const struct calls *c = &t->ops->calls;

	s->first_ns = INFINITY;
	s->last_ns = -INFINITY;
	for (size_t i = 0; i < s->n; i++) {
		uint32_t call = t->gaps.at[i].call;
		double start, end, before_start, before_end;

		s->at[i] = (struct stretch){ .from_ns = 1, .to_ns = 0 };
		if (!call || !host_times(c->table, c->all.at[call].row, &start, &end) ||
		    !host_times(c->table, c->all.at[call - 1].row, &before_start, &before_end) ||
		    before_end >= end)
			continue;
		s->at[i].from_ns = before_end;
		s->at[i].to_ns = end;
		s->first_ns = fmin(s->first_ns, before_end);
		s->last_ns = fmax(s->last_ns, end);
	}
}

static void add(struct search *s, double from_ns, double to_ns, uint32_t loc)
{
	if (to_ns <= s->first_ns || from_ns >= s->last_ns)
		return;
	for (size_t i = 0; i < s->n; i++) {
		struct stretch *w = &s->at[i];
		double a = fmax(from_ns, w->from_ns), b = fmin(to_ns, w->to_ns);
		bool added;
		uint32_t n;

		if (!(a < b))
			continue;
		n = u64map_get_or_put(&w->index, loc, (uint32_t)w->by_place.len, &added);
		if (added)
			*vec_push(&w->by_place) = (struct share){ .loc = loc };
		w->by_place.at[n].ns += b - a;
	}
}

static struct thread *thread_of(struct search *s, uint32_t track)
{
	while (s->threads.len <= track)
		*vec_push(&s->threads) = (struct thread){ 0 };
	return &s->threads.at[track];
}

static void passes(struct search *s, struct thread *k, int64_t ns)
{
	if (k->open.len && ns > k->since)
		add(s, (double)k->since, (double)ns, k->open.at[k->open.len - 1]);
	k->since = ns;
}

static void begin(void *ctx, uint32_t track, int64_t ns, uint32_t loc)
{
	struct thread *k = thread_of(ctx, track);

	passes(ctx, k, ns);
	*vec_push(&k->open) = loc;
}

static void end(void *ctx, uint32_t track, int64_t ns, const struct trace_extra *x)
{
	struct thread *k = thread_of(ctx, track);

	(void)x;
	if (ns != TRACE_OPEN)
		passes(ctx, k, ns);
	k->open.len -= k->open.len > 0;
}

static void tell(struct top *t, struct top_gap *gap, const struct stretch *w, const struct trace *trace)
{
	const struct share *most = NULL;
	struct buf clean = { 0 };

	vec_each (p, &w->by_place)
		if (!most || p->ns > most->ns)
			most = p;
	if (w->from_ns >= w->to_ns)
		return;
	gap->host_ns = w->to_ns - w->from_ns;
	if (!most || most->ns * 10 < gap->host_ns) {
		gap->cover = STR("no zone");
		gap->cover_ns = 0;
		return;
	}
	width_clean(&clean, str_head(trace_loc_name(trace, most->loc), 200));
	gap->cover = str_n(arena_dup(&t->texts, clean.at ? clean.at : "", clean.len), clean.len);
	gap->cover_ns = most->ns;
	buf_release(&clean);
}

enum ttp_rc gap_covers_find(struct top *t, struct trace *trace, struct ttp_err *e)
{
	struct search s = { .at = mem_zero(t->gaps.len + 1, sizeof(*s.at)), .n = t->gaps.len };
	struct trace_sink sink = { .ctx = &s, .zone_begin = begin, .zone_end = end };
	enum ttp_rc rc = TTP_OK;

	choose(&s, t);
	if (s.first_ns < s.last_ns)
		rc = trace_read(trace, &sink, e);
	for (size_t i = 0; !rc && i < s.n; i++)
		tell(t, &t->gaps.at[i], &s.at[i], trace);
	for (size_t i = 0; i < s.n; i++) {
		vec_release(&s.at[i].by_place);
		u64map_release(&s.at[i].index);
	}
	vec_each (k, &s.threads)
		vec_release(&k->open);
	vec_release(&s.threads);
	free(s.at);
	return rc;
}
