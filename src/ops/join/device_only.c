// SPDX-License-Identifier: Apache-2.0
#include "ops/join/device_only.h"

#include <stdlib.h>

#include "base/order.h"
#include "ops/py_text.h"
#include "wire/run_processes.h"

struct cells {
	struct ops_value cell[OPS_COLS];
};

ORDER_BY(by_device, struct device_only_op, device, turn, run)

/* Devices in the order of the log, their runs as they came, or as rules have them. */
static void add_runs(struct device_only *d)
{
	const struct op_times *t = d->times;
	uint32_t *(*rule)(const struct op_times *t) = d->rules->device_only.order;
	/* runs with ids of their own are in the order of their detection already */
	SCOPED(mem) uint32_t *order = rule && !d->ids ? rule(t) : NULL;
	SCOPED(u64map) struct u64map devices = { 0 };

	for (uint32_t i = 0; i < t->devices.len; i++)
		u64map_put(&devices, t->devices.at[i], i);
	for (uint32_t i = 0; i < t->runs.len; i++) {
		uint32_t run = order ? order[i] : i, device;
		const struct op_run *r = &t->runs.at[run];

		if (u64map_get(&devices, op_run_device(t, r), &device))
			*vec_push(&d->ops) = (struct device_only_op){
				.run = run,
				.device = device,
				.id = d->ids ? d->ids[run] : r->run_id,
				.turn = rule ? i : op_run_time(t, r, TIME_FIRST),
			};
	}
	vec_sort(&d->ops, by_device);
}

void device_only_make(struct device_only *d)
{
	if (d->freq_mhz <= 0)
		d->freq_mhz = 1000;
	add_runs(d);
}

void device_only_release(struct device_only *d)
{
	vec_release(&d->ops);
}

static double ns_of(const struct device_only *d, double cycles)
{
	return cycles * 1000.0 / (double)d->freq_mhz;
}

/* Ends of the op before, per device. */
struct before {
	struct run_entry kernel, dm;
};

/* From what was before to `e`, which is what was before the next one. */
static struct ops_value gap_value(const struct device_only *d, struct run_entry e,
				  struct run_entry *before)
{
	int64_t cycles = (int64_t)(e.start - before->end);
	bool by_row = d->rules->device_only.gaps_by_row, has = before->has;

	if (by_row || !has || e.end > before->end)
		*before = e;
	if (!has)
		return ops_value_i64(0);
	if (cycles < 0 && !by_row)
		return (struct ops_value){ 0 };
	return ops_value_whole(py_round0(1000.0 * (double)cycles / (double)d->freq_mhz) + 0.0);
}

static void put_times(const struct device_only *d, const struct op_run *run, struct before *b,
		      struct cells *c)
{
	for (int i = 0; i < RUN_TIMES; i++) {
		struct run_entry e = d->rules->entry(d->times, run, (enum run_time)i);

		if (!e.has || !(d->analyses >> i & 1))
			continue;
		c->cell[run_time_info[i].column] =
			ops_value_whole(ns_of(d, (double)(e.end - e.start)));
		if (i == RUN_FW) {
			c->cell[OPS_FW_START] = ops_value_u64(e.start);
			c->cell[OPS_FW_END] = ops_value_u64(e.end);
		} else if (i == RUN_KERNEL) {
			c->cell[OPS_GAP] = gap_value(d, e, &b->kernel);
		} else if (i == RUN_DM_START) {
			c->cell[OPS_GAP_DM] = gap_value(d, e, &b->dm);
		}
	}
}

static void put_sums(const struct device_only *d, const struct op_run *run, struct cells *c)
{
	const struct op_more *more = op_run_more(d->times, run);
	struct run_cores cores = run_cores(d->times, run);
	bool sums = d->rules->sums_over_cores;

	if (cores.cores && (d->analyses >> SHOW_PER_CORE & 1)) {
		c->cell[OPS_CORE_MIN] = ops_value_whole(ns_of(d, (double)cores.min));
		c->cell[OPS_CORE_MAX] = ops_value_whole(ns_of(d, (double)cores.max));
		c->cell[OPS_CORE_AVG] = ops_value_whole(ns_of(d, cores.average));
	}
	if (more && more->cb_wait && (d->analyses >> SHOW_CB_WAIT & 1))
		c->cell[OPS_CB_WAIT_FRONT] = ops_value_whole(ns_of(d, (double)more->cb_wait) /
							     (sums ? 1 : more->cb_wait_cores));
	if (more && more->cb_reserve && (d->analyses >> SHOW_CB_RESERVE & 1))
		c->cell[OPS_CB_RESERVE_BACK] = ops_value_whole(ns_of(d, (double)more->cb_reserve) /
							       (sums ? 1 : more->cb_reserve_cores));
}

