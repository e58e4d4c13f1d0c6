// SPDX-License-Identifier: Apache-2.0
/* Analyses over series of markers, and their statistics. */
#include <stdlib.h>

#include "base/number.h"
#include "base/order.h"
#include "base/width.h"
#include "markers/analyses/adjacent.h"

#define NO_MARKER UINT32_MAX

typedef void series_fn(void *ctx, const marker_series *s, result_vec *to);

/* One side of an analysis, ready to be asked for each marker. */
struct matcher {
	bool any_risc;
	uint32_t risc;
	int phase;     /* enum marker_type, -1: any */
	uint8_t *zone; /* per zone of the log: matches exactly, or 2 by its beginning */
};

struct prepared {
	const struct analysis *a;
	uint32_t number;
	struct matcher start, end;
};

/* Whether the zone is one of the side's: 1 by its name, 2 by its beginning; the last that fits counts. */
static uint8_t side_has_zone(const struct analysis_side *s, struct str name)
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

static void prepare(struct matcher *x, const struct analysis_side *s,
		    const struct marker_names *names)
{
	*x = (struct matcher){ .phase = -1 };
	if (!s->risc)
		return;
	x->any_risc = !strcmp(s->risc, "ANY");
	x->risc = intern_find(&names->riscs, str_of(s->risc));
	if (s->phase)
		x->phase = !strcmp(s->phase, "ZONE_START") ? MARKER_ZONE_START : MARKER_ZONE_END;
}

static void prepare_side(struct matcher *x, const struct analysis_side *s,
			 const struct marker_names *names)
{
	uint32_t zones = intern_count(&names->zones);

	prepare(x, s, names);
	x->zone = mem_zero(zones, 1);
	for (uint32_t z = 0; s->risc && z < zones; z++)
		x->zone[z] = side_has_zone(s, intern_get(&names->zones, z));
}

static inline bool is_of(const struct matcher *x, const struct marker *m, uint8_t zone,
			 bool wildcards)
{
	return zone && (wildcards || zone == 1) && (x->any_risc || x->risc == m->risc) &&
	       (x->phase < 0 || x->phase == m->type);
}

static inline bool matches(const struct matcher *x, const struct marker *m, bool wildcards)
{
	return is_of(x, m, x->zone[m->zone], wildcards);
}

