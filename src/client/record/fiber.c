// SPDX-License-Identifier: Apache-2.0
#include "client/record/fiber.h"

#include "client/record/handles.h"
#include "client/record/stream.h"
#include "client/record/ticks.h"
#include "ttp/client.h"

enum {
	FIBERS_MAX = 8192,
	BUCKETS = 4 * FIBERS_MAX,
	DEPTH_MAX =
		2000, /* of a thread and its fiber together: their ends have room in any chunk */
	LOST_DEPTH =
		1 << 30, /* zones of a run that is not recorded change this, and nothing else */
};

static struct handles made = { .most = FIBERS_MAX, .bytes = sizeof(struct fiber) };
static _Atomic uint32_t buckets[BUCKETS]; /* by name: handles */

struct fiber *fiber_of(uint32_t handle)
{
	return handle_at(&made, sizeof(struct fiber), handle);
}

void fiber_reset(void)
{
	struct fiber *f;

	for (uint32_t i = 1; (f = fiber_of(i)); i++) {
		f->depth = f->drop_depth = f->missed = f->runs = 0;
		f->done = f->open = f->session = f->named = 0;
		f->last_ticks = 0;
	}
}

/* The fiber of a name, by its address; 0: there are too many. */
static uint32_t handle_of(const char *name)
{
	uint32_t at = (uint32_t)((uint64_t)(uintptr_t)name * UINT64_C(0x9E3779B97F4A7C15) >> 40);
	uint32_t mine = 0;

	for (uint32_t i = 0; i < BUCKETS; i++) {
		_Atomic uint32_t *b = &buckets[(at + i) % BUCKETS];
		uint32_t there = atomic_load_explicit(b, memory_order_acquire);

		if (!there) {
			if (!mine)
				mine = handle_new(&made);
			if (!mine)
				return 0;
			atomic_store_explicit(&fiber_of(mine)->name, name, memory_order_relaxed);
			if (atomic_compare_exchange_strong(b, &there, mine))
				return mine;
		}
		if (atomic_load_explicit(&fiber_of(there)->name, memory_order_relaxed) == name)
			return there;
	}
	return 0;
}

/* Which path events take, by what is dropped now. */
static void choose(struct stream *s)
{
	s->after = s->drop_depth || ticks_hook || s->reserve ? STREAM_SLOW : STREAM_IDLE;
}

/* What the fiber has open goes with it. */
static void put_aside(struct stream *s)
{
	struct fiber *f = fiber_of(s->fiber);
	int32_t net;

	if (!s->fiber_lost) {
		f->depth = stream_depth(stream_state(s));
		f->drop_depth = s->drop_depth;
		return;
	}
	net = (int32_t)(s->drop_depth - LOST_DEPTH);
	if (net > 0)
		f->drop_depth += (uint32_t)net;
	for (; net < 0 && f->drop_depth; net++)
		f->drop_depth--;
	f->missed += (uint32_t)-net * (net < 0);
}

/* Not recorded: until it leaves, its zones are only counted. */
static void lose(uint32_t handle)
{
	struct stream *s = stream_mine;

	ttp_fiber_leave();
	if (s == &stream_none || stream_doing(s) == STREAM_RECORDING)
		return;
	s->own_depth = stream_depth(stream_state(s));
	s->own_drops = s->drop_depth;
	s->fiber = handle;
	s->fiber_lost = true;
	s->drop_depth = LOST_DEPTH;
	choose(s);
	stream_busy(s, s->after);
}

void ttp_fiber_enter(const char *name, int32_t group)
{
	uint32_t handle = name ? handle_of(name) : 0;
	struct fiber *f = fiber_of(handle);
	struct stream *s;
	uint64_t *w;

	if (!f) {
		stream_lost(DROP_OTHER, 1);
		return;
	}
	if (stream_mine->fiber_lost)
		ttp_fiber_leave();
	if (stream_mine->fiber == handle)
		return;
	s = f->depth + stream_depth(stream_state(stream_mine)) > DEPTH_MAX || stream_mine->reserve
		    ? NULL
		    : stream_open(5 + f->depth, DROP_OTHER);
	if (!s) {
		lose(handle);
		return;
	}
	if (s->fiber) {
		put_aside(s);
	} else {
		s->own_depth = stream_depth(stream_state(s));
		s->own_drops = s->drop_depth;
		s->end -= ((uintptr_t)s->own_depth + 1) * 8;
	}
	s->fiber = handle;
	s->drop_depth = f->drop_depth;
	w = stream_room(s);
	w[0] = record_head(RECORD_FIBER_ENTER, stream_pointer(name));
	w[1] = (uint64_t)ticks_now();
	w[2] = handle | (uint64_t)(uint32_t)group << 32;
	w[3] = ++f->runs;
	stream_set(s, stream_at_depth(w + 4, f->depth));
	choose(s);
	stream_busy(s, s->after);
	for (; f->missed; f->missed--)
		ttp_zone_end();
}

void ttp_fiber_leave(void)
{
	struct stream *s = stream_mine;
	uint64_t *w;

	if (!s->fiber || stream_doing(s) == STREAM_RECORDING)
		return;
	stream_busy(s, STREAM_RECORDING);
	put_aside(s);
	if (!s->fiber_lost) {
		/* There is room: it was kept. */
		w = stream_room(s);
		w[0] = record_head(RECORD_FIBER_LEAVE, (uint64_t)ticks_now());
		s->end += ((uintptr_t)s->own_depth + 1) * 8;
		stream_set(s, stream_at_depth(w + 1, s->own_depth));
	}
	s->fiber = 0;
	s->fiber_lost = false;
	s->drop_depth = s->own_drops;
	choose(s);
	stream_busy(s, s->after);
}

void fiber_leave_thread(struct stream *s)
{
	if (s == stream_mine)
		ttp_fiber_leave();
	s->fiber = 0;
	s->fiber_lost = false;
}
