// SPDX-License-Identifier: Apache-2.0
/* Gaps before the ops of a line: whether they changed by more than chance, and which zone of the host made them longer or shorter. */
#include <math.h>
#include <stdlib.h>

#include "base/number.h"
#include "compare/compare.h"
#include "compare/diff.h"
#include "ops/host_gaps.h"
#include "report/label.h"

const char *const compare_gap_verdict_names[] = { [COMPARE_SAME] = "same",
						  [COMPARE_FASTER] = "shorter",
						  [COMPARE_SLOWER] = "longer",
						  [COMPARE_UNSURE] = "can't tell" };

/* A zone is the cause of a change when it has so much of it. */
static const double share_of_cause = 0.5;

static bool is_on_both_sides(const struct compare_line *l)
{
	return l->change == LINE_KEPT || l->change == LINE_CHANGED;
}

/* Gaps of every line in a run, or in a step of it; NAN where an op of the line is missing. */
static void gaps_of_lines(const struct compare *c, enum compare_side side, size_t run,
			  int64_t repeat, double *to)
{
	const struct op_sequence *s = &c->runs[side][run];
	size_t first = repeat < 0 ? 0 : (size_t)repeat, last = repeat < 0 ? s->repeats : first + 1;

	memset(to, 0, c->lines.len * sizeof(*to));
	for (size_t i = 0; i < c->runs[side]->at.len; i++) {
		uint32_t line = c->line_of[side][i];
		size_t p = c->pair[side][run][i];

		if (line == DIFF_NONE)
			continue;
		for (size_t r = first; r < last; r++)
			to[line] += p == DIFF_NONE ? NAN
						   : s->gap_ns[p * s->repeats + r] /
							     (double)(last - first);
	}
}

/* All samples of a side: [sample * lines + line].  How many there are. */
static size_t samples_of_side(const struct compare *c, enum compare_side side, double *to)
{
	size_t n = 0;

	for (size_t run = 0; run < c->ask.n[side]; run++) {
		int64_t last = c->unit == UNIT_STEPS ? c->runs[side][run].repeats : 1;

		for (int64_t r = 0; r < last; r++)
			gaps_of_lines(c, side, run, c->unit == UNIT_STEPS ? r : -1,
				      to + n++ * c->lines.len);
	}
	return n;
}

static size_t samples_of_line(const double *all, size_t n, size_t lines, size_t line, double *to)
{
	size_t k = 0;

	for (size_t i = 0; i < n; i++)
		if (!isnan(all[i * lines + line]))
			to[k++] = all[i * lines + line];
	return k;
}

/* Lines whose gaps are on both sides, and how much these changed. */
static size_t estimate_all(struct compare *c, double *const *all, const size_t *n,
			   double *const *one, struct compare_noisy *to)
{
	size_t found = 0;

	for (size_t i = 0; i < c->lines.len; i++) {
		struct compare_line *l = &c->lines.at[i];
		size_t k[SIDES];

		if (!is_on_both_sides(l) || !(l->gap_ns[BASE] || l->gap_ns[NEW]))
			continue;
		for (int side = BASE; side < SIDES; side++)
			k[side] = samples_of_line(all[side], n[side], c->lines.len, i, one[side]);
		if (!k[BASE] || !k[NEW])
			continue;
		l->gap.samples[BASE] = (uint32_t)k[BASE];
		l->gap.samples[NEW] = (uint32_t)k[NEW];
		l->gap.shift = rank_shift(one[BASE], k[BASE], one[NEW], k[NEW]);
		to[found++] = (struct compare_noisy){ &l->gap, (double)l->gap_ns[BASE], l->count };
	}
	return found;
}

static void judge_all(struct compare *c, double *const *all, const size_t *n, double *const *one)
{
	SCOPED(mem) struct compare_noisy *of = mem_alloc(c->lines.len + 1, sizeof(*of));
	SCOPED(mem) double *p = mem_alloc(c->lines.len + 1, sizeof(*p));
	size_t found = estimate_all(c, all, n, one, of), at = 0;

	compare_share_noise(of, found);
	for (size_t i = 0; i < found; i++)
		p[i] = of[i].of->shift.p;
	rank_adjust(p, found);
	vec_each (l, &c->lines)
		if (at < found && of[at].of == &l->gap)
			l->gap.verdict = compare_judge_shift(
				&l->gap.shift, p[at++], (double)(l->gap_ns[NEW] - l->gap_ns[BASE]),
				compare_margin(&c->ask, l->gap_ns[BASE]));
}

