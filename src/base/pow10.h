// SPDX-License-Identifier: Apache-2.0
/*
 * Powers of ten to 128 bits, for exact conversion between binary and decimal (base/number).
 *
 * For each k: 10^k = (hi:lo) * 2^(pow10_log2(k) - 127), with the top bit of hi set.  (hi:lo) is rounded
 * up, and exact for 0 <= k <= 55.  The table (10 KB) is computed once, at first use, from exact big
 * integers; safe from any thread.
 */
#ifndef TTP_BASE_POW10_H
#define TTP_BASE_POW10_H

#include <stdint.h>

/* What printing needs: the scale of the largest and of the smallest double. */
enum { POW10_MIN = -292, POW10_MAX = 324 };

struct pow10 {
	uint64_t hi, lo;
};

/* Entry k is table[k - POW10_MIN]. */
const struct pow10 *pow10_table(void);

/* floor(log2(10^k)); the constant is log2(10) * 2^19, near enough for every k of the table. */
static inline int pow10_log2(int k)
{
	return (k * 1741647) >> 19;
}

#endif /* TTP_BASE_POW10_H */
