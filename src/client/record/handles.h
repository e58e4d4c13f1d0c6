// SPDX-License-Identifier: Apache-2.0
/* Things that the program makes and names by a number: kept for the life of the process, made without a lock. */
#ifndef TTP_CLIENT_RECORD_HANDLES_H
#define TTP_CLIENT_RECORD_HANDLES_H

#include <stddef.h>

#include "client/life/system_memory.h"
#include "client/record/free_stack.h"

struct handles {
	_Atomic(char *) at; /* mapped by the first one */
	_Atomic uint32_t made;
	uint32_t most;
	size_t bytes; /* of one */
};

/* NULL for 0 and for what was never made.  `bytes` of one once more, as a constant: this is on every event's way. */
static inline void *handle_at(struct handles *h, size_t bytes, uint32_t handle)
{
	char *all = atomic_load_explicit(&h->at, memory_order_acquire);

	if (!handle || handle > atomic_load_explicit(&h->made, memory_order_acquire))
		return NULL;
	return all + (handle - 1) * bytes;
}

/* All zero; 0 if there are too many, or no memory. */
static inline uint32_t handle_new(struct handles *h)
{
	char *none = NULL;
	uint32_t i;

	if (!atomic_load_explicit(&h->at, memory_order_acquire)) {
		char *mine = own_space(h->most * h->bytes);

		if (!mine)
			return 0;
		if (!atomic_compare_exchange_strong(&h->at, &none, mine))
			own_free(mine, h->most * h->bytes);
	}
	return free_fresh(&h->made, h->most, &i) ? i + 1 : 0;
}

#endif /* TTP_CLIENT_RECORD_HANDLES_H */
