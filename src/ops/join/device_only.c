// SPDX-License-Identifier: Apache-2.0
#include "ops/join/device_only.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/csv.h"
#include "base/number.h"
#include "ops/py_text.h"

/* Columns after those of the report. */
enum extra_column { EXTRA_TRACE_FW = OPS_COLS, EXTRA_TRACE_KERNEL, EXTRA_STATE, COLUMNS };

struct cells {
	char text[COLUMNS][32];
};

static int by_first(const void *a, const void *b, void *ctx)
{
	const struct op_times *t = ctx;
	const struct op_run *l = &t->runs.at[((const struct device_only_op *)a)->run];
	const struct op_run *r = &t->runs.at[((const struct device_only_op *)b)->run];
	uint64_t x = op_run_time(t, l, TIME_FIRST), y = op_run_time(t, r, TIME_FIRST);

	if (x != y)
		return x < y ? -1 : 1;
	return l < r ? -1 : l > r;
}

static void add_device(struct device_only *d, const uint32_t *runs, size_t n)
{
	size_t from = d->ops.len;

	for (size_t i = 0; i < n; i++)
		*vec_push(&d->ops) =
			(struct device_only_op){ runs[i],
						 d->exact ? d->exact->last_id.at[runs[i]]
							  : d->times->runs.at[runs[i]].run_id };
	if (n && !d->original)
		qsort_r(d->ops.at + from, n, sizeof(*d->ops.at), by_first,
			(void *)(uintptr_t)d->times);
}

/* Devices in the order of the log, their runs as they came. */
static void add_devices(struct device_only *d)
{
	const struct op_times *t = d->times;
	struct u64map index = { 0 };
	size_t devices = t->devices.len, all = t->runs.len;
	size_t *end = mem_zero(devices + 1, sizeof(*end));
	uint32_t *runs = mem_alloc(all ? all : 1, sizeof(*runs)), at = 0;
	/* exact runs are in the order of their detection already */
	uint32_t *order = d->original && !d->exact ? runs_in_detection_order(t) : NULL;

	for (uint32_t i = 0; i < devices; i++)
		u64map_put(&index, t->devices.at[i], i);
	vec_each (r, &t->runs)
		if (u64map_get(&index, op_run_device(t, r), &at))
			end[at + 1]++;
	for (size_t i = 0; i < devices; i++)
		end[i + 1] += end[i];
	for (uint32_t i = 0; i < all; i++) {
		uint32_t run = order ? order[i] : i;

		if (u64map_get(&index, op_run_device(t, &t->runs.at[run]), &at))
			runs[end[at]++] = run;
	}
	free(order);
	/* each end has moved to where the next device begins */
	for (size_t i = 0; i < devices; i++)
		add_device(d, runs + (i ? end[i - 1] : 0), end[i] - (i ? end[i - 1] : 0));
	u64map_release(&index);
	free(end);
	free(runs);
}

void device_only_make(struct device_only *d)
{
	if (d->freq_mhz <= 0)
		d->freq_mhz = 1000;
	add_devices(d);
}

void device_only_release(struct device_only *d)
{
	vec_release(&d->ops);
}

static void put_fixed(char text[32], double v)
{
	struct buf b = { 0 };

	number_fixed(&b, v, 0, 0);
	snprintf(text, 32, "%s", b.at);
	buf_release(&b);
}

static double ns_of(const struct device_only *d, double cycles)
{
	return cycles * 1000.0 / (double)d->freq_mhz;
}

/* Ends of the op before, per device. */
struct before {
	bool has_kernel, has_dm;
	uint64_t kernel_end, dm_end;
};

static void put_gap(const struct device_only *d, char text[32], bool has, uint64_t start,
		    uint64_t before)
{
	int64_t cycles = (int64_t)(start - before);

	if (!has)
		snprintf(text, 32, "0");
	else if (d->original || cycles >= 0)
		snprintf(text, 32, "%.0f",
			 py_round0(1000.0 * (double)cycles / (double)d->freq_mhz) + 0.0);
}

