// SPDX-License-Identifier: Apache-2.0
/* Series of markers in the order of time; equals stay in the order in which they came. */
#ifndef TTP_MARKERS_ANALYSES_SERIES_H
#define TTP_MARKERS_ANALYSES_SERIES_H

#include "markers/analyses/marker_log.h"

/* A marker and its time beside it: markers are large, and lie far apart. */
struct timed {
	uint64_t time_cycles;
	uint32_t marker;
};

void timed_sort(struct timed *at, size_t n);
void series_sort(marker_series *s, const struct marker *all);
static inline void series_append(marker_series *to, const marker_series *from)
{
	vec_each (i, from)
		*vec_push(to) = *i;
}

#endif /* TTP_MARKERS_ANALYSES_SERIES_H */
