// SPDX-License-Identifier: Apache-2.0
#include "ops/host/host_builder.h"

#include <stdlib.h>

#include "base/keyed.h"
#include "base/order.h"
#include "wire/run_processes.h"
#include "wire/tt_message.h"

static const struct host_program no_program = {
	.device = -1, .trace_id = -1, .record = HOST_NONE, .code = HOST_NONE
};

static bool same_program(const struct host_program *a, const struct host_program *b)
{
	return a->device == b->device && a->trace_id == b->trace_id && a->hash == b->hash &&
	       a->record == b->record && a->code == b->code;
}

static uint32_t program_add(struct host_events *h, const struct host_program *p)
{
	uint64_t key = p->hash ^ (uint64_t)p->device << 48 ^ (uint64_t)p->trace_id << 32 ^
		       (uint64_t)p->record << 16 ^ p->code;

	/* keys of different programs may be the same: the next one is tried then */
	for (;; key++) {
		uint32_t i = keyed_at(&h->by_program, key, &h->programs, *p);

		if (same_program(&h->programs.at[i], p))
			return i;
	}
}

static struct host_op *op_add(struct host_events *h, uint64_t id)
{
	return keyed_item(&h->by_id, id, &h->ops,
			  (struct host_op){ .id = id,
					    .program = program_add(h, &no_program),
					    .cache_hit = -1 });
}

static void set_times(struct host_events *h, struct host_op *op, int64_t start_ns, int64_t exec_ns,
		      int64_t message_ns)
{
	int64_t message;

	if (!op->far && exec_ns >= 0 && exec_ns <= UINT32_MAX &&
	    !__builtin_sub_overflow(message_ns, start_ns, &message) && message >= INT32_MIN &&
	    message <= INT32_MAX) {
		op->exec_ns = (uint32_t)exec_ns;
		op->message = (int32_t)message;
	} else {
		if (!op->far) {
			op->far = true;
			op->exec_ns = (uint32_t)h->far.len;
			(void)vec_push(&h->far);
		}
		h->far.at[op->exec_ns] = (struct host_far){ exec_ns, message_ns };
	}
	op->start_ns = start_ns;
}

/* Whose a message is: it says it, or the number of its op, or (trace messages) its time. 0: one process, or not known. */
static int64_t pid_of(const struct host_builder *b, const struct host_message *m, uint64_t op)
{
	const struct run_process *of;

	if (!b->h->several_processes)
		return 0;
	if (m->pid)
		return m->pid;
	of = op ? run_process_of(b->h->processes, op)
		: run_process_at(b->h->processes, RUN_TRACE_MESSAGE, m->time_ns);
	return of ? of->pid : 0;
}

static uint64_t capture_key(int64_t pid, int64_t device)
{
	return (uint64_t)pid << 32 ^ (uint64_t)device;
}

static int64_t captured_by(const struct host_builder *b, int64_t pid, int64_t device)
{
	uint32_t i;

	return u64map_get(&b->capture, capture_key(pid, device), &i) ? b->trace_ids.at[i] : -1;
}

static void cut_message(struct host_events *h, const struct host_message *m)
{
	if (h->cut_messages < HOST_CUT_LINES)
		h->cut_line[h->cut_messages] = m->line;
	h->cut_messages++;
}

/*
 * Programs that share a hash are distinguished by the names of their ops; to the original (`hash_is_name`) the last
 * one is all of them.
 */
static uint32_t program_of(struct host_builder *b, int64_t device, uint64_t hash, struct str name)
{
	uint64_t key[3] = { (uint64_t)device, hash, b->h->hash_is_name ? 0 : str_hash(name) };
	uint32_t id = intern_copy(&b->programs, str_n((const char *)key, sizeof(key)));

	if (id == b->record_of_program.len)
		*vec_push(&b->record_of_program) = HOST_NONE;
	return id;
}

/* The zone, which knows the start, comes later. */
static void announce(struct host_events *h, struct host_op *op, int64_t time)
{
	h->same_number += op->has_message;
	op->has_message = true;
	set_times(h, op, op->has_zone ? op->start_ns : time, host_op_exec_ns(h, op), time);
}

