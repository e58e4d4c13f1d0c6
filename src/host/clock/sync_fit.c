// SPDX-License-Identifier: Apache-2.0
/*
 * A write that took long may have arrived at any moment of it; one that was short pins its moment down.  So of every
 * 32 samples in a row the eight shortest count, which keeps the whole stretch of time covered, and their arrival is
 * taken to be in the middle.  A line through them, centred, because cycles are near 2^44 and their squares do not
 * fit; those far off it are skipped, and the line drawn again.
 */
#include "host/clock/sync_fit.h"

#include <math.h>
#include <stdlib.h>

#include "base/order.h"
#include "base/scoped.h"

enum { ROW = 32, BEST = 8, LEAST = 8, ROUNDS = 5 };

struct point {
	long double x, y; /* cycles and ns from the first sample */
	double trip;
	bool out;
};

static int by_trip(const void *a, const void *b)
{
	const struct sync_sample *p = a, *q = b;
	int64_t x = p->done - p->sent, y = q->done - q->sent;

	if (x != y)
		return x < y ? -1 : 1;
	return p->sent < q->sent ? -1 : p->sent > q->sent;
}

static size_t shortest(const struct sync_sample *s, size_t n, struct point *to)
{
	struct sync_sample row[ROW];
	size_t kept = 0;

	for (size_t at = 0; at < n; at += ROW) {
		size_t len = n - at < ROW ? n - at : ROW, best = (len * BEST + ROW - 1) / ROW;

		for (size_t i = 0; i < len; i++)
			row[i] = s[at + i];
		qsort(row, len, sizeof(*row), by_trip);
		for (size_t i = 0; i < best; i++) {
			int64_t trip = row[i].done - row[i].sent;

			to[kept++] = (struct point){
				(long double)(int64_t)(row[i].device - s[0].device),
				(long double)(row[i].sent - s[0].sent) + (long double)trip / 2,
				(double)trip,
				false,
			};
		}
	}
	return kept;
}

struct line {
	long double x, y, slope, xx; /* through (x, y); ns per cycle */
	double sigma, trip;
	size_t n;
};

static bool draw_line(const struct point *p, size_t n, struct line *l)
{
	long double sx = 0, sy = 0, xx = 0, xy = 0, rr = 0, trips = 0;

	*l = (struct line){ 0 };
	for (size_t i = 0; i < n; i++)
		if (!p[i].out) {
			sx += p[i].x;
			sy += p[i].y;
			trips += (long double)p[i].trip;
			l->n++;
		}
	if (l->n < LEAST)
		return false;
	l->x = sx / (long double)l->n;
	l->y = sy / (long double)l->n;
	l->trip = (double)(trips / (long double)l->n);
	for (size_t i = 0; i < n; i++)
		if (!p[i].out) {
			xx += (p[i].x - l->x) * (p[i].x - l->x);
			xy += (p[i].x - l->x) * (p[i].y - l->y);
		}
	if (xx <= 0)
		return false;
	l->xx = xx;
	l->slope = xy / xx;
	for (size_t i = 0; i < n; i++)
		if (!p[i].out) {
			long double r = p[i].y - l->y - l->slope * (p[i].x - l->x);

			rr += r * r;
		}
	l->sigma = (double)sqrtl(rr / (long double)(l->n - 2));
	return true;
}

static double off_line(const struct point *p, const struct line *l)
{
	return (double)(p->y - l->y - l->slope * (p->x - l->x));
}

static double median(double *at, size_t n)
{
	qsort(at, n, sizeof(*at), order_double);
	return at[n / 2];
}

/*
 * Those more than four times the usual distance away from most; false if there are none.  Most, not the line: that was
 * drawn through them, too.
 */
static bool skip_far(struct point *p, size_t n, const struct line *l, double *offs)
{
	double most, far;
	bool any = false;
	size_t m = 0;

	for (size_t i = 0; i < n; i++)
		if (!p[i].out)
			offs[m++] = off_line(&p[i], l);
	most = median(offs, m);
	for (size_t i = 0; i < m; i++)
		offs[i] = fabs(offs[i] - most);
	far = 4 * 1.4826 * median(offs, m) +
	      1; /* of a normal distribution: sigma is 1.4826 x median */
	for (size_t i = 0; i < n; i++)
		if (!p[i].out && fabs(off_line(&p[i], l) - most) > far)
			any = p[i].out = true;
	return any;
}

bool sync_fit(struct sync_fit *fit, const struct sync_sample *samples, size_t n, double nominal_ghz)
{
	struct point *p;
	double *offs;
	struct line l = { 0 };
	size_t kept;
	bool good;

	*fit = (struct sync_fit){ .samples = n };
	if (n < LEAST)
		return false;
	p = calloc(n, sizeof(*p));
	offs = calloc(n, sizeof(*offs));
	if (!p || !offs) {
		RELEASE(mem, &p, &offs);
		return false;
	}
	kept = shortest(samples, n, p);
	good = draw_line(p, kept, &l);
	for (int i = 0; good && i < ROUNDS && skip_far(p, kept, &l, offs); i++)
		good = draw_line(p, kept, &l);
	RELEASE(mem, &p, &offs);
	if (!good || !(l.slope > 0) || fabs((double)(1 / l.slope) / nominal_ghz - 1) > 0.1)
		return false;
	/* At a whole cycle, so that nothing is rounded. */
	fit->device = samples[0].device + (uint64_t)llroundl(l.x);
	l.y += l.slope * (llroundl(l.x) - l.x);
	fit->host = samples[0].sent + (int64_t)floorl(l.y);
	fit->host_part = (double)(l.y - floorl(l.y));
	fit->ghz = (double)(1 / l.slope);
	fit->half_trip_ns = l.trip / 2;
	fit->sigma_ns = l.sigma;
	fit->spread = (double)l.xx;
	fit->kept = l.n;
	return true;
}

double sync_fit_host_ns(const struct sync_fit *fit, uint64_t cycles, int64_t *whole)
{
	long double ns = (long double)(int64_t)(cycles - fit->device) / (long double)fit->ghz +
			 (long double)fit->host_part;
	long double down = floorl(ns);

	*whole = fit->host + (int64_t)down;
	return (double)(ns - down);
}

uint64_t sync_fit_cycles(const struct sync_fit *fit, int64_t host_ns)
{
	long double ns = (long double)(host_ns - fit->host) - (long double)fit->host_part;

	return fit->device + (uint64_t)llroundl(ns * (long double)fit->ghz);
}

/* Three standard errors of the line there, and what the way of a write hides. */
double sync_fit_error_ns(const struct sync_fit *fit, uint64_t cycles)
{
	double x = (double)(int64_t)(cycles - fit->device);

	if (!fit->kept)
		return INFINITY;
	return fit->half_trip_ns +
	       3 * fit->sigma_ns * sqrt(1 / (double)fit->kept + x * x / fit->spread);
}

double sync_fit_error_ppm(const struct sync_fit *fit)
{
	if (!fit->kept)
		return INFINITY;
	/* ns per cycle, of 1 / GHz */
	return 3 * fit->sigma_ns / sqrt(fit->spread) * fit->ghz * 1e6;
}
