// SPDX-License-Identifier: Apache-2.0
/* Locks that the program follows: what was said about each, for the drain to tell a server when it first needs it. */
#ifndef TTP_CLIENT_RECORD_PROGRAM_LOCK_H
#define TTP_CLIENT_RECORD_PROGRAM_LOCK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum lock_event {
	LOCK_WAIT,
	LOCK_OBTAIN,
	LOCK_RELEASE,
	LOCK_SHARED_WAIT,
	LOCK_SHARED_OBTAIN,
	LOCK_SHARED_RELEASE,
	LOCK_NAMED,
	LOCK_GONE,
};

struct lock {
	_Atomic(const char *) name; /* its own; NULL: that of its source location */
	/* Written by ttp_lock_new, then `known` with release: a child of fork has it, too, whatever was sent before. */
	const void *location;
	int64_t since_ticks;
	bool shared;
	_Atomic bool known;
	/* The drain's. */
	bool gone;
	uint32_t number;  /* its number in the names of this process */
	uint32_t process; /* in which it is that */
	uint32_t session; /* in which it was announced */
	uint32_t held;    /* obtained in this session */
};

/* Handle → lock; NULL for 0 and for what was never made. */
struct lock *lock_of(uint32_t handle);

#endif /* TTP_CLIENT_RECORD_PROGRAM_LOCK_H */
