// SPDX-License-Identifier: Apache-2.0
#include "runs/clock_map.h"

#include "base/keyed.h"
#include "base/order.h"

#include <math.h>
#include <stdlib.h>

void clock_map_release(struct clock_map *m)
{
	RELEASE(vec, &m->devices, &m->sights);
	u64map_release(&m->index);
	launch_index_release(&m->seen);
	vec_release(&m->pairs);
	*m = (struct clock_map){ 0 };
}

struct device_clock *clock_map_device(struct clock_map *m, uint32_t device)
{
	return keyed_item(&m->index, device, &m->devices,
			  (struct device_clock){ .device = device,
						 .ns_per_cycle = 1,
						 .error_ns = -1,
						 .first_ns = INT64_MAX });
}

/* ---- pairs ---- */

/* A sight is of a launch, on one RISC of one core. */
static struct launch_key key_of(uint32_t device, unsigned x, unsigned y, unsigned risc,
				uint64_t run_id)
{
	return (struct launch_key){ .run_id = run_id,
				    .device = device,
				    .trace_id = (int64_t)x << 16 | y,
				    .session = risc };
}

void clock_map_sight(struct clock_map *m, const struct device_sight *s)
{
	struct device_clock *c = clock_map_device(m, s->device);

	c->first_ns = s->start_ns < c->first_ns ? s->start_ns : c->first_ns;
	if (s->run_id)
		*vec_push(&m->sights) = *s;
}

static void compare(void *ctx, const struct marker_fold *f, const struct fold_moment *at)
{
	const struct marker *k = at->marker;
	struct launch_key key = key_of(k->device, k->x, k->y, k->risc, k->run_id);
	struct clock_map *m = ctx;
	uint32_t i = k->run_id && m->seen.all.len ? launch_find(&m->seen, &key) : LAUNCH_NONE;
	uint32_t *sight;

	(void)f;
	if (i == LAUNCH_NONE || !*(sight = &m->seen.all.at[i].repeats))
		return;
	*vec_push(&m->pairs) =
		(struct clock_pair){ k->device,
				     { k->time_cycles, m->sights.at[*sight - 1].start_ns } };
	*sight = 0; /* a launch that comes again is another one */
}

struct marker_sink clock_map_sink(struct clock_map *m)
{
	vec_each (k, &m->sights) {
		struct launch_key key = key_of(k->device, k->x, k->y, k->risc, k->run_id);
		size_t known = m->seen.all.len;
		uint32_t i = launch_put(&m->seen, &key);

		if (i == known)
			m->seen.all.at[i].repeats = (uint32_t)(k - m->sights.at) + 1;
	}
	return (struct marker_sink){ .ctx = m, .outermost = compare };
}

/* ---- knots ---- */

ORDER_BY(by_cycles, struct clock_pair, device, at.cycles)

static double cycles_between(uint64_t from, uint64_t to)
{
	return (double)(int64_t)(to - from);
}

static int64_t ns_minus(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a - (uint64_t)b);
}

/* Cycles of a damaged log may be any number: what is no time becomes a very long one. */
static int64_t whole_ns(double ns)
{
	if (fabs(ns) < 9e18)
		return (int64_t)llround(ns);
	return ns > 0 ? INT64_MAX / 2 : INT64_MIN / 2;
}

/* The middle of what pairs say of the moment at which the middle pair's cycles were counted. */
static struct clock_knot middle(const struct clock_pair *p, size_t n, double rate)
{
	struct clock_knot knot = { .cycles = p[n / 2].at.cycles };
	SCOPED(mem) int64_t *ns = mem_alloc(n, sizeof(*ns));

	for (size_t i = 0; i < n; i++)
		ns[i] = ns_minus(
			p[i].at.ns,
			whole_ns(trunc(cycles_between(knot.cycles, p[i].at.cycles) * rate)));
	qsort(ns, n, sizeof(*ns), order_i64);
	knot.ns = ns[n / 2];
	return knot;
}

/* Cycles and times of knots must both go up, or pairs are of something else than a clock. */
static bool go_up(const struct device_clock *c)
{
	for (unsigned i = 1; i < c->knots; i++)
		if (c->knot[i].cycles <= c->knot[i - 1].cycles ||
		    c->knot[i].ns <= c->knot[i - 1].ns)
			return false;
	return true;
}

