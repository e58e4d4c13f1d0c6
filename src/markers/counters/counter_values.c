// SPDX-License-Identifier: Apache-2.0
/*
 * Two passes over the samples of the log, and none is kept: the first finds which counters occur and sums them up,
 * the second works out the metrics of one op at a time, when its row is written.
 */
#include "markers/counters/counter_values.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/number.h"
#include "base/order.h"
#include "markers/counters/counter_table.h"

static const char *const type_names[] = {
#define COUNTER(name) #name,
#include "markers/counters/counter_types.def"
#undef COUNTER
};

/* Samples carry a name or a number. */
static uint32_t name_of(struct counter_table *t, const struct counter_sample *s)
{
	char text[40];
	int len;

	if (s->name.len)
		return intern_copy(&t->shown, s->name);
	if (s->type >= 0 && s->type < COUNTER_TYPES)
		return intern_copy(&t->shown, str_of(type_names[(int)s->type]));
	len = snprintf(text, sizeof(text), "UNKNOWN_%.0f", s->type);
	return intern_copy(&t->shown, str_n(text, (size_t)len));
}

/* The same counters come in the same order on every core, mostly. */
static uint32_t name_in_turn(struct counter_table *t, const struct counter_sample *s, size_t turn)
{
	uint32_t id;

	if (turn < t->in_turn.len && s->name.len &&
	    str_eq(s->name, intern_get(&t->shown, t->in_turn.at[turn])))
		return t->in_turn.at[turn];
	id = name_of(t, s);
	if (turn < t->in_turn.len)
		t->in_turn.at[turn] = id;
	else if (turn == t->in_turn.len)
		*vec_push(&t->in_turn) = id;
	return id;
}

static void fill_nan(struct counter_cell *c, size_t n)
{
	for (size_t i = 0; i < n; i++)
		c[i] = (struct counter_cell){ NAN, NAN };
}

/* Makes room for counters that were not known before. */
static void widen_rows(struct loaded_op *op, size_t cores, size_t names)
{
	vec_reserve(&op->all, cores * names);
	if (names == op->names)
		return;
	for (size_t c = cores; c-- > 0;) {
		struct counter_cell *row = op->all.at + c * names;

		memmove(row, op->all.at + c * op->names, op->names * sizeof(*row));
		fill_nan(row + op->names, names - op->names);
	}
	op->names = names;
}

static void add_core(struct loaded_op *op)
{
	op->cores++;
	if (!op->names)
		return;
	widen_rows(op, op->cores, op->names);
	fill_nan(op->all.at + (op->cores - 1) * op->names, op->names);
}

/* Reads the samples of an op. */
static void load_op(struct counter_table *t, size_t first)
{
	struct loaded_op *op = &t->op;
	size_t spans = counter_spans_of_run(t->times, first);

	op->cores = 0;
	op->names = intern_count(&t->shown);
	for (size_t i = first, n; i < first + spans; i += n) {
		size_t turn = 0;

		n = counter_spans_of_core(t->times, i);
		add_core(op);
		for (size_t k = i; k < i + n; k++) {
			const struct counter_span *span = &t->times->counters.at[k];
			struct str rest = str_n(span->at, span->len);
			struct counter_sample s;

			while (counter_sample_next(&rest, &s)) {
				uint32_t id = name_in_turn(t, &s, turn++);
				struct counter_cell *cell;

				widen_rows(op, op->cores, intern_count(&t->shown));
				cell = op->all.at + (op->cores - 1) * op->names + id;
				if (!t->rules->first_sample_counts || isnan(cell->value))
					*cell = (struct counter_cell){ s.value, s.reference };
			}
		}
	}
}

