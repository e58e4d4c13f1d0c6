// SPDX-License-Identifier: Apache-2.0
/* Analyses over series of markers, and their statistics. */
#include <stdlib.h>

#include "base/keyed.h"
#include "base/number.h"
#include "base/order.h"
#include "base/width.h"
#include "markers/analyses/marker_log.h"

#define NO_MARKER UINT32_MAX

typedef void series_fn(void *ctx, const marker_series *s, result_vec *to);

/* A side of an analysis, ready to be asked for each marker. */
struct side {
	bool any_risc;
	uint32_t risc;
	int phase; /* enum marker_type, -1: any, MARKER_TYPES: none that there is */
	bool one_core;
	uint16_t x, y;
};

static inline bool side_is_of(const struct side *s, const struct marker *k)
{
	return (s->any_risc || s->risc == k->risc) && (s->phase < 0 || s->phase == k->type) &&
	       (!s->one_core || (s->x == k->x && s->y == k->y));
}

/* One side of an analysis, with what it says of each zone of the log: see side_of_zone(). */
struct matcher {
	struct side side;
	uint8_t *zone;
};

struct prepared {
	const struct marker_log *m;
	uint32_t number; /* of the analysis */
	struct matcher start, end;
};

/* Whether a zone is one of the side's: 1 by its name, 2 by its beginning; the last that fits counts. */
static uint8_t side_of_zone(const struct analysis_side *s, struct str name)
{
	uint8_t found = 0;

	for (int i = 0; i < ANALYSIS_ZONES_MAX && s->zones[i]; i++) {
		struct str want = str_of(s->zones[i]);

		if (str_eq(name, want))
			found = 1;
		else if (str_ends(want, STR("*")) && str_has(name, str_head(want, want.len - 1)))
			found = 2;
	}
	return found;
}

static bool is_mixed(enum across a)
{
	return a == ACROSS_DEVICE || a == ACROSS_OPS;
}

static int phase_of(const char *name)
{
	int type = 0;

	while (type < MARKER_TYPES && strcmp(name, marker_type_name((enum marker_type)type)) != 0)
		type++;
	return type;
}

/* `mixed`: of series in which markers of several cores are. */
static struct side side_prepare(const struct analysis_side *s, const struct marker_names *names,
				bool mixed)
{
	struct side x = { .phase = -1 };

	if (!s->risc)
		return x;
	x.any_risc = !strcmp(s->risc, "ANY");
	x.risc = intern_find(&names->riscs, str_of(s->risc));
	if (s->phase)
		x.phase = phase_of(s->phase);
	if (mixed && s->cores == SIDE_NO_CORE)
		x.phase = MARKER_TYPES;
	x.one_core = mixed && s->cores == SIDE_ONE_CORE;
	x.x = s->core_x;
	x.y = s->core_y;
	return x;
}

static void prepare_side(struct matcher *x, const struct analysis_side *s,
			 const struct marker_names *names, bool mixed)
{
	uint32_t zones = intern_count(&names->zones);

	x->side = side_prepare(s, names, mixed);
	x->zone = mem_zero(zones, 1);
	for (uint32_t z = 0; s->risc && z < zones; z++)
		x->zone[z] = side_of_zone(s, intern_get(&names->zones, z));
}

static inline bool matches(const struct matcher *x, const struct marker *m, bool wildcards)
{
	uint8_t zone = x->zone[m->zone];

	return zone && (wildcards || zone == 1) && side_is_of(&x->side, m);
}

bool analysis_side_fits(const struct analysis_side *s, const struct marker *k,
			const struct marker_names *names, bool wildcards)
{
	uint8_t zone = side_of_zone(s, intern_get(&names->zones, k->zone));
	struct side x = side_prepare(s, names, false);

	return s->risc && zone && (wildcards || zone == 1) && side_is_of(&x, k);
}

static struct analysis_result *add_result(result_vec *to, const struct prepared *p)
{
	struct analysis_result *r = vec_push(to);

	*r = (struct analysis_result){ .analysis = p->number };
	return r;
}

static void add_entry(struct analysis_result *r, const struct marker_log *m, uint32_t start,
		      uint32_t end, uint32_t start_iteration, uint32_t end_iteration)
{
	uint64_t from = m->all.at[start].time_cycles, to = m->all.at[end].time_cycles;

	*vec_push(&r->entries) = (struct analysis_entry){ .start_cycles = from,
							  .end_cycles = to,
							  .took_cycles = (int64_t)(to - from),
							  .start = start,
							  .end = end,
							  .start_iteration = start_iteration,
							  .end_iteration = end_iteration };
}

