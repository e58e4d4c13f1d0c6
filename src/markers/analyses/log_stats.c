// SPDX-License-Identifier: Apache-2.0
#include "markers/analyses/log_stats.h"

#include <stdlib.h>

#include "base/order.h"
#include "markers/analyses/device_export.h"
#include "markers/analyses/log_records.h"
#include "markers/analyses/marker_log.h"
#include "markers/zone_class.h"

/* Where in an op a marker is: groups come one after the other, as a group's markers after its last op go to the next one. */
struct point {
	uint64_t time_cycles;
	uint32_t group, ordinal; /* 0: none */
};

/* The first and the last of the markers that fit. */
struct reach {
	struct point first, last;
};

/* The reach of what an analysis is about in an op on the core that is looked at. */
struct core_reach {
	struct reach reach;
	uint32_t core_1;
};

typedef VEC(int64_t) took_vec;
typedef VEC(struct timed) timed_vec;

/* What one analysis found on one device. */
struct finding {
	struct stats_sum sum;
	VEC(struct core_summary) cores;
};

/* The zone of an analysis on the core that is looked at. */
struct zone_state {
	uint64_t start_cycles;
	bool open, met;
	took_vec took;
};

struct log_stats {
	struct records records;
	/* after reading: */
	analysis_vec list; /* the setup's, then those of zones */
	struct arena texts;
	struct finding *found;       /* devices x list */
	struct reach *reaches;       /* ops x slots */
	struct core_reach *on_core;  /* ops; of the analysis that is looked at */
	VEC(uint32_t) ops_of_core;   /* that have one there */
	took_vec *took_by_op;        /* the same of all cores */
	struct zone_state *zones;    /* by analysis */
	VEC(uint32_t) zones_of_core; /* that started there */
	timed_vec core_series;       /* what analyses of cores look at */
	timed_vec *device_series;    /* the same of devices */
};

struct log_stats *log_stats_new(void)
{
	struct log_stats *s = mem_zero(1, sizeof(*s));

	records_begin(&s->records);
	return s;
}

struct marker_sink log_stats_sink(struct log_stats *s)
{
	return (struct marker_sink){ .ctx = &s->records, .marker = records_take };
}

/* ---- first and last ---- */

static bool is_before(const struct point *a, const struct point *b)
{
	if (a->group != b->group)
		return a->group < b->group;
	if (a->time_cycles != b->time_cycles)
		return a->time_cycles < b->time_cycles;
	return a->ordinal < b->ordinal;
}

static void widen_first(struct reach *r, const struct point *p)
{
	if (!r->first.ordinal || is_before(p, &r->first))
		r->first = *p;
}

static void widen_last(struct reach *r, const struct point *p)
{
	if (!r->last.ordinal || is_before(&r->last, p))
		r->last = *p;
}

/* False: there is no end after the start. */
static bool reach_took(const struct reach *r, int64_t *took)
{
	*took = (int64_t)(r->last.time_cycles - r->first.time_cycles);
	return r->first.ordinal && r->last.ordinal && is_before(&r->first, &r->last);
}

/* ---- results ---- */

static struct finding *finding_of(struct log_stats *s, uint32_t device, uint32_t analysis)
{
	return &s->found[device * s->list.len + analysis];
}

static struct entry_stats add_result(struct log_stats *s, uint32_t device, uint32_t analysis,
				     int64_t *took, size_t n)
{
	struct entry_stats one = took_stats(took, n);

	stats_sum_add(&finding_of(s, device, analysis)->sum, &one);
	return one;
}

static void add_core_result(struct log_stats *s, uint32_t device, const struct fold_core *core,
			    uint32_t analysis, took_vec *took)
{
	if (took->len)
		*vec_push(&finding_of(s, device, analysis)->cores) = (struct core_summary){
			core->x, core->y, add_result(s, device, analysis, took->at, took->len)
		};
	vec_clear(took);
}

/* ---- from a start to the end after it ---- */

static void take_zone(struct log_stats *s, const struct record_kind *k, uint64_t time_cycles)
{
	struct zone_state *z = &s->zones[k->zone_number];

	if (k->type == MARKER_ZONE_START) {
		if (!z->met)
			*vec_push(&s->zones_of_core) = k->zone_number;
		z->start_cycles = time_cycles;
		z->open = z->met = true;
	} else if (z->open) {
		*vec_push(&z->took) = (int64_t)(time_cycles - z->start_cycles);
		z->open = false;
	}
}

/* `series` is in the order of time. */
static void find_adjacent(const struct records *r, uint32_t bit, const timed_vec *series,
			  took_vec *took)
{
	uint64_t from = 0;
	bool open = false;

	vec_each (t, series) {
		const struct record_kind *k = &r->kinds.at[t->marker];

		if (open && (k->ends & bit)) {
			*vec_push(took) = (int64_t)(t->time_cycles - from);
			open = false;
		} else if (k->starts & bit) {
			from = t->time_cycles;
			open = true;
		}
	}
}

