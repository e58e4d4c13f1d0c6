// SPDX-License-Identifier: Apache-2.0
#include "ops/counters.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/number.h"
#include "ops/counter_metrics.h"

enum { STATS = 4 }; /* min, median, max, average */

/* Counters of one op: its cores are neighbours in `cores`. */
struct counted_op {
	uint64_t run_id;
	int64_t session;
	uint32_t first_core, cores;
	double *stat;  /* METRICS * STATS */
	double sum[3]; /* values of SFPU, FPU and MATH over all cores; NAN without */
};

struct counted_core {
	uint32_t op, core;
	uint64_t first_cycles;
	double *value, *reference; /* per counter of `names`; NAN without */
};

struct counted_device {
	uint32_t device;
	VEC(struct counted_op) ops;
	VEC(struct counted_core) cores;
	struct metric_facts facts;
	struct intern keys;
};

struct counter_column {
	uint16_t metric;
	uint8_t stat;
	bool full_grid;
	struct buf name;
};

struct counter_table {
	enum counter_way way;
	int64_t compute_cores;
	const struct op_times *times;
	uint32_t names;                 /* counters that occur */
	struct intern shown;            /* their names */
	int32_t by_type[COUNTER_TYPES]; /* number among them, -1 */
	VEC(struct counted_device) devices;
	VEC(struct counter_column) columns;
	struct arena memory;
};

static const char *const type_names[] = {
#define COUNTER(name) #name,
#include "ops/counter_types.def"
#undef COUNTER
};

/* Samples carry a name or "#17". */
static uint32_t name_of(struct counter_table *t, struct str given)
{
	char text[40];
	uint64_t n;
	int len;

	if (!given.len || given.at[0] != '#' || !number_u64(str_from(given, 1), &n))
		return intern_copy(&t->shown, given);
	if (n < COUNTER_TYPES)
		return intern_copy(&t->shown, str_of(type_names[n]));
	len = snprintf(text, sizeof(text), "UNKNOWN_%llu", (unsigned long long)n);
	return intern_copy(&t->shown, str_n(text, (size_t)len));
}

static struct counted_device *device_of(struct counter_table *t, uint32_t device)
{
	for (size_t i = t->devices.len; i-- > 0;)
		if (t->devices.at[i].device == device)
			return &t->devices.at[i];
	*vec_push(&t->devices) = (struct counted_device){ .device = device };
	return &t->devices.at[t->devices.len - 1];
}

struct core_key {
	uint64_t run_id;
	int64_t session;
	uint64_t core;
};

static struct counted_core *core_of(struct counter_table *t, struct counted_device *d,
				    const struct counter_sample *s)
{
	struct core_key key = { s->run_id, t->times->replays.at[s->replay].session, s->core };
	uint32_t at = intern_copy(&d->keys, str_n((const char *)&key, sizeof(key)));
	struct counted_core *c;

	if (at < d->cores.len)
		return &d->cores.at[at];
	c = vec_push(&d->cores);
	*c = (struct counted_core){ .core = s->core,
				    .first_cycles = s->time_cycles,
				    .value = ARENA_ARRAY(&t->memory, double, t->names),
				    .reference = ARENA_ARRAY(&t->memory, double, t->names) };
	for (uint32_t i = 0; i < t->names; i++)
		c->value[i] = c->reference[i] = NAN;
	return c;
}

struct core_order {
	const struct counter_table *t;
	const struct counted_device *d;
};

/* Cores of an op in the order in which their averages are summed. */
static int by_op_and_core(const void *a, const void *b, void *ctx)
{
	const struct core_order *o = ctx;
	const struct counted_core *l = a, *r = b;
	const struct device_core *x = &o->t->times->places.at[l->core];
	const struct device_core *y = &o->t->times->places.at[r->core];

	if (l->op != r->op)
		return l->op < r->op ? -1 : 1;
	if (o->t->way != COUNTERS_DEVICE_ONLY && l->first_cycles != r->first_cycles)
		return l->first_cycles < r->first_cycles ? -1 : 1;
	if (x->x != y->x)
		return x->x < y->x ? -1 : 1;
	return x->y < y->y ? -1 : x->y > y->y;
}

