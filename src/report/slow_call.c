// SPDX-License-Identifier: Apache-2.0
#include "report/slow_call.h"

#include <stdlib.h>

#include "report/label.h"

enum {
	APART_TIMES = 8,     /* as long as so many of the next */
	APART_OF = 8,        /* fewer have no usual length */
	OF_TOTAL_PART = 50,  /* less than this part of the run is no finding */
	SCATTERED_TIMES = 3, /* several calls here and there: as long as so many usual ones, */
	SCATTERED_LEAST = 3, /* so many of them, */
	SCATTERED_OF = 8,    /* one in so many at most, of a kind one in half as many, */
	SCATTERED_PART = 20, /* and what they lost is this part of the run */
};

static bool is_apart(const struct longest *l)
{
	return l->n >= APART_OF && l->next_ns > 0 && l->ns >= APART_TIMES * l->next_ns;
}

static bool counts(const struct call *call)
{
	return !(call->flags & (CALL_HOST | CALL_MARKER | CALL_UNTIMED | CALL_FEWER_CORES));
}

static struct longest *find_longest(const struct calls *c)
{
	struct longest *all = mem_zero(2 * (size_t)c->alikes + 1, sizeof(*all));

	for (size_t i = 0; i < c->all.len; i++) {
		const struct call *call = &c->all.at[i];
		struct longest *l;

		if (!counts(call))
			continue;
		l = &all[call_like(c, call)];
		l->sum_ns += call->time_ns;
		l->n++;
		if (call->time_ns > l->ns) {
			l->next_ns = l->ns;
			l->ns = call->time_ns;
			l->call = (uint32_t)i;
		} else if (call->time_ns > l->next_ns) {
			l->next_ns = call->time_ns;
		}
	}
	for (size_t i = 0; i < 2 * (size_t)c->alikes; i++)
		all[i].is_apart = is_apart(&all[i]);
	return all;
}

/* ---- several of them ---- */

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Calls of one kind, whose usual time is worth finding out: one of them took far longer than the mean. */
struct kind_times {
	double sum_ns, most_ns, usual_ns;
	uint32_t n, from, filled;
};

static double *usual_times(const struct calls *c, struct kind_times *kinds)
{
	double *times = mem_alloc(c->all.len + 1, sizeof(*times));
	uint32_t at = 0;

	vec_each (call, &c->all) {
		struct kind_times *k = &kinds[call->kind];

		if (!counts(call))
			continue;
		k->sum_ns += call->time_ns;
		k->most_ns = call->time_ns > k->most_ns ? call->time_ns : k->most_ns;
		k->n++;
	}
	for (size_t i = 0; i < c->kinds.len; i++) {
		struct kind_times *k = &kinds[i];

		k->from = at;
		if (k->n < APART_OF || k->most_ns * k->n < 2 * k->sum_ns)
			k->n = 0;
		at += k->n;
	}
	vec_each (call, &c->all)
		if (counts(call) && kinds[call->kind].n)
			times[kinds[call->kind].from + kinds[call->kind].filled++] = call->time_ns;
	for (size_t i = 0; i < c->kinds.len; i++) {
		struct kind_times *k = &kinds[i];

		if (!k->n)
			continue;
		qsort(times + k->from, k->n, sizeof(*times), by_size);
		k->usual_ns = times[k->from + k->n / 2];
		/* too many of them are how it goes */
		if (times[k->from + k->n - 1 - 2 * k->n / SCATTERED_OF] >=
		    SCATTERED_TIMES * k->usual_ns)
			k->usual_ns = 0;
	}
	return times;
}