double counter_median(double *v, size_t n)
{
	qsort(v, n, sizeof(*v), order_double);
	return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

/* Minimum, median, maximum, compensated mean of the values that are numbers; changes their order. */
static void counter_stats(double *v, size_t n, double out[STATS])
{
	double sum = 0, lost = 0;
	size_t have = 0;

	for (size_t i = 0; i < n; i++) {
		double y, next;

		if (!isfinite(v[i]))
			continue;
		y = v[i] - lost;
		next = sum + y;
		lost = next - sum - y;
		sum = next;
		v[have++] = v[i];
	}
	for (int i = 0; i < STATS; i++)
		out[i] = NAN;
	if (have) {
		out[1] = counter_median(v, have);
		out[0] = v[0];
		out[2] = v[have - 1];
		out[3] = sum / (double)have;
	}
}

/* One counter of all cores of the loaded op. */
static double *column_of(struct counter_table *t, size_t counter)
{
	vec_reserve(&t->of_cores, t->op.cores);
	for (size_t c = 0; c < t->op.cores; c++)
		t->of_cores.at[c] = t->op.all.at[c * t->op.names + counter].value;
	return t->of_cores.at;
}

static struct metric_core core_at(const struct counter_table *t, const struct counted_device *d,
				  size_t core)
{
	return (struct metric_core){ t->op.all.at + core * t->op.names, &d->facts };
}

const struct op_metrics *counter_metrics_of(struct counter_table *t, const struct counted_device *d,
					    size_t first)
{
	static const enum counter_type summed[3] = { C_SFPU_COUNTER, C_FPU_COUNTER,
						     C_MATH_COUNTER };
	struct op_metrics *m = &t->metrics;

	if (t->last == first)
		return m;
	t->last = first;
	load_op(t, first);
	vec_reserve(&t->of_cores, t->op.cores);
	for (int i = 0; i < METRICS; i++) {
		for (size_t c = 0; c < t->op.cores; c++) {
			struct metric_core k = core_at(t, d, c);

			t->of_cores.at[c] = metric_value((enum metric)i, &k);
		}
		counter_stats(t->of_cores.at, t->op.cores, m->stat + (size_t)i * STATS);
	}
	for (int s = 0; s < 3; s++) {
		m->sum[s] = NAN;
		for (size_t c = 0; c < t->op.cores && t->by_type[summed[s]] >= 0; c++) {
			double x = core_at(t, d, c).cell[t->by_type[summed[s]]].value;

			if (!isnan(x))
				m->sum[s] = (isnan(m->sum[s]) ? 0 : m->sum[s]) + x;
		}
	}
	return m;
}

static void add_raw(struct counter_table *t, struct counted_device *d)
{
	while (d->raw.len < t->op.names)
		*vec_push(&d->raw) = (struct raw_counter){ .low = INFINITY, .high = -INFINITY };
	for (size_t i = 0; i < t->op.names; i++) {
		struct raw_counter *raw = &d->raw.at[i];
		double stat[STATS];

		counter_stats(column_of(t, i), t->op.cores, stat);
		if (isnan(stat[0]))
			continue;
		raw->low = stat[0] < raw->low ? stat[0] : raw->low;
		raw->high = stat[2] > raw->high ? stat[2] : raw->high;
		raw->sum_of_averages += stat[3];
		*vec_push(&raw->medians) = stat[1];
	}
}

/* Whether the median of ratios is above a limit: those next to it decide, and no list is needed. */
struct median_above {
	double limit, below, above; /* the nearest on either side */
	size_t n, n_above;
};

static void median_add(struct median_above *m, double v)
{
	m->n++;
	if (v > m->limit) {
		m->n_above++;
		m->above = v < m->above ? v : m->above;
	} else {
		m->below = v > m->below ? v : m->below;
	}
}

static bool median_is_above(const struct median_above *m)
{
	if (m->n_above * 2 != m->n)
		return m->n_above * 2 > m->n;
	return m->n && (m->below + m->above) / 2 > m->limit;
}

static void find_types(struct counter_table *t)
{
	for (int c = 0; c < COUNTER_TYPES; c++) {
		uint32_t id = intern_find(&t->shown, str_of(type_names[c]));

		t->by_type[c] = id == INTERN_NONE ? -1 : (int32_t)id;
	}
}

static void sum_up(struct counter_table *t, struct counted_device *d)
{
	struct metric_facts *f = &d->facts;

	for (int c = 0; c < COUNTER_TYPES; c++)
		for (size_t core = 0; core < t->op.cores && t->by_type[c] >= 0; core++) {
			double v = core_at(t, d, core).cell[t->by_type[c]].value;

			if (isnan(v))
				continue;
			f->occurs[c] = true;
			f->total[c] += v;
		}
}

/* The first pass: which counters a device has, and what they come to. */
static void read_device(struct counter_table *t, struct counted_device *d)
{
	/* a grant counter that is wired to nothing stays near zero */
	struct median_above grants = { .limit = 0.1, .below = -INFINITY, .above = INFINITY };

	d->facts.rules = t->rules;
	d->facts.by_type = t->by_type;
	for (size_t i = d->first, n; i < d->first + d->spans; i += n) {
		uint32_t names = intern_count(&t->shown);

		n = counter_spans_of_run(t->times, i);
		d->ops++;
		load_op(t, i);
		if (intern_count(&t->shown) != names)
			find_types(t);
		if (!t->op.names)
			continue;
		sum_up(t, d);
		add_raw(t, d);
		for (size_t c = 0; c < t->op.cores; c++) {
			struct metric_core k = core_at(t, d, c);
			double r = metric_grant_ratio(&k);

			if (isfinite(r))
				median_add(&grants, r);
		}
	}
	d->facts.unpacker_grants = median_is_above(&grants);
}

/* Spans of one device are neighbours. */
static void find_devices(struct counter_table *t)
{
	struct counted_device *d = NULL;

	for (size_t i = 0; i < t->times->counters.len; i++) {
		uint32_t device = t->times->places.at[t->times->counters.at[i].core].device;

		if (!d || d->device != device) {
			d = vec_push(&t->devices);
			*d = (struct counted_device){ .device = device, .first = i };
		}
		d->spans++;
	}
}

static bool metric_is_shown(const struct counter_table *t, enum metric m)
{
	if (t->rules->late_are_hidden && metric_info[m].late)
		return false;
	vec_each (d, &t->devices)
		if (t->rules->exists(m, &d->facts))
			return true;
	return false;
}

/* The share of the grid needs a count, unless it is an average. */
static bool is_counted(const struct counter_table *t, enum counter_type c)
{
	vec_each (d, &t->devices)
		if (d->facts.occurs[c])
			return true;
	return t->rules->grid_is_average;
}

static void make_columns(struct counter_table *t)
{
	static const char *const stats[STATS] = { "Min", "Median", "Max", "Avg" };
	static const char *const grids[3] = { "SFPU", "FPU", "Math" };
	static const enum counter_type grid_counters[3] = { C_SFPU_COUNTER, C_FPU_COUNTER,
							    C_MATH_COUNTER };

	for (int m = 0; m < METRICS; m++) {
		if (!metric_is_shown(t, (enum metric)m))
			continue;
		for (int s = 0; s < STATS; s++) {
			struct counter_column *c = vec_push(&t->columns);

			*c = (struct counter_column){ .metric = (uint16_t)m, .stat = (uint8_t)s };
			c->full_grid = m < 3 && s == 3;
			if (c->full_grid && !is_counted(t, grid_counters[m])) {
				t->columns.len--;
				continue;
			}
			if (c->full_grid)
				buf_printf(&c->name, "Avg %s util on full grid (%%)", grids[m]);
			else
				buf_printf(&c->name, "%s %s%s", metric_info[m].name, stats[s],
					   metric_info[m].rate ? "" : " (%)");
		}
	}
}

struct counter_table *counter_table_new(struct op_times *times, const struct counter_rules *rules,
					int64_t compute_cores)
{
	struct counter_table *t;

	if (!times->counters.len)
		return NULL;
	t = mem_zero(1, sizeof(*t));
	t->rules = rules;
	t->compute_cores = compute_cores;
	t->times = times;
	t->last = SIZE_MAX;
	counter_spans_sort(times, rules->cores_by_place);
	find_types(t);
	find_devices(t);
	vec_each (d, &t->devices)
		read_device(t, d);
	if (!intern_count(&t->shown)) {
		counter_table_free(t); /* none of the samples can be read */
		return NULL;
	}
	make_columns(t);
	return t;
}

void counter_table_free(struct counter_table *t)
{
	if (!t)
		return;
	vec_each (d, &t->devices) {
		vec_release_with(&d->raw, medians);
	}
	vec_each (c, &t->columns)
		buf_release(&c->name);
	RELEASE(vec, &t->devices, &t->columns, &t->op.all, &t->of_cores, &t->in_turn);
	intern_release(&t->shown);
	free(t);
}

size_t counter_columns(const struct counter_table *t)
{
	return t->columns.len;
}

bool counter_is_of_grid(const struct counter_table *t, size_t i)
{
	return t->columns.at[i].full_grid;
}

struct str counter_column(const struct counter_table *t, size_t i)
{
	return buf_view(&t->columns.at[i].name);
}

static const struct counted_device *device_at(const struct counter_table *t, uint32_t device)
{
	vec_each (d, &t->devices)
		if (d->device == device)
			return d;
	return NULL;
}

bool counter_value(struct counter_table *t, size_t column, uint32_t device, uint64_t run_id,
		   int64_t session, int64_t kernel_cycles, double *value)
{
	const struct counter_column *c = &t->columns.at[column];
	const struct counted_device *d = device_at(t, device);
	const struct op_metrics *m = NULL;
	size_t first;

	if (!d)
		return false;
	first = counter_spans_find(t->times, device, run_id, session);
	if (first != SIZE_MAX)
		m = counter_metrics_of(t, d, first);
	if (c->full_grid && !t->rules->grid_is_average) {
		if (!m || kernel_cycles <= 0 || t->compute_cores <= 0 || isnan(m->sum[c->metric]))
			return false;
		*value = m->sum[c->metric] / (double)t->compute_cores / (double)kernel_cycles * 100;
		return true;
	}
	*value = m ? m->stat[c->metric * STATS + c->stat] : (double)NAN;
	return true;
}

size_t counter_ops_of(const struct op_times *t, uint32_t device)
{
	size_t n = 0;

	vec_each (r, &t->runs)
		n += op_run_device(t, r) == device;
	return n;
}

size_t counter_ops_counted(const struct counter_table *t, uint32_t device)
{
	const struct counted_device *d = device_at(t, device);

	return d ? d->ops : 0;
}
