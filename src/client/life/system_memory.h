// SPDX-License-Identifier: Apache-2.0
/*
 * Memory for the sender's tables, straight from the system: the program's malloc may be recorded, replaced, or
 * watched for leaks, and a child of fork leaves its parent's tables behind.
 */
#ifndef TTP_CLIENT_LIFE_SYSTEM_MEMORY_H
#define TTP_CLIENT_LIFE_SYSTEM_MEMORY_H

#include <stddef.h>

/* `old` of `old_bytes`, or NULL, as `bytes`; what is new is zero.  NULL if there is no memory: `old` is as it was. */
void *own_grow(void *old, size_t old_bytes, size_t bytes);
void own_free(void *at, size_t bytes);

#endif /* TTP_CLIENT_LIFE_SYSTEM_MEMORY_H */
