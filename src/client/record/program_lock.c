// SPDX-License-Identifier: Apache-2.0
#include "client/record/program_lock.h"

#include "client/record/handles.h"
#include "client/record/intern.h"
#include "client/record/stream.h"
#include "client/record/ticks.h"
#include "ttp/client.h"

enum { LOCKS_MAX = 1 << 20 };

static struct handles made = { .most = LOCKS_MAX, .bytes = sizeof(struct lock) };

struct lock *lock_of(uint32_t handle)
{
	return handle_at(&made, sizeof(struct lock), handle);
}

ttp_lock ttp_lock_new(const struct ttp_location *location, bool shared)
{
	uint32_t handle = handle_new(&made);
	struct lock *l = lock_of(handle);
	struct stream *s;
	uint64_t *w;

	s = l ? stream_open(3, DROP_OTHER) : NULL;
	if (!s)
		return 0;
	l->location = location;
	l->since_ticks = ticks_now();
	l->shared = shared;
	/* Pairs with the acquire in the drain. */
	atomic_store_explicit(&l->known, true, memory_order_release);
	w = stream_room(s);
	w[0] = record_head(RECORD_LOCK_NEW, stream_pointer(location));
	w[1] = (uint64_t)l->since_ticks;
	w[2] = handle | (uint64_t)shared << 32;
	stream_close(s, w + 3);
	return handle;
}

static void put_event(ttp_lock handle, enum lock_event event)
{
	if (handle)
		STREAM_PUT(DROP_LOCK, record_head(RECORD_LOCK_EVENT, event), (uint64_t)ticks_now(),
			   handle);
}

void ttp_lock_free(ttp_lock lock)
{
	put_event(lock, LOCK_GONE);
}

void ttp_lock_wait(ttp_lock lock, bool shared)
{
	put_event(lock, shared ? LOCK_SHARED_WAIT : LOCK_WAIT);
}

void ttp_lock_obtain(ttp_lock lock, bool shared)
{
	put_event(lock, shared ? LOCK_SHARED_OBTAIN : LOCK_OBTAIN);
}

void ttp_lock_release(ttp_lock lock, bool shared)
{
	put_event(lock, shared ? LOCK_SHARED_RELEASE : LOCK_RELEASE);
}

void ttp_lock_mark(ttp_lock lock, const struct ttp_location *location)
{
	if (lock)
		STREAM_PUT(DROP_LOCK, record_head(RECORD_LOCK_MARK, stream_pointer(location)),
			   (uint64_t)ticks_now(), lock);
}

void ttp_lock_name(ttp_lock handle, const char *name, size_t len)
{
	struct lock *l = lock_of(handle);
	const char *copy;

	if (!l)
		return;
	copy = intern_copy(name, len < 255 ? len : 255);
	if (!copy)
		return;
	/* Pairs with the acquire in session_lock. */
	atomic_store_explicit(&l->name, copy, memory_order_release);
	put_event(handle, LOCK_NAMED);
}
