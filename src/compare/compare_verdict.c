// SPDX-License-Identifier: Apache-2.0
/* How sure a difference is: samples of each line and of the whole, tests, verdicts. */
#include <math.h>
#include <stdlib.h>

#include "base/number.h"
#include "compare/compare.h"
#include "compare/diff.h"
#include "compare/shared_noise.h"

/* What is significant, after the correction for many lines. */
static const double significant = 0.05;
enum { RUNS_WORTH_NAMING = 1000 };

/* Positions by line, for one side: those of line i are at[first[i]] .. at[first[i + 1]]. */
struct members {
	uint32_t *first, *at;
};

static void find_members(struct members *m, const struct compare *c, enum compare_side side)
{
	size_t lines = c->lines.len, n = c->runs[side]->at.len;

	m->first = mem_zero(lines + 2, sizeof(*m->first));
	m->at = mem_alloc(n + 1, sizeof(*m->at));
	for (size_t i = 0; i < n; i++)
		if (c->line_of[side][i] != DIFF_NONE)
			m->first[c->line_of[side][i] + 2]++;
	for (size_t i = 2; i < lines + 2; i++)
		m->first[i] += m->first[i - 1];
	for (uint32_t i = 0; i < n; i++)
		if (c->line_of[side][i] != DIFF_NONE)
			m->at[m->first[c->line_of[side][i] + 1]++] = i;
}

static double mean_time(const struct op_sequence *s, size_t p)
{
	double sum = 0;
	uint32_t n = 0;

	for (uint32_t r = 0; r < s->repeats; r++)
		if (!isnan(s->time_ns[p * s->repeats + r])) {
			sum += s->time_ns[p * s->repeats + r];
			n++;
		}
	return n ? sum / n : NAN;
}

/* Time of one line in a run, or in one step of it (`repeat`); NAN where an op of it has none. */
static double line_sample(const struct compare *c, const struct members *m, uint32_t line,
			  enum compare_side side, size_t run, int64_t repeat)
{
	const struct op_sequence *s = &c->runs[side][run];
	double sum = 0;

	for (uint32_t i = m->first[line]; i < m->first[line + 1]; i++) {
		size_t p = c->pair[side][run][m->at[i]];

		if (p == DIFF_NONE)
			return NAN;
		sum += repeat < 0 ? mean_time(s, p) : s->time_ns[p * s->repeats + (size_t)repeat];
	}
	return sum;
}

/* Everything in a run, or in one step of it; an op without a time counts with its mean over all of the side. */
static double total_sample(const struct compare *c, enum compare_side side, size_t run,
			   int64_t repeat)
{
	const struct op_sequence *s = &c->runs[side][run];
	double sum = 0;

	for (size_t i = 0; i < c->runs[side]->at.len; i++) {
		size_t p = c->pair[side][run][i], first, last;
		double part = 0;

		if (c->line_of[side][i] == DIFF_NONE || p == DIFF_NONE)
			continue;
		first = repeat < 0 ? 0 : (size_t)repeat;
		last = repeat < 0 ? s->repeats : first + 1;
		for (size_t r = first; r < last; r++) {
			double time = s->time_ns[p * s->repeats + r];

			part += isnan(time) ? c->mean_ns[side][i]
					    : time + s->gap_ns[p * s->repeats + r];
		}
		sum += part / (double)(last - first);
	}
	return sum;
}

/* Samples of a line, or of the whole (DIFF_NONE).  How many there are; `to` has room for one per step of each run. */
static size_t samples_of(const struct compare *c, const struct members *m, uint32_t line,
			 enum compare_side side, double *to)
{
	size_t n = 0;

	for (size_t run = 0; run < c->ask.n[side]; run++) {
		int64_t last = c->unit == UNIT_STEPS ? c->runs[side][run].repeats : 1;

		for (int64_t r = 0; r < last; r++) {
			int64_t repeat = c->unit == UNIT_STEPS ? r : -1;
			double v = line == DIFF_NONE ? total_sample(c, side, run, repeat)
						     : line_sample(c, m, line, side, run, repeat);

			if (!isnan(v))
				to[n++] = v;
		}
	}
	return n;
}

static size_t like_ops(const struct compare *c, const struct members *m, uint32_t line,
		       enum compare_side side, double *to)
{
	size_t n = 0;

	for (uint32_t i = m->first[line]; i < m->first[line + 1]; i++)
		to[n++] = mean_time(c->runs[side], m->at[i]);
	return n;
}

