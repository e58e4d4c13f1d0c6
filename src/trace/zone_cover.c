// SPDX-License-Identifier: Apache-2.0
#include "trace/zone_cover.h"

#include <math.h>
#include <stdlib.h>

#include "base/order.h"
#include "trace/trace.h"

struct start {
	double from_ns;
	uint32_t stretch;
};

ORDER_BY(by_start, struct start, from_ns, stretch)

void zone_covers_init(struct zone_covers *c, struct zone_stretch *at, size_t n)
{
	struct start *starts = mem_alloc(n + 1, sizeof(*starts));

	*c = (struct zone_covers){ .at = at,
				   .n = n,
				   .first_ns = INFINITY,
				   .last_ns = -INFINITY,
				   .shares = mem_zero(n + 1, sizeof(*c->shares)),
				   .order = mem_zero(n + 1, sizeof(*c->order)),
				   .ends = mem_zero(n + 1, sizeof(*c->ends)) };
	for (size_t i = 0; i < n; i++) {
		at[i].loc = TRACE_NONE;
		at[i].ns = 0;
		if (at[i].from_ns < at[i].to_ns)
			starts[c->asked++] = (struct start){ at[i].from_ns, (uint32_t)i };
	}
	if (c->asked)
		qsort(starts, c->asked, sizeof(*starts), by_start);
	for (size_t i = 0; i < c->asked; i++) {
		c->order[i] = starts[i].stretch;
		c->last_ns = fmax(c->last_ns, at[c->order[i]].to_ns);
		c->ends[i] = c->last_ns;
	}
	if (c->asked)
		c->first_ns = starts[0].from_ns;
	free(starts);
}

static void add(struct zone_covers *c, double from_ns, double to_ns, uint32_t loc)
{
	size_t low = 0, high = c->asked;

	if (to_ns <= c->first_ns || from_ns >= c->last_ns)
		return;
	/* those that start before its end, back to where none reaches its start */
	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (c->at[c->order[mid]].from_ns < to_ns)
			low = mid + 1;
		else
			high = mid;
	}
	while (low-- && c->ends[low] > from_ns) {
		const struct zone_stretch *s = &c->at[c->order[low]];
		struct zone_shares *w = &c->shares[c->order[low]];
		double a = fmax(from_ns, s->from_ns), b = fmin(to_ns, s->to_ns);
		bool added;
		uint32_t k;

		if (!(a < b))
			continue;
		k = u64map_get_or_put(&w->index, loc, (uint32_t)w->by_loc.len, &added);
		if (added)
			*vec_push(&w->by_loc) = (struct zone_share){ .loc = loc };
		w->by_loc.at[k].ns += b - a;
	}
}

static struct zone_thread *thread_of(struct zone_covers *c, uint32_t track)
{
	while (c->threads.len <= track)
		*vec_push(&c->threads) = (struct zone_thread){ 0 };
	return &c->threads.at[track];
}

static void passes(struct zone_covers *c, struct zone_thread *k, int64_t ns)
{
	if (k->open.len && ns > k->since)
		add(c, (double)k->since, (double)ns, k->open.at[k->open.len - 1]);
	k->since = ns;
}

void zone_covers_enter(struct zone_covers *c, uint32_t track, int64_t ns, uint32_t loc)
{
	struct zone_thread *k;

	if (!c->asked)
		return;
	k = thread_of(c, track);
	passes(c, k, ns);
	*vec_push(&k->open) = loc;
}

void zone_covers_leave(struct zone_covers *c, uint32_t track, int64_t ns)
{
	struct zone_thread *k;

	if (!c->asked)
		return;
	k = thread_of(c, track);
	if (ns != TRACE_OPEN)
		passes(c, k, ns);
	k->open.len -= k->open.len > 0;
}

void zone_covers_finish(struct zone_covers *c)
{
	for (size_t i = 0; i < c->n; i++) {
		const struct zone_share *most = NULL;

		vec_each (p, &c->shares[i].by_loc)
			if (!most || p->ns > most->ns)
				most = p;
		if (most && most->ns * 10 >= c->at[i].to_ns - c->at[i].from_ns) {
			c->at[i].loc = most->loc;
			c->at[i].ns = most->ns;
		}
		vec_release(&c->shares[i].by_loc);
		u64map_release(&c->shares[i].index);
	}
	vec_each (k, &c->threads)
		vec_release(&k->open);
	vec_release(&c->threads);
	free(c->shares);
	free(c->order);
	free(c->ends);
	c->asked = c->n = 0;
}