static void find_adjacents(struct log_stats *s, uint32_t which, timed_vec *series, uint32_t device,
			   const struct fold_core *core)
{
	SCOPED(vec) took_vec took = { 0 };

	if (series->len)
		timed_sort(series->at, series->len);
	for (uint32_t i = 0; series->len && which >> i; i++) {
		if (!(which >> i & 1))
			continue;
		find_adjacent(&s->records, 1u << i, series, &took);
		if (core)
			add_core_result(s, device, core, i, &took);
		else if (took.len)
			(void)add_result(s, device, i, took.at, took.len);
		vec_clear(&took);
	}
	vec_clear(series);
}

/* ---- core by core ---- */

static void take_of_op(struct log_stats *s, const struct record_kind *k, uint32_t op, uint32_t core,
		       const struct point *at)
{
	const struct records *r = &s->records;
	struct core_reach *c = &s->on_core[op];

	if (k->slot != RECORD_NONE) {
		struct reach *to = &s->reaches[(size_t)op * r->slots.len + k->slot];

		widen_first(to, at);
		widen_last(to, at);
	}
	if (!((k->starts | k->ends) & r->per_core))
		return;
	if (c->core_1 != core + 1) {
		*c = (struct core_reach){ .core_1 = core + 1 };
		*vec_push(&s->ops_of_core) = op;
	}
	if (k->starts & r->per_core)
		widen_first(&c->reach, at);
	if (k->ends & r->per_core)
		widen_last(&c->reach, at);
}

static void take_risc(struct log_stats *s, const struct record_risc *r, uint32_t core)
{
	const struct records *all = &s->records;
	uint32_t ordinal = r->first_ordinal;

	vec_each (at, &r->all) {
		const struct record_kind *k = &all->kinds.at[at->kind];
		uint32_t looked_at = k->starts | k->ends;

		if (k->timed && (looked_at & (all->first_last | all->per_core))) {
			const struct record_group *g = &all->groups.at[at->group];
			uint32_t op = record_op(all, g, at->time_cycles, ordinal);
			struct point point = { at->time_cycles, g->order, ordinal };

			if (op != RECORD_NONE)
				take_of_op(s, k, op, core, &point);
		}
		if (looked_at & all->adjacent_of_core)
			*vec_push(&s->core_series) = (struct timed){ at->time_cycles, at->kind };
		if (looked_at & all->adjacent_of_device)
			*vec_push(&s->device_series[r->device]) =
				(struct timed){ at->time_cycles, at->kind };
		if (k->zone_number != RECORD_NONE)
			take_zone(s, k, at->time_cycles);
		ordinal++;
	}
}

static void end_core(struct log_stats *s, uint32_t device, const struct fold_core *core)
{
	int64_t took;

	vec_each (op, &s->ops_of_core)
		if (reach_took(&s->on_core[*op].reach, &took))
			*vec_push(&s->took_by_op[*op]) = took;
	vec_clear(&s->ops_of_core);
	vec_each (i, &s->zones_of_core) {
		s->zones[*i].open = s->zones[*i].met = false;
		add_core_result(s, device, core, *i, &s->zones[*i].took);
	}
	vec_clear(&s->zones_of_core);
	find_adjacents(s, s->records.adjacent_of_core, &s->core_series, device, core);
}

static void walk_cores(struct log_stats *s, const struct marker_fold *f)
{
	const struct records *r = &s->records;

	for (size_t i = 0; i < r->walk.len; i++) {
		const struct record_risc *risc = &r->riscs.at[r->walk.at[i]];
		uint32_t core = f->riscs.at[r->walk.at[i]].core;

		take_risc(s, risc, core);
		if (i + 1 == r->walk.len || f->riscs.at[r->walk.at[i + 1]].core != core)
			end_core(s, risc->device, &f->cores.at[core]);
	}
	for (uint32_t d = 0; d < r->devices.len; d++)
		find_adjacents(s, r->adjacent_of_device, &s->device_series[d], d, NULL);
}

/* ---- op by op ---- */

static void end_op(struct log_stats *s, uint32_t op, uint32_t analysis)
{
	const struct records *r = &s->records;
	const struct reach *slots = &s->reaches[(size_t)op * r->slots.len];
	struct reach all = { 0 };
	int64_t took;

	for (size_t i = 0; i < r->slots.len; i++) {
		if ((r->slots.at[i].starts >> analysis & 1) && slots[i].first.ordinal)
			widen_first(&all, &slots[i].first);
		if ((r->slots.at[i].ends >> analysis & 1) && slots[i].last.ordinal)
			widen_last(&all, &slots[i].last);
	}
	if (reach_took(&all, &took))
		(void)add_result(s, r->ops.at[op].device, analysis, &took, 1);
}

static void end_ops(struct log_stats *s)
{
	const struct records *r = &s->records;

	for (uint32_t i = 0; i < r->list.len; i++)
		for (uint32_t op = 0; op < r->ops.len; op++) {
			took_vec *took = &s->took_by_op[op];

			if (r->first_last >> i & 1)
				end_op(s, op, i);
			if ((r->per_core >> i & 1) && took->len)
				(void)add_result(s, r->ops.at[op].device, i, took->at, took->len);
		}
}

