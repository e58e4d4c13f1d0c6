// SPDX-License-Identifier: Apache-2.0
/* Allocations are told as a whole: with their frees, or at the end. */
#include "trace/client_events.h"

static void tell(struct client_events *c, const struct trace_sink *sink, struct live_memory *l)
{
	l->live = false;
	if (sink->memory)
		sink->memory(sink->ctx, &l->m);
	(void)c;
}

/* One key for a pool and an address; pools are few, and addresses end in zeros. */
static uint64_t key_of(uint32_t pool, uint64_t ptr)
{
	return ptr ^ (uint64_t)(pool + 1) << 48 ^ (uint64_t)(pool + 1);
}

void client_memory(struct client_events *c, const struct trace_sink *sink, enum wire_item item,
		   const uint8_t *at)
{
	bool named = item == WIRE_MemAllocNamed || item == WIRE_MemAllocCallstackNamed ||
		     item == WIRE_MemFreeNamed || item == WIRE_MemFreeCallstackNamed;
	bool alloc = item == WIRE_MemAlloc || item == WIRE_MemAllocNamed ||
		     item == WIRE_MemAllocCallstack || item == WIRE_MemAllocCallstackNamed;
	bool discard = item == WIRE_MemDiscard || item == WIRE_MemDiscardCallstack;
	uint32_t pool = discard ? client_string(c, u64_at(at + 13))
			: named ? client_string(c, c->memory_name)
				: TRACE_NONE;
	bool stacked = item == WIRE_MemAllocCallstack || item == WIRE_MemAllocCallstackNamed ||
		       item == WIRE_MemFreeCallstack || item == WIRE_MemFreeCallstackNamed ||
		       item == WIRE_MemDiscardCallstack;
	uint32_t stack = stacked ? client_take_serial_stack(c) : 0;
	uint32_t tid, track, number;
	struct live_memory *l;
	uint64_t key, size = 0;
	bool added;
	int64_t ns;

	c->ref_serial = (int64_t)((uint64_t)c->ref_serial + u64_at(at + 1));
	ns = client_ns(c, c->ref_serial);
	client_seen(c, ns);
	memcpy(&tid, at + 9, sizeof(tid));
	track = client_track(c, tid);
	if (discard) {
		vec_each (m, &c->memory) {
			if (m->live && m->m.pool == pool) {
				m->m.free_ns = ns;
				m->m.free_track = track;
				m->m.free_stack = stack;
				tell(c, sink, m);
			}
		}
		return;
	}
	c->t->memory_events += alloc;
	key = key_of(pool, u64_at(at + 13));
	if (!alloc) {
		if (!u64map_get(&c->memory_by_ptr, key, &number) || !c->memory.at[number].live) {
			if (u64_at(at + 13))
				c->t->skipped[TRACE_SKIP_MISPLACED]++;
			return;
		}
		l = &c->memory.at[number];
		l->m.free_ns = ns;
		l->m.free_track = track;
		l->m.free_stack = stack;
		tell(c, sink, l);
		return;
	}
	memcpy(&size, at + 21, 6);
	number = u64map_get_or_put(&c->memory_by_ptr, key, (uint32_t)c->memory.len, &added);
	if (added)
		*vec_push(&c->memory) = (struct live_memory){ 0 };
	l = &c->memory.at[number];
	if (l->live) /* its free was lost */
		tell(c, sink, l);
	l->live = true;
	l->m = (struct trace_memory){ .pool = pool,
				      .process = c->process,
				      .ptr = u64_at(at + 13),
				      .size = size,
				      .alloc_ns = ns,
				      .free_ns = TRACE_OPEN,
				      .alloc_track = track,
				      .free_track = TRACE_NONE,
				      .alloc_stack = stack };
}

void client_memory_end(struct client_events *c, const struct trace_sink *sink)
{
	vec_each (l, &c->memory) {
		if (l->live)
			tell(c, sink, l);
	}
}

void client_memory_free(struct client_events *c)
{
	vec_release(&c->memory);
	u64map_release(&c->memory_by_ptr);
}
