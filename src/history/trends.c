// SPDX-License-Identifier: Apache-2.0
#include "history/trends.h"

#include <math.h>
#include <stdlib.h>

#include "compare/diff.h"
#include "compare/op_pairs.h"

#define X(id, text) text,
const char *const trend_of_names[] = { TREND_LIST(X) };
#undef X

/* Runs before this one among which the most similar is looked for: a single damaged run must not end what was followed. */
enum { LOOK_BACK = 3, UNTIMED_PERCENT = 10 };

/* An op over time. */
struct track {
	uint32_t kind; /* in the last run that has it */
	size_t last;   /* that run */
};

struct tracks {
	const struct trends *t;
	struct series *s;
	VEC(struct track) all;
	uint32_t **of; /* per run and position */
	bool *odd;     /* per run: it shares less than half of its ops with those before it */
};

static const struct op_sequence *step_of(const struct tracks *k, size_t run)
{
	return &series_run(k->t, k->s, run)->step;
}

static bool is_same_sequence(const struct op_sequence *a, const struct op_sequence *b)
{
	if (a->at.len != b->at.len)
		return false;
	for (size_t i = 0; i < a->at.len; i++)
		if (a->at.at[i].key[SAME_KIND] != b->at.at[i].key[SAME_KIND])
			return false;
	return true;
}

/* Pairs a run with the one of the last few that has most of its ops; DIFF_NONE where there are none. */
static void follow_run(struct tracks *k, size_t run)
{
	const struct op_sequence *now = step_of(k, run);
	size_t n = now->at.len, best = 0, most = n;
	uint32_t *of = k->of[run] = mem_alloc(n + 1, sizeof(*of));

	for (size_t i = 0; i < n; i++)
		of[i] = DIFF_NONE;
	for (size_t back = 1; back <= LOOK_BACK && back <= run && best < n; back++) {
		const struct op_sequence *before = step_of(k, run - back);
		SCOPED(mem) uint32_t *pair = NULL;
		size_t found = 0;

		if (is_same_sequence(before, now)) {
			memcpy(of, k->of[run - back], n * sizeof(*of));
			best = most = n;
			break;
		}
		pair = op_sequence_pair(before, now);
		for (size_t i = 0; i < before->at.len; i++)
			found += pair[i] != DIFF_NONE;
		if (found <= best)
			continue;
		best = found;
		most = before->at.len > n ? before->at.len : n;
		for (size_t i = 0; i < n; i++)
			of[i] = DIFF_NONE;
		for (size_t i = 0; i < before->at.len; i++)
			if (pair[i] != DIFF_NONE)
				of[pair[i]] = k->of[run - back][i];
	}
	k->odd[run] = run && 2 * best < most;
	for (size_t i = 0; i < n; i++) {
		if (of[i] == DIFF_NONE) {
			of[i] = (uint32_t)k->all.len;
			*vec_push(&k->all) = (struct track){ 0 };
		}
		k->all.at[of[i]] = (struct track){ now->at.at[i].key[SAME_KIND], run };
	}
}

/* ---- values ---- */

/* The times of a track that are missing are those that it had before, or else will have: what was lost must not look fast. */
static void fill_missing(double *ns, const bool *has, size_t n)
{
	double last = NAN;

	for (size_t i = 0; i < n; i++)
		if (has[i] && isnan(ns[i]))
			ns[i] = last;
		else if (has[i])
			last = ns[i];
	for (size_t i = n; i-- > 0;)
		if (has[i] && isnan(ns[i]))
			ns[i] = last;
		else if (has[i])
			last = ns[i];
}

struct sums {
	double *time, *gap, *timed, *ops; /* per kind and run */
};

/* Sums over the tracks of a kind, per run. */
static void add_track(const struct tracks *k, const struct sums *to, uint32_t at_kind,
		      const double *time, const double *gap, const bool *has, const bool *timed)
{
	size_t runs = k->s->runs.len, base = at_kind * runs;

	for (size_t r = 0; r < runs; r++) {
		if (!has[r] || isnan(time[r]))
			continue;
		to->time[base + r] += time[r];
		to->gap[base + r] += gap[r];
		to->timed[base + r] += timed[r];
		to->ops[base + r]++;
	}
}

