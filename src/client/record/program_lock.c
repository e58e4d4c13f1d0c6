// SPDX-License-Identifier: Apache-2.0
#include "client/record/program_lock.h"

#include <sys/mman.h>

#include "client/record/intern.h"
#include "client/record/stream.h"
#include "client/record/ticks.h"
#include "ttp/client.h"

enum { LOCKS_MAX = 1 << 20 };

static _Atomic(struct lock *) locks; /* mapped by the first one */
static _Atomic uint32_t made;

struct lock *lock_of(uint32_t handle)
{
	struct lock *all = atomic_load_explicit(&locks, memory_order_acquire);

	if (!handle || handle > atomic_load_explicit(&made, memory_order_acquire))
		return NULL;
	return &all[handle - 1];
}

ttp_lock ttp_lock_new(const struct ttp_location *location, bool shared)
{
	struct lock *all = atomic_load_explicit(&locks, memory_order_acquire);
	struct stream *s;
	uint64_t *w;
	uint32_t i;

	if (!all) {
		struct lock *mine =
			mmap(NULL, LOCKS_MAX * sizeof(struct lock), PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

		if (mine == MAP_FAILED)
			return 0;
		if (atomic_compare_exchange_strong(&locks, &all, mine))
			all = mine;
		else
			munmap(mine, LOCKS_MAX * sizeof(struct lock));
	}
	i = atomic_load_explicit(&made, memory_order_relaxed);
	do {
		if (i >= LOCKS_MAX)
			return 0;
	} while (!atomic_compare_exchange_weak_explicit(&made, &i, i + 1, memory_order_acq_rel,
							memory_order_relaxed));
	w = stream_open(&s, 3, DROP_OTHER);
	if (!w)
		return 0;
	all[i].location = location;
	all[i].since_ticks = ticks_now();
	all[i].shared = shared;
	/* Pairs with the acquire in the drain. */
	atomic_store_explicit(&all[i].known, true, memory_order_release);
	w[0] = record_head(RECORD_LOCK_NEW, (uint64_t)(uintptr_t)location);
	w[1] = (uint64_t)all[i].since_ticks;
	w[2] = (i + 1) | (uint64_t)shared << 32;
	stream_close(s, w + 3);
	return i + 1;
}

static void put_event(ttp_lock handle, enum lock_event event)
{
	struct stream *s;
	uint64_t *w;

	if (!handle)
		return;
	w = stream_open(&s, 3, DROP_LOCK);
	if (!w)
		return;
	w[0] = record_head(RECORD_LOCK_EVENT, event);
	w[1] = (uint64_t)ticks_now();
	w[2] = handle;
	stream_close(s, w + 3);
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
	struct stream *s;
	uint64_t *w;

	if (!lock)
		return;
	w = stream_open(&s, 3, DROP_LOCK);
	if (!w)
		return;
	w[0] = record_head(RECORD_LOCK_MARK, (uint64_t)(uintptr_t)location);
	w[1] = (uint64_t)ticks_now();
	w[2] = lock;
	stream_close(s, w + 3);
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
