// SPDX-License-Identifier: Apache-2.0
/*
 * Frozen: how process_device_log.py makes ops of what a dispatch core did.  Per RISC, markers gather until a
 * zone ends; its first and last marker take the name of the command that was recorded inside; all go to the
 * op that was recorded last.  Ops of BRISC and of NCRISC are then paired by their position in time.
 */
#include <stdlib.h>

#include "base/order.h"
#include "markers/analyses/marker_log.h"

struct command_op {
	int64_t key; /* of the original's table: 0 is for what belongs to no op */
	marker_series series;
};

struct risc_commands {
	marker_series zone; /* that is open */
	int64_t op;
	struct str command;
	bool finished;
	VEC(struct command_op) ops;
};

static struct command_op *op_with(struct risc_commands *s, int64_t key)
{
	vec_each (op, &s->ops)
		if (op->key == key)
			return op;
	return NULL;
}

static void end_zone(struct risc_commands *s, struct marker *all, struct intern *zones)
{
	struct command_op *op = op_with(s, s->op);
	uint16_t name = (uint16_t)intern_add(zones, s->command);

	all[s->zone.at[0]].zone = name;
	all[s->zone.at[s->zone.len - 1]].zone = name;
	if (!op) {
		op = vec_push(&s->ops);
		*op = (struct command_op){ .key = s->op };
	}
	vec_append(&op->series, s->zone.at, s->zone.len);
	vec_clear(&s->zone);
	if (s->finished)
		s->op = 0;
}

static void take(struct risc_commands *s, struct marker *all, uint32_t at, struct intern *zones)
{
	const struct marker *m = &all[at];
	struct str command;
	int64_t id;

	*vec_push(&s->zone) = at;
	if (marker_meta_i64(m->meta, STR("workers_runtime_id"), &id)) {
		s->finished = false;
		s->op = op_with(s, id) ? 0 : id; /* only the first replay is recorded */
	}
	if (marker_meta_text(m->meta, STR("dispatch_command_type"), &command)) {
		s->command = command;
		if (str_has(command, STR("CQ_DISPATCH_NOTIFY_SUBORDINATE_GO_SIGNAL")))
			s->finished = true;
		if (str_has(command, STR("CQ_DISPATCH_CMD_SEND_GO_SIGNAL")))
			s->op++;
	}
	if (m->type == MARKER_ZONE_END)
		end_zone(s, all, zones);
}

ORDER_IN(by_first, struct command_op, struct marker, in[it->series.at[0]].time_cycles)

static void pair(struct risc_commands state[2], struct marker *all, dispatch_vec *out)
{
	for (int i = 0; i < 2; i++)
		vec_sort_in(&state[i].ops, by_first, all);
	for (size_t i = 0; i < state[0].ops.len; i++) {
		const struct command_op *m = &state[0].ops.at[i];
		struct dispatch_op op = { 0 };
		int64_t id;

		if (m->key <= 0)
			continue;
		vec_append(&op.series, m->series.at, m->series.len);
		if (i < state[1].ops.len)
			vec_each (at, &state[1].ops.at[i].series)
				*vec_push(&op.series) = *at;
		series_sort(&op.series, all);
		for (size_t k = 0; k < op.series.len && !op.workers_id; k++)
			if (marker_meta_i64(all[op.series.at[k]].meta, STR("workers_runtime_id"),
					    &id))
				op.workers_id = id;
		*vec_push(out) = op;
	}
}

void dispatch_ops_detect(struct marker *all, const marker_series *series, struct intern *zones,
			 dispatch_vec *out)
{
	struct risc_commands state[2] = { { .command = STR("") }, { .command = STR("") } };

	vec_each (i, series)
		if (all[*i].risc == RISC_BRISC || all[*i].risc == RISC_NCRISC)
			take(&state[all[*i].risc == RISC_NCRISC], all, *i, zones);
	pair(state, all, out);
	for (int i = 0; i < 2; i++) {
		vec_release_with(&state[i].ops, series);
		vec_release(&state[i].zone);
	}
}

void dispatch_vec_release(dispatch_vec *v)
{
	vec_each (op, v)
		vec_release(&op->series);
	vec_release(v);
}
