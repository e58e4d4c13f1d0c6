// SPDX-License-Identifier: Apache-2.0
#include "client/pool.h"

#include <sys/mman.h>

_Static_assert(sizeof(struct chunk) == CHUNK_BYTES, "a chunk fills its 64 KiB");

static struct chunk *chunks;
static uint32_t capacity;
static _Atomic uint32_t fresh;      /* chunks from here on were never taken */
static _Atomic uint64_t top;        /* of the stack: a count against ABA << 32 | index + 1 */
static _Atomic uint32_t free_count; /* on the stack, about */

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
	chunks = at;
	capacity = (uint32_t)n;
	return true;
}

void pool_reset(void)
{
	madvise(chunks, (size_t)capacity * CHUNK_BYTES, MADV_DONTNEED);
	atomic_store(&fresh, 0);
	atomic_store(&top, 0);
	atomic_store(&free_count, 0);
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
	uint64_t was = atomic_load_explicit(&top, memory_order_acquire);
	struct chunk *c;

	/* Acquire pairs with the release in pool_give: who gave it back is done with it. */
	while ((uint32_t)was) {
		uint64_t now;

		c = &chunks[(uint32_t)was - 1];
		now = ((was >> 32) + 1) << 32 |
		      atomic_load_explicit(&c->below, memory_order_relaxed);
		if (atomic_compare_exchange_weak_explicit(&top, &was, now, memory_order_acquire,
							  memory_order_acquire)) {
			atomic_fetch_sub_explicit(&free_count, 1, memory_order_relaxed);
			goto found;
		}
	}
	c = take_fresh();
	if (!c)
		return NULL;
found:
	atomic_store_explicit(&c->next, NULL, memory_order_relaxed);
	return c;
}

void pool_give(struct chunk *c)
{
	uint64_t was = atomic_load_explicit(&top, memory_order_relaxed), now;

	do {
		atomic_store_explicit(&c->below, (uint32_t)was, memory_order_relaxed);
		now = ((was >> 32) + 1) << 32 | (c->index + 1);
	} while (!atomic_compare_exchange_weak_explicit(&top, &was, now, memory_order_release,
							memory_order_relaxed));
	atomic_fetch_add_explicit(&free_count, 1, memory_order_relaxed);
}

void pool_warm(unsigned n)
{
	while (atomic_load_explicit(&free_count, memory_order_relaxed) < n) {
		struct chunk *c = take_fresh();

		if (!c)
			return;
		for (size_t i = 0; i < CHUNK_WORDS; i += 512)
			*(volatile uint64_t *)&c->words[i] = 0;
		pool_give(c);
	}
}

size_t pool_taken_bytes(void)
{
	int64_t n = (int64_t)atomic_load_explicit(&fresh, memory_order_relaxed) -
		    atomic_load_explicit(&free_count, memory_order_relaxed);

	return n > 0 ? (size_t)n * CHUNK_BYTES : 0;
}