void compare_judge_gaps(struct compare *c)
{
	double *all[SIDES], *one[SIDES];
	size_t n[SIDES];

	vec_each (l, &c->lines)
		l->gap = (struct estimate){
			.shift = { .low = -INFINITY, .high = INFINITY, .p = 1, .rank_p = 1 },
			.verdict = COMPARE_UNSURE
		};
	/* gaps of like ops of one run have nothing in common: the host does something else before each */
	if (!c->has_gaps || c->unit == UNIT_OPS)
		return;
	for (int side = BASE; side < SIDES; side++) {
		size_t most = compare_samples_most(c, (enum compare_side)side);

		all[side] = mem_alloc(most * (c->lines.len + 1), sizeof(**all));
		one[side] = mem_alloc(most, sizeof(**one));
		n[side] = samples_of_side(c, (enum compare_side)side, all[side]);
	}
	judge_all(c, all, n, one);
	for (int side = BASE; side < SIDES; side++) {
		free(all[side]);
		free(one[side]);
	}
}

/* ---- the host's zones ---- */

/* Of one line, in a step. */
struct zones {
	struct intern names;
	VEC(double) ns[SIDES];
};

static void add_zones_of(struct zones *z, const struct compare *c, enum compare_side side,
			 size_t run, size_t p)
{
	const struct op_sequence *s = &c->runs[side][run];
	double steps = (double)s->repeats * (double)c->ask.n[side];

	for (size_t r = 0; r < s->repeats; r++) {
		const struct host_gaps *host = s->calls->host;
		const struct call *call = &s->calls->all.at[s->gap_call[p * s->repeats + r]];
		const struct host_gap *gap = call_host_gap(s->calls, call);
		struct str name = host_gap_own_zone(host, gap);
		uint32_t at;

		if (!name.len)
			continue;
		at = intern_copy(&z->names, name);
		vec_reach(&z->ns[BASE], at, 0);
		vec_reach(&z->ns[NEW], at, 0);
		z->ns[side].at[at] += gap->own_zone_ns / steps;
	}
}

static void put_cause(struct buf *b, const struct zones *z, double by)
{
	uint32_t most = 0, n = intern_count(&z->names);

	for (uint32_t i = 1; i < n; i++)
		if ((z->ns[NEW].at[i] - z->ns[BASE].at[i]) * (by < 0 ? -1 : 1) >
		    (z->ns[NEW].at[most] - z->ns[BASE].at[most]) * (by < 0 ? -1 : 1))
			most = i;
	if (!n || (z->ns[NEW].at[most] - z->ns[BASE].at[most]) / by < share_of_cause)
		return;
	buf_printf(b, "host zone %.*s: ", STR_ARG(str_head(intern_get(&z->names, most), 60)));
	label_ns(b, z->ns[BASE].at[most]);
	buf_text(b, " → ");
	label_ns(b, z->ns[NEW].at[most]);
}

/* What is noise has no cause; where nothing was judged, it is worth knowing. */
static bool deserves_cause(const struct compare_line *l)
{
	return !l->gap.samples[BASE] || l->gap.verdict == COMPARE_SLOWER ||
	       l->gap.verdict == COMPARE_FASTER;
}

/* Zones by line: the gaps of a step are looked at once. */
void compare_find_gap_causes(struct compare *c)
{
	SCOPED(mem) struct zones *of = mem_zero(c->lines.len + 1, sizeof(*of));

	for (int side = BASE; side < SIDES; side++)
		for (size_t run = 0; run < c->ask.n[side]; run++)
			for (size_t i = 0; c->has_gaps && i < c->runs[side]->at.len; i++)
				if (c->line_of[side][i] != DIFF_NONE &&
				    c->pair[side][run][i] != DIFF_NONE &&
				    c->runs[side][run].calls->host)
					add_zones_of(&of[c->line_of[side][i]], c,
						     (enum compare_side)side, run,
						     c->pair[side][run][i]);
	for (size_t i = 0; i < c->lines.len; i++) {
		struct compare_line *l = &c->lines.at[i];

		if (l->gap_ns[NEW] != l->gap_ns[BASE] && deserves_cause(l))
			put_cause(&l->gap_cause, &of[i],
				  (double)(l->gap_ns[NEW] - l->gap_ns[BASE]));
		intern_release(&of[i].names);
		vec_release(&of[i].ns[BASE]);
		vec_release(&of[i].ns[NEW]);
	}
}
