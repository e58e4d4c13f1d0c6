// SPDX-License-Identifier: Apache-2.0
#include "report/slow_call.h"

#include "report/label.h"

enum {
	APART_TIMES = 8,   /* as long as so many of the next */
	APART_OF = 8,      /* fewer have no usual length */
	OF_TOTAL_PART = 50 /* less than this part of the run is no finding */
};

static bool is_apart(const struct longest *l)
{
	return l->n >= APART_OF && l->next_ns > 0 && l->ns >= APART_TIMES * l->next_ns;
}

struct longest *slow_calls_find(const struct calls *c)
{
	struct longest *all = mem_zero(2 * (size_t)c->alikes + 1, sizeof(*all));

	for (size_t i = 0; i < c->all.len; i++) {
		const struct call *call = &c->all.at[i];
		struct longest *l;

		if (call->flags & (CALL_HOST | CALL_MARKER | CALL_UNTIMED | CALL_FEWER_CORES))
			continue;
		l = &all[call_like(c, call)];
		l->sum_ns += call->time_ns;
		l->n++;
		if (call->time_ns > l->ns) {
			l->next_ns = l->ns;
			l->ns = call->time_ns;
			l->call = (uint32_t)i;
		} else if (call->time_ns > l->next_ns) {
			l->next_ns = call->time_ns;
		}
	}
	for (size_t i = 0; i < 2 * (size_t)c->alikes; i++)
		all[i].is_apart = is_apart(&all[i]);
	return all;
}

static void add(struct findings *f, const struct calls *c, const struct longest *l)
{
	const struct call *call = &c->all.at[l->call];
	double others_ns = (l->sum_ns - l->ns) / (l->n - 1);
	struct buf b = { 0 }, advice = { 0 };

	buf_text(&b, "one call of ");
	label_call(&b, c->table, c, call);
	buf_printf(&b, " (op %u) took ", call->id);
	label_ns(&b, l->ns);
	buf_printf(&b, ", the %u others ", l->n - 1);
	label_ns(&b, others_ns);
	buf_text(&b, " each");
	buf_printf(
		&advice,
		call_kind(c, call)->roof.work.family == FAMILY_COLLECTIVE
			? "a device came late to it: see what that one did before (--each, ttprof timeline)"
			: "compare its cores with those of a like call (ttprof heat --id %u): other work ran, or its data came late",
		call->id);
	*vec_push(&f->all) = (struct finding){ .what = FINDING_CALL,
					       .saves_ns = l->ns - others_ns,
					       .calls = 1,
					       .time_ns = l->ns,
					       .id = call->id,
					       .text = b.at,
					       .advice = advice.at };
}

void slow_calls_add(struct findings *f, const struct calls *c, const struct longest *all)
{
	double total = f->totals.device_ns + totals_gap(&f->totals);

	for (size_t i = 0; i < 2 * (size_t)c->alikes; i++)
		if (all[i].is_apart && all[i].ns * OF_TOTAL_PART >= total)
			add(f, c, &all[i]);
}
