// SPDX-License-Identifier: Apache-2.0
/* Allocations of a .tracy file, pool by pool. */
#include <stdlib.h>

#include "trace/tracy/tracy_collect.h"
#include "trace/tracy/tracy_container.h"

static int by_pool_and_time(const void *a, const void *b)
{
	const struct trace_memory *x = a, *y = b;

	/* The default pool, TRACE_NONE, of the first process is first. */
	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	if (x->pool != y->pool)
		return x->pool + 1 < y->pool + 1 ? -1 : 1;
	return x->alloc_ns < y->alloc_ns ? -1 : x->alloc_ns > y->alloc_ns;
}

static void pool(struct tracy_out *o, struct collect *c, uint64_t name,
		 const struct trace_memory *at, size_t n)
{
	uint64_t before = 0, frees = 0, high = 0, low = UINT64_MAX, used = 0;

	for (size_t i = 0; i < n; i++)
		frees += at[i].free_ns != TRACE_OPEN;
	tracy_put_u64(o, name);
	tracy_put_u64(o, n);
	tracy_put_u64(o, n - frees);
	tracy_put_u64(o, frees);
	for (size_t i = 0; i < n; i++) {
		const struct trace_memory *m = &at[i];
		bool freed = m->free_ns != TRACE_OPEN;

		tracy_put_u64(o, m->ptr);
		tracy_put_u64(o, m->size);
		tracy_put_u24(o, m->alloc_stack);
		tracy_put_u24(o, m->free_stack);
		tracy_put_u64(o, (uint64_t)m->alloc_ns - before);
		before = (uint64_t)m->alloc_ns;
		tracy_put_i64(o, freed ? ns_minus(m->free_ns, m->alloc_ns) : -1);
		tracy_put_u16(o, m->alloc_track == TRACE_NONE
					 ? 0
					 : (uint16_t)collect_thread_index(c, m->alloc_track));
		tracy_put_u16(o, freed && m->free_track != TRACE_NONE
					 ? (uint16_t)collect_thread_index(c, m->free_track)
					 : 0);
		if (m->ptr < low)
			low = m->ptr;
		if (m->ptr + m->size > high)
			high = m->ptr + m->size;
		used += freed ? 0 : m->size;
	}
	tracy_put_u64(o, high);
	tracy_put_u64(o, low);
	tracy_put_u64(o, used);
	tracy_put_u64(o, name);
}

static bool same_pool(const struct trace_memory *a, const struct trace_memory *b)
{
	return a->process == b->process && a->pool == b->pool;
}

void tracy_write_memory(struct tracy_out *o, struct collect *c)
{
	static const struct trace_memory first = { .pool = TRACE_NONE };
	uint64_t pools = 1;
	size_t at = 0;

	vec_sort(&c->memory, by_pool_and_time);
	for (size_t i = 0; i < c->memory.len; i++)
		pools += !same_pool(&c->memory.at[i], &first) &&
			 (!i || !same_pool(&c->memory.at[i], &c->memory.at[i - 1]));
	tracy_put_u64(o, pools);
	tracy_put_u64(o, c->memory.len);
	while (at < c->memory.len && same_pool(&c->memory.at[at], &first))
		at++;
	pool(o, c, 0, c->memory.at, at);
	while (at < c->memory.len) {
		size_t end = at;

		while (end < c->memory.len && same_pool(&c->memory.at[end], &c->memory.at[at]))
			end++;
		pool(o, c, collect_pool(c, &c->memory.at[at]), c->memory.at + at, end - at);
		at = end;
	}
}
