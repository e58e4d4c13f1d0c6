// SPDX-License-Identifier: Apache-2.0
#include "history/change_points.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Of the permutation test: four of 199 as far apart are a chance of 0.025, for each of the two ways to split. */
enum { PERMUTATIONS = 199, AS_FAR_MOST = 4, OPEN_ENDS_MOST = 1000 };
static const double significant = 0.05;

struct split {
	size_t at,
		end; /* the part behind it ends there: at the last value, unless `ends` are open */
	double distance;
};

/* Sums of the distances between all of v[0..i) and all of v[0..k), at sums[i * (n + 1) + k]. */
static double *pair_sums(const double *v, size_t n)
{
	double *sums = mem_zero((n + 1) * (n + 1), sizeof(*sums));

	for (size_t i = 1; i <= n; i++)
		for (size_t k = 1; k <= n; k++)
			sums[i * (n + 1) + k] =
				fabs(v[i - 1] - v[k - 1]) + sums[(i - 1) * (n + 1) + k] +
				sums[i * (n + 1) + k - 1] - sums[(i - 1) * (n + 1) + k - 1];
	return sums;
}

/*
 * The energy distance of v[0..at) and v[at..end), weighed by their sizes, where it is largest.  With open ends what comes behind the second part does not count: something
 * that is slow for a while would else hide behind what follows.
 */
static struct split best_split(const double *v, size_t n, bool open_ends)
{
	SCOPED(mem) double *sums = pair_sums(v, n);
	struct split best = { 0, 0, -1 };

	for (size_t at = CHANGE_PART_LEAST; at + CHANGE_PART_LEAST <= n; at++)
		for (size_t end = open_ends ? at + CHANGE_PART_LEAST : n; end <= n; end++) {
			double a = (double)at, b = (double)(end - at);
			double left = sums[at * (n + 1) + at], both = sums[at * (n + 1) + end];
			double right = sums[end * (n + 1) + end] - 2 * both + left;
			double distance = 2 * (both - left) / (a * b) - left / (a * (a - 1)) -
					  right / (b * (b - 1));

			distance *= a * b / (a + b);
			if (distance > best.distance)
				best = (struct split){ at, end, distance };
		}
	return best;
}

static uint64_t roll(uint64_t *dice)
{
	uint64_t z = *dice += 0x9E3779B97F4A7C15ull;

	/* splitmix64, by Steele, Lea and Flood */
	z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
	z = (z ^ z >> 27) * 0x94D049BB133111EBull;
	return z ^ z >> 31;
}

/* Of values in any order few have a split as good as this one. */
static bool is_unusual(const double *v, size_t n, bool open_ends, double distance)
{
	SCOPED(mem) double *order = mem_alloc(n, sizeof(*order));
	uint64_t dice = 19680914;
	int as_far = 0;

	memcpy(order, v, n * sizeof(*v));
	for (int i = 0; i < PERMUTATIONS && as_far <= AS_FAR_MOST; i++) {
		for (size_t k = n - 1; k; k--) {
			size_t other = (size_t)(roll(&dice) % (k + 1));
			double x = order[k];

			order[k] = order[other];
			order[other] = x;
		}
		/* an order of the same values: rounding is no difference */
		as_far += best_split(order, n, open_ends).distance >= distance * (1 - 1e-9);
	}
	return as_far <= AS_FAR_MOST;
}

/*
 * All of v[0..at) on one side of all of v[at..n).  How many orders of so few values are as clean, and not only by the noise in them, is known: the
 * rank test counts them, and 4 beside 4 values are surer by that than dice can say.
 */
static bool is_clean_split(const double *v, size_t at, size_t n, const struct shift *s)
{
	double low[] = { INFINITY, INFINITY }, high[] = { -INFINITY, -INFINITY };

	for (size_t i = 0; i < n; i++) {
		low[i >= at] = fmin(low[i >= at], v[i]);
		high[i >= at] = fmax(high[i >= at], v[i]);
	}
	return (high[0] < low[1] || high[1] < low[0]) && s->rank_p < significant;
}

struct shift change_shift(const double *v, size_t from, size_t at, size_t to)
{
	SCOPED(mem)
	double *a = mem_alloc(at - from, sizeof(*a)), *b = mem_alloc(to - at, sizeof(*b));
	struct shift s;
	double error;

	memcpy(a, v + from, (at - from) * sizeof(*a));
	memcpy(b, v + at, (to - at) * sizeof(*b));
	s = rank_shift(a, at - from, b, to - at);
	error = sqrt(s.variance * s.weight);
	/* without any noise, as on a modelled chip, a difference is one */
	s.p = error > 1e-12 * fabs(v[from])             ? t_chance(s.mean_by / error, s.freedom)
	      : fabs(s.mean_by) > 1e-12 * fabs(v[from]) ? 0
							: 1;
	return s;
}

struct search {
	const double *v;
	double (*least)(const void *ctx, double before);
	const void *ctx;
	change_points *to;
	double none;
};

/* A split of v[from..to) that is more than chance; false without one. */
static bool find_split(struct search *s, size_t from, size_t to, bool open_ends,
		       struct change_point *found)
{
	size_t n = to - from, choices = n - 2 * CHANGE_PART_LEAST + 1;
	struct split best = best_split(s->v + from, n, open_ends);
	struct shift shift;
	double p, before = 0;

	if (best.distance <= 0)
		return false;
	shift = change_shift(s->v, from, from + best.at, from + best.end);
	/* of two ways, and of all splits that each has */
	p = shift.p * 2 * (double)(open_ends ? choices * (choices + 1) / 2 : choices);
	p = p < 1 ? p : 1;
	for (size_t i = 0; i < best.at; i++)
		before += s->v[from + i] / (double)best.at;
	if (!s->to->len && p < s->none)
		s->none = p;
	*found = (struct change_point){ from + best.at, p };
	return p < significant && fabs(shift.by) > s->least(s->ctx, before) &&
	       ((!open_ends && is_clean_split(s->v + from, best.at, n, &shift)) ||
		is_unusual(s->v + from, n, open_ends, best.distance));
}

static void search(struct search *s, size_t from, size_t to)
{
	struct change_point found;

	if (to - from < 2 * CHANGE_PART_LEAST)
		return;
	if (!find_split(s, from, to, false, &found) &&
	    (to - from > OPEN_ENDS_MOST || !find_split(s, from, to, true, &found)))
		return;
	search(s, from, found.at);
	*vec_push(s->to) = found;
	search(s, found.at, to);
}

void change_points_find(const double *v, size_t n, double (*least)(const void *ctx, double before),
			const void *ctx, change_points *to, double *none)
{
	struct search s = { v, least, ctx, to, 1 };

	search(&s, 0, n);
	*none = to->len ? 0 : s.none;
}
