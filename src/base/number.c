// SPDX-License-Identifier: Apache-2.0
/* Numbers to text.  Text to numbers is in number_parse.c. */
#include "base/number.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/pow10.h"

__extension__ typedef unsigned __int128 u128;

enum {
	FRACTION_BITS = 52,
	EXPONENT_MASK = 0x7FF,
	EXPONENT_BIAS = 1075, /* of the 53-bit integer, not of 1.x */
	DECIMALS_MAX = 17,
	INTEGER_DIGITS_MAX = 309,
	FIXED_MAX = 1 + INTEGER_DIGITS_MAX + INTEGER_DIGITS_MAX / 3 + 1 + DECIMALS_MAX,
	FIXED_EXPONENT_MAX = 16, /* repr: digits before the point, at most */
	FIXED_EXPONENT_MIN = -3, /* repr: -3 is 0.000ddd */
};

static const uint64_t ten_to[] = {
	1ull,
	10ull,
	100ull,
	1000ull,
	10000ull,
	100000ull,
	1000000ull,
	10000000ull,
	100000000ull,
	1000000000ull,
	10000000000ull,
	100000000000ull,
	1000000000000ull,
	10000000000000ull,
	100000000000000ull,
	1000000000000000ull,
	10000000000000000ull,
	100000000000000000ull,
};

static const char pairs[] = "00010203040506070809101112131415161718192021222324"
			    "25262728293031323334353637383940414243444546474849"
			    "50515253545556575859606162636465666768697071727374"
			    "75767778798081828384858687888990919293949596979899";

static inline char *put_pair(char *end, unsigned v)
{
	memcpy(end - 2, pairs + (size_t)v * 2, 2);
	return end - 2;
}

/* All of these write towards lower addresses, ending just below `end`, and return the first byte. */
static inline char *put_u64(char *end, uint64_t v)
{
	while (v >= 100) {
		end = put_pair(end, (unsigned)(v % 100));
		v /= 100;
	}
	if (v >= 10)
		return put_pair(end, (unsigned)v);
	*--end = (char)('0' + v);
	return end;
}

static inline char *put_padded(char *end, uint64_t v, int width)
{
	for (; width >= 2; width -= 2) {
		end = put_pair(end, (unsigned)(v % 100));
		v /= 100;
	}
	if (width)
		*--end = (char)('0' + v);
	return end;
}

static char *put_grouped(char *end, uint64_t v, char group)
{
	while (v >= 1000) {
		end = put_padded(end, v % 1000, 3);
		*--end = group;
		v /= 1000;
	}
	return put_u64(end, v);
}

/* Integers beyond 64 bits.  "%.0f" prints neither point nor groups, so the locale has no say. */
static char *put_huge(char *end, double v, char group)
{
	char digits[INTEGER_DIGITS_MAX + 1];
	int n = snprintf(digits, sizeof(digits), "%.0f", v);

	for (int i = 0; i < n; i++) {
		if (group && i && i % 3 == 0)
			*--end = group;
		*--end = digits[n - 1 - i];
	}
	return end;
}

/* |v| = mantissa * 2^exponent */
static uint64_t split(double v, int *exponent)
{
	uint64_t bits, fraction;
	int biased;

	memcpy(&bits, &v, sizeof(bits));
	fraction = bits & ((1ull << FRACTION_BITS) - 1);
	biased = (int)(bits >> FRACTION_BITS & EXPONENT_MASK);
	*exponent = (biased ? biased : 1) - EXPONENT_BIAS;
	return biased ? fraction | 1ull << FRACTION_BITS : fraction;
}

static bool put_not_finite(struct buf *b, double v)
{
	if (isfinite(v))
		return false;
	buf_text(b, isnan(v) ? "nan" : v < 0 ? "-inf" : "inf");
	return true;
}

/*
 * Rounds the fraction m / 2^bits (below 1) to `decimals` digits, half to even; `odd` says whether the
 * digit before the point is odd, which decides when there are no decimals.  Exact: m has at most 53
 * bits and 10^17 has 57.  May return 10^decimals.
 */
static uint64_t round_fraction(uint64_t m, int bits, int decimals, bool odd)
{
	u128 scaled, half, rest;
	uint64_t q;

	if (bits > 127)
		return 0; /* below 2^53 / 2^128, so far below half of 10^-17 */
	scaled = (u128)m * ten_to[decimals];
	half = (u128)1 << (bits - 1);
	q = (uint64_t)(scaled >> bits);
	rest = scaled & (2 * half - 1);
	if (decimals)
		odd = q & 1;
	return q + (rest > half || (rest == half && odd));
}

void number_fixed(struct buf *b, double v, int decimals, char group)
{
	char text[FIXED_MAX], *end = text + sizeof(text), *at = end;
	uint64_t m, whole, part = 0;
	int e;

	assert(decimals >= 0 && decimals <= DECIMALS_MAX);
	if (put_not_finite(b, v))
		return;
	m = split(v, &e);
	if (e < 0) {
		whole = e > -64 ? m >> -e : 0;
		part = round_fraction(e > -64 ? m - (whole << -e) : m, -e, decimals, whole & 1);
		if (part == ten_to[decimals]) {
			part = 0;
			whole++;
		}
	} else {
		whole = e < 64 - FRACTION_BITS - 1 ? m << e : 0;
	}
	if (decimals) {
		at = put_padded(at, part, decimals);
		*--at = '.';
	}
	if (e >= 64 - FRACTION_BITS - 1)
		at = put_huge(at, fabs(v), group);
	else
		at = group ? put_grouped(at, whole, group) : put_u64(at, whole);
	if (signbit(v))
		*--at = '-';
	buf_add(b, at, (size_t)(end - at));
}

