// SPDX-License-Identifier: Apache-2.0
/*
 * Numbers as text and back, without the locale.
 *
 * Reports of ours are compared byte for byte with those of Python tools, so the two forms that Python
 * prints are made here: fixed-point text of the exact binary value (ties to the even digit), and the
 * shortest text that reads back as the same double.
 */
#ifndef TTP_BASE_NUMBER_H
#define TTP_BASE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* fmin() and fmax(), which would be calls into libm: a NaN is no number, the other one is taken. */
static inline double number_min(double a, double b)
{
	return a < b || b != b ? a : b;
}

static inline double number_max(double a, double b)
{
	return a > b || b != b ? a : b;
}

/*
 * Fixed point with `decimals` (0..17) digits, as C's "%.*f": exact, half to even, sign kept (also of
 * -0), "nan", "inf", "-inf".  `group` 0, or the character between thousands (',' or ' ').
 */
void number_fixed(struct buf *b, double v, int decimals, char group);

/* Python's repr(float): shortest round-trip; "1.0", "0.0001", "1e-05", "1e+16", "nan", "inf". */
void number_shortest(struct buf *b, double v);

/* The whole of `s` is an integer: optional sign, digits.  False on anything else, or out of range. */
bool number_i64(struct str s, int64_t *out);
bool number_u64(struct str s, uint64_t *out);

/* The whole of `s` is digits: 1 to `most` (18 at most) of them. */
bool number_digits(struct str s, size_t most, int64_t *out);

/* The whole of `s` is a decimal number (sign, digits, point, exponent; also inf, infinity, nan in any
 * case), correctly rounded.  Overflow gives inf and is accepted. */
bool number_double(struct str s, double *out);

#endif /* TTP_BASE_NUMBER_H */
