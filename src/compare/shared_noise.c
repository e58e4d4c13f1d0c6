// SPDX-License-Identifier: Apache-2.0
#include "compare/shared_noise.h"

#include <math.h>

#include "base/decades.h"
#include "base/vec.h"

static const double ln10 = 2.302585092994046;

/* By decades.h: log() and exp() would be calls into libm. */
static double natural_log(double v)
{
	return ln10 * decades_of(v);
}

static double natural_exp(double x)
{
	double e = 1;
	int halvings = 0;

	x = x > 700 ? 700 : x < -700 ? -700 : x;
	for (; fabs(x) > 0.01; x /= 2)
		halvings++;
	for (int i = 8; i; i--)
		e = 1 + e * x / i;
	while (halvings--)
		e *= e;
	return e;
}

double digamma(double x)
{
	double sum = 0, y;

	for (; x < 10; x++)
		sum -= 1 / x;
	y = 1 / (x * x);
	return sum + natural_log(x) - 0.5 / x -
	       y * (1.0 / 12 - y * (1.0 / 120 - y * (1.0 / 252 - y / 240)));
}

double trigamma(double x)
{
	double sum = 0, y;

	for (; x < 10; x++)
		sum += 1 / (x * x);
	y = 1 / (x * x);
	return sum + 1 / x + y / 2 + y / x * (1.0 / 6 - y * (1.0 / 30 - y * (1.0 / 42 - y / 30)));
}

/* It falls: by halving. */
double trigamma_inverse(double y)
{
	double low = 1e-3, high = 1e8;

	for (int i = 0; i < 200; i++) {
		double middle = sqrt(low * high);

		*(trigamma(middle) > y ? &low : &high) = middle;
	}
	return high;
}

enum { TERMS = 3 }; /* of the trend: 1, the number of ops, the time of one */

static void terms_of(const struct noise *x, double *to)
{
	to[0] = 1;
	to[1] = natural_log(x->count);
	to[2] = natural_log(x->ns);
}

/* Least squares, by Gauss; a term that says nothing (all ops alike in it) is dropped. */
static int fit(const struct noise *all, const double *y, size_t n, double *factor)
{
	double a[TERMS][TERMS + 1] = { { 0 } }, t[TERMS], scale;
	int used = 0;

	for (size_t i = 0; i < n; i++) {
		terms_of(&all[i], t);
		for (int r = 0; r < TERMS; r++) {
			for (int c = 0; c < TERMS; c++)
				a[r][c] += t[r] * t[c];
			a[r][TERMS] += t[r] * y[i];
		}
	}
	for (int p = 0; p < TERMS; p++) {
		scale = 0;
		for (size_t i = 0; i < n; i++) {
			terms_of(&all[i], t);
			scale += t[p] * t[p];
		}
		factor[p] = 0;
		if (!(a[p][p] > 1e-9 * scale))
			continue;
		used++;
		for (int r = 0; r < TERMS; r++) {
			double by = a[r][p] / a[p][p];

			for (int c = 0; c <= TERMS && r != p; c++)
				a[r][c] -= by * a[p][c];
		}
		factor[p] = 1;
	}
	for (int p = 0; p < TERMS; p++)
		factor[p] = factor[p] > 0 ? a[p][TERMS] / a[p][p] : 0;
	return used;
}

static double trend_of(const struct noise *x, const double *factor)
{
	double t[TERMS], sum = 0;

	terms_of(x, t);
	for (int i = 0; i < TERMS; i++)
		sum += factor[i] * t[i];
	return sum;
}

double share_noise(struct noise *all, size_t n)
{
	double factor[TERMS], scatter = 0, chance = 0, most = 0, worth, offset;
	SCOPED(mem) double *y = mem_alloc(n + 1, sizeof(*y));
	int used;

	if (n < SHARED_NOISE_LINES)
		return 0;
	for (size_t i = 0; i < n; i++) {
		double half = all[i].freedom / 2;

		y[i] = natural_log(all[i].variance) - digamma(half) + natural_log(half);
		chance += trigamma(half) / (double)n;
		most += all[i].freedom;
	}
	used = fit(all, y, n, factor);
	for (size_t i = 0; i < n; i++) {
		double off = y[i] - trend_of(&all[i], factor);

		scatter += off * off / (double)(n - (size_t)used);
	}
	/* no more than what all of them know */
	worth = scatter > chance ? 2 * trigamma_inverse(scatter - chance) : most;
	worth = worth < most ? worth : most;
	offset = digamma(worth / 2) - natural_log(worth / 2);
	for (size_t i = 0; i < n; i++) {
		double drawn = natural_exp(trend_of(&all[i], factor) + offset);

		all[i].variance = (worth * drawn + all[i].freedom * all[i].variance) /
				  (worth + all[i].freedom);
		all[i].freedom += worth;
	}
	return worth;
}