/* A message with all about an op, or with as much as was not cut. */
static void take_op(struct host_builder *b, const struct host_message *m,
		    const struct tt_message *line)
{
	struct host_events *h = b->h;
	struct op_identity who;
	struct host_op *op;
	struct host_program p = { .trace_id = -1 };

	op_record_peek(line->json, &who);
	if (who.broken || m->cut)
		cut_message(h, m);
	if (!who.has_id && !line->complete) {
		h->odd_messages += !who.broken;
		return;
	}
	op = op_add(h, who.has_id ? who.id : line->id);
	p.record = (uint32_t)h->records.len;
	*vec_push(&h->records) = (struct host_record){ .json = line->json };
	announce(h, op, m->time_ns);
	op->cut = who.broken || m->cut;
	op->cache_hit = who.broken && line->complete ? line->hit : -1;
	p.code = intern_copy(&h->codes, line->code);
	p.device = who.has_device ? who.device : line->complete ? line->device : -1;
	p.hash = who.has_hash ? who.hash : line->hash;
	if ((who.has_hash || line->complete) && p.device >= 0) {
		uint32_t program = program_of(b, p.device, p.hash, line->code);

		if (!op->cut)
			b->record_of_program.at[program] = p.record;
		p.trace_id = captured_by(b, pid_of(b, m, op->id), p.device);
	}
	op->program = program_add(h, &p);
}

static void take_cached_op(struct host_builder *b, const struct host_message *m,
			   const struct tt_message *line)
{
	struct host_events *h = b->h;
	struct host_op *op;
	struct host_program p;
	uint32_t program;

	if (!line->complete) {
		h->odd_messages++;
		return;
	}
	program = program_of(b, line->device, line->hash, line->code);
	op = op_add(h, line->id);
	announce(h, op, m->time_ns);
	op->cache_hit = line->hit ? 1 : 0;
	if (b->record_of_program.at[program] == HOST_NONE) /* by a message without a name? */
		program = program_of(b, line->device, line->hash, STR(""));
	p = (struct host_program){ .device = line->device,
				   .trace_id = captured_by(b, pid_of(b, m, op->id), line->device),
				   .hash = line->hash,
				   .record = b->record_of_program.at[program],
				   .code = intern_copy(&h->codes, line->code) };
	op->cut = p.record == HOST_NONE; /* the message with its details was cut or lost */
	op->program = program_add(h, &p);
}

static void add_replay(struct host_events *h, int64_t pid, int64_t device, int64_t trace,
		       int64_t time)
{
	struct host_replays *found = NULL;

	vec_each (r, &h->replays)
		if (r->pid == pid && r->device == device && r->trace_id == trace)
			found = r;
	if (!found) {
		found = vec_push(&h->replays);
		*found = (struct host_replays){ .device = device, .trace_id = trace, .pid = pid };
	}
	*vec_push(&found->times_ns) = time;
}

/* Ops of this device belong to the trace from here on; -1: to none. */
static void set_capture(struct host_builder *b, int64_t pid, int64_t device, int64_t trace)
{
	u64map_put(&b->capture, capture_key(pid, device), (uint32_t)b->trace_ids.len);
	*vec_push(&b->trace_ids) = trace;
}

static void take_trace(struct host_builder *b, const struct host_message *m,
		       const struct tt_message *line)
{
	int64_t pid = pid_of(b, m, 0);

	if (!line->complete) {
		b->h->odd_messages++;
		return;
	}
	if (line->kind == TT_KIND_TRACE_BEGIN) {
		b->h->any_trace_begin = true;
		set_capture(b, pid, line->device, line->trace);
	} else if (line->kind == TT_KIND_TRACE_END) {
		set_capture(b, pid, line->device, -1);
	} else if (line->kind == TT_KIND_TRACE_REPLAY) {
		add_replay(b->h, pid, line->device, line->trace, m->time_ns);
	} else {
		return;
	}
	if (pid)
		*vec_push(&b->h->trace_messages) = (struct host_trace_moment){ pid, m->time_ns };
}

void host_put_message(struct host_builder *b, const struct host_message *m)
{
	enum tt_match match = b->h->hash_is_name ? TT_ANYWHERE : TT_AT_START;
	struct tt_message line;

	if (tt_is_signpost(m->text, match))
		*vec_push(&b->h->signposts) = (struct host_signpost){ m->text, m->time_ns, m->pid };
	tt_message_read(&line, m->text, match);
	if (line.kind == TT_KIND_OP)
		take_op(b, m, &line);
	else if (line.kind == TT_KIND_CACHED_OP)
		take_cached_op(b, m, &line);
	else if (line.kind != TT_KIND_OTHER)
		take_trace(b, m, &line);
}

/* ---- zones ---- */

void host_put_child(struct host_builder *b, uint64_t parent_id, struct str name, int64_t exec_ns)
{
	struct host_events *h = b->h;
	uint32_t op = host_op_find(h, parent_id), id, i;

	if (op == HOST_NONE)
		return;
	id = intern_copy(&h->child_names, name);
	i = keyed_at(&b->children, (uint64_t)op << 32 | id, &h->children,
		     (struct host_child){ .op = op, .name = id });
	h->children.at[i].total_ns += exec_ns;
	h->children.at[i].count++;
}

static void set_thread(struct host_builder *b, size_t op, uint64_t thread)
{
	vec_reach(&b->thread_of_op, op, 0);
	b->thread_of_op.at[op] = thread;
}

