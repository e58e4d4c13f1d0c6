// SPDX-License-Identifier: Apache-2.0
/*
 * Where a series of values changes for good.
 *
 * E-Divisive (Matteson and James, 2014): the split of a stretch is where the energy distance of both parts is largest; whether it is more
 * than chance, a permutation test says, with a fixed seed.  Each part is then split in the same way.  A permutation of few values can't be surer
 * than their number allows, too little where many series are looked at: so each split also has the chance of a t-test, times the number of
 * splits that it was chosen from, for the correction over all series (rank_adjust).
 */
#ifndef TTP_HISTORY_CHANGE_POINTS_H
#define TTP_HISTORY_CHANGE_POINTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "compare/sample_shift.h"

enum { CHANGE_PART_LEAST = 2 }; /* values on each side of a split */

struct change_point {
	size_t at; /* the first value after it */
	double p;  /* of the t-test, for all splits that there were to choose from */
};

/* Rising.  `least`: the smallest difference that is of interest, for the value before it.  *none: the chance of the best split where there is none. */
typedef VEC(struct change_point) change_points;
void change_points_find(const double *v, size_t n, double (*least)(const void *ctx, double before),
			const void *ctx, change_points *to, double *none);

/* v[from..at) against v[at..to): the shift, and in `p` the chance of a t-test that takes both parts for equally noisy. */
struct shift change_shift(const double *v, size_t from, size_t at, size_t to);

#endif /* TTP_HISTORY_CHANGE_POINTS_H */
