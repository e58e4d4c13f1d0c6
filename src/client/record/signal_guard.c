// SPDX-License-Identifier: Apache-2.0
#include "client/record/signal_guard.h"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "client/life/lifecycle.h"

static _Thread_local char self __attribute__((tls_model("initial-exec")));

bool guard_take(struct guard *g)
{
	const struct timespec moment = { .tv_nsec = 20000 };
	uintptr_t me = (uintptr_t)&self;

	for (unsigned tries = 0;; tries++) {
		uintptr_t was = 0;

		if (atomic_compare_exchange_strong_explicit(
			    &g->owner, &was, me, memory_order_acquire, memory_order_relaxed))
			return true;
		if (was == me)
			return false;
		/* Asleep, so that one with a lower priority can finish; not by a function where threads are cancelled. */
		if (tries > 100) {
			KEEP_ERRNO;

			syscall(SYS_nanosleep, &moment, NULL);
		}
	}
}

void guard_give(struct guard *g)
{
	atomic_store_explicit(&g->owner, 0, memory_order_release);
}

void guard_before_fork(struct guard *g)
{
	if (!guard_take(g))
		g->forks_inside++;
}

void guard_after_fork(struct guard *g)
{
	if (g->forks_inside)
		g->forks_inside--;
	else
		guard_give(g);
}