/*
 * floor(g * c / 2^128) with its lowest bit set if anything was cut off, where g is a power of ten from
 * the table.  g may be up to one too large, so the middle word may be one too large: 1 counts as 0.
 * That no true remainder is as small as this error is part of the Schubfach argument.
 */
static inline uint64_t scale_sticky(const struct pow10 *g, uint64_t c)
{
	u128 high = (u128)g->hi * c + (uint64_t)((u128)g->lo * c >> 64);

	return (uint64_t)(high >> 64) | ((uint64_t)high > 1);
}

/*
 * The shortest decimal that reads back as m * 2^e, nearest to it among the shortest, as
 * digits * 10^(*exponent).  Follows Raffaello Giulietti, "The Schubfach way to render doubles" (2020).
 *
 * Numbers that read back as v are those between v's two neighbours' midpoints, both ends included
 * when m is even.  Choose k so that the gap is at least 10^k and below 10^(k+1): then a multiple of
 * 10^k is inside, and at most one or two multiples of 10^(k+1).  All compared values are scaled by
 * 4 * 10^-k and carry a sticky bit, so comparisons with whole numbers are exact.
 */
static uint64_t shortest_digits(uint64_t m, int e, int *exponent)
{
	/* Just above a power of two the neighbour below is half as far (except at the very bottom). */
	bool narrow = m == 1ull << FRACTION_BITS && e > 1 - EXPONENT_BIAS;
	/* floor(log10(2^e)), or of 3/4 * 2^e: log10(2) and log10(3/4) times 2^22 */
	int k = (e * 1262611 - (narrow ? 524031 : 0)) >> 22;
	int up = e + pow10_log2(-k) + 1;
	const struct pow10 *g = &pow10_table()[-k - POW10_MIN];
	uint64_t v = scale_sticky(g, 4 * m << up);
	uint64_t low = scale_sticky(g, (4 * m - (narrow ? 1 : 2)) << up);
	uint64_t high = scale_sticky(g, (4 * m + 2) << up);
	uint64_t s = v / 4;
	bool below, above;

	if (m & 1) { /* the ends themselves belong to the neighbours */
		low++;
		high--;
	}
	*exponent = k;
	if (s >= 10) {
		uint64_t tens = s / 10;

		below = low <= 40 * tens;
		above = 40 * tens + 40 <= high;
		if (below != above) {
			*exponent = k + 1;
			return tens + above;
		}
	}
	below = low <= 4 * s;
	above = 4 * s + 4 <= high;
	if (below != above)
		return s + above;
	return s + (v > 4 * s + 2 || (v == 4 * s + 2 && (s & 1)));
}

/* Divisors are constants, so that no division is one. */
static uint64_t strip_zeros(uint64_t digits, int *exponent)
{
	if (digits % 100000000 == 0) {
		digits /= 100000000;
		*exponent += 8;
	}
	if (digits % 10000 == 0) {
		digits /= 10000;
		*exponent += 4;
	}
	if (digits % 100 == 0) {
		digits /= 100;
		*exponent += 2;
	}
	while (digits % 10 == 0) {
		digits /= 10;
		*exponent += 1;
	}
	return digits;
}

/* Lays out digits * 10^exponent as repr does. */
static size_t lay_out(char *out, uint64_t digits, int exponent)
{
	char text[20], *at = put_u64(text + sizeof(text), digits), *o = out;
	int n = (int)(text + sizeof(text) - at);
	int point = n + exponent; /* digits before the point */

	if (point > FIXED_EXPONENT_MAX || point < FIXED_EXPONENT_MIN) {
		unsigned power = (unsigned)(point > 0 ? point - 1 : 1 - point);

		*o++ = *at++;
		if (n > 1) {
			*o++ = '.';
			memcpy(o, at, (size_t)n - 1);
			o += n - 1;
		}
		*o++ = 'e';
		*o++ = point > 0 ? '+' : '-';
		if (power >= 100)
			*o++ = (char)('0' + power / 100);
		memcpy(o, pairs + (size_t)(power % 100) * 2, 2);
		return (size_t)(o + 2 - out);
	}
	if (point <= 0) {
		memcpy(o, "0.000", 5);
		o += 2 - point;
		memcpy(o, at, (size_t)n);
		return (size_t)(o + n - out);
	}
	if (point >= n) {
		memcpy(o, at, (size_t)n);
		memset(o + n, '0', (size_t)(point - n));
		memcpy(o + point, ".0", 2);
		return (size_t)point + 2;
	}
	memcpy(o, at, (size_t)point);
	o[point] = '.';
	memcpy(o + point + 1, at + point, (size_t)(n - point));
	return (size_t)n + 1;
}

void number_shortest(struct buf *b, double v)
{
	char text[32], *at = text;
	double size = fabs(v);
	uint64_t digits;
	int exponent = 0;

	if (put_not_finite(b, v))
		return;
	if (signbit(v))
		*at++ = '-';
	if (size < 0x1p53 && size == (double)(uint64_t)size) {
		digits = (uint64_t)size;
	} else {
		uint64_t m = split(v, &exponent);

		digits = strip_zeros(shortest_digits(m, exponent, &exponent), &exponent);
	}
	at += lay_out(at, digits, exponent);
	buf_add(b, text, (size_t)(at - text));
}
