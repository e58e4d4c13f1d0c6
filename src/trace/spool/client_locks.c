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

static void announce(struct client_events *c, const uint8_t *at)
{
	struct wire_lock_announce v = wire_get_lock_announce(&c->proto, at);
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

static void event(struct client_events *c, const struct trace_sink *sink, enum wire_item item,
		  const uint8_t *at)
{
	const struct wire_proto *p = &c->proto;
	bool release = item == WIRE_LockRelease || item == WIRE_LockSharedRelease;
	struct wire_lock_take take =
		release ? (struct wire_lock_take){ 0 } : wire_get_lock_take(p, at);
	struct wire_lock_release let =
		release ? wire_get_lock_release(p, at) : (struct wire_lock_release){ 0 };
	struct client_lock *l = lock_of(c, release ? let.id : take.id);
	struct trace_lock_event e = { .loc = TRACE_NONE };

	client_step(&c->ref_serial, release ? let.time : take.time);
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
		e.track = client_track(c, release ? wire_get_lock_shared_release(p, at).thread
						  : take.thread);
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
	const struct wire_proto *p = &c->proto;
	struct client_lock *l;

	switch (item) {
	case WIRE_LockAnnounce:
		announce(c, at);
		break;
	case WIRE_LockTerminate:
		l = lock_of(c, wire_get_lock_terminate(p, at).id);
		if (l)
			c->t->locks.at[l->lock].ended_ns =
				client_ns(c, wire_get_lock_terminate(p, at).time);
		break;
	case WIRE_LockName:
		l = lock_of(c, wire_get_lock_name(p, at).id);
		if (l)
			c->t->locks.at[l->lock].name = trace_string(c->t, buf_view(&c->single));
		break;
	case WIRE_LockMark: {
		struct wire_lock_mark v = wire_get_lock_mark(p, at);
		uint32_t loc = client_loc(c, v.srcloc);

		l = lock_of(c, v.id);
		if (l && sink->lock_mark)
			sink->lock_mark(sink->ctx, l->lock, client_track(c, v.thread), loc);
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