static void put_times(const struct device_only *d, const struct op_run *run, struct before *b,
		      struct cells *c)
{
	for (int i = 0; i < RUN_TIMES; i++) {
		struct run_entry e = d->rules->entry(d->times, run, (enum run_time)i);
		int column = (int)run_time_info[i].column;

		if (i == RUN_TRACE_FW || i == RUN_TRACE_KERNEL)
			column = i == RUN_TRACE_FW ? EXTRA_TRACE_FW : EXTRA_TRACE_KERNEL;
		if (!e.has || !(d->analyses >> i & 1))
			continue;
		put_fixed(c->text[column], ns_of(d, (double)(e.end - e.start)));
		if (i == RUN_FW) {
			snprintf(c->text[OPS_FW_START], 32, "%llu", (unsigned long long)e.start);
			snprintf(c->text[OPS_FW_END], 32, "%llu", (unsigned long long)e.end);
		} else if (i == RUN_KERNEL) {
			put_gap(d, c->text[OPS_GAP], b->has_kernel, e.start, b->kernel_end);
			if (d->original || !b->has_kernel || e.end > b->kernel_end)
				b->kernel_end = e.end;
			b->has_kernel = true;
		} else if (i == RUN_DM_START) {
			put_gap(d, c->text[OPS_GAP_DM], b->has_dm, e.start, b->dm_end);
			if (d->original || !b->has_dm || e.end > b->dm_end)
				b->dm_end = e.end;
			b->has_dm = true;
		}
	}
}

static void put_sums(const struct device_only *d, const struct op_run *run, struct cells *c)
{
	const struct op_more *more = op_run_more(d->times, run);
	struct run_cores cores = run_cores(d->times, run);
	bool sums = d->rules->sums_over_cores;

	if (cores.cores && (d->analyses >> SHOW_PER_CORE & 1)) {
		put_fixed(c->text[OPS_CORE_MIN], ns_of(d, (double)cores.min));
		put_fixed(c->text[OPS_CORE_MAX], ns_of(d, (double)cores.max));
		put_fixed(c->text[OPS_CORE_AVG], ns_of(d, cores.average));
	}
	if (more && more->cb_wait && (d->analyses >> SHOW_CB_WAIT & 1))
		put_fixed(c->text[OPS_CB_WAIT_FRONT],
			  ns_of(d, (double)more->cb_wait) / (sums ? 1 : more->cb_wait_cores));
	if (more && more->cb_reserve && (d->analyses >> SHOW_CB_RESERVE & 1))
		put_fixed(c->text[OPS_CB_RESERVE_BACK],
			  ns_of(d, (double)more->cb_reserve) / (sums ? 1 : more->cb_reserve_cores));
}

static void put_identity(const struct device_only *d, const struct device_only_op *op,
			 const struct op_run *run, struct cells *c)
{
	const struct op_more *more = op_run_more(d->times, run);
	int64_t sub_device = more ? more->sub_device : -1;
	bool has_sub_device = more && more->has_sub_device;

	snprintf(c->text[OPS_GLOBAL_CALL_COUNT], 32, "%llu", (unsigned long long)op->id);
	if (d->original) {
		/* the original looks for the sub-device of an op outside of any trace */
		has_sub_device = op_times_sub_device(d->sub_devices, op_run_device(d->times, run),
						     op->id, -1, -1, &sub_device);
	} else {
		struct op_replay replay = op_run_replay(d->times, run);

		snprintf(c->text[OPS_DEVICE_ID], 32, "%u", replay.device);
		snprintf(c->text[OPS_DEVICE_ARCH], 32, "%.*s", STR_ARG(str_head(d->arch, 31)));
		if (d->compute_cores > 0 && !has_sub_device) /* which has fewer */
			snprintf(c->text[OPS_WORKER_CORES], 32, "%lld",
				 (long long)d->compute_cores);
		snprintf(c->text[OPS_CORE_COUNT], 32, "%u", d->rules->core_count(d->times, run));
		if (replay.trace_id >= 0)
			snprintf(c->text[OPS_TRACE_ID], 32, "%lld", (long long)replay.trace_id);
		if (replay.session >= 0 || op_run_repeat(d->times, run) ||
		    op_run_next_repeat(d->times, run) != OP_NONE)
			snprintf(c->text[OPS_SESSION_ID], 32, "%lld",
				 replay.session >= 0 ? (long long)replay.session
						     : (long long)op_run_repeat(d->times, run) + 1);
		snprintf(c->text[EXTRA_STATE], 32, "%s",
			 run->is_cut                        ? row_state_text(ROW_LOG_CUT)
			 : op_run_is_partial(d->times, run) ? row_state_text(ROW_PARTIAL)
							    : "");
	}
	if (has_sub_device)
		snprintf(c->text[OPS_SUB_DEVICE_ID], 32, "%lld", (long long)sub_device);
}

