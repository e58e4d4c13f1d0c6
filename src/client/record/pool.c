// SPDX-License-Identifier: Apache-2.0
#include "client/record/pool.h"

#include <sys/mman.h>

#include "client/life/system_memory.h"
#include "client/record/free_stack.h"

_Static_assert(sizeof(struct chunk) == CHUNK_BYTES, "a chunk fills its 64 KiB");

static struct chunk *chunks;
static uint32_t capacity;
static _Atomic uint32_t fresh; /* chunks from here on were never taken */
/* Cold ones have no memory behind them.  Warm ones have a line of their own: it comes over from another core once for each
 * chunk that is taken. */
static struct {
	_Alignas(64) struct free_stack stack;
} warm, cold;
static _Alignas(64) _Atomic uint32_t extra_count;
#define EXTRA UINT32_MAX /* index of a chunk that is no part of the mapping */

static _Atomic uint32_t *below_of(uint32_t index)
{
	return &chunks[index].below;
}

static struct chunk *pop(struct free_stack *s)
{
	uint32_t n = free_pop(s, below_of);

	return n ? &chunks[n - 1] : NULL;
}

static void all_free(void)
{
	atomic_store(&fresh, 0);
	atomic_store(&warm.stack.top, 0);
	atomic_store(&cold.stack.top, 0);
	atomic_store(&warm.stack.count, 0);
	atomic_store(&cold.stack.count, 0);
	atomic_store(&extra_count, 0);
}

bool pool_init(size_t bytes)
{
	size_t n = bytes / CHUNK_BYTES;
	void *at;

	if (n < 4)
		n = 4;
	if (n > UINT32_MAX / 2)
		n = UINT32_MAX / 2;
	at = own_space(n * CHUNK_BYTES);
	if (!at)
		return false;
	/* The state of a stream has no room for more of an address (stream.h); the kernel gives none unless it is asked to. */
	if ((uint64_t)((uintptr_t)at + n * CHUNK_BYTES) >> 48) {
		munmap(at, n * CHUNK_BYTES);
		return false;
	}
	chunks = at;
	capacity = (uint32_t)n;
	all_free();
	return true;
}

void pool_reset(void)
{
	madvise(chunks, (size_t)capacity * CHUNK_BYTES, MADV_DONTNEED);
	all_free();
}

/* Its own fields, and what the hot path asks for ahead of itself but for its first records. */
static void chunk_prefetch(const struct chunk *c)
{
	const uint64_t *line = (const uint64_t *)c;

	for (unsigned i = 0; i < 72; i += 8)
		pool_prefetch(line + i);
}

static struct chunk *take_fresh(void)
{
	uint32_t i;

	if (!free_fresh(&fresh, capacity, &i))
		return NULL;
	chunks[i].index = i;
	return &chunks[i];
}

struct chunk *pool_take(void)
{
	struct chunk *c = pop(&warm.stack);
	uint32_t next;

	if (!c)
		c = pop(&cold.stack);
	if (!c)
		c = take_fresh();
	if (c)
		atomic_store_explicit(&c->next, NULL, memory_order_relaxed);
	/* Who comes next finds it near. */
	next = (uint32_t)atomic_load_explicit(&warm.stack.top, memory_order_relaxed);
	if (next)
		chunk_prefetch(&chunks[next - 1]);
	return c;
}

uint32_t pool_capacity(void)
{
	return capacity;
}

struct chunk *pool_extra(void)
{
	struct chunk *c = own_grow(NULL, 0, CHUNK_BYTES);

	if (!c)
		return NULL;
	c->index = EXTRA;
	atomic_fetch_add_explicit(&extra_count, 1, memory_order_relaxed);
	return c;
}

void pool_give(struct chunk *c)
{
	if (c->index == EXTRA) {
		munmap(c, CHUNK_BYTES);
		atomic_fetch_sub_explicit(&extra_count, 1, memory_order_relaxed);
		return;
	}
	free_push(&warm.stack, c->index, &c->below);
}

void pool_warm(unsigned n)
{
	while (atomic_load_explicit(&warm.stack.count, memory_order_relaxed) < n) {
		struct chunk *c = pop(&cold.stack);

		if (!c)
			c = take_fresh();
		if (!c)
			return;
		for (size_t i = 0; i < CHUNK_WORDS; i += 512)
			*(volatile uint64_t *)&c->words[i] = 0;
		pool_give(c);
	}
}

void pool_trim(unsigned n)
{
	while (atomic_load_explicit(&warm.stack.count, memory_order_relaxed) > n) {
		struct chunk *c = pop(&warm.stack);

		if (!c)
			return;
		/* All but the page with its own fields. */
		madvise((char *)c + 4096, CHUNK_BYTES - 4096, MADV_DONTNEED);
		free_push(&cold.stack, c->index, &c->below);
	}
}

size_t pool_taken_bytes(void)
{
	int64_t n = (int64_t)atomic_load_explicit(&fresh, memory_order_relaxed) +
		    atomic_load_explicit(&extra_count, memory_order_relaxed) -
		    atomic_load_explicit(&warm.stack.count, memory_order_relaxed) -
		    atomic_load_explicit(&cold.stack.count, memory_order_relaxed);

	return n > 0 ? (size_t)n * CHUNK_BYTES : 0;
}