static void add_sums(struct log_stats *s)
{
	const struct records *r = &s->records;
	SCOPED(mem) int64_t *sum = mem_zero(r->ops.len + 1, sizeof(*sum));

	for (uint32_t i = 0; r->sums.len && i < r->list.len; i++) {
		if (!(r->sum >> i & 1))
			continue;
		memset(sum, 0, r->ops.len * sizeof(*sum));
		vec_each (k, &r->sums) {
			/* the RISCs that write sums end no op: any of their ordinals will do */
			uint32_t op = record_op(r, &r->groups.at[k->group], k->time_cycles,
						r->riscs.at[k->risc_at].first_ordinal);

			if (op != RECORD_NONE && (r->kinds.at[k->kind].starts >> i & 1))
				sum[op] = (int64_t)((uint64_t)sum[op] + k->data);
		}
		for (uint32_t op = 0; op < r->ops.len; op++)
			if (sum[op])
				(void)add_result(s, r->ops.at[op].device, i, &(int64_t){ sum[op] },
						 1);
	}
}

/* ---- all ---- */

/* Analyses of zones, in the order in which their first starts came. */
static void list_zones(struct log_stats *s, const struct marker_names *names)
{
	SCOPED(u64map) struct u64map numbers = { 0 };

	vec_append(&s->list, s->records.list.at, s->records.list.len);
	vec_each (k, &s->records.kinds) {
		uint64_t key = (uint64_t)k->zone << 16 | k->risc;
		uint32_t number = (uint32_t)s->list.len;

		if (k->type != MARKER_ZONE_START || u64map_get(&numbers, key, &number))
			continue;
		zone_analysis_add(names, k->zone, k->risc, &s->list, &s->texts);
		u64map_put(&numbers, key, s->list.len > number ? number : RECORD_NONE);
	}
	vec_each (k, &s->records.kinds)
		if (k->type <= MARKER_ZONE_END)
			(void)u64map_get(&numbers, (uint64_t)k->zone << 16 | k->risc,
					 &k->zone_number);
}

static void count_cores(const struct log_stats *s, const struct marker_fold *f,
			device_summaries *all)
{
	const struct records *r = &s->records;

	vec_each (d, &r->devices)
		*vec_push(all) = (struct device_summary){ .device = d->id, .ops = d->ops };
	for (size_t i = 0; i < r->walk.len; i++)
		if (!i || f->riscs.at[r->walk.at[i]].core != f->riscs.at[r->walk.at[i - 1]].core)
			all->at[r->riscs.at[r->walk.at[i]].device].cores++;
}

static void summarise(struct log_stats *s, const struct marker_fold *f, device_summaries *all)
{
	count_cores(s, f, all);
	for (uint32_t d = 0; d < all->len; d++)
		for (uint32_t i = 0; i < s->list.len; i++) {
			struct finding *found = finding_of(s, d, i);
			struct analysis_summary a = { .of = &s->list.at[i] };

			if (!stats_sum_end(&found->sum, &a.cycles))
				continue;
			a.cores.at = found->cores.at;
			a.cores.len = a.cores.cap = found->cores.len;
			*vec_push(&all->at[d].analyses) = a;
		}
}

bool log_stats_json(struct log_stats *s, const struct marker_fold *f, const struct device_log *log,
		    struct buf *to)
{
	struct records *r = &s->records;
	device_summaries all = { 0 };

	vec_each (z, &f->zones)
		if (z->class & ZONE_IS_DISPATCH)
			return false;
	records_find_ops(r, f);
	list_zones(s, f->names);
	s->found = mem_zero(r->devices.len * s->list.len + 1, sizeof(*s->found));
	s->reaches = mem_zero(r->ops.len * r->slots.len + 1, sizeof(*s->reaches));
	s->on_core = mem_zero(r->ops.len + 1, sizeof(*s->on_core));
	s->took_by_op = mem_zero(r->ops.len + 1, sizeof(*s->took_by_op));
	s->zones = mem_zero(s->list.len + 1, sizeof(*s->zones));
	s->device_series = mem_zero(r->devices.len + 1, sizeof(*s->device_series));
	walk_cores(s, f);
	end_ops(s);
	add_sums(s);
	summarise(s, f, &all);
	device_summaries_json(&all, log, f->markers, to);
	device_summaries_release(&all);
	return true;
}

void log_stats_free(struct log_stats *s)
{
	if (!s)
		return;
	for (size_t i = 0; s->took_by_op && i < s->records.ops.len; i++)
		vec_release(&s->took_by_op[i]);
	for (size_t i = 0; s->zones && i < s->list.len; i++)
		vec_release(&s->zones[i].took);
	for (size_t i = 0; s->device_series && i < s->records.devices.len; i++)
		vec_release(&s->device_series[i]);
	RELEASE(mem, &s->found, &s->reaches, &s->on_core, &s->took_by_op, &s->zones,
		&s->device_series);
	RELEASE(vec, &s->ops_of_core, &s->zones_of_core, &s->core_series, &s->list);
	arena_release(&s->texts);
	records_release(&s->records);
	free(s);
}
