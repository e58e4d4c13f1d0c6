// SPDX-License-Identifier: Apache-2.0
/*
 * Chunks of 64 KiB from one bounded mapping.  Taking and giving back is a stack without lock, so any
 * thread may do either, also in a signal handler.  Memory is touched only when it is needed, and some
 * is made ready ahead by the sender, so that a recording thread seldom meets a page fault.
 */
#ifndef TTP_CLIENT_RECORD_POOL_H
#define TTP_CLIENT_RECORD_POOL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CHUNK_BYTES = 65536, CHUNK_WORDS = (CHUNK_BYTES - 64) / 8 };

struct chunk {
	_Atomic(struct chunk *)
		next;           /* release: the chunk is full up to `filled`; acquire: the drain */
	uintptr_t filled;       /* end of its last record */
	_Atomic uint32_t below; /* while free: the chunk under it, index + 1 */
	uint32_t index;
	uint64_t unused[5];
	uint64_t words[CHUNK_WORDS];
};

/* Brings a line that will be written.  The compiler's builtin asks for it to read, unless it may use what not every
 * x86-64 is said to have; but those that don't know this one skip it. */
static inline void pool_prefetch(const uint64_t *at)
{
#if defined(__x86_64__)
	__asm__ volatile("prefetchw %0" ::"m"(*at));
#else
	__builtin_prefetch(at, 1);
#endif
}

/* Reserves address space for `bytes`, at least four chunks; false if there is none. */
bool pool_init(size_t bytes);
/* After fork: everything is free again. */
void pool_reset(void);
/* NULL when all are taken. */
struct chunk *pool_take(void);
void pool_give(struct chunk *c);
uint32_t pool_capacity(void);
/* One beyond the bound, which goes back to the system when it is given back; NULL if there is no memory. */
struct chunk *pool_extra(void);
/* Makes up to `n` free chunks ready to write. */
void pool_warm(unsigned n);
/* Gives the memory of free chunks back to the system, but for `n` of them. */
void pool_trim(unsigned n);
size_t pool_taken_bytes(void);

#endif /* TTP_CLIENT_RECORD_POOL_H */
