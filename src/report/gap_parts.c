// SPDX-License-Identifier: Apache-2.0
#include "report/gap_parts.h"

#include <math.h>
#include <stdlib.h>

#include "base/number.h"
#include "report/steps.h"

enum {
	LOOK_NS =
		100000, /* of a compiler's zone: less is finding out that there is nothing to do */
	LATER_TIMES =
		3, /* a gap that building explains is so much longer than those of later calls */
	HOST_TIMES = 20, /* the same of the host's time in a call, against the median of all */
	AGAIN_CALLS =
		3, /* fewer such calls of programs that were there are chance, if they are short */
	AGAIN_NS = 100000000, /* longer than the system keeps a processor from a call */
	APART_TIMES = 8,      /* a gap apart from the others: as long as so many of the next */
	APART_OF = 8,         /* fewer gaps have no usual length */
	APART_PERCENT = 1,    /* of all gaps; more of them are how the run goes */
};

/* What of the gap before one row is not the program's. */
struct row_parts {
	double gap_ns, build_ns, profiler_ns;
};

/*
 * A marker costs the host's call of it, and what the profiler did before: the rest of its gap is the program's. tt-train marks a batch when it
 * is loaded, so that this rest is what the loading took.  Reports without times of the host can't tell.  Zones of the host are in a gap at
 * most as long as it is.
 */
static struct row_parts parts_of_row(const struct calls *c, const struct call *call, uint32_t row)
{
	const struct host_gap *gap = host_gap_of(c->host, row);
	struct row_parts p = { 0 };
	double took;

	if (!row_ns(&c->times, OPS_GAP, row, &p.gap_ns) || p.gap_ns <= 0)
		return (struct row_parts){ 0 };
	p.profiler_ns = gap ? gap->profiler_ns : 0;
	if (call->flags & CALL_MARKER)
		p.profiler_ns += ops_real(c->table, OPS_HOST_DURATION, row, &took) && took > 0
					 ? took
					 : p.gap_ns;
	p.profiler_ns = number_min(p.profiler_ns, p.gap_ns);
	if (gap && !(call->flags & CALL_MARKER))
		p.build_ns = number_min(gap->build_ns, p.gap_ns - p.profiler_ns);
	return p;
}

double row_own_gap(const struct calls *c, const struct call *call, uint32_t row)
{
	struct row_parts p = parts_of_row(c, call, row);

	return p.gap_ns - p.build_ns - p.profiler_ns;
}

static void find_markers(struct calls *c)
{
	struct str identifier;

	vec_each (call, &c->all) {
		if (call->flags & CALL_HOST || !row_is_marker(c->table, call->row, &identifier))
			continue;
		call->flags |= CALL_MARKER;
		c->markers++;
	}
}

/* Of a call of several devices: its gap is their mean, and so are the parts. */
static void sum_rows(const struct calls *c, struct row_parts *sums)
{
	double *most = mem_zero(c->all.len + 1, sizeof(*most));

	for (uint32_t row = 0; c->call_of_row && row < c->table->rows; row++) {
		uint32_t n = c->call_of_row[row];
		struct row_parts p;
		double own;

		if (n == UINT32_MAX || c->all.at[n].flags & CALL_HOST)
			continue;
		p = parts_of_row(c, &c->all.at[n], row);
		own = p.gap_ns - p.build_ns - p.profiler_ns;
		sums[n].gap_ns += p.gap_ns;
		sums[n].build_ns += p.build_ns;
		sums[n].profiler_ns += p.profiler_ns;
		if (own > most[n]) {
			most[n] = own;
			c->all.at[n].gap_row = row;
		}
	}
	free(most);
}

/* ---- what a trace says ---- */

