// SPDX-License-Identifier: Apache-2.0
#include "draw/op_names.h"

#include "base/width.h"
#include "report/label.h"

static void add_call(struct op_names *n, uint32_t i)
{
	const struct call *call = &n->calls.all.at[i];
	struct launch_key key = { .trace_id = -1, .session = -1 };
	int64_t device = 0, run = 0;

	if (!ops_i64(n->table, OPS_GLOBAL_CALL_COUNT, call->row, &run) || call->flags & CALL_HOST)
		return;
	(void)ops_i64(n->table, OPS_DEVICE_ID, call->row, &device);
	(void)ops_i64(n->table, OPS_TRACE_ID, call->row, &key.trace_id);
	(void)ops_i64(n->table, OPS_SESSION_ID, call->row, &key.session);
	key.device = (uint32_t)device;
	key.run_id = (uint64_t)run;
	launch_rows_add(&n->launches, &key, i);
	(void)u64map_get_or_put(&n->by_run, key.run_id, i, NULL);
}

void op_names_make(struct op_names *n, const struct ops_table *t)
{
	struct call_options whole = { .whole_file = true, .keep_devices_apart = true };
	SCOPED(buf) struct buf label = { 0 }, clean = { 0 };

	memset(n, 0, sizeof(*n));
	n->table = t;
	if (!t)
		return;
	calls_make(&n->calls, t, &whole);
	vec_each (k, &n->calls.kinds) {
		buf_clear(&label);
		buf_clear(&clean);
		label_op(&label, t, k);
		width_clean(&clean, buf_view(&label));
		if (!clean.len)
			buf_text(&clean, "(no name)");
		*vec_push(&n->label_of) = intern_copy(&n->labels, buf_view(&clean));
	}
	for (uint32_t i = 0; i < n->calls.all.len; i++)
		add_call(n, i);
}

void op_names_release(struct op_names *n)
{
	if (n->table)
		calls_release(&n->calls);
	launch_rows_release(&n->launches);
	u64map_release(&n->by_run);
	intern_release(&n->labels);
	vec_release(&n->label_of);
	arena_release(&n->texts);
}

struct op_name op_names_find(struct op_names *n, const struct launch_key *key)
{
	struct buf b = { 0 };
	struct op_name name = { 0 };
	uint32_t i = launch_rows_find(&n->launches, *key);

	if (i != LAUNCH_NONE || u64map_get(&n->by_run, key->run_id, &i)) {
		const struct call *call = &n->calls.all.at[i];

		name.id = call->id;
		name.kind = n->label_of.at[call->kind];
	} else {
		label_number(&b, key->device, key->run_id);
		name.kind = intern_copy(&n->labels, buf_view(&b));
		buf_release(&b);
	}
	name.label = intern_get(&n->labels, name.kind);
	return name;
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
