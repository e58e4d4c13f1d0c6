// SPDX-License-Identifier: Apache-2.0
/*
 * A lock that knows its owner in the very step that takes it, so a signal handler that interrupted its own thread at
 * any moment knows whether that has it.  A mutex of the C library writes its owner a step later, and a handler that
 * forked in between waited for itself.  For what is short and rare.
 */
#ifndef TTP_CLIENT_RECORD_SIGNAL_GUARD_H
#define TTP_CLIENT_RECORD_SIGNAL_GUARD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct guard {
	_Atomic uintptr_t
		owner;         /* 0: nobody; the same in a child as in the thread that forked it */
	unsigned forks_inside; /* of handlers, while their thread has the lock; the owner's */
};

/* False if this thread has it already: the caller is a handler. */
bool guard_take(struct guard *g);
void guard_give(struct guard *g);
/* Of interned locations, the innermost of all locks; and of devices of graphics interfaces. */
extern struct guard intern_guard, gpu_guard;
/* Around fork; the second in the parent and in the child. */
void guard_before_fork(struct guard *g);
void guard_after_fork(struct guard *g);

#endif /* TTP_CLIENT_RECORD_SIGNAL_GUARD_H */
