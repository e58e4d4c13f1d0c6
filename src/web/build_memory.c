// SPDX-License-Identifier: Apache-2.0
#include "web/build_memory.h"

#include <math.h>
#include <stdlib.h>

#include "base/map.h"
#include "base/order.h"

enum { MEMORY_MOST = 1000000 }; /* pieces that a page shows */

void page_take_memory(struct page *p, const struct trace_memory *m)
{
	if (p->memory.len >= MEMORY_MOST) {
		p->memory_more++;
		return;
	}
	if (!page_time_ok(p, m->alloc_ns))
		return;
	*vec_push(&p->memory) = (struct page_memory){
		.pool = m->pool,
		.process = m->process,
		.address = m->ptr,
		.bytes = m->size,
		.alloc_ns = m->alloc_ns,
		.free_ns = m->free_ns == TRACE_OPEN ? INT64_MAX : m->free_ns,
	};
}

ORDER_BY(by_pool_and_time, struct page_memory, process, pool, alloc_ns, address)

/* ---- which op asked for it: the one whose part on the host it was taken in ---- */

struct host_part {
	int64_t start_ns, end_ns;
	uint32_t row;
};
typedef VEC(struct host_part) host_parts;

ORDER_BY(by_host_start, struct host_part, start_ns, row)

static void find_parts(host_parts *parts, const struct page_sources *s)
{
	for (uint32_t row = 0; row < s->rows.len; row++) {
		const struct page_op *op = &s->rows.at[row];

		if (op->signpost || isnan(op->host_start_ns) || isnan(op->host_end_ns) ||
		    fabs(op->host_start_ns) > 4e15 || fabs(op->host_end_ns) > 4e15)
			continue;
		*vec_push(parts) = (struct host_part){ (int64_t)op->host_start_ns,
						       (int64_t)op->host_end_ns, row };
	}
	vec_sort(parts, by_host_start);
}

static uint32_t op_at(const host_parts *parts, int64_t ns)
{
	size_t low = 0, high = parts->len;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (parts->at[middle].start_ns <= ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low && parts->at[low - 1].end_ns >= ns ? parts->at[low - 1].row + 1 : 0;
}

/* ---- how much was in use ---- */

struct change {
	int64_t time_ns;
	int64_t bytes;
};

ORDER_BY(by_change, struct change, time_ns, bytes)

static void add_pool(struct page *p, size_t first, size_t end, uint32_t name)
{
	SCOPED(vec) VEC(struct change) changes = { 0 };
	struct page_pool pool = { .name = name, .allocations = end - first };
	struct page_plot plot = { .name = name, .unit = "B" };
	int64_t used = 0;

	for (size_t i = first; i < end; i++) {
		const struct page_memory *m = &p->memory.at[i];

		*vec_push(&changes) = (struct change){ m->alloc_ns, (int64_t)m->bytes };
		if (m->free_ns != INT64_MAX)
			*vec_push(&changes) = (struct change){ m->free_ns, -(int64_t)m->bytes };
		if (m->bytes > pool.largest_bytes)
			pool.largest_bytes = m->bytes;
	}
	vec_sort(&changes, by_change);
	for (size_t i = 0; i < changes.len; i++) {
		used += changes.at[i].bytes;
		if (i + 1 < changes.len && changes.at[i + 1].time_ns == changes.at[i].time_ns)
			continue;
		if (used > (int64_t)pool.peak_bytes) {
			pool.peak_bytes = (uint64_t)used;
			pool.peak_ns = changes.at[i].time_ns;
		}
		*vec_push(&plot.points) =
			(struct page_point){ changes.at[i].time_ns, (double)used };
	}
	pool.open_bytes = used > 0 ? (uint64_t)used : 0;
	*vec_push(&p->pools) = pool;
	*vec_push(&p->plots) = plot;
}

void page_place_memory(struct page *p, const struct page_sources *s, const struct trace *t)
{
	SCOPED(vec) host_parts parts = { 0 };
	size_t end;

	if (p->memory_more)
		page_note(p, "memory", "of %llu pieces of memory only the first %d are shown",
			  (unsigned long long)(p->memory.len + p->memory_more), MEMORY_MOST);
	find_parts(&parts, s);
	vec_sort(&p->memory, by_pool_and_time);
	for (size_t i = 0; i < p->memory.len; i = end) {
		struct page_memory *m = &p->memory.at[i];
		uint32_t pool = m->pool, process = m->process,
			 name = pool == TRACE_NONE ? page_text_of(p, "memory of the program")
						   : page_text(p, trace_str(t, pool));

		for (end = i; end < p->memory.len; end++) {
			m = &p->memory.at[end];
			if (m->pool != pool || m->process != process)
				break;
			m->op = op_at(&parts, m->alloc_ns);
		}
		add_pool(p, i, end, name);
		for (size_t k = i; k < end; k++)
			p->memory.at[k].pool = (uint32_t)p->pools.len - 1;
	}
}
