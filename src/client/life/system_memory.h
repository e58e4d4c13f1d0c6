// SPDX-License-Identifier: Apache-2.0
/*
 * Memory for the sender's tables, straight from the system: the program's malloc may be recorded, replaced, or
 * watched for leaks, and a child of fork leaves its parent's tables behind.
 */
#ifndef TTP_CLIENT_LIFE_SYSTEM_MEMORY_H
#define TTP_CLIENT_LIFE_SYSTEM_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* `old` of `old_bytes`, or NULL, as `bytes`; what is new is zero.  NULL if there is no memory: `old` is as it was. */
void *own_grow(void *old, size_t old_bytes, size_t bytes);
void own_free(void *at, size_t bytes);
/* Address space that takes memory where it is touched; NULL if there is none. */
void *own_space(size_t bytes);

/* A list that grows, of the sender's thread alone. */
#define OWN_LIST(type)             \
	struct {                   \
		type *at;          \
		uint32_t len, cap; \
	}
/* `at` with twice the room, or as it was without memory. */
void *own_double(void *at, uint32_t *cap, size_t size);
/* Is there room for one more? */
#define own_has_room(l)         \
	((l)->len < (l)->cap || \
	 ((l)->at = own_double((l)->at, &(l)->cap, sizeof(*(l)->at)), (l)->len < (l)->cap))

#endif /* TTP_CLIENT_LIFE_SYSTEM_MEMORY_H */