/* What is long because it follows another such one is a stretch of the run. */
static void find_scattered(struct slow_calls *s, const struct calls *c)
{
	SCOPED(mem) struct kind_times *kinds = mem_zero(c->kinds.len + 1, sizeof(*kinds));
	SCOPED(mem) double *times = usual_times(c, kinds);
	bool *is = mem_zero(c->all.len + 1, sizeof(*is)), before = false;
	double total = 0, most = 0;
	uint32_t together = 0, all = 0;

	for (size_t i = 0; i < c->all.len; i++) {
		const struct call *call = &c->all.at[i];
		double usual;

		if (!counts(call))
			continue;
		usual = kinds[call->kind].usual_ns;
		total += call->time_ns + call_own_gap(call);
		all++;
		is[i] = usual > 0 && call->time_ns >= SCATTERED_TIMES * usual &&
			!(call->flags & CALL_OPENS);
		together += is[i] && before;
		before = is[i];
		if (!is[i])
			continue;
		s->n++;
		s->scattered_ns += call->time_ns;
		s->usual_ns += usual;
		if (call->time_ns - usual > most) {
			most = call->time_ns - usual;
			s->most = (uint32_t)i;
			s->most_ns = usual;
		}
	}
	/* one of them that lost most of it is one call, and the others are chance */
	if (s->n < SCATTERED_LEAST || s->n * SCATTERED_OF > all || together * 2 > s->n ||
	    (s->scattered_ns - s->usual_ns) * SCATTERED_PART < total ||
	    most * 2 > s->scattered_ns - s->usual_ns) {
		s->n = 0;
		free(is);
		return;
	}
	s->scattered = is;
}

static void add_scattered(struct findings *f, const struct calls *c, const struct slow_calls *s)
{
	const struct call *call = &c->all.at[s->most];
	struct buf b = { 0 }, advice = { 0 };

	buf_printf(
		&b,
		"%u single calls here and there took %.1f times as long as those like them: op %u, ",
		s->n, s->scattered_ns / s->usual_ns, call->id);
	label_call(&b, c->table, c, call);
	buf_text(&b, ", ");
	label_ns(&b, call->time_ns);
	buf_text(&b, " instead of ");
	label_ns(&b, s->most_ns);
	buf_text(
		&advice,
		call_kind(c, call)->roof.work.family == FAMILY_COLLECTIVE
			? "devices came late to them: see what those did before (--each, ttprof timeline)"
			: "other work ran on the device, or their data came late: see when they ran (--each, ttprof timeline), and compare the cores of one with a like one (ttprof heat --id)");
	*vec_push(&f->all) = (struct finding){ .what = FINDING_CALLS,
					       .saves_ns = s->scattered_ns - s->usual_ns,
					       .calls = s->n,
					       .time_ns = s->scattered_ns,
					       .id = call->id,
					       .text = b.at,
					       .advice = advice.at };
}

void slow_calls_find(struct slow_calls *s, const struct calls *c)
{
	*s = (struct slow_calls){ .longest = find_longest(c) };
	find_scattered(s, c);
}

void slow_calls_release(struct slow_calls *s)
{
	free(s->longest);
	free(s->scattered);
}

bool slow_calls_has(const struct slow_calls *s, const struct calls *c, size_t call)
{
	const struct longest *l = &s->longest[call_like(c, &c->all.at[call])];

	return (l->is_apart && l->call == call) || (s->scattered && s->scattered[call]);
}

/* ---- findings ---- */

static void add(struct findings *f, const struct calls *c, const struct longest *l)
{
	const struct call *call = &c->all.at[l->call];
	double others_ns = (l->sum_ns - l->ns) / (l->n - 1);
	struct buf b = { 0 }, advice = { 0 };

	buf_text(&b, "one call of ");
	label_call(&b, c->table, c, call);
	buf_printf(&b, " (op %u) took ", call->id);
	label_ns(&b, l->ns);
	buf_printf(&b, ", the %u others ", l->n - 1);
	label_ns(&b, others_ns);
	buf_text(&b, " each");
	buf_printf(
		&advice,
		call_kind(c, call)->roof.work.family == FAMILY_COLLECTIVE
			? "a device came late to it: see what that one did before (--each, ttprof timeline)"
			: "compare its cores with those of a like call (ttprof heat --id %u): other work ran, or its data came late",
		call->id);
	*vec_push(&f->all) = (struct finding){ .what = FINDING_CALL,
					       .saves_ns = l->ns - others_ns,
					       .calls = 1,
					       .time_ns = l->ns,
					       .id = call->id,
					       .text = b.at,
					       .advice = advice.at };
}

void slow_calls_add(struct findings *f, const struct calls *c, const struct slow_calls *s)
{
	double total = f->totals.device_ns + totals_gap(&f->totals);
	const struct longest *all = s->longest;

	if (s->scattered)
		add_scattered(f, c, s);
	for (size_t i = 0; i < 2 * (size_t)c->alikes; i++)
		if (all[i].is_apart && all[i].ns * OF_TOTAL_PART >= total &&
		    !(s->scattered && s->scattered[all[i].call]))
			add(f, c, &all[i]);
}