static bool is_usable(const struct trends *t, const struct series *s, size_t run)
{
	const struct history_run *r = series_run(t, s, run),
				 *last = series_run(t, s, s->runs.len - 1);

	/* kernel times and firmware times can't be compared */
	return r->firmware_times == last->firmware_times;
}

/* All of the run counts. */
static bool is_whole(const struct trends *t, const struct series *s, size_t run)
{
	const struct history_run *r = series_run(t, s, run);

	return is_usable(t, s, run) && !r->lost_rows && r->ops > 0 &&
	       r->untimed * 100 <= UNTIMED_PERCENT * r->ops * (r->steps > 0 ? r->steps : 1);
}

static struct trend *add_trend(struct series *s, enum trend_of of, uint32_t kind, uint32_t count)
{
	struct trend *tr = vec_push(&s->trends);

	*tr = (struct trend){ .of = of, .kind = kind, .count = count };
	tr->ns = mem_alloc(s->runs.len + 1, sizeof(double));
	tr->device_ns = mem_zero(s->runs.len + 1, sizeof(double));
	for (size_t r = 0; r < s->runs.len; r++)
		tr->ns[r] = NAN;
	return tr;
}

/* Of a kind: the mean of its ops, times how many the last run has. */
static void add_kind_trends(const struct tracks *k, const struct sums *sums, uint32_t at_kind,
			    uint32_t kind)
{
	struct series *s = k->s;
	size_t runs = s->runs.len, base = at_kind * runs, last = runs;
	double count;

	while (last-- && !(sums->ops[base + last] > 0))
		;
	if (last >= runs)
		return;
	count = sums->ops[base + last];
	for (int gap = 0; gap <= (int)s->has_gaps; gap++) {
		struct trend *tr =
			add_trend(s, gap ? TREND_GAP : TREND_TIME, kind, (uint32_t)count);

		for (size_t r = 0; r < runs; r++) {
			double n = sums->ops[base + r];

			if (!(n > 0) || 2 * sums->timed[base + r] < n || !is_usable(k->t, s, r))
				continue;
			tr->ns[r] = (gap ? sums->gap : sums->time)[base + r] / n * count;
			tr->device_ns[r] = gap ? 0 : tr->ns[r];
		}
	}
}

static void add_whole(const struct tracks *k, const struct sums *sums, size_t kinds)
{
	struct series *s = k->s;
	size_t runs = s->runs.len;

	for (int of = TREND_STEP; of <= (s->has_gaps ? TREND_GAPS : TREND_STEP); of++) {
		struct trend *tr = add_trend(s, (enum trend_of)of, UINT32_MAX, 0);

		tr->count = (uint32_t)step_of(k, runs - 1)->at.len;
		for (size_t r = 0; r < runs; r++) {
			double time = 0, gap = 0;

			if (!is_whole(k->t, s, r) || k->odd[r])
				continue;
			for (size_t i = 0; i < kinds; i++) {
				time += sums->time[i * runs + r];
				gap += sums->gap[i * runs + r];
			}
			tr->ns[r] = of == TREND_STEP ? time + gap : gap;
			tr->device_ns[r] = of == TREND_STEP ? time : 0;
		}
	}
}

static double last_ns(const struct trend *t, size_t runs)
{
	while (runs-- > 0)
		if (!isnan(t->ns[runs]))
			return t->ns[runs];
	return 0;
}

static int by_last(const void *a, const void *b, void *runs)
{
	const struct trend *x = a, *y = b;
	bool p = x->of <= TREND_GAPS, q = y->of <= TREND_GAPS;
	double u = last_ns(x, *(size_t *)runs), v = last_ns(y, *(size_t *)runs);

	if (p != q)
		return p ? -1 : 1;
	if (!p && (u < v || u > v))
		return u < v ? 1 : -1;
	return x->of != y->of ? (x->of > y->of) - (x->of < y->of)
			      : (x->kind > y->kind) - (x->kind < y->kind);
}

