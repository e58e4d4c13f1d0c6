// SPDX-License-Identifier: Apache-2.0
/*
 * Which addresses a session believes to be allocated.  Servers give up at a free of something that they
 * never saw, or at a second allocation at the same address; both happen when events were dropped, or came
 * before the session.  Owned by the sender's thread.
 */
#ifndef TTP_CLIENT_SEND_KNOWN_MEMORY_H
#define TTP_CLIENT_SEND_KNOWN_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

void memory_init(void);
/* Nothing is allocated yet. */
void memory_begin(void);
/* False if it was there already. */
bool memory_add(uint32_t pool, uint64_t address);
/* False if it was not there. */
bool memory_remove(uint32_t pool, uint64_t address);
void memory_discard(uint32_t pool);

#endif /* TTP_CLIENT_SEND_KNOWN_MEMORY_H */
