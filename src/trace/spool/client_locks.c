// SPDX-License-Identifier: Apache-2.0
/* Locks of a client: who waits for one, gets it and lets it go. */
#include "trace/spool/client_events.h"

static struct client_lock *lock_of(struct client_events *c, uint32_t id)
{
	uint32_t n;

	if (!u64map_get(&c->locks_by_id, id, &n)) {
		c->t->skipped[TRACE_SKIP_MISPLACED]++;
		return NULL;
	}
	return &c->locks.at[n];
}

CLIENT_TAKE(lock_announce)
{
	struct wire_lock_announce v = CLIENT_GET(lock_announce);
	uint32_t loc = client_loc(c, v.lckloc), lock = (uint32_t)c->t->locks.len;

	u64map_put(&c->locks_by_id, v.id, (uint32_t)c->locks.len);
	*vec_push(&c->locks) = (struct client_lock){ .lock = lock, .holder = TRACE_NONE };
	*vec_push(&c->t->locks) = (struct trace_lock){ .process = c->process,
						       .id = v.id,
						       .name = TRACE_NONE,
						       .loc = loc,
						       .shared = v.type,
						       .announced_ns = client_ns(c, v.time) };
}

CLIENT_TAKE(lock_event)
{
	enum wire_item item = got->item;
	bool release = item == WIRE_LockRelease || item == WIRE_LockSharedRelease;
	struct wire_lock_take take = release ? (struct wire_lock_take){ 0 } : CLIENT_GET(lock_take);
	struct wire_lock_release let =
		release ? CLIENT_GET(lock_release) : (struct wire_lock_release){ 0 };
	struct client_lock *l = lock_of(c, release ? let.id : take.id);
	struct trace_lock_event e = { .loc = TRACE_NONE };

	client_step(&c->ref_serial, release ? let.time : take.time);
	e.time_ns = client_ns(c, c->ref_serial);
	if (!l)
		return;
	e.lock = l->lock;
	e.what = (uint8_t)(item - WIRE_LockWait);
	if (item == WIRE_LockRelease)
		e.track = l->holder; /* who lets go is who got it */
	else
		e.track = client_track(c, release ? CLIENT_GET(lock_shared_release).thread
						  : take.thread);
	if (e.track == TRACE_NONE) {
		c->t->skipped[TRACE_SKIP_MISPLACED]++;
		return;
	}
	if (item == WIRE_LockObtain)
		l->holder = e.track;
	client_seen(c, e.time_ns);
	c->t->lock_events++;
	TRACE_TELL(c->sink, lock_event, &e);
}
_Static_assert(WIRE_LockObtain - WIRE_LockWait == TRACE_LOCK_OBTAIN &&
		       WIRE_LockSharedRelease - WIRE_LockWait == TRACE_LOCK_RELEASE_SHARED,
	       "items and what they mean are in one order");

CLIENT_TAKE(lock_terminate)
{
	struct wire_lock_terminate v = CLIENT_GET(lock_terminate);
	struct client_lock *l = lock_of(c, v.id);

	if (l)
		c->t->locks.at[l->lock].ended_ns = client_ns(c, v.time);
}

CLIENT_TAKE(lock_name)
{
	struct client_lock *l = lock_of(c, CLIENT_GET(lock_name).id);

	if (l)
		c->t->locks.at[l->lock].name = trace_string(c->t, buf_view(&c->single));
}

CLIENT_TAKE(lock_mark)
{
	struct wire_lock_mark v = CLIENT_GET(lock_mark);
	uint32_t loc = client_loc(c, v.srcloc);
	struct client_lock *l = lock_of(c, v.id);

	if (l && c->sink->lock_mark)
		c->sink->lock_mark(c->sink->ctx, l->lock, client_track(c, v.thread), loc);
}