static void make_values(struct tracks *k)
{
	struct series *s = k->s;
	size_t runs = s->runs.len, n = k->all.len;
	struct u64map kinds = { 0 };
	/* where the times of each track are: those of one run after the other */
	SCOPED(mem)
	double *time = mem_alloc(n * runs + 1, sizeof(*time)),
	       *gap = mem_zero(n * runs + 1, sizeof(*gap));
	SCOPED(mem)
	bool *has = mem_zero(n * runs + 1, sizeof(*has)),
	     *timed = mem_zero(n * runs + 1, sizeof(*timed));
	struct sums sums;
	size_t slots;

	for (size_t r = 0; r < runs; r++)
		for (size_t p = 0; p < step_of(k, r)->at.len; p++) {
			size_t at = k->of[r][p] * runs + r;

			has[at] = true;
			time[at] = step_of(k, r)->time_ns[p];
			timed[at] = !isnan(time[at]);
			gap[at] = s->has_gaps ? step_of(k, r)->gap_ns[p] : 0;
		}
	for (size_t i = 0; i < n; i++) {
		fill_missing(time + i * runs, has + i * runs, runs);
		(void)u64map_get_or_put(&kinds, k->all.at[i].kind, (uint32_t)kinds.entries.len,
					NULL);
	}
	slots = kinds.entries.len * runs + 1;
	sums = (struct sums){ mem_zero(slots, sizeof(double)), mem_zero(slots, sizeof(double)),
			      mem_zero(slots, sizeof(double)), mem_zero(slots, sizeof(double)) };
	for (size_t i = 0; i < n; i++) {
		uint32_t at_kind = 0;

		(void)u64map_get(&kinds, k->all.at[i].kind, &at_kind);
		add_track(k, &sums, at_kind, time + i * runs, gap + i * runs, has + i * runs,
			  timed + i * runs);
	}
	add_whole(k, &sums, kinds.entries.len);
	vec_each (kind, &kinds.entries)
		add_kind_trends(k, &sums, kind->value, (uint32_t)kind->key);
	vec_sort_in(&s->trends, by_last, &runs);
	RELEASE(mem, &sums.time, &sums.gap, &sums.timed, &sums.ops);
	u64map_release(&kinds);
}

static void make_trends(struct trends *t, struct series *s)
{
	struct tracks k = { .t = t, .s = s };

	s->has_gaps = true;
	for (size_t r = 0; r < s->runs.len; r++)
		s->has_gaps &= series_run(t, s, r)->has_gaps != 0;
	k.of = mem_zero(s->runs.len + 1, sizeof(*k.of));
	k.odd = mem_zero(s->runs.len + 1, sizeof(*k.odd));
	for (size_t r = 0; r < s->runs.len; r++)
		follow_run(&k, r);
	make_values(&k);
	for (size_t r = 0; r < s->runs.len; r++)
		free(k.of[r]);
	free(k.of);
	free(k.odd);
	vec_release(&k.all);
}

/* ---- series ---- */

static struct series *series_of(struct trends *t, const struct history_run *r)
{
	vec_each (s, &t->all)
		if (str_eq(s->name, r->name) && str_eq(s->branch, r->branch) &&
		    str_eq(s->machine, r->machine) && str_eq(s->chip, r->chip))
			return s;
	*vec_push(&t->all) = (struct series){
		.name = r->name, .branch = r->branch, .machine = r->machine, .chip = r->chip
	};
	return &t->all.at[t->all.len - 1];
}

static void keep_last(struct series *s, size_t n)
{
	if (!n || s->runs.len <= n)
		return;
	memmove(s->runs.at, s->runs.at + (s->runs.len - n), n * sizeof(*s->runs.at));
	s->runs.len = n;
}

void trends_make(struct trends *t, const struct history *h, const struct trends_ask *ask)
{
	*t = (struct trends){ .h = h, .ask = *ask };
	for (uint32_t i = 0; i < h->runs.len; i++) {
		struct series *s = series_of(t, &h->runs.at[i]);

		*vec_push(&s->runs) = i;
	}
	vec_each (s, &t->all) {
		keep_last(s, ask->last);
		make_trends(t, s);
		series_judge(t, s);
	}
}

void trends_release(struct trends *t)
{
	vec_each (s, &t->all) {
		vec_each (tr, &s->trends) {
			RELEASE(mem, &tr->ns, &tr->device_ns);
			vec_release(&tr->changes);
		}
		vec_release(&s->trends);
		vec_release(&s->runs);
	}
	vec_release(&t->all);
}

void trend_label(struct buf *b, const struct trends *t, const struct trend *tr)
{
	if (tr->of <= TREND_GAPS) {
		buf_text(b, trend_of_names[tr->of]);
		return;
	}
	if (tr->of == TREND_GAP)
		buf_text(b, "gap before ");
	buf_str(b, t->h->labels.at[tr->kind]);
}
