// SPDX-License-Identifier: Apache-2.0
/* Counters as the originals print them: raw values of each counter, then metrics, over all ops of a device. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/number.h"
#include "base/order.h"
#include "markers/counters/counter_table.h"
#include "markers/counters/counter_values.h"

static void print_fixed(struct buf *b, double v, int decimals, size_t width, const char *unit)
{
	SCOPED(buf) struct buf text = { 0 };

	number_fixed(&text, v, decimals, 0);
	buf_text(&text, unit);
	buf_printf(b, "%*s", (int)width, text.at);
}

/* A counter over all ops: lowest, median of medians, highest, mean of means. */
static void print_counter(struct raw_counter *raw, struct buf *b)
{
	size_t n = raw->medians.len;

	buf_printf(b, " %-12s %8zu ", "Value", n);
	print_fixed(b, raw->low, 1, 15, "");
	buf_char(b, ' ');
	print_fixed(b, n ? counter_median(raw->medians.at, n) : NAN, 1, 15, "");
	buf_char(b, ' ');
	print_fixed(b, raw->high, 1, 15, "");
	buf_char(b, ' ');
	print_fixed(b, raw->sum_of_averages / (double)n, 1, 15, "");
	buf_char(b, '\n');
}

static void rule(struct buf *b, char c, size_t n)
{
	buf_fill(b, c, n);
	buf_char(b, '\n');
}

static void print_raw(const struct counter_table *t, const struct counted_device *d, struct buf *b)
{
	uint32_t names = intern_count(&t->shown);
	SCOPED(mem) uint32_t *order = order_numbers(names, intern_order, &t->shown);

	buf_char(b, '\n');
	rule(b, '=', 100);
	buf_printf(b, "PERFORMANCE COUNTER STATISTICS - DEVICE %u\n", d->device);
	rule(b, '=', 100);
	buf_printf(b, "\nTotal operations with counter data: %zu\n\n", d->ops);
	rule(b, '=', 100);
	buf_text(b, "RAW COUNTER VALUES\n");
	rule(b, '=', 100);
	buf_printf(b, "%-40s %-12s %8s %15s %15s %15s %15s\n", "Counter Type", "Statistic", "Ops",
		   "Min", "Median", "Max", "Avg");
	rule(b, '-', 100);
	for (uint32_t i = 0; i < names; i++) {
		struct str name = intern_get(&t->shown, order[i]);

		if (order[i] >= d->raw.len || !d->raw.at[order[i]].medians.len)
			continue;
		buf_printf(b, "%-40.*s", STR_ARG(name));
		print_counter(&d->raw.at[order[i]], b);
	}
	buf_char(b, '\n');
	rule(b, '=', 100);
	buf_char(b, '\n');
}

/* One statistic of a metric over ops. */
struct metric_sum {
	double low, high, sum;
	size_t n;
};

static struct metric_sum *sum_metrics(struct counter_table *t, const struct counted_device *d)
{
	struct metric_sum *sums = mem_zero(METRICS * STATS, sizeof(*sums));

	for (size_t first = d->first, n; first < d->first + d->spans; first += n) {
		const struct op_metrics *m;

		n = counter_spans_of_run(t->times, first);
		if (t->rules->nameless_ops_are_hidden && !t->times->counters.at[first].run_id)
			continue;
		m = counter_metrics_of(t, d, first);
		for (int i = 0; i < METRICS * STATS; i++) {
			struct metric_sum *s = &sums[i];
			double v = m->stat[i];

			if (isnan(v))
				continue;
			s->low = !s->n || v < s->low ? v : s->low;
			s->high = !s->n || v > s->high ? v : s->high;
			s->sum += v;
			s->n++;
		}
	}
	return sums;
}

static void print_stat(const struct metric_sum *s, const char *unit, size_t ops, const char *name,
		       struct buf *b)
{
	SCOPED(buf) struct buf range = { 0 };
	char count[48];

	snprintf(count, sizeof(count), "%zu/%zu", s->n, ops);
	print_fixed(&range, s->low, 2, 0, unit);
	buf_text(&range, " - ");
	print_fixed(&range, s->high, 2, 0, unit);
	buf_printf(b, "%-12s %15s %30s ", name, count, range.at);
	print_fixed(b, s->sum / (double)s->n, 2, 12, unit);
	buf_char(b, '\n');
}

static void print_metric(const struct metric_sum *sums, int metric, size_t ops, struct buf *b)
{
	static const char *const stats[STATS] = { "Min", "Median", "Max", "Avg" };
	const char *unit = metric_info[metric].rate ? "" : "%";

	/* an op has all four, or none */
	sums += (size_t)metric * STATS;
	if (!sums->n)
		return;
	rule(b, '=', 80);
	for (const char *p = metric_info[metric].name; *p; p++)
		buf_char(b, *p >= 'a' && *p <= 'z' ? (char)(*p - 32) : *p);
	buf_char(b, '\n');
	rule(b, '=', 80);
	buf_printf(b, "%-12s %15s %30s %12s\n", "Statistic", "Ops with Data", "Range", "Mean");
	rule(b, '-', 80);
	for (int s = 0; s < STATS; s++)
		print_stat(&sums[s], unit, ops, stats[s], b);
	buf_char(b, '\n');
}

void counter_print(struct counter_table *t, uint32_t device, size_t ops, struct out *to)
{
	struct metric_sum *sums;
	SCOPED(buf) struct buf b = { 0 };

	vec_each (d, &t->devices) {
		if (d->device != device)
			continue;
		sums = sum_metrics(t, d);
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

				if (turn == pass && t->rules->exists((enum metric)m, &d->facts) &&
				    !(t->rules->late_are_hidden && metric_info[m].late))
					print_metric(sums, m, ops, &b);
			}
		rule(&b, '=', 100);
		buf_char(&b, '\n');
		out_buf(to, &b);
		free(sums);
	}
}