static void put_identity(const struct device_only *d, const struct device_only_op *op,
			 const struct op_run *run, struct cells *c)
{
	const struct op_more *more = op_run_more(d->times, run);
	int64_t sub_device = more ? more->sub_device : -1;
	bool has_sub_device = more && more->has_sub_device;
	struct op_replay replay = op_run_replay(d->times, run);

	c->cell[OPS_GLOBAL_CALL_COUNT] = ops_value_u64(op->id);
	if (d->rules->device_only.ids_alone) {
		/* the sub-device of the op outside of any trace */
		has_sub_device = op_times_sub_device(d->sub_devices, op_run_device(d->times, run),
						     op->id, -1, -1, &sub_device);
	} else {
		c->cell[OPS_DEVICE_ID] = ops_value_u64(replay.device);
		c->cell[OPS_DEVICE_ARCH] = ops_value_text(str_head(d->arch, 31));
		if (d->compute_cores > 0 && !has_sub_device) /* which has fewer */
			c->cell[OPS_WORKER_CORES] = ops_value_i64(d->compute_cores);
		c->cell[OPS_CORE_COUNT] =
			ops_value_u64(run_core_count(d->times, run, d->rules->core_has));
		if (replay.trace_id >= 0)
			c->cell[OPS_TRACE_ID] = ops_value_i64(replay.trace_id);
		if (replay.session >= 0 || op_run_repeat(d->times, run) ||
		    op_run_next_repeat(d->times, run) != OP_NONE)
			c->cell[OPS_SESSION_ID] = ops_value_i64(
				replay.session >= 0 ? replay.session
						    : (int64_t)op_run_repeat(d->times, run) + 1);
		c->cell[OPS_DATA_STATE] = ops_value_text(
			str_of(run->is_cut                        ? row_state_text(ROW_LOG_CUT)
			       : op_run_is_partial(d->times, run) ? row_state_text(ROW_PARTIAL)
								  : ""));
	}
	if (has_sub_device)
		c->cell[OPS_SUB_DEVICE_ID] = ops_value_i64(sub_device);
	if (run_has_processes(d->processes)) {
		const struct run_process *of = run_process_of(d->processes, op->id);

		if (of)
			c->cell[OPS_PROCESS] = ops_value_i64(of->pid);
		if (of && of->rank >= 0)
			c->cell[OPS_RANK] = ops_value_i64(of->rank);
		if (of && *of->program)
			c->cell[OPS_PROGRAM] = ops_value_text(str_of(of->program));
	}
}

static bool is_known(const struct device_only *d, int c)
{
	return !d->rules->device_only.ids_alone || strcmp(ops_col_info[c].since, "quasar");
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

		memset(&c, 0, sizeof(c));
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
	bool used[OPS_COLS];
	struct ops_rows *to;
};

static void mark_used(void *ctx, const struct device_only_op *op, const struct cells *c)
{
	struct writing *g = ctx;

	(void)op;
	for (int i = 0; i < OPS_COLS; i++)
		g->used[i] |= c->cell[i].kind != CELL_NONE && is_known(g->d, i);
}

static void write_op(void *ctx, const struct device_only_op *op, const struct cells *c)
{
	struct writing *g = ctx;
	const struct device_only *d = g->d;
	const struct op_run *run = &d->times->runs.at[op->run];
	struct run_entry kernel = d->rules->entry(d->times, run, RUN_KERNEL);

	if (g->to->stop)
		return;
	for (int i = 0; i < OPS_COLS; i++)
		if (g->used[i])
			ops_rows_put(g->to, c->cell[i]);
	for (size_t i = 0; d->counters && i < counter_columns(d->counters); i++) {
		int64_t session =
			d->rules->device_only.ids_alone ? -1 : op_run_replay(d->times, run).session;
		bool has;
		double v;

		has = counter_value(d->counters, i, op_run_device(d->times, run), op->id, session,
				    kernel.has ? (int64_t)(kernel.end - kernel.start) : 0, &v);
		ops_rows_put(g->to, has ? ops_value_real(v) : (struct ops_value){ 0 });
	}
	g->to->end_row(g->to);
}

void device_only_rows(const struct device_only *d, struct ops_rows *to)
{
	struct writing g = { .d = d, .to = to };
	SCOPED(vec) VEC(struct str) names = { 0 };

	each_op(d, mark_used, &g);
	if (!d->rules->device_only.ids_alone)
		g.used[OPS_DEVICE_ID] = g.used[OPS_GLOBAL_CALL_COUNT] = g.used[OPS_DATA_STATE] =
			true;
	for (int i = 0; i < OPS_COLS; i++)
		if (g.used[i])
			*vec_push(&names) = ops_col_info[i].name;
	for (size_t i = 0; d->counters && i < counter_columns(d->counters); i++)
		*vec_push(&names) = counter_column(d->counters, i);
	to->columns(to, names.at, names.len);
	each_op(d, write_op, &g);
}
