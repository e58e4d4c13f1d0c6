// SPDX-License-Identifier: Apache-2.0
#include "compat/tt_perf_report/py.h"

#include <math.h>

#include "base/number.h"

/* Bytes of the UTF-8 character at the start of `s`; a stray byte counts as one. */
static size_t char_bytes(struct str s)
{
	unsigned char c = (unsigned char)s.at[0];
	size_t n = c < 0x80 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;

	return n < s.len ? n : s.len;
}

/* Bytes of the white space character that `s` starts with, 0 when it is none. */
static size_t py_space(struct str s)
{
	/* what str.isspace() accepts beyond ASCII, except U+2000..U+200A */
	static const char *const wide[] = {
		"\xC2\x85",     "\xC2\xA0",     "\xE1\x9A\x80", "\xE2\x80\xA8",
		"\xE2\x80\xA9", "\xE2\x80\xAF", "\xE2\x81\x9F", "\xE3\x80\x80",
	};

	if (!s.len)
		return 0;
	if ((s.at[0] >= '\t' && s.at[0] <= '\r') || (s.at[0] >= 0x1C && s.at[0] <= ' '))
		return 1;
	if (!(s.at[0] & 0x80))
		return 0;
	for (size_t i = 0; i < sizeof(wide) / sizeof(wide[0]); i++)
		if (str_starts(s, str_of(wide[i])))
			return strlen(wide[i]);
	if (s.len >= 3 && !memcmp(s.at, "\xE2\x80", 2) && (unsigned char)s.at[2] <= 0x8A)
		return 3;
	return 0;
}

struct str py_strip(struct str s)
{
	size_t n, end = 0;

	while ((n = py_space(s)) > 0)
		s = str_from(s, n);
	for (size_t i = 0; i < s.len;) {
		n = py_space(str_from(s, i));
		if (n) {
			i += n;
		} else {
			i += char_bytes(str_from(s, i));
			end = i;
		}
	}
	return str_head(s, end);
}

struct str py_word(struct str s, struct str *rest)
{
	size_t n, end = 0;

	while ((n = py_space(s)) > 0)
		s = str_from(s, n);
	while (end < s.len && !py_space(str_from(s, end)))
		end++;
	*rest = str_from(s, end);
	while ((n = py_space(*rest)) > 0)
		*rest = str_from(*rest, n);
	return str_head(s, end);
}

size_t py_len(struct str s)
{
	size_t n = 0;

	for (size_t i = 0; i < s.len; i++)
		n += ((unsigned char)s.at[i] & 0xC0) != 0x80;
	return n;
}

/* Digits may have single underscores between them; copies without. */
static bool drop_underscores(struct str s, struct buf *b)
{
	for (size_t i = 0; i < s.len; i++) {
		bool inside = i && i + 1 < s.len && s.at[i - 1] >= '0' && s.at[i - 1] <= '9' &&
			      s.at[i + 1] >= '0' && s.at[i + 1] <= '9';

		if (s.at[i] != '_')
			buf_char(b, s.at[i]);
		else if (!inside)
			return false;
	}
	return true;
}

bool py_float(struct str s, double *out)
{
	SCOPED(buf) struct buf b = { 0 };

	s = py_strip(s);
	if (!s.len)
		return false;
	return drop_underscores(s, &b) && number_double(buf_view(&b), out);
}

bool py_int(struct str s, int64_t *out, struct buf *digits)
{
	SCOPED(buf) struct buf b = { 0 };
	struct str d;
	bool ok, minus;

	s = py_strip(s);
	minus = s.len && s.at[0] == '-';
	if (s.len && (s.at[0] == '+' || s.at[0] == '-'))
		s = str_from(s, 1);
	ok = s.len && drop_underscores(s, &b);
	d = buf_view(&b);
	for (size_t i = 0; ok && i < d.len; i++)
		ok = d.at[i] >= '0' && d.at[i] <= '9';
	if (ok) {
		while (d.len > 1 && d.at[0] == '0')
			d = str_from(d, 1);
		if (!number_i64(d, out))
			*out = INT64_MAX;
		minus = minus && !(d.len == 1 && d.at[0] == '0');
		if (minus)
			*out = -*out;
		if (digits) {
			if (minus)
				buf_char(digits, '-');
			buf_str(digits, d);
		}
	}
	return ok;
}

void py_sum_add(struct py_sum *s, double v)
{
	double t;

	if (!s->real) {
		s->real = true;
		s->high = (double)s->whole + v;
		return;
	}
	t = s->high + v;
	s->low += fabs(s->high) >= fabs(v) ? (s->high - t) + v : (v - t) + s->high;
	s->high = t;
}

void py_sum_add_int(struct py_sum *s, int64_t v)
{
	if (s->real)
		s->high += (double)v;
	else
		s->whole += v;
}

double py_sum_value(const struct py_sum *s)
{
	if (!s->real)
		return (double)s->whole;
	return s->low != 0 && isfinite(s->low) ? s->high + s->low : s->high;
}
