// SPDX-License-Identifier: Apache-2.0
/*
 * A core that is slow whatever it runs, as a finding in words; of the ops that the report shows by itself.  Ops whose work is not divided evenly are the
 * report's.  Figures of a core are those of `ttprof heat --metric over` and `slowest`; the finding saves what its ops would be done earlier if it took their mean.
 */
#include <math.h>

#include "base/map.h"
#include "report/label.h"
#include "web/build.h"

#define SLOW_TIMES       3.0 /* of the next core's time above the mean; or */
#define SLOW_TIMES_OFTEN 1.5 /* that, and the slowest in a quarter of its calls */
enum { CALLS_LEAST = 3, WORTH_PERCENT = 1 };

/* A core over its ops. */
struct tally {
	uint32_t device, calls, slowest;
	uint16_t x, y;
	double over_ns, saves_ns; /* saves: of the calls in which it was the slowest */
};

struct tallies {
	VEC(struct tally) all;
	struct u64map index; /* by device and core */
	double ops_ns;       /* of the busiest core of each call */
};

static struct tally *tally_of(struct tallies *t, const struct page_op_core *k)
{
	uint64_t key = (uint64_t)k->device << 32 | (uint64_t)k->y << 16 | k->x;
	bool added;
	uint32_t i = u64map_get_or_put(&t->index, key, (uint32_t)t->all.len, &added);

	if (added)
		*vec_push(&t->all) = (struct tally){ .device = k->device, .x = k->x, .y = k->y };
	return &t->all.at[i];
}

static void count(struct tallies *t, const struct page_op_core *k)
{
	struct tally *c = tally_of(t, k);

	c->calls++;
	c->slowest += k->slowest;
	c->over_ns += k->over_ns;
	c->saves_ns += k->leads ? k->over_ns : 0;
	t->ops_ns += k->leads ? k->busy_ns : 0;
}

static bool more_over(const struct tally *a, const struct tally *b)
{
	return !b || a->over_ns > b->over_ns;
}

/* Far above the next core, in calls enough; `times`: of what that one is. */
static const struct tally *find_slow(const struct tallies *t, double *times)
{
	const struct tally *first = NULL, *second = NULL;

	vec_each (c, &t->all)
		if (more_over(c, first)) {
			second = first;
			first = c;
		} else if (more_over(c, second)) {
			second = c;
		}
	if (!second || first->over_ns <= 0 || first->calls < CALLS_LEAST ||
	    first->saves_ns * 100 < t->ops_ns * WORTH_PERCENT)
		return NULL;
	*times = second->over_ns > 0 ? first->over_ns / second->over_ns : (double)INFINITY;
	return *times >= SLOW_TIMES ||
			       (*times >= SLOW_TIMES_OFTEN && first->slowest * 4 >= first->calls)
		       ? first
		       : NULL;
}

static void put_slow(const struct page *p, struct json_writer *w, const struct tally *c,
		     double times)
{
	SCOPED(buf) struct buf text = { 0 };

	buf_printf(&text, "core %u,%u ", c->x, c->y);
	if (p->devices.len > 1)
		buf_printf(&text, "of device %u ", c->device);
	buf_text(&text, "is slow whatever it runs: ");
	label_ns(&text, c->over_ns);
	buf_text(&text, " above the mean of its ops");
	if (isfinite(times))
		buf_printf(&text, ", %.1f times the next core", times);
	buf_printf(&text, ", and the slowest in %u of %u calls", c->slowest, c->calls);
	json_open_object(w);
	json_put_text(w, "what", STR("slow-core"));
	json_put_number(w, "saves_us", c->saves_ns / 1e3);
	json_put_whole(w, "calls", c->calls);
	json_put_number(w, "time_us", c->over_ns / 1e3);
	json_put_text(w, "text", buf_view(&text));
	json_put_text(
		w, "advice",
		STR("compare it with its neighbours: a wait or a delay of its own, its clock, or more of the work"));
	json_put_whole(w, "device", c->device);
	json_put_whole(w, "x", c->x);
	json_put_whole(w, "y", c->y);
	json_close_object(w);
}

void page_find_cores(struct page *p)
{
	struct json_writer w = { .to = &p->core_findings };
	const struct page_field *usual = NULL;
	const struct tally *slow;
	struct tallies t = { 0 };
	double times = 0;

	vec_each (f, &p->fields)
		if (str_eq(f->key, STR("usual")))
			usual = f;
	vec_each (k, &p->op_cores)
		if (!usual || (k->op && usual->number[k->op - 1] > 0))
			count(&t, k);
	slow = find_slow(&t, &times);
	buf_clear(&p->core_findings);
	json_open_array(&w);
	if (slow)
		put_slow(p, &w, slow, times);
	json_close_array(&w);
	vec_release(&t.all);
	u64map_release(&t.index);
}
