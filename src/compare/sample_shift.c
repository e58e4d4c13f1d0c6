// SPDX-License-Identifier: Apache-2.0
#include "compare/sample_shift.h"

#include <math.h>
#include <stdint.h>

#include "base/number.h"
#include "base/order.h"
#include "base/vec.h"

/* Up to so many pairs of samples the exact distribution is used; beyond that the normal one is within 0.001 of it. */
enum { EXACT_PAIRS = 1600, SAMPLES_MAX = 250 };
static const double confidence = 0.95;

/* Chances of U = 0 .. n*m: the number of ways grows item by item (Mann and Whitney, 1947). */
static double *exact_chances(size_t n, size_t m)
{
	size_t most = n * m;
	double *ways = mem_zero(most + 1, sizeof(*ways));

	/* the Gaussian binomial coefficient: product of (1 - q^(m+i)) / (1 - q^i), as chances so that nothing overflows */
	ways[0] = 1;
	for (size_t i = 1; i <= n; i++) {
		for (size_t u = most + 1; u-- > m + i;)
			ways[u] -= ways[u - m - i];
		for (size_t u = i; u <= most; u++)
			ways[u] += ways[u - i];
		for (size_t u = 0; u <= most; u++)
			ways[u] *= (double)i / (double)(m + i);
	}
	return ways;
}

/* Of the upper tail of the normal distribution: Abramowitz and Stegun 26.2.17, within 7.5e-8; the exponential by halving. */
static double upper_tail(double z)
{
	static const double b[] = { 0.319381530, -0.356563782, 1.781477937, -1.821255978,
				    1.330274429 };
	double x = z * z / 2, e = 1, t = 1 / (1 + 0.2316419 * z), power = t, sum = 0;
	int halvings = 0;

	if (z > 37)
		return 0;
	for (; x > 0.01; x /= 2)
		halvings++;
	for (int i = 8; i; i--)
		e = 1 - e * x / i;
	while (halvings--)
		e *= e;
	for (size_t i = 0; i < sizeof(b) / sizeof(*b); i++, power *= t)
		sum += b[i] * power;
	return e * 0.3989422804014327 * sum;
}

static double normal_chance(size_t n, size_t m, double pairs)
{
	double mean = (double)n * (double)m / 2;
	double sigma = sqrt((double)n * (double)m * (double)(n + m + 1) / 12);
	double far = fabs(pairs - mean) - 0.5;

	return far <= 0 ? 1 : 2 * upper_tail(far / sigma);
}

double rank_chance(size_t n, size_t m, double pairs)
{
	double least = pairs < (double)n * (double)m / 2 ? pairs : (double)n * (double)m - pairs;
	double sum = 0;

	if (n * m > EXACT_PAIRS)
		return normal_chance(n, m, pairs);
	SCOPED(mem) double *chance = exact_chances(n, m);
	for (size_t u = 0; (double)u <= least && u <= n * m; u++)
		sum += chance[u];
	return sum > 0.5 - 1e-9 ? 1 : 2 * sum;
}

/* How many of the smallest and of the largest differences lie outside of the interval: as near to the wanted confidence as there is. */
static size_t outside(size_t n, size_t m)
{
	SCOPED(mem) double *chance = exact_chances(n, m);
	double best = 1, error = 0;
	size_t k = 0;

	/* not less sure than 93 % */
	for (size_t u = 0; u < n * m / 2 && (error += 2 * chance[u]) <= 0.07; u++)
		if (fabs(error - (1 - confidence)) < best) {
			best = fabs(error - (1 - confidence));
			k = u + 1;
		}
	return k;
}

static size_t outside_of_many(size_t n, size_t m)
{
	double mean = (double)n * (double)m / 2;
	double k = mean - 1.959964 * sqrt((double)n * (double)m * (double)(n + m + 1) / 12);

	return k < 1 ? 0 : (size_t)k;
}