bool analysis_side_fits(const struct analysis_side *s, const struct marker *k,
			const struct marker_names *names, bool wildcards)
{
	struct matcher x;

	prepare(&x, s, names);
	return s->risc &&
	       is_of(&x, k, side_has_zone(s, intern_get(&names->zones, k->zone)), wildcards);
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
static bool first_last(const struct marker_log *m, const struct prepared *p, const uint32_t *at,
		       size_t n, uint32_t *start, uint32_t *end)
{
	size_t s = 0;

	while (s < n && !matches(&p->start, &m->all.at[at[s]], true))
		s++;
	for (size_t i = n; s < n && i-- > s + 1;)
		if (matches(&p->end, &m->all.at[at[i]], true)) {
			*start = at[s];
			*end = at[i];
			return true;
		}
	return false;
}

static void find_first_last(const struct marker_log *m, const struct prepared *p,
			    const marker_series *s, result_vec *to)
{
	uint32_t start, end;

	if (first_last(m, p, s->at, s->len, &start, &end))
		add_entry(add_result(to, p), m, start, end, NO_MARKER, NO_MARKER);
}

/* The same for each core, in the order of their first markers. */
static void find_per_core(const struct marker_log *m, const struct prepared *p,
			  const marker_series *s, result_vec *to)
{
	struct u64map index = { 0 };
	VEC(marker_series) cores = { 0 };
	struct analysis_result *r = NULL;
	uint32_t start, end;

	vec_each (i, s) {
		const struct marker *k = &m->all.at[*i];
		bool added;
		uint32_t at = u64map_get_or_put(&index, (uint64_t)k->x << 16 | k->y,
						(uint32_t)cores.len, &added);

		if (added)
			*vec_push(&cores) = (marker_series){ 0 };
		*vec_push(&cores.at[at]) = *i;
	}
	vec_each (c, &cores) {
		if (first_last(m, p, c->at, c->len, &start, &end)) {
			r = r ? r : add_result(to, p);
			add_entry(r, m, start, end, NO_MARKER, NO_MARKER);
		}
		vec_release(c);
	}
	vec_release(&cores);
	u64map_release(&index);
}

static void find_sum(const struct marker_log *m, const struct prepared *p, const marker_series *s,
		     result_vec *to)
{
	struct analysis_result *r;
	int64_t sum = 0;

	vec_each (i, s)
		if (matches(&p->start, &m->all.at[*i], false))
			sum += (int64_t)m->all.at[*i].data;
	if (!sum)
		return;
	r = add_result(to, p);
	*vec_push(&r->entries) = (struct analysis_entry){ .took_cycles = sum,
							  .start = NO_MARKER,
							  .end = NO_MARKER,
							  .start_iteration = NO_MARKER,
							  .end_iteration = NO_MARKER };
}

static void find(const struct marker_log *m, const struct prepared *p, const marker_series *s,
		 result_vec *to)
{
	switch (p->a->type) {
	case ANALYSIS_SESSION_FIRST_LAST:
	case ANALYSIS_FIRST_LAST:
		find_first_last(m, p, s, to);
		break;
	case ANALYSIS_CORE_FIRST_LAST:
		find_per_core(m, p, s, to);
		break;
	case ANALYSIS_SUM:
		find_sum(m, p, s, to);
		break;
	case ANALYSIS_ADJACENT: /* many at a time: adjacent.h */
	case ANALYSIS_EVENT:
	case ANALYSIS_TYPES:
		break;
	}
}

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

struct one_analysis {
	const struct marker_log *m;
	const struct prepared *p;
};

static void find_one(void *ctx, const marker_series *s, result_vec *to)
{
	const struct one_analysis *one = ctx;

	find(one->m, one->p, s, to);
}

static void find_all_adjacent(void *ctx, const marker_series *s, result_vec *to)
{
	adjacents_find(ctx, s, to);
}

static int by_analysis(const void *a, const void *b)
{
	const struct analysis_result *l = a, *r = b;

	return l->analysis < r->analysis ? -1 : l->analysis > r->analysis;
}

static int by_analysis_and_order(const void *a, const void *b)
{
	const struct found_result *l = a, *r = b;

	if (l->analysis != r->analysis)
		return l->analysis < r->analysis ? -1 : 1;
	return l->order < r->order ? -1 : l->order > r->order;
}

static void sort_results(result_vec *results)
{
	for (size_t i = 1; i < results->len; i++)
		if (results->at[i - 1].analysis > results->at[i].analysis) {
			qsort(results->at, results->len, sizeof(*results->at), by_analysis);
			return;
		}
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
	if (d->found.len)
		qsort(d->found.at, d->found.len, sizeof(*d->found.at), by_analysis_and_order);
}

void marker_log_analyse(struct marker_log *m, const struct analysis *list, size_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		struct prepared p = { .a = &list[i], .number = i };
		struct one_analysis one = { m, &p };

		if (list[i].type == ANALYSIS_ADJACENT)
			continue;
		prepare_side(&p.start, &list[i].start, m->names);
		prepare_side(&p.end, &list[i].end, m->names);
		vec_each (d, &m->devices)
			each_series(d, list[i].across, find_one, &one);
		free(p.start.zone);
		free(p.end.zone);
	}
	for (int across = 0; across < ACROSS_KINDS; across++) {
		struct adjacents *a = adjacents_new(m, list, n, (enum across)across);

		if (a)
			vec_each (d, &m->devices)
				each_series(d, (enum across)across, find_all_adjacent, a);
		adjacents_free(a);
	}
	vec_each (d, &m->devices)
		sort_device(d);
}

/* The first in `found` of this analysis or one after it. */
static size_t first_found(const struct device_markers *d, uint32_t analysis)
{
	size_t from = 0, to = d->found.len;

	while (from < to) {
		size_t mid = from + (to - from) / 2;

		if (d->found.at[mid].analysis < analysis)
			from = mid + 1;
		else
			to = mid;
	}
	return from;
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
	int64_t *took = mem_alloc(n, sizeof(*took));
	struct entry_stats s;

	for (size_t i = 0; i < n; i++)
		took[i] = r->entries.at[i].took_cycles;
	s = took_stats(took, n);
	free(took);
	return s;
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
	struct buf text = { 0 };

	number_fixed(&text, v, 0, ',');
	buf_printf(to, "%12s%s = %10s\n", name, unit, text.at);
	buf_release(&text);
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