static void find_zones(struct calls *c)
{
	struct row_parts *sums = c->call_of_row ? mem_zero(c->all.len + 1, sizeof(*sums)) : NULL;

	vec_each (call, &c->all)
		call->gap_row = call->row;
	if (sums)
		sum_rows(c, sums);
	vec_each (call, &c->all) {
		struct row_parts p;

		if (call->gap_ns <= 0 || call->flags & CALL_HOST ||
		    (call->flags & CALL_REPLAY && !(call->flags & CALL_MARKER)))
			continue;
		p = sums ? sums[call - c->all.at] : parts_of_row(c, call, call->row);
		if (p.gap_ns <= 0)
			continue;
		call->profiler_ns = call->gap_ns * (p.profiler_ns / p.gap_ns);
		call->build_ns = call->gap_ns * (p.build_ns / p.gap_ns);
		/* a look into the cache is no building */
		if (call->build_ns >= LOOK_NS && call->build_ns * 10 >= call->gap_ns)
			call->flags |= CALL_BUILT;
		else
			call->build_ns = 0;
	}
	free(sums);
}

static bool zone_builds(const struct calls *c, const struct call *call)
{
	const struct host_gap *gap = call_host_gap(c, call);

	return gap && gap->build_ns > 0;
}

/* What of a gap building may be that no zone shows: nothing in a trace that shows building elsewhere; else no more than no other zone has. */
static double can_be_building(const struct calls *c, const struct call *call)
{
	const struct host_gap *gap = call_host_gap(c, call);
	double ns = call->gap_ns - call->profiler_ns;

	if (!gap)
		return ns;
	return c->host->shows_building ? gap->build_ns : ns - gap->work_ns;
}

/* ---- building ---- */

