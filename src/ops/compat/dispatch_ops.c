// SPDX-License-Identifier: Apache-2.0
/*
 * Frozen: how process_device_log.py makes ops of what a dispatch core did.  Per RISC, markers gather until a
 * zone ends; its first and last marker take the name of the command that was told inside; all go to the
 * op that was told last.  Ops of BRISC and of NCRISC are then paired by their place in time.
 */
#include <stdlib.h>

#include "ops/dispatch.h"

/* What counts of the markers of an op on one RISC. */
struct command_op {
	int64_t key;             /* of the original's table: 0 is for what belongs to no op */
	int64_t workers_id;      /* first that was told; 0: none */
	uint64_t first_cycles;
	struct span counted;     /* markers whose name the analysis looks for */
};

typedef VEC(struct command_op) command_ops;

struct risc_state {
	int64_t op;
	struct str command;
	bool finished;
	command_ops ops;
	/* the open zone */
	bool open;
	uint64_t first_cycles, last_cycles;
	int64_t told;
	bool first_counts; /* first and last are one marker */
	size_t markers;
};

static struct command_op *op_with(struct risc_state *s, int64_t key)
{
	vec_each(op, &s->ops)
		if (op->key == key)
			return op;
	return NULL;
}

static void count(struct span *s, uint64_t time)
{
	if (!s->count || time < s->first)
		s->first = time;
	if (!s->count || time > s->last)
		s->last = time;
	s->count++;
}

/* The names that make a marker count: any command on BRISC, the go signal on NCRISC. */
static bool counts(uint16_t risc, struct str command)
{
	return risc == RISC_BRISC ? str_has(command, STR("CQ_DISPATCH_")) :
				    str_eq(command, STR("CQ_DISPATCH_CMD_SEND_GO_SIGNAL"));
}

static void end_zone(struct risc_state *s, uint16_t risc)
{
	struct command_op *op = op_with(s, s->op);

	if (!op) {
		op = vec_push(&s->ops);
		*op = (struct command_op){ .key = s->op, .first_cycles = s->first_cycles };
	}
	if (!op->workers_id)
		op->workers_id = s->told;
	if (counts(risc, s->command)) {
		count(&op->counted, s->first_cycles);
		if (s->markers > 1)
			count(&op->counted, s->last_cycles);
	}
	s->markers = 0;
	s->told = 0;
	if (s->finished)
		s->op = 0;
}

static void take(struct risc_state *s, const struct marker *m)
{
	struct str command;
	int64_t id;

	if (!s->markers++)
		s->first_cycles = m->time_cycles;
	s->last_cycles = m->time_cycles;
	if (marker_meta_i64(m->meta, STR("workers_runtime_id"), &id)) {
		s->finished = false;
		s->told = s->told ? s->told : id;
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
		end_zone(s, m->risc);
}

static int by_first(const void *a, const void *b)
{
	const struct command_op *l = a, *r = b;

	return l->first_cycles < r->first_cycles ? -1 : l->first_cycles > r->first_cycles;
}

static uint64_t took(const struct span *s)
{
	return s->count > 1 ? s->last - s->first + 1 : 0; /* one more than the cycles */
}

/* The op that a dispatcher means; today's runtime tells the id without the device. */
static struct op_run *run_of(struct op_times *t, uint32_t device, int64_t id)
{
	uint64_t tried[2] = { (uint64_t)id, (uint64_t)id << 10 | device };

	for (int i = 0; i < 2; i++) {
		struct op_run *first = NULL;

		/* a replay has its own key: the earliest run of the id is meant */
		vec_each(r, &t->runs)
			if (r->device == device && r->run_id == tried[i] && r->cores &&
			    (!first || r->first_cycles < first->first_cycles))
				first = r;
		if (first)
			return first;
	}
	return NULL;
}

static void attach(struct op_times *t, uint32_t device, struct risc_state *master,
		   struct risc_state *subordinate)
{
	if (master->ops.len)
		qsort(master->ops.at, master->ops.len, sizeof(*master->ops.at), by_first);
	if (subordinate->ops.len)
		qsort(subordinate->ops.at, subordinate->ops.len, sizeof(*subordinate->ops.at),
		      by_first);
	for (size_t i = 0; i < master->ops.len; i++) {
		const struct command_op *m = &master->ops.at[i];
		const struct command_op *s =
			i < subordinate->ops.len ? &subordinate->ops.at[i] : NULL;
		int64_t id = m->workers_id ? m->workers_id : s ? s->workers_id : 0;
		struct op_run *run = m->key > 0 ? run_of(t, device, id) : NULL;

		if (!run)
			continue;
		run->dispatch_cmd = took(&m->counted);
		run->dispatch_wait = s ? took(&s->counted) : 0;
	}
}

static int by_time(const void *a, const void *b)
{
	const struct marker *l = a, *r = b;

	return l->time_cycles < r->time_cycles ? -1 : l->time_cycles > r->time_cycles;
}

void dispatch_core_add(struct op_times *t, uint32_t device, struct marker *markers, size_t n)
{
	struct risc_state state[2] = { { 0 }, { 0 } };

	/* within a RISC they are in order already, unless dumps overlap */
	mergesort_markers(markers, n, by_time);
	for (size_t i = 0; i < n; i++)
		if (markers[i].risc == RISC_BRISC || markers[i].risc == RISC_NCRISC)
			take(&state[markers[i].risc == RISC_NCRISC], &markers[i]);
	attach(t, device, &state[0], &state[1]);
	vec_release(&state[0].ops);
	vec_release(&state[1].ops);
}
