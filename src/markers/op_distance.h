// SPDX-License-Identifier: Apache-2.0
/* How markers/op_times.c keeps a time: as a distance of three bytes from the base of its run, or in full. */
#ifndef TTP_MARKERS_OP_DISTANCE_H
#define TTP_MARKERS_OP_DISTANCE_H

#include "markers/op_times.h"

static inline bool is_near(uint64_t time, uint64_t base)
{
	/* not by a difference that wraps: 2^64 - 1 is far from 100 */
	return (time > base ? time - base : base - time) < OP_NEAR;
}

/* Sets a distance if there is none yet, or if this one is earlier (or later). */
static inline void put_distance(uint16_t *low, int8_t *high, int32_t d, bool has, bool later)
{
	int32_t was = op_distance(*low, *high);

	if (!has || (later ? d > was : d < was)) {
		*low = (uint16_t)d;
		*high = (int8_t)(d >> 16);
	}
}

static inline void put_wide(uint64_t *at, uint64_t time, bool has, bool later)
{
	if (!has || (later ? time > *at : time < *at))
		*at = time;
}

#endif /* TTP_MARKERS_OP_DISTANCE_H */
