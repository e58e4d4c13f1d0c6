// SPDX-License-Identifier: Apache-2.0
/*
 * Runs of fibers on their way to a session.  A fiber that went from one thread to another stands in two streams: the second waits until
 * the first is drained.
 */
#include "client/record/fiber.h"
#include "client/send/drain.h"

static uint64_t fiber_cookie(struct session *s, uint32_t handle, struct fiber *f)
{
	if (f->session != s->number) { /* what was open before is not this session's */
		f->session = s->number;
		f->open = 0;
	}
	if (f->named != s->number) {
		f->named = s->number;
		session_fiber_named(s, handle, f->string);
	}
	return handle;
}

/*
 * Does its last run stand in a stream that is behind this one?  Streams may wait for each other in a chain.  The run before this one began earlier, so
 * of all streams that wait, the one that waits at the earliest time waits for none of the others: every other stream was looked at since,
 * and what it still misses was dropped.
 */
static bool fiber_is_behind(struct stream *st, const struct fiber *f, const uint64_t *w)
{
	enum { PATIENCE = 3 };

	if (f->done + 1 == (uint32_t)w[3] || st->stalled >= PATIENCE) {
		st->stalled = 0;
		return false;
	}
	return true;
}

static void fiber_out(struct session *s, struct stream *st, int64_t ticks, bool tell)
{
	struct fiber *f = fiber_of(st->rd_fiber);

	if (!f)
		return;
	if (s && tell) {
		session_thread(s, st->tid);
		PUT(session_out(s, 0), WIRE_FiberLeave, fiber_leave, drain_step(s, st, ticks),
		    st->tid);
	}
	f->open = st->open;
	f->last_ticks = st->last_ticks;
	f->done++;
	st->open = st->own_open;
	st->rd_fiber = 0;
}

static void put_fiber(struct session *s, struct stream *st, uint32_t handle, int32_t group,
		      int64_t ticks)
{
	struct fiber *f = fiber_of(handle);
	uint64_t cookie;

	if (!s)
		return;
	cookie = fiber_cookie(s, handle, f);
	session_thread(s, st->tid);
	PUT(session_out(s, 0), WIRE_FiberEnter, fiber_enter, .time = drain_step(s, st, ticks),
	    .fiber = cookie, .thread = st->tid, .groupHint = group);
}

void drain_fiber_count_waiting(void)
{
	struct stream *first = NULL;

	for (uint32_t i = 0; i < stream_count(); i++) {
		struct stream *st = stream_at(i);

		if (st->waits_ticks && (!first || st->waits_ticks < first->waits_ticks))
			first = st;
	}
	if (first)
		first->stalled++;
}

bool drain_fiber_in(struct session *s, struct stream *st, const uint64_t *w)
{
	uint32_t handle = (uint32_t)w[2];
	struct fiber *f = fiber_of(handle);

	if (fiber_is_behind(st, f, w))
		return false;
	fiber_out(s, st, (int64_t)w[1], false); /* the enter of another one ends it */
	f->string = names_literal(record_argument(w[0]));
	f->done = (uint32_t)w[3] - 1;
	if (st->last_ticks < f->last_ticks)
		st->last_ticks = f->last_ticks;
	put_fiber(s, st, handle, (int32_t)(w[2] >> 32), (int64_t)w[1]);
	if (!s && st->last_ticks < (int64_t)w[1])
		st->last_ticks = (int64_t)w[1];
	st->own_open = st->open;
	st->open = f->open;
	st->rd_fiber = handle;
	return true;
}

void drain_fiber_out(struct session *s, struct stream *st, int64_t ticks)
{
	fiber_out(s, st, ticks, true);
}

void drain_fiber_begin(struct session *s)
{
	for (uint32_t i = 0; i < stream_count(); i++) {
		struct stream *st = stream_at(i);

		if (st->rd_fiber)
			put_fiber(s, st, st->rd_fiber, 0, st->last_ticks);
	}
}
