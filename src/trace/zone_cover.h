// SPDX-License-Identifier: Apache-2.0
/*
 * What programs did in stretches of time.  Each moment of a thread belongs to its innermost zone; the zone (by its source location) with most of a
 * stretch covers it, if it has a tenth or more.  Zones of ops (zone_work.def) cover a stretch only where no other does, and threads
 * count that have such zones, or all where none has.  What the profiler and the building of programs took is known by itself: of the rest
 * the program's own zone with most is named, too.  What a function written in C takes (it has no line) counts for the Python function that calls it.
 *
 *	zone_covers_init(&c, stretches, n);
 *	... of each zone, as a trace_sink has them: zone_covers_enter(), zone_covers_leave() ...
 *	zone_covers_finish(&c, trace);    fills the rest of the stretches
 */
#ifndef TTP_TRACE_ZONE_COVER_H
#define TTP_TRACE_ZONE_COVER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"

struct trace;

struct zone_stretch {
	double from_ns, to_ns; /* on the trace's clock; from >= to: nobody asks */
	int64_t pid;           /* zones of this process alone; 0, or not in the trace: of all */
	uint32_t loc;          /* TRACE_NONE: no zone covers it */
	double ns;             /* of its time, 0 with TRACE_NONE */
	bool is_op;            /* it is an op's own zone */
	uint32_t
		own_loc; /* the same of zones that are neither ops', nor building, nor the profiler */
	double own_ns;
	uint32_t
		own_from; /* what it works for: the outermost zone around it that calls no ops; TRACE_NONE: none but itself */
	/* of its time, whatever covers it: */
	double build_ns, profiler_ns; /* inside of such zones (zone_work.def) */
	double work_ns;               /* inside of others, in which no op is ever called */
};

struct zone_share {
	uint32_t node;
	double ns;
};

struct zone_shares {
	VEC(struct zone_share) by_node;
	struct u64map index;
};

/* A zone inside of other ones: what tells whose work it is. */
struct zone_node {
	uint32_t parent, loc; /* parent: TRACE_NONE for the outermost */
	uint32_t track;
};

struct zone_thread {
	int64_t since;
	VEC(uint32_t) open; /* nodes */
};

struct zone_covers {
	struct zone_stretch *at;
	size_t n;
	double first_ns, last_ns; /* of all; first > last: there are none */
	struct zone_shares *shares;
	uint32_t *order; /* stretches by their start */
	double *ends;    /* the latest end of the first i + 1 of them */
	size_t asked;    /* how many are in `order` */
	VEC(struct zone_thread) threads;
	VEC(struct zone_node) nodes;
	struct u64map children; /* parent and location to node */
};

void zone_covers_init(struct zone_covers *c, struct zone_stretch *at, size_t n);
void zone_covers_enter(struct zone_covers *c, uint32_t track, int64_t ns, uint32_t loc);
/* `ns` may be TRACE_OPEN. */
void zone_covers_leave(struct zone_covers *c, uint32_t track, int64_t ns);
/* Also frees all but the stretches.  `t`: says what locations are; NULL: nothing is known of them. */
void zone_covers_finish(struct zone_covers *c, const struct trace *t);

#endif /* TTP_TRACE_ZONE_COVER_H */
