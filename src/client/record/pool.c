// SPDX-License-Identifier: Apache-2.0
#include "client/record/pool.h"

#include <sys/mman.h>

_Static_assert(sizeof(struct chunk) == CHUNK_BYTES, "a chunk fills its 64 KiB");

static struct chunk *chunks;
static uint32_t capacity;
static _Atomic uint32_t fresh; /* chunks from here on were never taken */
/* Stacks of free chunks: a count against ABA << 32 | index + 1.  Cold ones have no memory behind them.  Warm ones have a line
 * of their own: it comes over from another core once for each chunk that is taken. */
static struct {
	_Alignas(64) _Atomic uint64_t top;
	_Atomic uint32_t count; /* about */
} warm, cold;
static _Alignas(64) _Atomic uint32_t extra_count;
#define EXTRA UINT32_MAX /* index of a chunk that is no part of the mapping */

static struct chunk *pop(_Atomic uint64_t *stack, _Atomic uint32_t *count)
{
	uint64_t was = atomic_load_explicit(stack, memory_order_acquire);

	/* Acquire pairs with the release in push: who gave it back is done with it. */
	while ((uint32_t)was) {
		struct chunk *c = &chunks[(uint32_t)was - 1];
		uint64_t now = ((was >> 32) + 1) << 32 |
			       atomic_load_explicit(&c->below, memory_order_relaxed);

		if (atomic_compare_exchange_weak_explicit(stack, &was, now, memory_order_acquire,
							  memory_order_acquire)) {
			atomic_fetch_sub_explicit(count, 1, memory_order_relaxed);
			return c;
		}
	}
	return NULL;
}

static void push(_Atomic uint64_t *stack, _Atomic uint32_t *count, struct chunk *c)
{
	uint64_t was = atomic_load_explicit(stack, memory_order_relaxed), now;

	do {
		atomic_store_explicit(&c->below, (uint32_t)was, memory_order_relaxed);
		now = ((was >> 32) + 1) << 32 | (c->index + 1);
	} while (!atomic_compare_exchange_weak_explicit(stack, &was, now, memory_order_release,
							memory_order_relaxed));
	atomic_fetch_add_explicit(count, 1, memory_order_relaxed);
}

static void all_free(void)
{
	atomic_store(&fresh, 0);
	atomic_store(&warm.top, 0);
	atomic_store(&cold.top, 0);
	atomic_store(&warm.count, 0);
	atomic_store(&cold.count, 0);
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
	at = mmap(NULL, n * CHUNK_BYTES, PROT_READ | PROT_WRITE,
		  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (at == MAP_FAILED)
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
	uint32_t i = atomic_load_explicit(&fresh, memory_order_relaxed);

	do {
		if (i >= capacity)
			return NULL;
	} while (!atomic_compare_exchange_weak_explicit(&fresh, &i, i + 1, memory_order_relaxed,
							memory_order_relaxed));
	chunks[i].index = i;
	return &chunks[i];
}

struct chunk *pool_take(void)
{
	struct chunk *c = pop(&warm.top, &warm.count);
	uint32_t next;

	if (!c)
		c = pop(&cold.top, &cold.count);
	if (!c)
		c = take_fresh();
	if (c)
		atomic_store_explicit(&c->next, NULL, memory_order_relaxed);
	/* Who comes next finds it near. */
	next = (uint32_t)atomic_load_explicit(&warm.top, memory_order_relaxed);
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
	void *at =
		mmap(NULL, CHUNK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct chunk *c = at;

	if (at == MAP_FAILED)
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
	push(&warm.top, &warm.count, c);
}

void pool_warm(unsigned n)
{
	while (atomic_load_explicit(&warm.count, memory_order_relaxed) < n) {
		struct chunk *c = pop(&cold.top, &cold.count);

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
	while (atomic_load_explicit(&warm.count, memory_order_relaxed) > n) {
		struct chunk *c = pop(&warm.top, &warm.count);

		if (!c)
			return;
		/* All but the page with its own fields. */
		madvise((char *)c + 4096, CHUNK_BYTES - 4096, MADV_DONTNEED);
		push(&cold.top, &cold.count, c);
	}
}

size_t pool_taken_bytes(void)
{
	int64_t n = (int64_t)atomic_load_explicit(&fresh, memory_order_relaxed) +
		    atomic_load_explicit(&extra_count, memory_order_relaxed) -
		    atomic_load_explicit(&warm.count, memory_order_relaxed) -
		    atomic_load_explicit(&cold.count, memory_order_relaxed);

	return n > 0 ? (size_t)n * CHUNK_BYTES : 0;
}