static bool host_time(const struct calls *c, const struct call *call, double *ns)
{
	return !(call->flags & (CALL_HOST | CALL_REPLAY | CALL_MARKER)) &&
	       ops_real(c->table, OPS_HOST_DURATION, call->row, ns) && *ns > 0;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static bool may_have_built(const struct calls *c, const struct call *call, double *ns)
{
	return can_be_building(c, call) >= BUILD_GAP_NS && !call_builds(call) &&
	       !(call->flags & CALL_CACHE_HIT) && host_time(c, call, ns) && *ns >= BUILD_GAP_NS;
}

/* The median of the host's time in calls; INFINITY where there are too few. */
static double usual_host_time(const struct calls *c)
{
	VEC(double) all = { 0 };
	double ns;

	vec_each (call, &c->all)
		if (host_time(c, call, &ns))
			*vec_push(&all) = ns;
	ns = INFINITY;
	if (all.len >= APART_OF) {
		vec_sort(&all, by_size);
		ns = all.at[all.len / 2];
	}
	vec_release(&all);
	return ns;
}

/*
 * Calls that kept the host far longer than others do.  Of programs that were called before, one or two of below 100 ms are no
 * building: the system gave the processor to others meanwhile.
 */
static void find_long_calls(struct calls *c)
{
	VEC(struct call *) longs = { 0 };
	double ns, usual = 0; /* not known yet: most runs have no such call */
	uint32_t again = 0;

	vec_each (call, &c->all) {
		if (!may_have_built(c, call, &ns))
			continue;
		usual = usual > 0 ? usual : usual_host_time(c);
		if (ns < HOST_TIMES * usual)
			continue;
		*vec_push(&longs) = call;
		again += !(call->flags & CALL_OPENS);
	}
	vec_each (it, &longs) {
		struct call *call = *it;

		(void)host_time(c, call, &ns);
		if (!(call->flags & CALL_OPENS) && again < AGAIN_CALLS && ns < AGAIN_NS)
			continue;
		call->flags |= CALL_BUILT;
		call->build_ns = number_min(ns, can_be_building(c, call));
	}
	vec_release(&longs);
}

static void find_builds(struct calls *c)
{
	double *later = mem_zero(c->kinds.len + 1, sizeof(*later)); /* the shortest gap; 0: none */

	vec_each (call, &c->all) {
		double *l = &later[call_kind(c, call)->alike];

		if (call->flags &
			    (CALL_HOST | CALL_OPENS | CALL_REPLAY | CALL_CACHE_MISS | CALL_BUILT) ||
		    call->gap_ns <= 0)
			continue;
		if (*l <= 0 || call->gap_ns < *l)
			*l = call->gap_ns;
	}
	vec_each (call, &c->all) {
		double shortest = later[call_kind(c, call)->alike], most;

		if (call->flags & (CALL_HOST | CALL_REPLAY | CALL_MARKER) || call->gap_ns <= 0)
			continue;
		/* a trace that shows the building shows how long it took */
		if (c->host && call->build_ns > 0)
			continue;
		most = can_be_building(c, call);
		if (call->flags & CALL_OPENS && most >= BUILD_GAP_NS &&
		    most >= LATER_TIMES * shortest && !(call->flags & CALL_CACHE_MISS)) {
			call->flags |= CALL_BUILT;
			call->build_ns = most;
		}
		if (call->flags & CALL_CACHE_MISS)
			call->build_ns = most > 0 ? most : 0;
	}
	free(later);
}

/* ---- pauses ---- */

struct gap_item {
	double ns;
	struct call *call;
};

static int longest_first(const void *a, const void *b)
{
	const struct gap_item *x = a, *y = b;

	if (x->ns < y->ns || x->ns > y->ns)
		return x->ns < y->ns ? 1 : -1;
	return (x->call > y->call) - (x->call < y->call);
}

typedef VEC(struct gap_item) gap_items;

/* Gaps that may be apart from the others: only long ones, which most runs have few of, are kept and sorted. */
struct gap_lengths {
	gap_items longs;
	double longest_short; /* of the others */
	size_t n;             /* of all */
};

static void add_gap(struct gap_lengths *g, double ns, struct call *call)
{
	g->n++;
	if (ns >= BUILD_GAP_NS)
		*vec_push(&g->longs) = (struct gap_item){ ns, call };
	else if (ns > g->longest_short)
		g->longest_short = ns;
}

/* How many of the longest are apart from the rest. */
static size_t apart(const struct gap_lengths *g)
{
	size_t most = g->n * APART_PERCENT / 100, n = g->longs.len;

	if (g->n < APART_OF)
		return 0;
	most = most ? most : 1;
	for (size_t k = most < n ? most : n; k; k--) {
		double next = k < n ? g->longs.at[k].ns : g->longest_short;

		if (g->longs.at[k - 1].ns >= APART_TIMES * next)
			return k;
	}
	return 0;
}

/* The same before like ops again and again is how the run goes. */
static bool comes_again(const struct calls *c, const gap_items *g, size_t n, size_t which)
{
	for (size_t i = 0; i < n; i++)
		if (i != which &&
		    call_kind(c, g->at[i].call)->alike == call_kind(c, g->at[which].call)->alike)
			return true;
	return false;
}

static void find_pauses(const struct calls *c, struct gap_lengths *g)
{
	size_t n;

	if (g->longs.len)
		vec_sort(&g->longs, longest_first);
	n = apart(g);
	for (size_t i = 0; i < n; i++) {
		struct call *call = g->longs.at[i].call;

		if (comes_again(c, &g->longs, n, i))
			continue;
		call->flags |= CALL_PAUSE;
		call->flags &= (uint16_t)~CALL_BUILT;
		call->build_ns = 0;
	}
	vec_release(&g->longs);
}

void gap_parts_find(struct calls *c)
{
	struct gap_lengths builds = { 0 }, own = { 0 };

	c->tells_gaps = c->all.len < 2;
	vec_each (call, &c->all)
		c->tells_gaps |= call->gap_ns > 0 || call->gap_ns < 0;
	find_markers(c);
	find_zones(c);
	find_long_calls(c);
	find_builds(c);
	vec_each (call, &c->all)
		if (call->flags & CALL_BUILT && !zone_builds(c, call))
			add_gap(&builds, call->build_ns, call);
	find_pauses(c, &builds);
	vec_each (call, &c->all)
		if (!(call->flags & CALL_HOST) && call_own_gap(call) > 0)
			add_gap(&own, call_own_gap(call), call);
	find_pauses(c, &own);
}
