// SPDX-License-Identifier: Apache-2.0
/*
 * Analyses from the last start before an end to that end, all that look at the same series in one walk over it.  A
 * log has one for each name of a zone, and may have ten thousands of names.
 */
#ifndef TTP_MARKERS_ANALYSES_ADJACENT_H
#define TTP_MARKERS_ANALYSES_ADJACENT_H

#include "markers/analyses/marker_log.h"

struct adjacents;

/* Those of `list` that are adjacent and of this kind; NULL: there are none. */
struct adjacents *adjacents_new(const struct marker_log *m, const struct analysis *list, size_t n,
				enum across across);
/* Adds what they find in a series, in the order of the list. */
void adjacents_find(struct adjacents *a, const marker_series *s, result_vec *to);
void adjacents_free(struct adjacents *a);

#endif /* TTP_MARKERS_ANALYSES_ADJACENT_H */
