// SPDX-License-Identifier: Apache-2.0
/* Allocations are reported as a whole: with their frees, or at the end. */
#include "trace/spool/client_events.h"

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

static void ends(struct client_events *c, const struct trace_sink *sink, struct live_memory *l,
		 int64_t ns, uint32_t track, uint32_t stack)
{
	l->m.free_ns = ns;
	l->m.free_track = track;
	l->m.free_stack = stack;
	tell(c, sink, l);
}

/* The allocation at an address of a pool, which is there or is made. */
static struct live_memory *memory_at(struct client_events *c, uint64_t key)
{
	bool added;
	uint32_t n = u64map_get_or_put(&c->memory_by_ptr, key, (uint32_t)c->memory.len, &added);

	if (added)
		*vec_push(&c->memory) = (struct live_memory){ 0 };
	return &c->memory.at[n];
}

void client_memory(struct client_events *c, const struct trace_sink *sink, enum wire_item item,
		   const uint8_t *at)
{
	enum wire_shape shape = wire_traits[item].shape;
	bool named = item == WIRE_MemAllocNamed || item == WIRE_MemAllocCallstackNamed ||
		     item == WIRE_MemFreeNamed || item == WIRE_MemFreeCallstackNamed;
	struct wire_mem_free v; /* allocations and discards begin alike */
	uint32_t pool = TRACE_NONE, stack, track, number;
	struct live_memory *l;
	uint64_t key;
	int64_t ns;

	if (item == WIRE_MemNamePayload) {
		c->memory_name = wire_get_mem_name(&c->proto, at).name;
		return;
	}
	if (shape == WIRE_SHAPE_mem_discard)
		pool = client_string(c, wire_get_mem_discard(&c->proto, at).name);
	else if (named)
		pool = client_string(c, c->memory_name);
	v = wire_get_mem_free(&c->proto, at);
	stack = client_take_stack(c, item);
	ns = client_ns(c, client_step(&c->ref_serial, v.time));
	client_seen(c, ns);
	track = client_track(c, v.thread);
	if (shape == WIRE_SHAPE_mem_discard) {
		vec_each (m, &c->memory)
			if (m->live && m->m.pool == pool)
				ends(c, sink, m, ns, track, stack);
		return;
	}
	key = key_of(pool, v.ptr);
	if (shape == WIRE_SHAPE_mem_free) {
		if (u64map_get(&c->memory_by_ptr, key, &number) && c->memory.at[number].live)
			ends(c, sink, &c->memory.at[number], ns, track, stack);
		else if (v.ptr)
			c->t->skipped[TRACE_SKIP_MISPLACED]++;
		return;
	}
	c->t->memory_events++;
	l = memory_at(c, key);
	if (l->live) /* its free was lost */
		tell(c, sink, l);
	l->live = true;
	l->m = (struct trace_memory){ .pool = pool,
				      .process = c->process,
				      .ptr = v.ptr,
				      .size = wire_get_mem_alloc(&c->proto, at).size,
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
