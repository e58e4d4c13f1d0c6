// SPDX-License-Identifier: Apache-2.0
/* Numbers against the C library: the bytes as a double to be printed, and as text to be read. */
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/number.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool truth)
{
	if (!truth)
		abort();
}

static bool same(double a, double b)
{
	return (isnan(a) && isnan(b)) || !memcmp(&a, &b, sizeof(a));
}

static void print_fixed(double v, int decimals)
{
	struct buf plain = { 0 }, grouped = { 0 }, joined = { 0 };
	char want[512];

	if (isnan(v))
		v = fabs(v); /* C keeps the sign of a nan, Python does not */
	snprintf(want, sizeof(want), "%.*f", decimals, v);
	number_fixed(&plain, v, decimals, 0);
	must(str_eq(buf_view(&plain), str_of(want)));
	number_fixed(&grouped, v, decimals, ',');
	for (size_t i = 0; i < grouped.len; i++)
		if (grouped.at[i] != ',')
			buf_char(&joined, grouped.at[i]);
	must(str_eq(buf_view(&plain), buf_view(&joined)));
	buf_release(&plain);
	buf_release(&grouped);
	buf_release(&joined);
}

/* The digits of a printed number, without zeros at both ends. */
static size_t digits_of(const char *text)
{
	size_t n = 0, zeros = 0;

	for (; *text && *text != 'e'; text++) {
		if (*text < '0' || *text > '9' || (*text == '0' && !n))
			continue;
		n++;
		zeros = *text == '0' ? zeros + 1 : 0;
	}
	return n - zeros;
}

static void print_shortest(double v)
{
	struct buf b = { 0 };
	char want[64];
	double back;

	number_shortest(&b, v);
	must(number_double(buf_view(&b), &back) && same(v, back));
	must(same(strtod(b.at, NULL), v));
	if (isfinite(v)) {
		for (int precision = 0; precision < 17; precision++) {
			snprintf(want, sizeof(want), "%.*e", precision, v);
			if (same(strtod(want, NULL), v))
				break;
		}
		/* at powers of two a shorter text may do that is not the nearest of its length */
		must(digits_of(b.at) <= digits_of(want));
	}
	buf_release(&b);
}

/* What strtod takes and we don't: blanks, hexadecimal, nan(...). */
static bool is_only_of_c(const char *text)
{
	return strpbrk(text, " \t\n\v\f\rxX(") != NULL;
}

static void read_text(const char *text)
{
	double v, want;
	int64_t i;
	uint64_t u;
	char *end;
	bool whole;

	want = strtod(text, &end);
	whole = end != text && !*end && !is_only_of_c(text);
	must(number_double(str_of(text), &v) == whole);
	if (whole)
		must(same(v, want) || (isnan(v) && isnan(want)));

	errno = 0;
	whole = strtoll(text, &end, 10) != 0 || end != text;
	whole = whole && !*end && !errno && !is_only_of_c(text);
	must(number_i64(str_of(text), &i) == whole);
	if (whole)
		must(i == strtoll(text, NULL, 10));

	errno = 0;
	whole = strtoull(text, &end, 10) != 0 || end != text;
	whole = whole && !*end && !errno && !is_only_of_c(text) && text[0] != '-';
	must(number_u64(str_of(text), &u) == whole);
	if (whole)
		must(u == strtoull(text, NULL, 10));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text;
	double v;

	if (size > 2000)
		return 0;
	if (size >= sizeof(v)) {
		memcpy(&v, data, sizeof(v));
		print_fixed(v, data[size - 1] % 18);
		print_shortest(v);
	}
	text = malloc(size + 1);
	must(text != NULL);
	if (size)
		memcpy(text, data, size);
	text[size] = 0;
	read_text(text);
	free(text);
	return 0;
}
