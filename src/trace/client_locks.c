// SPDX-License-Identifier: Apache-2.0
/* Locks of a client: who waits for one, gets it and lets it go. */
#include "trace/client_events.h"

static struct client_lock *lock_of(struct client_events *c, uint32_t id)
{
	uint32_t n;

	if (!u64map_get(&c->locks_by_id, id, &n)) {
		c->t->skipped[TRACE_SKIP_MISPLACED]++;
		return NULL;
	}
	return &c->locks.at[n];
}

static void announce(struct client_events *c, const uint8_t *at)
{
	uint32_t loc = client_loc(c, u64_at(at + 13)), lock = (uint32_t)c->t->locks.len;

	u64map_put(&c->locks_by_id, u32_at(at + 1), (uint32_t)c->locks.len);
	*vec_push(&c->locks) = (struct client_lock){ .lock = lock, .holder = TRACE_NONE };
	*vec_push(&c->t->locks) =
		(struct trace_lock){ .process = c->process,
				     .id = u32_at(at + 1),
				     .name = TRACE_NONE,
				     .loc = loc,
				     .shared = at[21],
				     .announced_ns = client_ns(c, i64_at(at + 5)) };
}

static void event(struct client_events *c, const struct trace_sink *sink, enum wire_item item,
		  const uint8_t *at)
{
	bool release = item == WIRE_LockRelease || item == WIRE_LockSharedRelease;
	struct client_lock *l = lock_of(c, u32_at(at + (release ? 1 : 5)));
	struct trace_lock_event e = { .loc = TRACE_NONE };

	c->ref_serial = (int64_t)((uint64_t)c->ref_serial + u64_at(at + (release ? 5 : 9)));
	e.time_ns = client_ns(c, c->ref_serial);
	if (!l)
		return;
	e.lock = l->lock;
	switch (item) {
	case WIRE_LockWait:
		e.what = TRACE_LOCK_WAIT;
		break;
	case WIRE_LockObtain:
		e.what = TRACE_LOCK_OBTAIN;
		break;
	case WIRE_LockRelease:
		e.what = TRACE_LOCK_RELEASE;
		break;
	case WIRE_LockSharedWait:
		e.what = TRACE_LOCK_WAIT_SHARED;
		break;
	case WIRE_LockSharedObtain:
		e.what = TRACE_LOCK_OBTAIN_SHARED;
		break;
	default:
		e.what = TRACE_LOCK_RELEASE_SHARED;
	}
	if (item == WIRE_LockRelease)
		e.track = l->holder; /* who lets go is who got it */
	else
		e.track = client_track(c, u32_at(at + (release ? 13 : 1)));
	if (e.track == TRACE_NONE) {
		c->t->skipped[TRACE_SKIP_MISPLACED]++;
		return;
	}
	if (item == WIRE_LockObtain)
		l->holder = e.track;
	client_seen(c, e.time_ns);
	c->t->lock_events++;
	if (sink->lock_event)
		sink->lock_event(sink->ctx, &e);
}

void client_lock(struct client_events *c, const struct trace_sink *sink, enum wire_item item,
		 const uint8_t *at)
{
	struct client_lock *l;

	switch (item) {
	case WIRE_LockAnnounce:
		announce(c, at);
		break;
	case WIRE_LockTerminate:
		l = lock_of(c, u32_at(at + 1));
		if (l)
			c->t->locks.at[l->lock].ended_ns = client_ns(c, i64_at(at + 5));
		break;
	case WIRE_LockName:
		l = lock_of(c, u32_at(at + 1));
		if (l)
			c->t->locks.at[l->lock].name = trace_string(c->t, buf_view(&c->single));
		break;
	case WIRE_LockMark: {
		uint32_t loc = client_loc(c, u64_at(at + 9));

		l = lock_of(c, u32_at(at + 5));
		if (l && sink->lock_mark)
			sink->lock_mark(sink->ctx, l->lock, client_track(c, u32_at(at + 1)), loc);
		break;
	}
	default:
		event(c, sink, item, at);
	}
}

void client_locks_free(struct client_events *c)
{
	vec_release(&c->locks);
	u64map_release(&c->locks_by_id);
}