static void measure_error(struct device_clock *c, const struct clock_pair *p, size_t n)
{
	SCOPED(mem) int64_t *off = mem_alloc(n, sizeof(*off));

	for (size_t i = 0; i < n; i++) {
		int64_t ns = ns_minus(p[i].at.ns, clock_ns(c, p[i].at.cycles));

		off[i] = ns == INT64_MIN ? INT64_MAX : llabs(ns);
	}
	qsort(off, n, sizeof(*off), order_i64);
	c->error_ns = off[(n - 1) * 95 / 100];
}

static void fit(struct device_clock *c, const struct clock_pair *p, size_t n)
{
	size_t knots = n / CLOCK_PAIRS_PER_KNOT;

	knots = knots < 1 ? 1 : knots > CLOCK_KNOTS_MAX ? CLOCK_KNOTS_MAX : knots;
	for (size_t i = 0; i < knots; i++) {
		size_t from = n * i / knots, to = n * (i + 1) / knots;

		c->knot[i] = middle(p + from, to - from, c->ns_per_cycle);
	}
	c->knots = (unsigned)knots;
	if (!go_up(c)) {
		c->knot[0] = middle(p, n, c->ns_per_cycle);
		c->knots = 1;
	}
	c->known = true;
	c->pairs = (uint32_t)n;
	measure_error(c, p, n);
}

void clock_map_fit(struct clock_map *m, const struct marker_fold *f, int64_t mhz)
{
	double rate = mhz > 0 ? 1000.0 / (double)mhz : 1.0;
	size_t n = m->pairs.len;

	vec_sort(&m->pairs, by_cycles);
	for (size_t i = 0, end; i < n; i = end) {
		struct device_clock *c = clock_map_device(m, m->pairs.at[i].device);

		for (end = i; end < n && m->pairs.at[end].device == c->device;)
			end++;
		c->ns_per_cycle = rate;
		fit(c, &m->pairs.at[i], end - i);
	}
	vec_each (d, &f->devices) {
		struct device_clock *c = clock_map_device(m, d->id);

		if (c->known)
			continue;
		c->known = c->first_ns != INT64_MAX;
		c->ns_per_cycle = rate;
		c->knot[0] = (struct clock_knot){ d->first_cycles, c->known ? c->first_ns : 0 };
		c->knots = 1;
	}
	vec_release(&m->pairs);
	launch_index_release(&m->seen);
}

/* ---- times ---- */

void clock_tie(struct device_clock *c, uint64_t cycles, int64_t ns, double ns_per_cycle)
{
	c->known = true;
	c->ns_per_cycle = ns_per_cycle;
	c->knot[0] = (struct clock_knot){ cycles, ns };
	c->knots = 1;
}

static double rate_at(const struct device_clock *c, unsigned knot)
{
	const struct clock_knot *a = &c->knot[knot], *b = a + 1;

	return knot + 1 < c->knots
		       ? (double)ns_minus(b->ns, a->ns) / cycles_between(a->cycles, b->cycles)
		       : c->ns_per_cycle;
}

/* The knot to count from, and how many ns behind it. */
static const struct clock_knot *count_from(const struct device_clock *c, uint64_t cycles,
					   double *ns)
{
	unsigned i = 0;

	while (i + 1 < c->knots && cycles >= c->knot[i + 1].cycles)
		i++;
	/* behind the last knot: as between the two before */
	*ns = cycles_between(c->knot[i].cycles, cycles) *
	      rate_at(c, i && i + 1 == c->knots ? i - 1 : i);
	return &c->knot[i];
}

int64_t clock_ns(const struct device_clock *c, uint64_t cycles)
{
	double ns;
	const struct clock_knot *knot = count_from(c, cycles, &ns);

	if (!(fabs(ns) < 9e18))
		return whole_ns(ns);
	return (int64_t)((uint64_t)knot->ns + (uint64_t)whole_ns(ns));
}

double clock_ns_since(const struct device_clock *c, uint64_t cycles, int64_t zero_ns)
{
	double ns;
	const struct clock_knot *knot = count_from(c, cycles, &ns);

	return (double)ns_minus(knot->ns, zero_ns) + ns;
}