enum compare_verdict compare_judge_shift(const struct shift *s, double p, double mean_by,
					 double margin)
{
	bool sure = p < significant && s->rank_p < significant;

	/* a few samples that are far off can turn the mean round: what is typical is not what it costs then */
	if (sure && s->low > 0 && s->by > margin && mean_by > 0)
		return COMPARE_SLOWER;
	if (sure && s->high < 0 && s->by < -margin && mean_by < 0)
		return COMPARE_FASTER;
	if (fabs(mean_by) > margin)
		return COMPARE_UNSURE;
	return s->low >= -margin && s->high <= margin ? COMPARE_SAME : COMPARE_UNSURE;
}

double compare_margin(const struct compare_ask *ask, int64_t base_ns)
{
	return number_max((double)base_ns * ask->min_percent / 100, ask->min_ns);
}

/* Mean of a position's times (and gaps) in a run, or its time in one step; NAN without one. */
static double part_of_set(const struct op_sequence *s, size_t p, int64_t repeat, bool with_gaps)
{
	double sum = 0;
	uint32_t n = 0;

	for (uint32_t r = 0; r < s->repeats; r++) {
		double time = s->time_ns[p * s->repeats + r];

		if (isnan(time) || (repeat >= 0 && (uint32_t)repeat != r))
			continue;
		sum += time + (with_gaps ? s->gap_ns[p * s->repeats + r] : 0);
		n++;
	}
	return n ? sum / n : NAN;
}

static double mean_of_part(const struct compare *c, enum compare_side side, uint32_t p,
			   bool with_gaps)
{
	double sum = 0;
	uint32_t n = 0;

	for (size_t run = 0; run < c->ask.n[side]; run++) {
		size_t at = c->pair[side][run][p];
		double v =
			at == DIFF_NONE ? NAN : part_of_set(&c->runs[side][run], at, -1, with_gaps);

		if (!isnan(v)) {
			sum += v;
			n++;
		}
	}
	return n ? sum / n : 0;
}

/* A time that a sample lacks counts with its mean over the side: what was lost must not make a sample faster. */
size_t compare_set_samples(const struct compare *c, const struct op_set *set,
			   enum compare_side side, enum compare_unit unit, double *to)
{
	size_t n = 0;

	for (size_t run = 0; run < c->ask.n[side]; run++) {
		const struct op_sequence *s = &c->runs[side][run];
		int64_t last = unit == UNIT_STEPS ? s->repeats : 1;

		for (int64_t r = 0; r < last; r++) {
			double sum = 0;

			vec_each (p, &set->at[side]) {
				size_t at = c->pair[side][run][*p];
				double v = at == DIFF_NONE
						   ? NAN
						   : part_of_set(s, at, unit == UNIT_STEPS ? r : -1,
								 set->with_gaps);

				sum += isnan(v) ? mean_of_part(c, side, *p, set->with_gaps) : v;
			}
			to[n++] = sum;
		}
	}
	return n;
}

size_t compare_samples_most(const struct compare *c, enum compare_side side)
{
	size_t most = 1;

	for (size_t r = 0; r < c->ask.n[side]; r++)
		most += c->runs[side][r].repeats + 1;
	return most;
}

static void judge_line(struct compare *c, const struct members *m, uint32_t line, double *a,
		       double *b)
{
	struct compare_line *l = &c->lines.at[line];
	size_t n, k;

	l->time = (struct estimate){
		.shift = { .low = -INFINITY, .high = INFINITY, .p = 1, .rank_p = 1 },
		.verdict = COMPARE_UNSURE
	};
	if (l->change == LINE_APPEARED || l->change == LINE_VANISHED)
		return;
	if (c->unit == UNIT_OPS) {
		n = like_ops(c, &m[BASE], line, BASE, a);
		k = like_ops(c, &m[NEW], line, NEW, b);
	} else {
		n = samples_of(c, &m[BASE], line, BASE, a);
		k = samples_of(c, &m[NEW], line, NEW, b);
	}
	l->time.samples[BASE] = (uint32_t)n;
	l->time.samples[NEW] = (uint32_t)k;
	if (!n || !k)
		return;
	l->time.shift = rank_shift(a, n, b, k);
	if (c->unit == UNIT_OPS) {
		l->time.shift.by *= l->count;
		l->time.shift.low *= l->count;
		l->time.shift.high *= l->count;
	}
}

/* What was measured, and has noise: the model of a chip may have none. */
static bool is_noisy(const struct compare_noisy *x)
{
	return x->of->samples[BASE] > 1 && x->of->samples[NEW] > 1 && x->base_ns > 0 &&
	       x->of->shift.variance > 1e-24 * x->base_ns * x->base_ns;
}

