// SPDX-License-Identifier: Apache-2.0
/* Which changes of a series are more than chance, and what they are. */
#include <math.h>
#include <stdlib.h>

#include "base/order.h"
#include "history/change_points.h"
#include "history/trends.h"

static const double significant = 0.05, same_clock = 0.005;

/* The values that there are, and of which runs. */
struct values {
	double *ns;
	double *scaled; /* what is counted in cycles as if the clock had always been that of the first run */
	double *all_scaled; /* gaps, too: a device that waits for another one does so in cycles */
	size_t *run, n;
};

static void find_values(struct values *v, const struct trends *t, const struct series *s,
			const struct trend *tr)
{
	size_t runs = s->runs.len;
	double first = 0;

	*v = (struct values){ mem_alloc(runs + 1, sizeof(double)),
			      mem_alloc(runs + 1, sizeof(double)),
			      mem_alloc(runs + 1, sizeof(double)),
			      mem_alloc(runs + 1, sizeof(size_t)), 0 };
	for (size_t r = 0; r < runs; r++) {
		double mhz = series_run(t, s, r)->mhz, by;

		if (isnan(tr->ns[r]))
			continue;
		if (!(first > 0))
			first = mhz;
		v->ns[v->n] = tr->ns[r];
		by = mhz > 0 && first > 0 ? mhz / first : 1;
		v->scaled[v->n] = tr->ns[r] + tr->device_ns[r] * (by - 1);
		v->all_scaled[v->n] = tr->ns[r] * by;
		v->run[v->n++] = r;
	}
}

static void release_values(struct values *v)
{
	RELEASE(mem, &v->ns, &v->scaled, &v->all_scaled, &v->run);
}

static double mean_of(const double *v, size_t from, size_t to)
{
	double sum = 0;

	for (size_t i = from; i < to; i++)
		sum += v[i];
	return to > from ? sum / (double)(to - from) : NAN;
}

/* What a change has to exceed: compare's rule. */
static double margin(const struct trends *t, double before)
{
	const struct compare_ask ask = { .min_percent = t->ask.min_percent,
					 .min_ns = t->ask.min_ns };

	return compare_margin(&ask, (int64_t)before);
}

static double least_change(const void *ctx, double before)
{
	return margin(ctx, before);
}

static double median_mhz(const struct trends *t, const struct series *s, const struct values *v,
			 size_t from, size_t to)
{
	SCOPED(mem) double *mhz = mem_alloc(to - from + 1, sizeof(*mhz));

	for (size_t i = from; i < to; i++)
		mhz[i - from] = series_run(t, s, v->run[i])->mhz;
	qsort(mhz, to - from, sizeof(*mhz), order_double);
	return mhz[(to - from) / 2];
}

/* A candidate of a trend. */
struct candidate {
	struct trend *of;
	size_t at; /* of its values; 0: none was found, but it was looked for */
	double p;
};
typedef VEC(struct candidate) candidates;

static void find_candidates(const struct trends *t, struct series *s, candidates *all)
{
	vec_each (tr, &s->trends) {
		change_points found = { 0 };
		struct values v;
		double none;

		find_values(&v, t, s, tr);
		change_points_find(v.ns, v.n, least_change, t, &found, &none);
		vec_each (c, &found)
			*vec_push(all) = (struct candidate){ tr, c->at, c->p };
		if (!found.len)
			*vec_push(all) = (struct candidate){ tr, 0, none };
		vec_release(&found);
		release_values(&v);
	}
}

static void keep_significant(candidates *all)
{
	SCOPED(mem) double *p = mem_alloc(all->len + 1, sizeof(*p));
	size_t kept = 0;

	for (size_t i = 0; i < all->len; i++)
		p[i] = all->at[i].p;
	rank_adjust(p, all->len);
	for (size_t i = 0; i < all->len; i++)
		if (all->at[i].at && p[i] < significant) {
			all->at[kept] = all->at[i];
			all->at[kept++].p = p[i];
		}
	all->len = kept;
}

