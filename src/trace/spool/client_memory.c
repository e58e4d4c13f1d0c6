// SPDX-License-Identifier: Apache-2.0
/* Allocations are reported as a whole: with their frees, or at the end. */
#include "base/keyed.h"
#include "trace/spool/client_events.h"

static void tell(const struct client_events *c, struct live_memory *l)
{
	l->live = false;
	TRACE_TELL(c->sink, memory, &l->m);
}

/* One key for a pool and an address; pools are few, and addresses end in zeros. */
static uint64_t key_of(uint32_t pool, uint64_t ptr)
{
	return ptr ^ (uint64_t)(pool + 1) << 48 ^ (uint64_t)(pool + 1);
}

static void ends(struct client_events *c, struct live_memory *l, int64_t ns, uint32_t track,
		 uint32_t stack)
{
	l->m.free_ns = ns;
	l->m.free_track = track;
	l->m.free_stack = stack;
	tell(c, l);
}

/* The allocation at an address of a pool, which is there or is made. */
static struct live_memory *memory_at(struct client_events *c, uint64_t key)
{
	return keyed_item(&c->memory_by_ptr, key, &c->memory, (struct live_memory){ 0 });
}

CLIENT_TAKE(memory_name)
{
	c->memory_name = CLIENT_GET(mem_name).name;
}

CLIENT_TAKE(memory)
{
	enum wire_item item = got->item;
	enum wire_shape shape = wire_traits[item].shape;
	bool named = item == WIRE_MemAllocNamed || item == WIRE_MemAllocCallstackNamed ||
		     item == WIRE_MemFreeNamed || item == WIRE_MemFreeCallstackNamed;
	struct wire_mem_free v; /* allocations and discards begin alike */
	uint32_t pool = TRACE_NONE, stack, track, number;
	struct live_memory *l;
	uint64_t key;
	int64_t ns;

	if (shape == WIRE_SHAPE_mem_discard)
		pool = client_string(c, CLIENT_GET(mem_discard).name);
	else if (named)
		pool = client_string(c, c->memory_name);
	v = CLIENT_GET(mem_free);
	stack = client_stack_for(c, item);
	ns = client_ns(c, client_step(&c->ref_serial, v.time));
	client_seen(c, ns);
	track = client_track(c, v.thread);
	if (shape == WIRE_SHAPE_mem_discard) {
		vec_each (m, &c->memory)
			if (m->live && m->m.pool == pool)
				ends(c, m, ns, track, stack);
		return;
	}
	key = key_of(pool, v.ptr);
	if (shape == WIRE_SHAPE_mem_free) {
		if (u64map_get(&c->memory_by_ptr, key, &number) && c->memory.at[number].live)
			ends(c, &c->memory.at[number], ns, track, stack);
		else if (v.ptr)
			c->t->skipped[TRACE_SKIP_MISPLACED]++;
		return;
	}
	c->t->memory_events++;
	l = memory_at(c, key);
	if (l->live) /* its free was lost */
		tell(c, l);
	l->live = true;
	l->m = (struct trace_memory){ .pool = pool,
				      .process = c->process,
				      .ptr = v.ptr,
				      .size = CLIENT_GET(mem_alloc).size,
				      .alloc_ns = ns,
				      .free_ns = TRACE_OPEN,
				      .alloc_track = track,
				      .free_track = TRACE_NONE,
				      .alloc_stack = stack };
}

void client_memory_end(struct client_events *c)
{
	vec_each (l, &c->memory) {
		if (l->live)
			tell(c, l);
	}
}
