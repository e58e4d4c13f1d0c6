// SPDX-License-Identifier: Apache-2.0
/*
 * Elements of an array by their indices, given out and given back without a lock, so any thread may do either, also in a
 * signal handler.  An element has room for the index + 1 of the one under it while it is free.
 */
#ifndef TTP_CLIENT_RECORD_FREE_STACK_H
#define TTP_CLIENT_RECORD_FREE_STACK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct free_stack {
	_Atomic uint64_t top;   /* a count against ABA << 32 | index + 1 */
	_Atomic uint32_t count; /* about */
};

/* Index + 1, or 0 if there is none. */
static inline uint32_t free_pop(struct free_stack *s, _Atomic uint32_t *(*below_of)(uint32_t index))
{
	uint64_t was = atomic_load_explicit(&s->top, memory_order_acquire);

	/* Acquire pairs with the release in free_push: who gave it back is done with it. */
	while ((uint32_t)was) {
		uint64_t now =
			((was >> 32) + 1) << 32 |
			atomic_load_explicit(below_of((uint32_t)was - 1), memory_order_relaxed);

		if (atomic_compare_exchange_weak_explicit(&s->top, &was, now, memory_order_acquire,
							  memory_order_acquire)) {
			atomic_fetch_sub_explicit(&s->count, 1, memory_order_relaxed);
			break;
		}
	}
	return (uint32_t)was;
}

static inline void free_push(struct free_stack *s, uint32_t index, _Atomic uint32_t *below)
{
	uint64_t was = atomic_load_explicit(&s->top, memory_order_relaxed), now;

	do {
		atomic_store_explicit(below, (uint32_t)was, memory_order_relaxed);
		now = ((was >> 32) + 1) << 32 | (index + 1);
	} while (!atomic_compare_exchange_weak_explicit(&s->top, &was, now, memory_order_release,
							memory_order_relaxed));
	atomic_fetch_add_explicit(&s->count, 1, memory_order_relaxed);
}

/* One that nobody had before; false if there are `most`. */
static inline bool free_fresh(_Atomic uint32_t *made, uint32_t most, uint32_t *index)
{
	*index = atomic_load_explicit(made, memory_order_relaxed);
	do {
		if (*index >= most)
			return false;
	} while (!atomic_compare_exchange_weak_explicit(
		made, index, *index + 1, memory_order_acq_rel, memory_order_relaxed));
	return true;
}

#endif /* TTP_CLIENT_RECORD_FREE_STACK_H */
