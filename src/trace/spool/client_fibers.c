// SPDX-License-Identifier: Apache-2.0
/*
 * Fibers: threads of the program's own, which run on those of the system, now here, now there.  Zones of a thread belong to the
 * fiber that it runs; when a fiber ran where is reported like the runs of threads on processors.
 */
#include "base/keyed.h"
#include "trace/spool/client_events.h"

enum { STATE_NONE = -1 };

/* Their numbers as threads, above all that the system gives. */
#define FIBER_TID(n) (UINT64_C(1) << 32 | (n))

static void tell_run(struct client_events *c, const struct client_thread *fiber, int64_t end_ns)
{
	struct trace_run r = { .process = c->process,
			       .tid = c->t->tracks.at[fiber->track].tid,
			       .other = fiber->carrier,
			       .wakeup_ns = fiber->entered_ns,
			       .start_ns = fiber->entered_ns,
			       .end_ns = end_ns,
			       .reason = TRACE_RUN_FIBER,
			       .state = STATE_NONE };

	c->t->runs++;
	TRACE_TELL(c->sink, run, &r);
}

/* What a thread runs, it runs no more. */
static void leave(struct client_events *c, struct client_thread *th, int64_t ns)
{
	struct client_thread *fiber = &c->threads.at[th->fiber];

	th->fiber = TRACE_NONE;
	if (fiber->entered)
		tell_run(c, fiber, ns);
	fiber->entered = false;
}

static uint32_t fiber_of(struct client_events *c, uint64_t id)
{
	uint32_t n;

	if (!u64map_get(&c->fibers, id, &n)) {
		const struct client_thread *th = client_thread_of(c, FIBER_TID(c->n_fibers++));

		n = (uint32_t)(th - c->threads.at);
		u64map_put(&c->fibers, id, n);
		c->t->tracks.at[th->track].fiber = true;
	}
	return n;
}

CLIENT_TAKE(fiber_enter)
{
	struct wire_fiber_enter v = CLIENT_GET(fiber_enter);
	int64_t ns = client_ns(c, client_step(&c->ref_thread, v.time));
	uint32_t thread = (uint32_t)(client_thread_of(c, v.thread) - c->threads.at);
	uint32_t n = fiber_of(c, v.fiber);
	struct client_thread *fiber = &c->threads.at[n], *th = &c->threads.at[thread];

	client_seen(c, ns);
	if (!fiber->ran)
		c->t->tracks.at[fiber->track].group = v.groupHint;
	fiber->ran = true;
	if (th->fiber != TRACE_NONE)
		leave(c, th, ns);
	if (fiber->entered) /* it left a thread, and that was lost */
		tell_run(c, fiber, ns);
	th->fiber = n;
	fiber->entered = true;
	fiber->entered_ns = ns;
	fiber->carrier = v.thread;
}

CLIENT_TAKE(fiber_leave)
{
	struct wire_fiber_leave v = CLIENT_GET(fiber_leave);
	int64_t ns = client_ns(c, client_step(&c->ref_thread, v.time));
	struct client_thread *th = client_thread_of(c, v.thread);

	client_seen(c, ns);
	if (th->fiber == TRACE_NONE)
		c->t->skipped[TRACE_SKIP_MISPLACED]++;
	else
		leave(c, th, ns);
}

CLIENT_TAKE(fiber_name)
{
	uint32_t n =
		fiber_of(c, got->ptr); /* in a file of a client it comes before the first run */

	c->t->tracks.at[c->threads.at[n].track].name = trace_string(c->t, got->text);
}

void client_fibers_end(struct client_events *c)
{
	vec_each (th, &c->threads) {
		if (th->entered)
			tell_run(c, th, TRACE_OPEN);
		th->entered = false;
		th->fiber = TRACE_NONE;
	}
}