/* Abramowitz and Stegun 26.7.4: the sum for an even number of degrees of freedom needs no more than a root. */
double t_chance(double t, double freedom)
{
	double v = freedom < 4 ? 2 : 2 * floor(freedom / 2), cos2, term = 1, sum = 1;

	if (freedom < 1)
		return 1;
	/* beyond this the normal distribution is within 1e-4 */
	if (v > 2000)
		return number_min(1, 2 * upper_tail(fabs(t)));
	cos2 = v / (v + t * t);
	for (double k = 2; k < v; k += 2) {
		term *= cos2 * (k - 1) / k;
		sum += term;
	}
	return number_max(0, 1 - fabs(t) / sqrt(v + t * t) * sum);
}

struct moments {
	double mean, error2; /* of the mean, squared */
	double n;
};

static struct moments moments_of(const double *v, size_t n)
{
	struct moments m = { .n = (double)n };
	double squares = 0;

	for (size_t i = 0; i < n; i++)
		m.mean += v[i] / m.n;
	for (size_t i = 0; i < n; i++)
		squares += (v[i] - m.mean) * (v[i] - m.mean);
	m.error2 = n > 1 ? squares / (m.n - 1) / m.n : 0;
	return m;
}

static double welch(const double *a, size_t n, const double *b, size_t m)
{
	struct moments x = moments_of(a, n), y = moments_of(b, m);
	double both = x.error2 + y.error2, by = y.mean - x.mean;

	if (n < 2 || m < 2)
		return 1;
	/* no noise at all, as on a modelled chip */
	if (both <= 1e-24 * x.mean * x.mean)
		return fabs(by) <= 1e-12 * fabs(x.mean) ? 1 : 0;
	return t_chance(
		by / sqrt(both),
		both * both / (x.error2 * x.error2 / (x.n - 1) + y.error2 * y.error2 / (y.n - 1)));
}

static void pool(struct shift *s, const double *a, size_t n, const double *b, size_t m)
{
	struct moments x = moments_of(a, n), y = moments_of(b, m);

	s->mean_by = y.mean - x.mean;
	s->freedom = x.n + y.n - 2;
	s->weight = 1 / x.n + 1 / y.n;
	s->variance = s->freedom < 1 ? 0
				     : (x.error2 * x.n * (x.n - 1) + y.error2 * y.n * (y.n - 1)) /
					       s->freedom;
}

/* At most SAMPLES_MAX of sorted samples, evenly: the interval is then that of so many, wider than it could be. */
static size_t thin(double *v, size_t n)
{
	if (n <= SAMPLES_MAX)
		return n;
	for (size_t i = 0; i < SAMPLES_MAX; i++)
		v[i] = v[(size_t)(((double)i + 0.5) * (double)n / SAMPLES_MAX)];
	return SAMPLES_MAX;
}

struct shift rank_shift(double *a, size_t n, double *b, size_t m)
{
	struct shift s = { .low = -INFINITY, .high = INFINITY, .rank_p = 1 };
	double pairs = 0;
	size_t count, k;

	s.p = welch(a, n, b, m);
	pool(&s, a, n, b, m);
	qsort(a, n, sizeof(*a), order_double);
	qsort(b, m, sizeof(*b), order_double);
	n = thin(a, n);
	m = thin(b, m);
	count = n * m;
	SCOPED(mem) double *d = mem_alloc(count, sizeof(*d));
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < m; j++) {
			d[i * m + j] = b[j] - a[i];
			pairs += b[j] < a[i] ? 1 : b[j] > a[i] ? 0 : 0.5;
		}
	qsort(d, count, sizeof(*d), order_double);
	s.by = count % 2 ? d[count / 2] : (d[count / 2 - 1] + d[count / 2]) / 2;
	s.rank_p = rank_chance(n, m, pairs);
	k = count > EXACT_PAIRS ? outside_of_many(n, m) : outside(n, m);
	if (k) {
		s.low = d[k - 1];
		s.high = d[count - k];
	}
	return s;
}

void rank_adjust(double *p, size_t n)
{
	SCOPED(mem) struct ranked *order = mem_alloc(n + 1, sizeof(*order));
	double least = 1;

	for (size_t i = 0; i < n; i++)
		order[i] = (struct ranked){ p[i], (unsigned)i };
	qsort(order, n, sizeof(*order), order_ranked);
	/* the largest first */
	for (size_t i = 0; i < n; i++) {
		double adjusted = order[i].value * (double)n / (double)(n - i);

		least = adjusted < least ? adjusted : least;
		p[order[i].number] = least;
	}
}