/* The first start and the last end after it. */
static bool first_last(const struct prepared *p, const marker_series *s, uint32_t *start,
		       uint32_t *end)
{
	const struct marker *all = p->m->all.at;
	size_t from = 0;

	while (from < s->len && !matches(&p->start, &all[s->at[from]], true))
		from++;
	for (size_t i = s->len; from < s->len && i-- > from + 1;)
		if (matches(&p->end, &all[s->at[i]], true)) {
			*start = s->at[from];
			*end = s->at[i];
			return true;
		}
	return false;
}

static void find_first_last(void *ctx, const marker_series *s, result_vec *to)
{
	const struct prepared *p = ctx;
	uint32_t start, end;

	if (first_last(p, s, &start, &end))
		add_entry(add_result(to, p), p->m, start, end, NO_MARKER, NO_MARKER);
}

/* The same for each core, in the order of their first markers. */
static void find_per_core(void *ctx, const marker_series *s, result_vec *to)
{
	SCOPED(u64map) struct u64map index = { 0 };
	SCOPED(vec) VEC(marker_series) cores = { 0 };
	const struct prepared *p = ctx;
	struct analysis_result *r = NULL;
	uint32_t start, end;

	vec_each (i, s) {
		const struct marker *k = &p->m->all.at[*i];
		uint32_t at =
			keyed_at(&index, (uint64_t)k->x << 16 | k->y, &cores, (marker_series){ 0 });

		*vec_push(&cores.at[at]) = *i;
	}
	vec_each (c, &cores) {
		if (first_last(p, c, &start, &end)) {
			r = r ? r : add_result(to, p);
			add_entry(r, p->m, start, end, NO_MARKER, NO_MARKER);
		}
		vec_release(c);
	}
}

static void find_sum(void *ctx, const marker_series *s, result_vec *to)
{
	const struct prepared *p = ctx;
	struct analysis_result *r;
	int64_t sum = 0;

	vec_each (i, s)
		if (matches(&p->start, &p->m->all.at[*i], false))
			sum += (int64_t)p->m->all.at[*i].data;
	if (!sum)
		return;
	r = add_result(to, p);
	*vec_push(&r->entries) = (struct analysis_entry){ .took_cycles = sum,
							  .start = NO_MARKER,
							  .end = NO_MARKER,
							  .start_iteration = NO_MARKER,
							  .end_iteration = NO_MARKER };
}

/* ---- adjacent ---- */

/*
 * Analyses from the last start before an end to that end, all that look at the same series in one walk over it.  A
 * log has one for each name of a zone, and may have ten thousands of names.
 */
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

static struct side add_side(struct adjacents *a, const struct analysis_side *s, bool start,
			    bool mixed)
{
	const struct marker_names *names = a->m->names;

	for (int i = 0; s->risc && i < ANALYSIS_ZONES_MAX && s->zones[i]; i++) {
		struct str name = str_of(s->zones[i]);
		uint32_t zone = intern_find(&names->zones, name);

		/* one with a * does not count here */
		if (zone < intern_count(&names->zones) && side_of_zone(s, name) == 1)
			add_interest(a, zone, (uint32_t)a->all.len - 1, start);
	}
	return side_prepare(s, names, mixed);
}

/* Those of `list` that are adjacent and of this kind; NULL: there are none. */
static struct adjacents *adjacents_new(const struct marker_log *m, const struct analysis *list,
				       size_t n, enum across across)
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
		start = add_side(a, &list[i].start, true, is_mixed(across));
		end = add_side(a, &list[i].end, false, is_mixed(across));
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

static void meet(struct adjacents *a, const struct interest *w, uint32_t marker, uint32_t mark)
{
	struct adjacent *one = &a->all.at[w->analysis];
	const struct marker *k = &a->m->all.at[marker];

	if (one->held != NO_MARKER && w->ends && side_is_of(&one->end, k)) {
		add_entry(&one->found, a->m, one->held, marker, one->held_mark, mark);
		one->held = NO_MARKER;
	} else if (w->starts && side_is_of(&one->start, k)) {
		if (!one->met)
			*vec_push(&a->met) = w->analysis;
		one->met = true;
		one->held = marker;
		one->held_mark = mark;
	}
}