static void group_cores(struct counter_table *t, struct counted_device *d)
{
	struct core_order order = { t, d };
	struct intern ops = { 0 };

	for (uint32_t i = 0; i < d->cores.len; i++) {
		struct core_key key;
		uint32_t op;

		memcpy(&key, intern_get(&d->keys, i).at, sizeof(key));
		op = intern_copy(&ops, str_n((const char *)&key, 16));
		if (op == d->ops.len)
			*vec_push(&d->ops) =
				(struct counted_op){ .run_id = key.run_id, .session = key.session };
		d->cores.at[i].op = op;
	}
	intern_release(&ops);
	intern_release(&d->keys);
	qsort_r(d->cores.at, d->cores.len, sizeof(*d->cores.at), by_op_and_core, &order);
	for (uint32_t i = 0; i < d->cores.len; i++) {
		struct counted_op *op = &d->ops.at[d->cores.at[i].op];

		if (!op->cores++)
			op->first_core = i;
	}
}

static int by_value(const void *a, const void *b)
{
	double l = *(const double *)a, r = *(const double *)b;

	return l < r ? -1 : l > r;
}

static double median_of(double *v, size_t n)
{
	qsort(v, n, sizeof(*v), by_value);
	return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

/* Minimum, median, maximum, compensated mean of the values that are numbers. */
static void stats_of(const double *v, size_t n, double *out)
{
	double sum = 0, lost = 0, *sorted = mem_alloc(n ? n : 1, sizeof(*sorted));
	size_t have = 0;

	for (size_t i = 0; i < n; i++) {
		double y, next;

		if (!isfinite(v[i]))
			continue;
		sorted[have++] = v[i];
		y = v[i] - lost;
		next = sum + y;
		lost = next - sum - y;
		sum = next;
	}
	for (int s = 0; s < STATS; s++)
		out[s] = NAN;
	if (have) {
		out[1] = median_of(sorted, have);
		out[0] = sorted[0];
		out[2] = sorted[have - 1];
		out[3] = sum / (double)have;
	}
	free(sorted);
}

static void find_facts(struct counter_table *t, struct counted_device *d)
{
	struct metric_facts *f = &d->facts;
	double *ratio = mem_alloc(d->cores.len ? d->cores.len : 1, sizeof(*ratio));
	size_t n = 0;

	f->way = t->way;
	f->by_type = t->by_type;
	for (int c = 0; c < COUNTER_TYPES; c++) {
		if (t->by_type[c] < 0)
			continue;
		vec_each (core, &d->cores) {
			double v = core->value[t->by_type[c]];

			if (isnan(v))
				continue;
			f->occurs[c] = true;
			f->total[c] += v;
		}
	}
	/* a grant counter that is wired to nothing stays near zero */
	vec_each (core, &d->cores) {
		struct metric_core k = { core->value, core->reference, f };
		double r = metric_grant_ratio(&k);

		if (isfinite(r))
			ratio[n++] = r;
	}
	f->unpacker_grants = n && median_of(ratio, n) > 0.1;
	free(ratio);
}

static void work_out(struct counter_table *t, struct counted_device *d)
{
	static const enum counter_type summed[3] = { C_SFPU_COUNTER, C_FPU_COUNTER,
						     C_MATH_COUNTER };

	vec_each (op, &d->ops) {
		double *v = mem_alloc(op->cores, sizeof(*v));

		op->stat = ARENA_ARRAY(&t->memory, double, METRICS *STATS);
		for (int m = 0; m < METRICS; m++) {
			for (uint32_t i = 0; i < op->cores; i++) {
				const struct counted_core *c = &d->cores.at[op->first_core + i];
				struct metric_core k = { c->value, c->reference, &d->facts };

				v[i] = metric_value((enum metric)m, &k);
			}
			stats_of(v, op->cores, op->stat + m * STATS);
		}
		for (int s = 0; s < 3; s++) {
			op->sum[s] = NAN;
			for (uint32_t i = 0; i < op->cores && t->by_type[summed[s]] >= 0; i++) {
				double x = d->cores.at[op->first_core + i]
						   .value[t->by_type[summed[s]]];

				if (!isnan(x))
					op->sum[s] = (isnan(op->sum[s]) ? 0 : op->sum[s]) + x;
			}
		}
		free(v);
	}
}

static bool metric_is_shown(const struct counter_table *t, enum metric m)
{
	if (t->way == COUNTERS_WITH_HOST && metric_info[m].late)
		return false;
	vec_each (d, &t->devices)
		if (metric_exists(m, &d->facts))
			return true;
	return false;
}

static void make_columns(struct counter_table *t)
{
	static const char *const stats[STATS] = { "Min", "Median", "Max", "Avg" };
	static const char *const grids[3] = { "SFPU", "FPU", "Math" };

	for (int m = 0; m < METRICS; m++) {
		if (!metric_is_shown(t, (enum metric)m))
			continue;
		for (int s = 0; s < STATS; s++) {
			struct counter_column *c = vec_push(&t->columns);

			*c = (struct counter_column){ .metric = (uint16_t)m, .stat = (uint8_t)s };
			c->full_grid = m < 3 && s == 3;
			if (c->full_grid)
				buf_printf(&c->name, "Avg %s util on full grid (%%)", grids[m]);
			else
				buf_printf(&c->name, "%s %s%s", metric_info[m].name, stats[s],
					   metric_info[m].rate ? "" : " (%)");
		}
	}
}

struct counter_table *counter_table_new(const struct op_times *times, enum counter_way way,
					int64_t compute_cores, struct str arch)
{
	struct counter_table *t;
	uint32_t *name;

	(void)arch;
	if (!times->counters.len)
		return NULL;
	t = mem_zero(1, sizeof(*t));
	t->way = way;
	t->compute_cores = compute_cores;
	t->times = times;
	name = mem_alloc(intern_count(&times->counter_names), sizeof(*name));
	for (uint32_t i = 0; i < intern_count(&times->counter_names); i++)
		name[i] = name_of(t, intern_get(&times->counter_names, i));
	t->names = intern_count(&t->shown);
	for (int c = 0; c < COUNTER_TYPES; c++) {
		uint32_t id = intern_find(&t->shown, str_of(type_names[c]));

		t->by_type[c] = id == INTERN_NONE ? -1 : (int32_t)id;
	}
	vec_each (s, &times->counters) {
		struct counted_device *d = device_of(t, times->places.at[s->core].device);
		struct counted_core *c = core_of(t, d, s);

		c->value[name[s->name]] = (double)s->value;
		c->reference[name[s->name]] = (double)s->reference;
	}
	free(name);
	vec_each (d, &t->devices) {
		group_cores(t, d);
		find_facts(t, d);
		work_out(t, d);
	}
	make_columns(t);
	return t;
}

void counter_table_free(struct counter_table *t)
{
	if (!t)
		return;
	vec_each (d, &t->devices) {
		vec_release(&d->ops);
		vec_release(&d->cores);
		intern_release(&d->keys);
	}
	vec_each (c, &t->columns)
		buf_release(&c->name);
	vec_release(&t->devices);
	vec_release(&t->columns);
	intern_release(&t->shown);
	arena_release(&t->memory);
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

static const struct counted_op *find_op(const struct counter_table *t, uint32_t device,
					uint64_t run_id, int64_t session, bool *known)
{
	*known = false;
	vec_each (d, &t->devices) {
		if (d->device != device)
			continue;
		*known = true;
		vec_each (op, &d->ops)
			if (op->run_id == run_id && op->session == session)
				return op;
	}
	return NULL;
}

void counter_cell(const struct counter_table *t, size_t column, uint32_t device, uint64_t run_id,
		  int64_t session, int64_t kernel_cycles, struct buf *to)
{
	const struct counter_column *c = &t->columns.at[column];
	bool known;
	const struct counted_op *op = find_op(t, device, run_id, session, &known);

	if (!known)
		return;
	if (c->full_grid && t->way != COUNTERS_DEVICE_ONLY) {
		if (op && kernel_cycles > 0 && t->compute_cores > 0 && !isnan(op->sum[c->metric]))
			number_shortest(to, op->sum[c->metric] / (double)t->compute_cores /
						    (double)kernel_cycles * 100);
		return;
	}
	number_shortest(to, op ? op->stat[c->metric * STATS + c->stat] : NAN);
}

size_t counter_ops_of(const struct op_times *t, uint32_t device)
{
	size_t n = 0;

	vec_each (r, &t->runs)
		n += r->device == device;
	return n;
}

size_t counter_ops_counted(const struct counter_table *t, uint32_t device)
{
	size_t n = 0;

	vec_each (d, &t->devices)
		n += d->device == device ? d->ops.len : 0;
	return n;
}

static int by_name(const void *a, const void *b, void *ctx)
{
	const struct intern *names = ctx;

	return str_cmp(intern_get(names, *(const uint32_t *)a),
		       intern_get(names, *(const uint32_t *)b));
}

static void print_fixed(struct buf *b, double v, int decimals, size_t width, const char *unit)
{
	struct buf text = { 0 };

	number_fixed(&text, v, decimals, 0);
	buf_text(&text, unit);
	buf_printf(b, "%*s", (int)width, text.at);
	buf_release(&text);
}

/* A counter over all ops: lowest, median of medians, highest, mean of means. */
static void print_counter(const struct counted_device *d, uint32_t counter, struct buf *b)
{
	double low = INFINITY, high = -INFINITY, means = 0, *medians;
	size_t n = 0;

	medians = mem_alloc(d->ops.len, sizeof(*medians));
	vec_each (op, &d->ops) {
		double stat[STATS], *v = mem_alloc(op->cores, sizeof(*v));

		for (uint32_t i = 0; i < op->cores; i++)
			v[i] = d->cores.at[op->first_core + i].value[counter];
		stats_of(v, op->cores, stat);
		free(v);
		if (isnan(stat[0]))
			continue;
		low = stat[0] < low ? stat[0] : low;
		high = stat[2] > high ? stat[2] : high;
		means += stat[3];
		medians[n++] = stat[1];
	}
	buf_printf(b, " %-12s %8zu ", "Value", n);
	print_fixed(b, low, 1, 15, "");
	buf_char(b, ' ');
	print_fixed(b, n ? median_of(medians, n) : NAN, 1, 15, "");
	buf_char(b, ' ');
	print_fixed(b, high, 1, 15, "");
	buf_char(b, ' ');
	print_fixed(b, means / (double)n, 1, 15, "");
	buf_char(b, '\n');
	free(medians);
}

static void rule(struct buf *b, char c, size_t n)
{
	buf_fill(b, c, n);
	buf_char(b, '\n');
}

static void print_raw(const struct counter_table *t, const struct counted_device *d, struct buf *b)
{
	uint32_t *order = mem_alloc(t->names, sizeof(*order));

	for (uint32_t i = 0; i < t->names; i++)
		order[i] = i;
	qsort_r(order, t->names, sizeof(*order), by_name, (void *)(uintptr_t)&t->shown);
	buf_char(b, '\n');
	rule(b, '=', 100);
	buf_printf(b, "PERFORMANCE COUNTER STATISTICS - DEVICE %u\n", d->device);
	rule(b, '=', 100);
	buf_printf(b, "\nTotal operations with counter data: %zu\n\n", d->ops.len);
	rule(b, '=', 100);
	buf_text(b, "RAW COUNTER VALUES\n");
	rule(b, '=', 100);
	buf_printf(b, "%-40s %-12s %8s %15s %15s %15s %15s\n", "Counter Type", "Statistic", "Ops",
		   "Min", "Median", "Max", "Avg");
	rule(b, '-', 100);
	for (uint32_t i = 0; i < t->names; i++) {
		struct str name = intern_get(&t->shown, order[i]);
		bool occurs = false;

		vec_each (c, &d->cores)
			occurs |= !isnan(c->value[order[i]]);
		if (!occurs)
			continue;
		buf_printf(b, "%-40.*s", STR_ARG(name));
		print_counter(d, order[i], b);
	}
	buf_char(b, '\n');
	rule(b, '=', 100);
	buf_char(b, '\n');
	free(order);
}

/* One statistic of a metric over ops; false when no op has it. */
static bool print_stat(const struct counted_device *d, int metric, int stat, size_t ops,
		       const char *name, struct buf *b)
{
	const char *unit = metric_info[metric].rate ? "" : "%";
	double low = INFINITY, high = -INFINITY, sum = 0;
	struct buf range = { 0 };
	char count[48];
	size_t n = 0;

	vec_each (op, &d->ops) {
		double v = op->stat[metric * STATS + stat];

		if (isnan(v))
			continue;
		low = v < low ? v : low;
		high = v > high ? v : high;
		sum += v;
		n++;
	}
	if (!n)
		return false;
	snprintf(count, sizeof(count), "%zu/%zu", n, ops);
	print_fixed(&range, low, 2, 0, unit);
	buf_text(&range, " - ");
	print_fixed(&range, high, 2, 0, unit);
	buf_printf(b, "%-12s %15s %30s ", name, count, range.at);
	print_fixed(b, sum / (double)n, 2, 12, unit);
	buf_char(b, '\n');
	buf_release(&range);
	return true;
}

static void print_metric(const struct counted_device *d, int metric, size_t ops, struct buf *b)
{
	static const char *const stats[STATS] = { "Min", "Median", "Max", "Avg" };
	struct buf lines = { 0 };

	for (int s = 0; s < STATS; s++)
		(void)print_stat(d, metric, s, ops, stats[s], &lines);
	if (lines.len) {
		rule(b, '=', 80);
		for (const char *p = metric_info[metric].name; *p; p++)
			buf_char(b, *p >= 'a' && *p <= 'z' ? (char)(*p - 32) : *p);
		buf_char(b, '\n');
		rule(b, '=', 80);
		buf_printf(b, "%-12s %15s %30s %12s\n", "Statistic", "Ops with Data", "Range",
			   "Mean");
		rule(b, '-', 80);
		buf_str(b, buf_view(&lines));
		buf_char(b, '\n');
	}
	buf_release(&lines);
}

void counter_print(const struct counter_table *t, uint32_t device, size_t ops, struct out *to)
{
	struct buf b = { 0 };

	vec_each (d, &t->devices) {
		if (d->device != device)
			continue;
		print_raw(t, d, &b);
		buf_char(&b, '\n');
		rule(&b, '=', 100);
		buf_printf(&b, "EFFICIENCY METRICS SUMMARY - DEVICE %u\n", d->device);
		rule(&b, '=', 100);
		buf_printf(&b, "\nTotal operations with metrics: %zu\n\n", ops);
		/* plain numbers come after the shares, the cycles of an instruction last */
		for (int pass = 0; pass < 3; pass++)
			for (int m = 0; m < METRICS; m++) {
				bool cycles =
					!strcmp(metric_info[m].name, "Avg HF Cycles Per Instrn");
				int turn = cycles ? 2 : metric_info[m].rate ? 1 : 0;

				if (turn == pass &&
				    !(t->way == COUNTERS_WITH_HOST && metric_info[m].late))
					print_metric(d, m, ops, &b);
			}
		rule(&b, '=', 100);
		buf_char(&b, '\n');
		out_buf(to, &b);
	}
	buf_release(&b);
}