void host_put_zone(struct host_builder *b, const struct host_zone *z)
{
	struct host_events *h = b->h;
	struct host_op *op;
	uint64_t id = z->id;

	if (host_op_find(h, id) == HOST_NONE)
		h->zones_without_message++;
	op = op_add(h, id);
	op->has_zone = true;
	set_times(h, op, z->start_ns, z->exec_ns,
		  op->has_message ? host_op_message_ns(h, op) : z->start_ns);
	set_thread(b, (size_t)(op - h->ops.at), z->thread);
	if (!op->has_message && host_op_program(h, op)->device < 0 && !(id >> 31)) {
		struct host_program p = *host_op_program(h, op);

		p.device = (int64_t)(id & 1023); /* ids are base << 10 | device */
		op->program = program_add(h, &p);
	}
}

struct by_thread {
	const struct host_events *h;
	const uint64_t *thread;
};

/* The longer one first where both start at the same time. */
ORDER_IN(by_thread_and_start, uint32_t, struct by_thread, in->thread[*it],
	 in->h->ops.at[*it].start_ns, ~host_op_exec_ns(in->h, &in->h->ops.at[*it]))

static bool is_around(const struct by_thread *t, uint32_t outer, uint32_t op)
{
	const struct host_op *o = &t->h->ops.at[outer];

	return t->thread[outer] == t->thread[op] &&
	       (int64_t)((uint64_t)o->start_ns + (uint64_t)host_op_exec_ns(t->h, o)) >
		       t->h->ops.at[op].start_ns;
}

/* How many op zones of the same thread are around each op. */
static void find_depths(const struct host_builder *b)
{
	struct host_events *h = b->h;
	struct by_thread t = { h, b->thread_of_op.at };
	SCOPED(vec) VEC(uint32_t) order = { 0 };
	SCOPED(vec) VEC(uint32_t) open = { 0 };

	for (uint32_t i = 0; i < b->thread_of_op.len; i++)
		if (h->ops.at[i].has_zone)
			*vec_push(&order) = i;
	vec_sort_in(&order, by_thread_and_start, &t);
	vec_each (op, &order) {
		while (open.len && !is_around(&t, open.at[open.len - 1], *op))
			open.len--;
		h->ops.at[*op].depth = (int16_t)(open.len < INT16_MAX ? open.len : INT16_MAX);
		*vec_push(&open) = *op;
	}
}

ORDER_BY(by_op_and_name, struct host_child, op, name)

/* Of one trace; a number beyond it is damage. */
enum { SESSIONS_MAX = 1000000 };

void host_put_run(struct host_builder *b, const struct host_run *r)
{
	struct host_events *h = b->h;
	struct host_program p = { .device = r->device,
				  .trace_id = r->trace_id,
				  .record = HOST_NONE,
				  .code = r->name.len ? intern_copy(&h->codes, r->name)
						      : HOST_NONE };
	const struct host_replays *replays;
	bool added;

	(void)u64map_get_or_put(&b->runs, r->id * 0x9e3779b97f4a7c15u + (uint64_t)r->device,
				(uint32_t)h->ops.len, &added);
	if (added)
		*vec_push(&h->ops) = (struct host_op){ .id = r->id,
						       .program = program_add(h, &p),
						       .start_ns = r->order,
						       .cache_hit = -1 };
	replays = host_replays_find(h, r->device, r->trace_id);
	/* sessions count from 1 */
	for (int64_t n = replays ? (int64_t)replays->times_ns.len : 0;
	     r->trace_id >= 0 && n < r->session && n < SESSIONS_MAX; n++)
		add_replay(h, 0, r->device, r->trace_id, r->order);
}

void host_builder_init(struct host_builder *b, struct host_events *h)
{
	*b = (struct host_builder){ .h = h };
}

void host_builder_finish(struct host_builder *b)
{
	struct host_events *h = b->h;

	vec_sort(&h->children, by_op_and_name);
	find_depths(b);
	u64map_release(&b->capture);
	vec_release(&b->trace_ids);
	intern_release(&b->programs);
	RELEASE(vec, &b->record_of_program, &b->thread_of_op);
	u64map_release(&b->children);
	u64map_release(&b->runs);
}

void host_number_chips(struct host_events *h, const struct run_processes *processes)
{
	if (!processes || !processes->stride)
		return;
	h->chips_of_process = processes->stride;
	vec_each (r, &h->replays)
		if (r->pid && r->device >= 0 && r->device <= UINT32_MAX)
			r->device = run_chip_of(processes, r->pid, (uint32_t)r->device);
	vec_each (op, &h->ops) {
		struct host_program p = h->programs.at[op->program];

		if (p.device < 0 || p.device > UINT32_MAX)
			continue;
		p.device = run_chip(processes, op->id, (uint32_t)p.device);
		op->program = program_add(h, &p);
	}
}
