// SPDX-License-Identifier: Apache-2.0
/* Text to numbers. */
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/exhausted.h"
#include "base/number.h"
#include "base/pow10.h"
#include "base/vec.h"

__extension__ typedef unsigned __int128 u128;

enum {
	KEPT_DIGITS = 19, /* as many as surely fit into 64 bits */
	EXACT_POWER = 22, /* 10^22 is the largest exact power of ten in a double */
	STACK_TEXT = 256,
};
static const int64_t EXPONENT_CLAMP = 1000000000000000;

static bool is_digit(char c)
{
	return (unsigned char)(c - '0') < 10;
}

/* The value of all digits of `s`; false if there is none, something else, or it is above `max`. */
static bool whole_digits(struct str s, uint64_t max, uint64_t *out)
{
	uint64_t v = 0;

	if (!s.len)
		return false;
	for (size_t i = 0; i < s.len; i++) {
		uint64_t d = (unsigned char)(s.at[i] - '0');

		if (d > 9 || __builtin_mul_overflow(v, 10, &v) || __builtin_add_overflow(v, d, &v))
			return false;
	}
	*out = v;
	return v <= max;
}

bool number_digits(struct str s, size_t most, int64_t *out)
{
	*out = 0;
	for (size_t i = 0; i < s.len && i < most; i++) {
		if (s.at[i] < '0' || s.at[i] > '9')
			return false;
		*out = *out * 10 + (s.at[i] - '0');
	}
	return s.len && s.len <= most;
}

bool number_u64(struct str s, uint64_t *out)
{
	uint64_t v;

	if (s.len && s.at[0] == '+')
		s = str_from(s, 1);
	if (!whole_digits(s, UINT64_MAX, &v))
		return false;
	*out = v;
	return true;
}

bool number_i64(struct str s, int64_t *out)
{
	bool minus = s.len && s.at[0] == '-';
	uint64_t v;

	if (minus || (s.len && s.at[0] == '+'))
		s = str_from(s, 1);
	if (!whole_digits(s, (uint64_t)INT64_MAX + minus, &v))
		return false;
	*out = (int64_t)(minus ? 0 - v : v);
	return true;
}

/* What a scan of the text found: |value| = digits * 10^power, unless digits were cut off. */
struct decimal {
	uint64_t digits;
	int64_t power;
	bool minus, cut;
};

static const char *scan_exponent(const char *p, const char *end, int64_t *power)
{
	bool minus = p < end && *p == '-';
	int64_t v = 0;

	if (minus || (p < end && *p == '+'))
		p++;
	if (p == end || !is_digit(*p))
		return NULL;
	for (; p < end && is_digit(*p); p++)
		if (v < EXPONENT_CLAMP)
			v = v * 10 + (*p - '0');
	*power += minus ? -v : v;
	return p;
}

static bool scan(struct str s, struct decimal *d)
{
	const char *p = s.at, *end = p + s.len;
	bool point = false, any = false;
	int kept = 0;

	for (; p < end; p++) {
		if (*p == '.' && !point) {
			point = true;
			continue;
		}
		if (!is_digit(*p))
			break;
		any = true;
		if (kept < KEPT_DIGITS) {
			d->digits = d->digits * 10 + (uint64_t)(*p - '0');
			kept += d->digits != 0;
			d->power -= point;
		} else {
			d->cut |= *p != '0';
			d->power += !point;
		}
	}
	if (any && p < end && (*p | 0x20) == 'e')
		p = scan_exponent(p + 1, end, &d->power);
	return any && p == end;
}

/*
 * digits * 10^power by one 64 x 128 bit product.  The table's power is at most one too large, so the
 * true product lies between top - 1 and top + 1; unless a midpoint of two doubles is that near, all
 * of these round alike.  False if it is, or if the result is not a normal double.
 */
static bool by_product(uint64_t digits, int power, double *out)
{
	const struct pow10 *g = &pow10_table()[power - POW10_MIN];
	int lead = __builtin_clzll(digits);
	uint64_t w = digits << lead, mantissa, bits;
	u128 top = (u128)w * g->hi + (uint64_t)((u128)w * g->lo >> 64);
	int cut = top >> 127 ? 75 : 74; /* leaves 53 bits */
	u128 half = (u128)1 << (cut - 1);
	u128 rest = top & (2 * half - 1);
	int biased = cut + pow10_log2(power) - 63 - lead + 1075;

	if (rest + 1 >= half && rest <= half + 1)
		return false;
	if (biased < 1 || biased > 2045)
		return false;
	mantissa = (uint64_t)(top >> cut) + (rest > half);
	/* A mantissa that was rounded up to 2^53 carries into the exponent, as it should. */
	bits = ((uint64_t)biased << 52) + (mantissa - (1ull << 52));
	memcpy(out, &bits, sizeof(bits));
	return true;
}

static locale_t plain;
static pthread_once_t plain_once = PTHREAD_ONCE_INIT;

static void make_plain(void)
{
	plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

static double by_strtod(struct str s)
{
	char stack[STACK_TEXT], *text = stack;
	double v;

	pthread_once(&plain_once, make_plain);
	if (!plain)
		exhausted(0); /* the C locale needs no file */
	if (s.len >= sizeof(stack))
		text = mem_alloc(s.len + 1, 1);
	memcpy(text, s.at, s.len);
	text[s.len] = 0;
	v = strtod_l(text, NULL, plain);
	if (text != stack)
		free(text);
	return v;
}

static bool word(struct str s, double *out)
{
	if (str_eq_nocase(s, STR("nan")))
		*out = (double)NAN;
	else if (str_eq_nocase(s, STR("inf")) || str_eq_nocase(s, STR("infinity")))
		*out = (double)INFINITY;
	else
		return false;
	return true;
}

bool number_double(struct str s, double *out)
{
	static const double ten_to[EXACT_POWER + 1] = {
		1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
		1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
	};
	struct decimal d = { .minus = s.len && s.at[0] == '-' };
	double v;

	if (d.minus || (s.len && s.at[0] == '+'))
		s = str_from(s, 1);
	if (!s.len)
		return false;
	if (!scan(s, &d)) {
		if (!word(s, &v))
			return false;
	} else if (!d.digits) {
		v = 0;
	} else if (!d.cut && d.digits <= 1ull << 53 && d.power >= -EXACT_POWER &&
		   d.power <= EXACT_POWER) {
		/* Both operands are exact, so the one rounding is the right one. */
		v = d.power < 0 ? (double)d.digits / ten_to[-d.power]
				: (double)d.digits * ten_to[d.power];
	} else if (d.cut || d.power < POW10_MIN || d.power > POW10_MAX ||
		   !by_product(d.digits, (int)d.power, &v)) {
		v = by_strtod(s);
	}
	*out = d.minus ? -v : v;
	return true;
}
