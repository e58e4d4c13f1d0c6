// SPDX-License-Identifier: Apache-2.0
#include "draw/op_names.h"

#include "base/order.h"
#include "base/width.h"
#include "report/label.h"

static void add_row(struct op_names *n, const struct op_row *r)
{
	struct launch_key key = { .trace_id = -1, .session = -1 };
	int64_t device = 0, run = 0;

	if (!ops_i64(n->table, OPS_GLOBAL_CALL_COUNT, r->row, &run))
		return;
	(void)ops_i64(n->table, OPS_DEVICE_ID, r->row, &device);
	(void)ops_i64(n->table, OPS_TRACE_ID, r->row, &key.trace_id);
	(void)ops_i64(n->table, OPS_SESSION_ID, r->row, &key.session);
	key.device = (uint32_t)device;
	key.run_id = (uint64_t)run;
	launch_rows_add(&n->launches, &key, r->call);
	(void)u64map_get_or_put(&n->by_run, key.run_id, r->call, NULL);
}

ORDER_BY(by_call, struct op_row, call, row)

static void find_rows(struct op_names *n)
{
	const struct calls *c = &n->calls;

	for (uint32_t i = 0; i < c->all.len; i++)
		if (!c->call_of_row && !(c->all.at[i].flags & CALL_HOST))
			*vec_push(&n->rows) = (struct op_row){ c->all.at[i].row, i };
	if (!c->call_of_row)
		return;
	for (uint32_t row = 0; row < n->table->rows; row++)
		if (c->call_of_row[row] != UINT32_MAX)
			*vec_push(&n->rows) = (struct op_row){ row, c->call_of_row[row] };
	vec_sort(&n->rows, by_call);
}

void op_names_make(struct op_names *n, const struct ops_table *t)
{
	struct call_options whole = { .whole_file = true };

	memset(n, 0, sizeof(*n));
	n->table = t;
	if (!t)
		return;
	calls_make(&n->calls, t, &whole);
	find_rows(n);
	vec_each (r, &n->rows)
		add_row(n, r);
}

void op_names_release(struct op_names *n)
{
	if (n->table)
		calls_release(&n->calls);
	launch_rows_release(&n->launches);
	u64map_release(&n->by_run);
	intern_release(&n->labels);
	RELEASE(vec, &n->label_of, &n->full_of, &n->rows);
}

static uint32_t label_number_of(struct op_names *n, const struct buf *label)
{
	SCOPED(buf) struct buf clean = { 0 };

	width_clean(&clean, buf_view(label));
	return intern_copy(&n->labels, clean.len ? buf_view(&clean) : STR("(no name)"));
}

struct op_name op_names_of(struct op_names *n, const struct call *call)
{
	struct op_name name = { .id = call->id,
				.like = call_alike(&n->calls, call),
				.numbered = call_kind(&n->calls, call)->unnamed };
	SCOPED(buf) struct buf label = { 0 };

	vec_reach(&n->label_of, name.like, 0);
	vec_reach(&n->full_of, name.like, 0);
	if (!n->label_of.at[name.like]) {
		const struct kind *k = call_kind(&n->calls, call);

		label_call(&label, n->table, &n->calls, call);
		n->label_of.at[name.like] = label_number_of(n, &label) + 1;
		buf_text(&label, ", ");
		label_types(&label, n->table, k);
		buf_printf(&label, " on %.0f core%s", k->roof.cores, k->roof.cores > 1 ? "s" : "");
		n->full_of.at[name.like] = label_number_of(n, &label) + 1;
	}
	name.label = intern_get(&n->labels, n->label_of.at[name.like] - 1);
	name.full = intern_get(&n->labels, n->full_of.at[name.like] - 1);
	return name;
}

struct op_name op_names_find(struct op_names *n, const struct launch_key *key)
{
	uint32_t i = launch_rows_find(&n->launches, *key);
	SCOPED(buf) struct buf label = { 0 };
	uint32_t number;

	if (i != LAUNCH_NONE || u64map_get(&n->by_run, key->run_id, &i))
		return op_names_of(n, &n->calls.all.at[i]);
	label_number(&label, key->device, key->run_id);
	number = label_number_of(n, &label);
	return (struct op_name){ .label = intern_get(&n->labels, number),
				 .full = intern_get(&n->labels, number),
				 .like = n->calls.alikes + number,
				 .numbered = true };
}

bool op_names_run(const struct op_names *n, uint32_t id, uint64_t *run_id, int64_t *session)
{
	vec_each (call, &n->calls.all) {
		int64_t run;

		if (call->id != id)
			continue;
		if (!ops_i64(n->table, OPS_GLOBAL_CALL_COUNT, call->row, &run))
			return false;
		*run_id = (uint64_t)run;
		*session = -1;
		(void)ops_i64(n->table, OPS_SESSION_ID, call->row, session);
		return true;
	}
	return false;
}