void compare_share_noise(const struct compare_noisy *all, size_t n)
{
	SCOPED(mem) struct noise *noise = mem_alloc(n + 1, sizeof(*noise));
	size_t k = 0;

	for (size_t i = 0; i < n; i++)
		if (is_noisy(&all[i]))
			noise[k++] = (struct noise){ .variance = all[i].of->shift.variance /
								 all[i].base_ns / all[i].base_ns,
						     .freedom = all[i].of->shift.freedom,
						     .count = all[i].count,
						     .ns = all[i].base_ns / all[i].count };
	if (!(share_noise(noise, k) > 0))
		return;
	k = 0;
	for (size_t i = 0; i < n; i++)
		if (is_noisy(&all[i])) {
			struct shift *s = &all[i].of->shift;
			double error = sqrt(noise[k].variance * s->weight) * all[i].base_ns;

			s->p = t_chance(s->mean_by / error, noise[k++].freedom);
		}
}

static void share_lines_noise(struct compare *c)
{
	SCOPED(mem) struct compare_noisy *all = mem_alloc(c->lines.len + 1, sizeof(*all));
	size_t n = 0;

	vec_each (l, &c->lines)
		all[n++] = (struct compare_noisy){ &l->time, (double)l->time_ns[BASE], l->count };
	compare_share_noise(all, n);
}

/* The verdict of each line needs the tests of all. */
static void judge_lines(struct compare *c)
{
	SCOPED(mem) double *p = mem_alloc(c->lines.len + 1, sizeof(*p));
	size_t n = 0;

	vec_each (l, &c->lines)
		if (l->time.samples[BASE] && l->time.samples[NEW])
			p[n++] = l->time.shift.p;
	rank_adjust(p, n);
	n = 0;
	vec_each (l, &c->lines)
		if (l->time.samples[BASE] && l->time.samples[NEW])
			l->time.verdict =
				compare_judge_shift(&l->time.shift, p[n++],
						    (double)(l->time_ns[NEW] - l->time_ns[BASE]),
						    compare_margin(&c->ask, l->time_ns[BASE]));
}

/*
 * The whole where nothing but like ops is repeated: the variance of a sum of ops, each line's differences being its own; an op that is
 * the only one of its line varies as much, in relation to its time, as the others do.
 */
static void total_of_like_ops(struct compare *c, const struct members *m, double *a, double *b)
{
	double relative = 0, variance = 0, freedom = 0, alone = 0, by;

	for (uint32_t line = 0; line < c->lines.len; line++) {
		const struct compare_line *l = &c->lines.at[line];
		double mean = 0, squares = 0;
		size_t n;

		if (l->change == LINE_APPEARED || l->change == LINE_VANISHED)
			continue;
		n = like_ops(c, &m[BASE], line, BASE, a);
		(void)like_ops(c, &m[NEW], line, NEW, b);
		if (n == 1)
			alone += a[0] * a[0];
		if (n < 2)
			continue;
		/* in the order of the step on both sides, so that they correspond */
		for (size_t i = 0; i < n; i++)
			mean += (b[i] - a[i]) / (double)n;
		for (size_t i = 0; i < n; i++)
			squares += (b[i] - a[i] - mean) * (b[i] - a[i] - mean);
		variance += squares * (double)n / (double)(n - 1);
		if (l->time_ns[BASE] > 0) {
			double base = (double)l->time_ns[BASE] / (double)n;

			relative += squares / (base * base);
			freedom += (double)(n - 1);
		}
	}
	if (freedom < COMPARE_RUNS_AT_LEAST - 1)
		return;
	variance += alone * relative / freedom;
	by = (double)(c->total_ns[NEW] - c->total_ns[BASE]);
	c->total.shift = (struct shift){ .by = by,
					 .low = by - 1.96 * sqrt(variance),
					 .high = by + 1.96 * sqrt(variance) };
	c->total.shift.p = variance > 0 ? t_chance(by / sqrt(variance), freedom) : by != 0 ? 0 : 1;
	c->total.shift.rank_p = 0; /* sums have no ranks */
	c->total.samples[BASE] = c->total.samples[NEW] = c->common;
}

/* Half the interval shrinks with the root of the number of runs; it has to fit between the estimate and what counts as a change. */
static uint32_t runs_needed(const struct compare *c)
{
	const struct shift *s = &c->total.shift;
	double margin = compare_margin(&c->ask, c->total_ns[BASE]);
	double n = (double)(c->ask.n[BASE] < c->ask.n[NEW] ? c->ask.n[BASE] : c->ask.n[NEW]);
	double far = fabs(fabs(s->by) - margin), half = (s->high - s->low) / 2, need;

	if (c->unit != UNIT_RUNS || isinf(half))
		return COMPARE_RUNS_AT_LEAST;
	need = far > 0 ? ceil(n * half * half / (far * far)) : RUNS_WORTH_NAMING;
	need = number_max(need, number_max(n + 1, COMPARE_RUNS_AT_LEAST));
	return need < RUNS_WORTH_NAMING ? (uint32_t)need : RUNS_WORTH_NAMING;
}

