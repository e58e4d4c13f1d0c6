// SPDX-License-Identifier: Apache-2.0
/*
 * What programs did in stretches of time.  Each moment of a thread belongs to its innermost zone; the zone (by its source location) with most of a
 * stretch, of all threads together, covers it, if it has a tenth or more.
 *
 *	zone_covers_init(&c, stretches, n);
 *	... of each zone, as a trace_sink has them: zone_covers_enter(), zone_covers_leave() ...
 *	zone_covers_finish(&c);           fills `loc` and `ns` of the stretches
 */
#ifndef TTP_TRACE_ZONE_COVER_H
#define TTP_TRACE_ZONE_COVER_H

#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"

struct zone_stretch {
	double from_ns, to_ns; /* on the trace's clock; from >= to: nobody asks */
	uint32_t loc;          /* TRACE_NONE: no zone covers it */
	double ns;             /* of its time, 0 with TRACE_NONE */
};

struct zone_share {
	uint32_t loc;
	double ns;
};

struct zone_shares {
	VEC(struct zone_share) by_loc;
	struct u64map index;
};

struct zone_thread {
	int64_t since;
	VEC(uint32_t) open;
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
};

void zone_covers_init(struct zone_covers *c, struct zone_stretch *at, size_t n);
void zone_covers_enter(struct zone_covers *c, uint32_t track, int64_t ns, uint32_t loc);
/* `ns` may be TRACE_OPEN. */
void zone_covers_leave(struct zone_covers *c, uint32_t track, int64_t ns);
/* Also frees all but the stretches. */
void zone_covers_finish(struct zone_covers *c);

#endif /* TTP_TRACE_ZONE_COVER_H */
