// SPDX-License-Identifier: Apache-2.0
#include "report/slow_down.h"

#include "report/label.h"

enum {
	LEAST_CALLS = 7, /* of like ops, without the first: fewer have no course */
	THIRDS = 3,      /* of a run: its beginning, middle and end */
	MOST_OF =
		60, /* percent of the time is of ops that get slower; else it is one kind of them */
	OF_TOTAL_PART = 10, /* it costs at least a tenth of the run */
	ON_THE_WAY_PERCENT =
		15 /* the middle has so much of the difference: else the end is a stretch by itself */
};
/* As long at the end as at the beginning. */
#define SLOWER_TIMES 1.25

/* Of like ops: without the first call, which warms up. */
struct course {
	double time_ns[THIRDS], gap_ns[THIRDS];
	uint32_t calls[THIRDS];
	uint32_t n, seen;
};

struct sums {
	double early_ns, middle_ns,
		late_ns; /* what a call of each op takes, by how often it is called */
	double more_time_ns, more_gap_ns; /* that all calls took longer than at the beginning */
	double slower_ns, all_ns;
	uint32_t calls;
};

static bool counts(const struct call *call)
{
	return !(call->flags &
		 (CALL_HOST | CALL_MARKER | CALL_UNTIMED | CALL_PAUSE | CALL_FEWER_CORES));
}

static double mean(double sum, uint32_t n)
{
	return n ? sum / n : 0;
}

static void add_course(struct sums *s, const struct course *x)
{
	double time[THIRDS], gap[THIRDS], took = 0;

	for (int i = 0; i < THIRDS; i++) {
		time[i] = mean(x->time_ns[i], x->calls[i]);
		gap[i] = mean(x->gap_ns[i], x->calls[i]);
		took += x->time_ns[i] + x->gap_ns[i];
	}
	s->all_ns += took;
	if (x->n <= LEAST_CALLS)
		return;
	s->early_ns += x->n * (time[0] + gap[0]);
	s->middle_ns += x->n * (time[1] + gap[1]);
	s->late_ns += x->n * (time[2] + gap[2]);
	for (int i = 1; i < THIRDS; i++) {
		s->more_time_ns += x->time_ns[i] - x->calls[i] * time[0];
		s->more_gap_ns += x->gap_ns[i] - x->calls[i] * gap[0];
	}
	if (time[2] + gap[2] >= SLOWER_TIMES * (time[0] + gap[0]))
		s->slower_ns += took;
	s->calls += x->n;
}

static bool is_slow_down(const struct sums *s, double total_ns)
{
	double more = s->more_time_ns + s->more_gap_ns;

	return s->early_ns > 0 && s->late_ns >= SLOWER_TIMES * s->early_ns &&
	       (s->middle_ns - s->early_ns) * 100 >=
		       (s->late_ns - s->early_ns) * ON_THE_WAY_PERCENT &&
	       s->middle_ns <= s->late_ns && s->slower_ns * 100 >= s->all_ns * MOST_OF &&
	       more * OF_TOTAL_PART >= total_ns;
}

static void describe(struct findings *f, const struct sums *s, uint32_t id)
{
	double more = s->more_time_ns + s->more_gap_ns;
	bool busy = s->more_time_ns >= s->more_gap_ns;
	struct buf b = { 0 }, advice = { 0 };

	buf_printf(
		&b,
		"the run gets slower: in its last third like ops take %.1f times as long as in its first, most of it %s",
		s->late_ns / s->early_ns, busy ? "in the ops themselves" : "between them");
	buf_text(
		&advice,
		busy ? "see what grows from step to step, such as a cache that fills; else the clock fell: compare a late op with an early one (--id)"
		     : "see what the host does more of from step to step, such as lists that grow: ttprof top --gaps, ttprof timeline");
	*vec_push(&f->all) = (struct finding){ .what = FINDING_SLOW_DOWN,
					       .saves_ns = more,
					       .calls = s->calls,
					       .time_ns = s->all_ns,
					       .id = id,
					       .text = b.at,
					       .advice = advice.at };
}

bool slow_down_add(struct findings *f, const struct calls *c)
{
	SCOPED(mem) struct course *all = mem_zero(2 * (size_t)c->alikes + 2, sizeof(*all));
	const struct call *last = NULL;
	struct sums s = { 0 };

	vec_each (call, &c->all)
		if (counts(call))
			all[call_like(c, call)].n++;
	vec_each (call, &c->all) {
		struct course *x;
		uint32_t third;

		if (!counts(call))
			continue;
		x = &all[call_like(c, call)];
		if (!x->seen++)
			continue;
		third = (uint32_t)((uint64_t)(x->seen - 2) * THIRDS / (x->n > 1 ? x->n - 1 : 1));
		x->time_ns[third] += call->time_ns;
		x->gap_ns[third] += call_own_gap(call);
		x->calls[third]++;
		last = call;
	}
	for (size_t i = 0; i < 2 * (size_t)c->alikes + 2; i++)
		add_course(&s, &all[i]);
	if (!last || !is_slow_down(&s, f->totals.device_ns + totals_gap(&f->totals)))
		return false;
	describe(f, &s, last->id);
	return true;
}
