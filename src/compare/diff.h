// SPDX-License-Identifier: Apache-2.0
/* Which items of two sequences correspond: in order, and as many as a search of bounded cost finds. */
#ifndef TTP_COMPARE_DIFF_H
#define TTP_COMPARE_DIFF_H

#include <stddef.h>
#include <stdint.h>

#define DIFF_NONE UINT32_MAX

/*
 * Pairs equal items of a[0..n) and b[0..m).  pair_of_a[i] is the number in `b` or DIFF_NONE; numbers rise.  The longest common
 * subsequence (Myers, linear space), but for sequences that differ in thousands of items, where it is as long as a bounded search makes it.
 */
void diff_pair(const uint32_t *a, size_t n, const uint32_t *b, size_t m, uint32_t *pair_of_a);

#endif /* TTP_COMPARE_DIFF_H */
