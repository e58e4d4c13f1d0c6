// SPDX-License-Identifier: Apache-2.0
/* ttp/run.h: what each core did for each op.  Figures are those of `ttprof heat` (markers/core_times.h). */
#include "library/library.h"
#include "markers/core_times.h"
#include "ops/table/ops_table.h"

/* Cores are in the order of the log, ops in that of their launch. */
static void take_part(struct ttprof_run *r, const struct core_times *t, const struct core_part *p,
		      int64_t row)
{
	const struct core_op *o = &t->ops.at[p->op];
	const struct fold_core *core = &t->cores.at[p->core];
	struct core_sum s = core_part_sum(t, p, 0, UINT64_MAX);

	if (!s.any)
		return;
	*vec_push(&r->cores) = (struct ttprof_core){
		.op = row,
		.run_id = o->key.run_id,
		.trace_id = o->key.trace_id,
		.replay = o->key.session,
		.device = o->key.device,
		.x = core->x,
		.y = core->y,
		.busy_ns = core_ns(t, (double)s.busy),
		.start_ns = core_ns(t, (double)(s.first - o->first_cycles)),
		.end_ns = core_ns(t, (double)(s.last - o->first_cycles)),
	};
}

/* Ops may have their times from a report that was made when the log was whole. */
void library_note_damage(struct ttprof_run *r, const struct device_log *log)
{
	struct str text = log->in.data;
	struct ttp_err e;

	if (text.len && text.at[text.len - 1] != '\n')
		(void)ttp_fail(&e, TTP_FORMAT,
			       "%s: cut: it ends in the middle of a row, and cores that come after "
			       "it are missing",
			       log->in.name);
	else if (log->bad_rows)
		(void)ttp_fail(&e, TTP_FORMAT,
			       "%s: %llu rows can't be read, the first is line %llu", log->in.name,
			       (unsigned long long)log->bad_rows,
			       (unsigned long long)log->bad_line[0]);
	else
		return;
	run_parts_left_out(&r->run.parts, &e);
}

static void read_cores(struct ttprof_run *r)
{
	struct core_want kernels = { 0 };
	struct launch_rows rows = { 0 };
	const struct ops_table *ops;
	struct device_log *log;
	struct core_times t;
	struct ttp_err e;

	ops = library_ops(r, &e); /* may read the log as well, so before it is rewound */
	if (ops)
		ops_launch_rows(ops, &rows);
	log = run_log(&r->run, &e);
	if (log) {
		core_times_read(&t, log, &kernels);
		vec_each (p, &t.parts) {
			uint32_t row = launch_rows_find(&rows, t.ops.at[p->op].key);

			take_part(r, &t, p, row == LAUNCH_NONE ? -1 : (int64_t)row);
		}
		core_times_release(&t);
		library_note_damage(r, log);
	}
	launch_rows_release(&rows);
}

const struct ttprof_core *ttprof_run_cores(struct ttprof_run *r, size_t *count,
					   struct ttprof_error *to)
{
	struct ttp_err e = { 0 };
	struct device_log *log;

	if (count)
		*count = 0;
	if (!r || !count)
		return NULL;
	log = run_log(&r->run, &e);
	library_error(to, &e);
	if (log && !r->cores_asked) {
		r->cores_asked = true;
		read_cores(r);
	}
	*count = r->cores.len;
	return r->cores.at;
}
