// SPDX-License-Identifier: Apache-2.0
/* The ops that are shown, and their totals. */
#include "compat/tt_perf_report/py.h"
#include "compat/tt_perf_report/steps_of_run.h"

static void keep_ids(struct compat_run *r)
{
	const struct id_bound *first = &r->args.first_id, *last = &r->args.last_id;
	size_t to = 0;

	if (first->given && last->given)
		compat_say(r, COLOUR_CYAN, "Filtering rows with IDs from %s to %s", first->text.at,
			   last->text.at);
	else if (first->given)
		compat_say(r, COLOUR_CYAN, "Filtering rows with IDs from %s onwards",
			   first->text.at);
	else
		compat_say(r, COLOUR_CYAN, "Filtering rows with IDs up to %s",
			   last->given ? last->text.at : "None");
	vec_each (op, &r->ops) {
		int64_t id = (int64_t)op->row + ID_OF_ROW_0;

		if ((!first->given || id >= first->id) && (!last->given || id <= last->id))
			r->ops.at[to++] = *op;
	}
	r->ops.len = to;
	if (to)
		r->ops.at[0].has &= (uint16_t)~OP_GAP;
}

static void drop_host_ops(struct compat_run *r)
{
	size_t to = 0;

	vec_each (op, &r->ops)
		if (!(op_name(r, op)->flags & TEXT_TORCH))
			r->ops.at[to++] = *op;
	r->ops.len = to;
}

/* DRAM over all shown ops: what was moved in the whole time, and the mean share weighed by time. */
static void find_roofline(struct compat_run *r)
{
	struct py_sum time = { 0 }, bytes = { 0 }, share = { 0 };
	double us, moved;

	vec_each (op, &r->ops) {
		if (op->has & OP_TIME && !(op_name(r, op)->flags & TEXT_SIGNPOST))
			py_sum_add(&time, op->time_us);
		if (op->has & OP_BYTES)
			py_sum_add(&bytes, op->bytes);
		if (op->has & OP_DRAM && op->has & OP_TIME)
			py_sum_add(&share, op->dram_pct * op->time_us);
	}
	us = py_sum_value(&time);
	moved = py_sum_value(&bytes);
	r->has_roofline = us != 0 && moved != 0;
	r->dram_gbps = moved / (us * 1e-6) / 1e9;
	r->dram_pct = py_sum_value(&share) / us;
}

void compat_filter(struct compat_run *r)
{
	struct py_sum time = { 0 }, gap = { 0 };

	if (r->args.id_range)
		keep_ids(r);
	if (r->args.no_host_ops)
		drop_host_ops(r);
	vec_each (op, &r->ops) {
		if (op->has & OP_TIME_ZERO)
			py_sum_add_int(&time, 0);
		else if (op->has & OP_TIME)
			py_sum_add(&time, op->time_us);
		if (op->has & OP_GAP)
			py_sum_add(&gap, op->gap_us);
	}
	r->time_sum_us = py_sum_value(&time);
	r->gap_sum_us = py_sum_value(&gap);
	r->total_us = r->time_sum_us + r->gap_sum_us;
	if (r->v->whole_roofline)
		find_roofline(r);
}
