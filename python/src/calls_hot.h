// SPDX-License-Identifier: Apache-2.0
/*
 * What most events need, in the callback itself: the function is known, nothing about it or the thread is special.
 * Everything else is in calls.c.  A read of the clock costs as much as all of this; what is added here is seen in bench/python.
 */
#ifndef TTPROF_PYTHON_CALLS_HOT_H
#define TTPROF_PYTHON_CALLS_HOT_H

#include <stdint.h>

#include "calls.h"
#include "places.h"

/* A zone by hand, and what waits for its end. */
struct hand {
	uint32_t below;    /* zones of calls beneath it */
	uint32_t returned; /* of those, how many have returned already */
	bool ended;        /* it waits for calls above it */
};

struct calls_thread {
	uint32_t depth, room;
	uint32_t n_hands;
	uint32_t owed;     /* ends of zones that began before us, asked for while calls are open */
	uint64_t *is_line; /* a bit per open zone; NULL until lines are profiled */
	struct hand *hands;
	uint32_t hand_room;
	uint32_t round; /* in which its zones began */
	bool here;      /* the callback is set on this thread */
	bool named;
};

/* Found without a call: it is small enough for what the loader keeps free for libraries that come later. */
extern _Thread_local struct calls_thread calls_mine
	__attribute__((tls_model("initial-exec"), visibility("hidden")));

/* enable() and disable() begin another one: zones that other threads have open from before are of no use any more. */
extern uint32_t calls_round __attribute__((visibility("hidden")));

static inline bool hot_is_of_this_round(void)
{
	return __builtin_expect(calls_mine.round == calls_round, 1);
}

/* ---- each is false when calls.c has to look at it; without lines ---- */

static inline bool hot_enter(const PyCodeObject *code)
{
	const struct code_places *p = places_known(code);

	if (!hot_is_of_this_round() || !__builtin_expect(p && p->plain && calls_mine.depth, 1))
		return false;
	calls_mine.depth++;
	ttp_zone_begin(p->plain);
	return true;
}

static inline bool hot_leave(const PyCodeObject *code)
{
	const struct code_places *p = places_known(code);

	if (!hot_is_of_this_round() ||
	    !__builtin_expect(p && p->plain && calls_mine.depth &&
				      !(calls_mine.n_hands | calls_mine.owed),
			      1))
		return false;
	calls_mine.depth--;
	ttp_zone_end();
	return true;
}

/* ---- with lines ---- */

static inline bool hot_top_is_line(void)
{
	uint32_t i = calls_mine.depth - 1;

	return calls_mine.depth && i / 64 < calls_mine.room &&
	       calls_mine.is_line[i / 64] >> i % 64 & 1;
}

/* A line after another one of its function: one moment is the end of that and the begin of this. */
static inline bool hot_line(const PyCodeObject *code, int line)
{
	const struct code_places *p = places_known(code);
	const struct ttp_location *place;

	if (!hot_is_of_this_round() || !__builtin_expect(p && p->plain && !calls_mine.n_hands, 1) ||
	    (unsigned)line - (unsigned)p->first_line >= (unsigned)p->n_lines)
		return false;
	place = p->lines[line - p->first_line];
	if (!__builtin_expect(place && hot_top_is_line(), 1))
		return false;
	ttp_zone_next(place);
	return true;
}

#endif /* TTPROF_PYTHON_CALLS_HOT_H */