/* Adds what they find in a series, in the order of the list. */
static void adjacents_find(void *ctx, const marker_series *s, result_vec *to)
{
	struct adjacents *a = ctx;
	uint32_t mark = NO_MARKER;

	vec_each (i, s) {
		const struct marker *k = &a->m->all.at[*i];

		if (k->type == MARKER_ZONE_START && a->iteration_zone[k->zone])
			mark = *i;
		for (uint32_t w = a->first_1[k->zone]; w; w = a->interests.at[w - 1].next_1)
			meet(a, &a->interests.at[w - 1], *i, mark);
	}
	vec_sort(&a->met, order_u32);
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

static void adjacents_free(struct adjacents *a)
{
	if (!a)
		return;
	RELEASE(vec, &a->all, &a->interests, &a->met);
	RELEASE(mem, &a->first_1, &a->iteration_zone, &a);
}

/* ---- all ---- */

/* Those that are not here look at many at a time (adjacents_find), or at none. */
static series_fn *const finders[ANALYSIS_TYPES] = {
	[ANALYSIS_SESSION_FIRST_LAST] = find_first_last,
	[ANALYSIS_FIRST_LAST] = find_first_last,
	[ANALYSIS_CORE_FIRST_LAST] = find_per_core,
	[ANALYSIS_SUM] = find_sum,
};

/* Calls `fn` for each series of a device that analyses of a kind look at. */
static void each_series(struct device_markers *d, enum across across, series_fn *fn, void *ctx)
{
	switch (across) {
	case ACROSS_CORE:
		vec_each (c, &d->cores)
			fn(ctx, &c->series, &c->results);
		break;
	case ACROSS_DEVICE:
		fn(ctx, &d->whole.series, &d->whole.results);
		break;
	case ACROSS_OPS:
		vec_each (op, &d->whole.ops)
			fn(ctx, &op->series, &op->results);
		break;
	case ACROSS_DISPATCH_OPS:
		vec_each (op, &d->whole.dispatch_ops)
			fn(ctx, &op->series, &op->results);
		/* the same ops stand under their cores; they are counted once */
		vec_each (c, &d->cores)
			for (size_t i = 0; c->dispatch && i < c->ops.len; i++)
				fn(ctx, &c->ops.at[i].series, &c->ops.at[i].results);
		break;
	case ACROSS_KINDS:
		break;
	}
}

ORDER_BY(by_analysis, struct analysis_result, analysis)

ORDER_BY(by_analysis_and_order, struct found_result, analysis, order)

static void sort_results(result_vec *results)
{
	bool sorted = true;

	for (size_t i = 1; i < results->len && sorted; i++)
		sorted = results->at[i - 1].analysis <= results->at[i].analysis;
	if (!sorted)
		vec_sort(results, by_analysis);
}

static void note_found(struct device_markers *d, result_vec *results)
{
	sort_results(results);
	vec_each (r, results) {
		uint32_t order = (uint32_t)d->found.len;

		*vec_push(&d->found) = (struct found_result){ r->analysis, order, r };
	}
}

static void sort_device(struct device_markers *d)
{
	vec_each (c, &d->cores) {
		note_found(d, &c->results);
		vec_each (op, &c->ops)
			sort_results(&op->results);
	}
	note_found(d, &d->whole.results);
	vec_each (op, &d->whole.ops)
		note_found(d, &op->results);
	vec_each (op, &d->whole.dispatch_ops)
		note_found(d, &op->results);
	vec_sort(&d->found, by_analysis_and_order);
}

void marker_log_analyse(struct marker_log *m, const struct analysis *list, size_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		struct prepared p = { .m = m, .number = i };

		if (!finders[list[i].type])
			continue;
		prepare_side(&p.start, &list[i].start, m->names, is_mixed(list[i].across));
		prepare_side(&p.end, &list[i].end, m->names, is_mixed(list[i].across));
		vec_each (d, &m->devices)
			each_series(d, list[i].across, finders[list[i].type], &p);
		RELEASE(mem, &p.start.zone, &p.end.zone);
	}
	for (int across = 0; across < ACROSS_KINDS; across++) {
		struct adjacents *a = adjacents_new(m, list, n, (enum across)across);

		if (a)
			vec_each (d, &m->devices)
				each_series(d, (enum across)across, adjacents_find, a);
		adjacents_free(a);
	}
	vec_each (d, &m->devices)
		sort_device(d);
}

