// SPDX-License-Identifier: Apache-2.0
/*
 * Fibers: threads of the program's own, each known by the address of its name.  While one runs on a thread, its zones stand in
 * the thread's stream, instead of the thread's own: how many are open goes with the fiber, wherever it runs next.
 *
 * Two streams may have parts of one fiber.  Each run has a number, and the drain takes them in this order.
 */
#ifndef TTP_CLIENT_RECORD_FIBER_H
#define TTP_CLIENT_RECORD_FIBER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct stream;

struct fiber {
	_Atomic(const char *) name;
	/* Of the thread that runs it; the program hands it from one to the next. */
	uint32_t depth, drop_depth;
	uint32_t missed; /* ends of zones in a run that could not be recorded */
	uint32_t runs;
	/* The drain's. */
	uint32_t done;   /* runs that are over */
	uint32_t string; /* its name's */
	uint32_t open;   /* zones, in `session` */
	uint32_t session, named;
	int64_t last_ticks;
};

/* NULL for 0 and for what was never made. */
struct fiber *fiber_of(uint32_t handle);
/* The thread ends: what runs on it may go on elsewhere. */
void fiber_leave_thread(struct stream *s);
/* After fork, in the child: none has run. */
void fiber_reset(void);

#endif /* TTP_CLIENT_RECORD_FIBER_H */
