// SPDX-License-Identifier: Apache-2.0
#include "markers/analyses/adjacent.h"

#include <stdlib.h>

#include "base/order.h"

#define NO_MARKER UINT32_MAX

struct side {
	bool any_risc;
	uint32_t risc;
	int phase; /* enum marker_type, -1: any */
};

struct adjacent {
	uint32_t number; /* in the list */
	struct side start, end;
	/* in the series that is walked over */
	bool met;
	uint32_t held, held_mark; /* a start that waits for its end, and the FW start before it */
	struct analysis_result found;
};

/* That an analysis wants to see markers of a zone. */
struct interest {
	uint32_t analysis; /* in `all` */
	bool starts, ends;
	uint32_t next_1; /* of the same zone, plus 1 */
};

struct adjacents {
	const struct marker_log *m;
	VEC(struct adjacent) all;
	VEC(struct interest) interests;
	uint32_t *first_1;    /* per zone: of `interests`, plus 1 */
	bool *iteration_zone; /* per zone */
	VEC(uint32_t) met;    /* of `all` */
};

static void add_interest(struct adjacents *a, uint32_t zone, uint32_t analysis, bool start)
{
	struct interest *first = a->first_1[zone] ? &a->interests.at[a->first_1[zone] - 1] : NULL;

	if (!first || first->analysis != analysis) {
		first = vec_push(&a->interests);
		*first = (struct interest){ .analysis = analysis, .next_1 = a->first_1[zone] };
		a->first_1[zone] = (uint32_t)a->interests.len;
	}
	if (start)
		first->starts = true;
	else
		first->ends = true;
}

/* Whether the last of the names that fit a zone is the zone's own: one with a * does not count here. */
static bool is_exact(const struct analysis_side *s, struct str zone)
{
	bool exact = false;

	for (int i = 0; i < ANALYSIS_ZONES_MAX && s->zones[i]; i++) {
		struct str want = str_of(s->zones[i]);

		if (str_eq(zone, want))
			exact = true;
		else if (str_ends(want, STR("*")) && str_has(zone, str_head(want, want.len - 1)))
			exact = false;
	}
	return exact;
}

static struct side add_side(struct adjacents *a, const struct analysis_side *s, bool start)
{
	const struct marker_names *names = a->m->names;
	struct side side = { .phase = -1 };

	if (!s->risc)
		return side;
	side.any_risc = !strcmp(s->risc, "ANY");
	side.risc = intern_find(&names->riscs, str_of(s->risc));
	if (s->phase)
		side.phase = !strcmp(s->phase, "ZONE_START") ? MARKER_ZONE_START : MARKER_ZONE_END;
	for (int i = 0; i < ANALYSIS_ZONES_MAX && s->zones[i]; i++) {
		struct str name = str_of(s->zones[i]);
		uint32_t zone = intern_find(&names->zones, name);

		if (zone < intern_count(&names->zones) && is_exact(s, name))
			add_interest(a, zone, (uint32_t)a->all.len - 1, start);
	}
	return side;
}

struct adjacents *adjacents_new(const struct marker_log *m, const struct analysis *list, size_t n,
				enum across across)
{
	uint32_t zones = intern_count(&m->names->zones);
	struct adjacents *a = NULL;

	for (uint32_t i = 0; i < n; i++) {
		struct adjacent *one;
		struct side start, end;

		if (list[i].type != ANALYSIS_ADJACENT || list[i].across != across)
			continue;
		if (!a) {
			a = mem_zero(1, sizeof(*a));
			a->m = m;
			a->first_1 = mem_zero(zones + 1, sizeof(*a->first_1));
			a->iteration_zone = mem_zero(zones + 1, sizeof(*a->iteration_zone));
		}
		*vec_push(&a->all) =
			(struct adjacent){ .number = i, .held = NO_MARKER, .found.analysis = i };
		start = add_side(a, &list[i].start, true);
		end = add_side(a, &list[i].end, false);
		one = &a->all.at[a->all.len - 1];
		one->start = start;
		one->end = end;
	}
	for (uint32_t z = 0; a && z < zones; z++) {
		struct str name = intern_get(&m->names->zones, z);

		a->iteration_zone[z] = str_eq(name, STR("BRISC-FW")) || str_eq(name, STR("DM0-FW"));
	}
	return a;
}

static bool is_of(const struct side *s, const struct marker *k)
{
	return (s->any_risc || s->risc == k->risc) && (s->phase < 0 || s->phase == k->type);
}

static void meet(struct adjacents *a, const struct interest *w, uint32_t marker, uint32_t mark)
{
	struct adjacent *one = &a->all.at[w->analysis];
	const struct marker *k = &a->m->all.at[marker];

	if (one->held != NO_MARKER && w->ends && is_of(&one->end, k)) {
		uint64_t from = a->m->all.at[one->held].time_cycles, to = k->time_cycles;

		*vec_push(&one->found.entries) =
			(struct analysis_entry){ .start_cycles = from,
						 .end_cycles = to,
						 .took_cycles = (int64_t)(to - from),
						 .start = one->held,
						 .end = marker,
						 .start_iteration = one->held_mark,
						 .end_iteration = mark };
		one->held = NO_MARKER;
	} else if (w->starts && is_of(&one->start, k)) {
		if (!one->met)
			*vec_push(&a->met) = w->analysis;
		one->met = true;
		one->held = marker;
		one->held_mark = mark;
	}
}

void adjacents_find(struct adjacents *a, const marker_series *s, result_vec *to)
{
	uint32_t mark = NO_MARKER;

	vec_each (i, s) {
		const struct marker *k = &a->m->all.at[*i];

		if (k->type == MARKER_ZONE_START && a->iteration_zone[k->zone])
			mark = *i;
		for (uint32_t w = a->first_1[k->zone]; w; w = a->interests.at[w - 1].next_1)
			meet(a, &a->interests.at[w - 1], *i, mark);
	}
	if (a->met.len)
		qsort(a->met.at, a->met.len, sizeof(*a->met.at), order_u32);
	vec_each (i, &a->met) {
		struct adjacent *one = &a->all.at[*i];

		if (one->found.entries.len)
			*vec_push(to) = one->found;
		one->found = (struct analysis_result){ .analysis = one->number };
		one->held = NO_MARKER;
		one->met = false;
	}
	vec_clear(&a->met);
}

void adjacents_free(struct adjacents *a)
{
	if (!a)
		return;
	vec_release(&a->all);
	vec_release(&a->interests);
	vec_release(&a->met);
	free(a->first_1);
	free(a->iteration_zone);
	free(a);
}