static size_t most_ops(const struct compare *c)
{
	size_t a = c->runs[BASE]->at.len, b = c->runs[NEW]->at.len;

	return a > b ? a : b;
}

/* Rows that were lost make a run look faster, and times on few ops say little: no verdict is built on that. */
static void distrust_missing(struct compare *c)
{
	enum { TIMED_PERCENT = 90 };
	enum compare_side side = c->total.verdict == COMPARE_FASTER ? NEW : BASE;
	bool lost, missing = false;

	for (int s = BASE; s < SIDES; s++)
		for (size_t r = 0; r < c->ask.n[s]; r++)
			c->lost_rows[s] |= op_sequence_lost_rows(&c->runs[s][r]);
	lost = c->lost_rows[side];
	vec_each (l, &c->lines)
		missing |= l->change == (side == NEW ? LINE_VANISHED : LINE_APPEARED);
	if (c->unsure_because)
		; /* the runs of a side don't fit together */
	else if (!c->common)
		c->unsure_because = c->excluded ? "no op has a device time on both sides"
						: "the runs have no op in common";
	else if (2 * (c->common + c->excluded) < most_ops(c))
		c->unsure_because = "less than half of the ops are on both sides";
	else if (op_sequence_has_firmware_times(c->runs[BASE]) !=
		 op_sequence_has_firmware_times(c->runs[NEW]))
		c->unsure_because = "one side has times of kernels, the other of the firmware";
	else if (100 * c->common < TIMED_PERCENT * (c->common + c->excluded))
		c->unsure_because = "too many ops have no device time";
	else if (lost && missing && c->total.verdict == COMPARE_FASTER)
		c->unsure_because = "ops of NEW were lost, so it may only look faster";
	else if (lost && missing && c->total.verdict == COMPARE_SLOWER)
		c->unsure_because = "ops of BASE were lost, so NEW may only look slower";
	if (c->unsure_because)
		c->total.verdict = COMPARE_UNSURE;
}

void compare_judge(struct compare *c)
{
	struct members m[SIDES];
	double *samples[SIDES];

	c->unit = c->ask.n[BASE] > 1 && c->ask.n[NEW] > 1 ? UNIT_RUNS
		  : c->runs[BASE]->repeats >= COMPARE_RUNS_AT_LEAST &&
				  c->runs[NEW]->repeats >= COMPARE_RUNS_AT_LEAST
			  ? UNIT_STEPS
			  : UNIT_OPS;
	c->is_firm = c->unit != UNIT_OPS;
	for (int side = BASE; side < SIDES; side++) {
		size_t most = c->runs[side]->at.len + 1;

		find_members(&m[side], c, (enum compare_side)side);
		for (size_t r = 0; r < c->ask.n[side]; r++)
			most += c->runs[side][r].repeats + 1;
		samples[side] = mem_alloc(most, sizeof(*samples[side]));
	}
	for (uint32_t line = 0; line < c->lines.len; line++)
		judge_line(c, m, line, samples[BASE], samples[NEW]);
	/* like ops of one run share what differs between runs, so their scatter says little about the next one */
	if (c->unit != UNIT_OPS)
		share_lines_noise(c);
	judge_lines(c);
	c->total = (struct estimate){
		.shift = { .low = -INFINITY, .high = INFINITY, .p = 1, .rank_p = 1 }
	};
	if (c->unit == UNIT_OPS) {
		total_of_like_ops(c, m, samples[BASE], samples[NEW]);
	} else {
		size_t n = samples_of(c, NULL, DIFF_NONE, BASE, samples[BASE]);
		size_t k = samples_of(c, NULL, DIFF_NONE, NEW, samples[NEW]);

		c->total.samples[BASE] = (uint32_t)n;
		c->total.samples[NEW] = (uint32_t)k;
		if (n && k)
			c->total.shift = rank_shift(samples[BASE], n, samples[NEW], k);
	}
	c->total.verdict = compare_judge_shift(&c->total.shift, c->total.shift.p,
					       (double)(c->total_ns[NEW] - c->total_ns[BASE]),
					       compare_margin(&c->ask, c->total_ns[BASE]));
	distrust_missing(c);
	c->needed = c->total.verdict == COMPARE_UNSURE && !c->unsure_because ? runs_needed(c) : 0;
	for (int side = BASE; side < SIDES; side++) {
		free(m[side].first);
		free(m[side].at);
		free(samples[side]);
	}
}