/* The first in `found` of this analysis or one after it. */
static size_t first_found(const struct device_markers *d, uint32_t analysis)
{
	return order_first(i, d->found.len, d->found.at[i].analysis < analysis);
}

uint32_t device_next_analysis(const struct device_markers *d, uint32_t from)
{
	size_t i = first_found(d, from);

	return i < d->found.len ? d->found.at[i].analysis : UINT32_MAX;
}

const struct analysis_result *result_of(const result_vec *results, uint32_t analysis)
{
	struct analysis_result key = { .analysis = analysis };

	return results->len ? bsearch(&key, results->at, results->len, sizeof(key), by_analysis)
			    : NULL;
}

struct entry_stats took_stats(int64_t *took, size_t n)
{
	struct entry_stats s = { .count = n, .first = took[0] };
	double sum = 0;

	for (size_t i = 0; i < n; i++) {
		s.sum = (int64_t)((uint64_t)s.sum + (uint64_t)took[i]);
		sum += (double)took[i];
	}
	if (n > 1)
		qsort(took, n, sizeof(*took), order_i64);
	s.min = took[0];
	s.max = took[n - 1];
	s.average = sum / (double)n;
	s.median =
		n % 2 ? (double)took[n / 2] : ((double)took[n / 2 - 1] + (double)took[n / 2]) / 2;
	return s;
}

struct entry_stats entry_stats(const struct analysis_result *r)
{
	size_t n = r->entries.len;
	SCOPED(mem) int64_t *took = mem_alloc(n, sizeof(*took));

	for (size_t i = 0; i < n; i++)
		took[i] = r->entries.at[i].took_cycles;
	return took_stats(took, n);
}

void stats_sum_add(struct stats_sum *s, const struct entry_stats *one)
{
	struct entry_stats *all = &s->all;

	if (!s->medians.len || one->max > all->max)
		all->max = one->max;
	if (!s->medians.len || one->min < all->min)
		all->min = one->min;
	all->count += one->count;
	all->sum = (int64_t)((uint64_t)all->sum + (uint64_t)one->sum);
	*vec_push(&s->medians) = one->median;
}

bool stats_sum_end(struct stats_sum *s, struct entry_stats *out)
{
	size_t n = s->medians.len;
	const double *at = s->medians.at;

	if (n) {
		qsort(s->medians.at, n, sizeof(*at), order_double);
		*out = s->all;
		out->median = n % 2 ? at[n / 2] : (at[n / 2 - 1] + at[n / 2]) / 2;
		out->average = (double)out->sum / (double)out->count;
	}
	vec_release(&s->medians);
	return n > 0;
}

bool device_stats(const struct device_markers *d, uint32_t analysis, struct entry_stats *out)
{
	struct stats_sum all = { 0 };

	for (size_t i = first_found(d, analysis);
	     i < d->found.len && d->found.at[i].analysis == analysis; i++) {
		struct entry_stats s = entry_stats(d->found.at[i].r);

		stats_sum_add(&all, &s);
	}
	return stats_sum_end(&all, out);
}

static void print_line(struct buf *to, const char *name, const char *unit, double v)
{
	SCOPED(buf) struct buf text = { 0 };

	number_fixed(&text, v, 0, ',');
	buf_printf(to, "%12s%s = %10s\n", name, unit, text.at);
}

void device_stats_print(const struct marker_log *m, const struct analysis *list, size_t n,
			struct buf *to)
{
	vec_each (d, &m->devices)
		for (uint32_t i = device_next_analysis(d, 0); i < n;
		     i = device_next_analysis(d, i + 1)) {
			struct entry_stats s;

			if (!device_stats(d, i, &s))
				continue;
			buf_text(to, "\n=================== ");
			width_clean(to, str_of(list[i].name)); /* a zone's name is anybody's text */
			buf_text(to, " ===================\n");
			if (s.count > 1) {
				print_line(to, "Count", "         ", (double)s.count);
				print_line(to, "Average", " [cycles]", s.average);
				print_line(to, "Max", " [cycles]", (double)s.max);
				print_line(to, "Median", " [cycles]", s.median);
				print_line(to, "Min", " [cycles]", (double)s.min);
				print_line(to, "Sum", " [cycles]", (double)s.sum);
				print_line(to, "Range", " [cycles]", (double)(s.max - s.min));
			} else {
				print_line(to, "Duration", " [cycles]", (double)s.max);
			}
			buf_char(to, '\n');
		}
}