/* As slow in the runs since the last change as it became by this one. */
static bool is_still_slow(const struct trends *t, const struct trend_change *c,
			  const struct values *v, size_t last_part)
{
	return mean_of(v->ns, last_part, v->n) > c->before_ns + margin(t, c->before_ns);
}

/* Whether there is no such change in values that are scaled by the clock. */
static bool is_none_in(const struct trends *t, const double *scaled, size_t from, size_t at,
		       size_t to, const struct trend_change *c)
{
	struct shift cycles = change_shift(scaled, from, at, to);

	return compare_judge_shift(&cycles, cycles.p,
				   mean_of(scaled, at, to) - mean_of(scaled, from, at),
				   margin(t, c->before_ns)) != c->verdict;
}

static void describe(const struct trends *t, const struct series *s, const struct values *v,
		     size_t from, size_t at, size_t to, double p, struct trend_change *c)
{
	const struct history_run *good = series_run(t, s, v->run[at - 1]),
				 *bad = series_run(t, s, v->run[at]);

	*c = (struct trend_change){ .at = v->run[at],
				    .last_good = v->run[at - 1],
				    .before_ns = mean_of(v->ns, from, at),
				    .after_ns = mean_of(v->ns, at, to),
				    .before_runs = at - from,
				    .after_runs = to - at,
				    .shift = change_shift(v->ns, from, at, to),
				    .p = p };
	c->mhz[BASE] = median_mhz(t, s, v, from, at);
	c->mhz[NEW] = median_mhz(t, s, v, at, to);
	c->verdict = compare_judge_shift(&c->shift, c->p, c->after_ns - c->before_ns,
					 margin(t, c->before_ns));
	c->is_clock = c->mhz[BASE] > 0 && c->mhz[NEW] > 0 &&
		      fabs(c->mhz[NEW] / c->mhz[BASE] - 1) >= same_clock &&
		      (is_none_in(t, v->scaled, from, at, to, c) ||
		       is_none_in(t, v->all_scaled, from, at, to, c));
	c->at_one_commit = good->commit_id.len && str_eq(good->commit_id, bad->commit_id) &&
			   !good->dirty && !bad->dirty;
}

/* The newest runs against those before them, after the last change: has something begun that is not sure yet? */
static enum compare_verdict judge_newest(const struct trends *t, const struct values *v,
					 size_t from)
{
	size_t newest = COMPARE_RUNS_AT_LEAST;
	struct shift s;

	if (v->n - from < 2 * newest)
		return COMPARE_UNSURE;
	s = change_shift(v->ns, from, v->n - newest, v->n);
	return compare_judge_shift(
		&s, s.p, mean_of(v->ns, v->n - newest, v->n) - mean_of(v->ns, from, v->n - newest),
		margin(t, mean_of(v->ns, from, v->n - newest)));
}

static void judge_trend(const struct trends *t, const struct series *s, struct trend *tr,
			const struct candidate *c, size_t n)
{
	size_t last_part = 0;
	struct values v;

	find_values(&v, t, s, tr);
	for (size_t i = 0; i < n; i++) {
		size_t from = i ? c[i - 1].at : 0, to = i + 1 < n ? c[i + 1].at : v.n;
		struct trend_change change;

		describe(t, s, &v, from, c[i].at, to, c[i].p, &change);
		if (change.verdict != COMPARE_SLOWER && change.verdict != COMPARE_FASTER)
			continue;
		last_part = c[i].at;
		*vec_push(&tr->changes) = change;
	}
	vec_each (change, &tr->changes)
		change->is_open = change->verdict == COMPARE_SLOWER &&
				  is_still_slow(t, change, &v, last_part);
	tr->since = v.n - last_part;
	tr->now = judge_newest(t, &v, last_part);
	release_values(&v);
}

void series_judge(struct trends *t, struct series *s)
{
	candidates all = { 0 };
	size_t from = 0;

	find_candidates(t, s, &all);
	keep_significant(&all);
	/* they are in the order of trends, and rise within each */
	vec_each (tr, &s->trends) {
		size_t to = from;

		while (to < all.len && all.at[to].of == tr)
			to++;
		judge_trend(t, s, tr, all.at + from, to - from);
		from = to;
	}
	vec_release(&all);
}