static const char *column_name(int c)
{
	return c == EXTRA_TRACE_FW       ? "TRACE FW DURATION [ns]"
	       : c == EXTRA_TRACE_KERNEL ? "TRACE KERNEL DURATION [ns]"
	       : c == EXTRA_STATE        ? "DATA STATE"
					 : ops_col_info[c].name.at;
}

/* Quasar's columns are none of the original's. */
static bool is_known(const struct device_only *d, int c)
{
	return c >= OPS_COLS || !d->original || strcmp(ops_col_info[c].since, "quasar");
}

/* Fills the cells of every op in turn and hands them on. */
static void each_op(const struct device_only *d,
		    void (*fn)(void *ctx, const struct device_only_op *op, const struct cells *c),
		    void *ctx)
{
	struct before before = { 0 };
	uint32_t device = UINT32_MAX;

	vec_each (op, &d->ops) {
		const struct op_run *run = &d->times->runs.at[op->run];
		struct cells c;

		for (int i = 0; i < COLUMNS; i++)
			c.text[i][0] = 0;
		if (op_run_device(d->times, run) != device)
			before = (struct before){ 0 };
		device = op_run_device(d->times, run);
		put_identity(d, op, run, &c);
		put_times(d, run, &before, &c);
		put_sums(d, run, &c);
		fn(ctx, op, &c);
	}
}

struct writing {
	const struct device_only *d;
	bool used[COLUMNS];
	struct csv_writer w;
	struct buf text;
	struct out *to;
};

static void mark_used(void *ctx, const struct device_only_op *op, const struct cells *c)
{
	struct writing *g = ctx;

	(void)op;
	for (int i = 0; i < COLUMNS; i++)
		g->used[i] |= c->text[i][0] && is_known(g->d, i);
}

static void write_op(void *ctx, const struct device_only_op *op, const struct cells *c)
{
	struct writing *g = ctx;
	const struct op_run *run = &g->d->times->runs.at[op->run];
	struct run_entry kernel = g->d->rules->entry(g->d->times, run, RUN_KERNEL);

	for (int i = 0; i < COLUMNS; i++)
		if (g->used[i])
			csv_field(&g->w, str_of(c->text[i]));
	for (size_t i = 0; g->d->counters && i < counter_columns(g->d->counters); i++) {
		csv_plain(&g->w);
		counter_cell(g->d->counters, i, op_run_device(g->d->times, run), op->id,
			     g->d->original ? -1 : op_run_replay(g->d->times, run).session,
			     kernel.has ? (int64_t)(kernel.end - kernel.start) : 0, &g->text);
	}
	csv_end_row(&g->w);
	if (g->text.len > 65536)
		out_buf(g->to, &g->text);
}

void device_only_write(const struct device_only *d, struct out *to)
{
	struct writing g = { .d = d, .to = to };

	g.w = (struct csv_writer){ .out = &g.text, .eol = "\r\n" };
	each_op(d, mark_used, &g);
	if (!d->original)
		g.used[OPS_DEVICE_ID] = g.used[OPS_GLOBAL_CALL_COUNT] = g.used[EXTRA_STATE] = true;
	for (int i = 0; i < COLUMNS; i++)
		if (g.used[i])
			csv_field(&g.w, str_of(column_name(i)));
	for (size_t i = 0; d->counters && i < counter_columns(d->counters); i++)
		csv_field(&g.w, counter_column(d->counters, i));
	csv_end_row(&g.w);
	each_op(d, write_op, &g);
	out_buf(to, &g.text);
	buf_release(&g.text);
}
