// SPDX-License-Identifier: Apache-2.0
#include "base/str.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/exhausted.h"
#include "base/vec.h"

size_t str_find(struct str s, struct str needle)
{
	const char *p;

	if (!needle.len)
		return 0;
	p = s.len >= needle.len ? memmem(s.at, s.len, needle.at, needle.len) : NULL;
	return p ? (size_t)(p - s.at) : STR_NONE;
}

size_t str_find_char(struct str s, char c)
{
	const char *p = s.len ? memchr(s.at, c, s.len) : NULL;

	return p ? (size_t)(p - s.at) : STR_NONE;
}

size_t str_rfind_char(struct str s, char c)
{
	const char *p = s.len ? memrchr(s.at, c, s.len) : NULL;

	return p ? (size_t)(p - s.at) : STR_NONE;
}

int str_cmp(struct str a, struct str b)
{
	size_t n = a.len < b.len ? a.len : b.len;
	int c = n ? memcmp(a.at, b.at, n) : 0;

	return c ? c : (a.len > b.len) - (a.len < b.len);
}

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

struct str str_trim(struct str s)
{
	while (s.len && is_blank(s.at[0]))
		s = str_n(s.at + 1, s.len - 1);
	while (s.len && is_blank(s.at[s.len - 1]))
		s.len--;
	return s;
}

bool str_split(struct str *rest, char sep, struct str *piece)
{
	size_t n;

	if (!rest->at)
		return false;
	n = str_find_char(*rest, sep);
	if (n == STR_NONE) {
		*piece = *rest;
		*rest = (struct str){ 0 };
		return true;
	}
	*piece = str_n(rest->at, n);
	*rest = str_n(rest->at + n + 1, rest->len - n - 1);
	return true;
}

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

bool str_eq_nocase(struct str a, struct str b)
{
	if (a.len != b.len)
		return false;
	for (size_t i = 0; i < a.len; i++)
		if (lower(a.at[i]) != lower(b.at[i]))
			return false;
	return true;
}

bool str_has_nocase(struct str s, struct str needle)
{
	for (size_t i = 0; i + needle.len <= s.len; i++)
		if (str_eq_nocase(str_n(s.at + i, needle.len), needle))
			return true;
	return false;
}

static inline uint64_t hash_word(uint64_t h, uint64_t w)
{
	h = (h ^ w) * 0x9E3779B97F4A7C15ull;
	return h ^ h >> 32;
}

/* Up to 7 bytes as a number, with two loads that may overlap rather than a loop. */
static inline uint64_t short_word(const char *p, size_t n)
{
	uint32_t head, tail;

	if (n >= 4) {
		memcpy(&head, p, 4);
		memcpy(&tail, p + n - 4, 4);
		return (uint64_t)head << 32 | tail;
	}
	if (!n)
		return 0;
	return (uint64_t)(unsigned char)p[0] << 16 | (uint64_t)(unsigned char)p[n / 2] << 8 |
	       (unsigned char)p[n - 1];
}

/*
 * Multiply-and-fold over 8 bytes at a time, the last 8 overlapping those before; used for tables in
 * memory only, never stored.
 */
uint64_t str_hash(struct str s)
{
	uint64_t h = hash_word(s.len, 0), w;
	const char *p = s.at;
	size_t n = s.len;

	if (n < 8)
		return hash_word(h, short_word(p, n)) * 0x9E3779B97F4A7C15ull;
	for (; n > 8; p += 8, n -= 8) {
		memcpy(&w, p, 8);
		h = hash_word(h, w);
	}
	memcpy(&w, p + n - 8, 8);
	return hash_word(h, w) * 0x9E3779B97F4A7C15ull;
}

/* Length of the valid UTF-8 sequence at the start of s, 0 if there is none. */
static size_t utf8_sequence(struct str s)
{
	const unsigned char *p = (const unsigned char *)s.at;
	unsigned lead = p[0], low = 0x80, high = 0xBF;
	size_t n;

	if (lead < 0x80)
		return 1;
	if (lead < 0xC2 || lead > 0xF4)
		return 0;
	n = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
	if (s.len < n)
		return 0;
	if (lead == 0xE0)
		low = 0xA0;
	else if (lead == 0xED)
		high = 0x9F;
	else if (lead == 0xF0)
		low = 0x90;
	else if (lead == 0xF4)
		high = 0x8F;
	if (p[1] < low || p[1] > high)
		return 0;
	for (size_t i = 2; i < n; i++)
		if ((p[i] & 0xC0) != 0x80)
			return 0;
	return n;
}

bool str_is_utf8(struct str s)
{
	while (s.len) {
		size_t n = utf8_sequence(s);

		if (!n)
			return false;
		s = str_from(s, n);
	}
	return true;
}

void buf_reserve(struct buf *b, size_t more)
{
	size_t need;

	if (__builtin_add_overflow(b->len, more, &need) || __builtin_add_overflow(need, 1, &need))
		exhausted(0);
	if (need > b->cap)
		b->at = vec_grow(b->at, &b->cap, need, 1);
}

void buf_add(struct buf *b, const char *at, size_t len)
{
	if (b->cap - b->len <= len)
		buf_reserve(b, len);
	if (len)
		memcpy(b->at + b->len, at, len);
	b->len += len;
	b->at[b->len] = 0;
}

void buf_fill(struct buf *b, char c, size_t n)
{
	buf_reserve(b, n);
	memset(b->at + b->len, c, n);
	b->len += n;
	b->at[b->len] = 0;
}

void buf_vprintf(struct buf *b, const char *fmt, va_list ap)
{
	va_list again;
	int n;

	va_copy(again, ap);
	buf_reserve(b, 64);
	n = vsnprintf(b->at + b->len, b->cap - b->len, fmt, ap);
	if (n < 0)
		n = 0;
	if ((size_t)n >= b->cap - b->len) {
		buf_reserve(b, (size_t)n);
		vsnprintf(b->at + b->len, b->cap - b->len, fmt, again);
	}
	va_end(again);
	b->len += (size_t)n;
}

void buf_printf(struct buf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(b, fmt, ap);
	va_end(ap);
}

void buf_set(struct buf *b, const char *fmt, ...)
{
	va_list ap;

	buf_clear(b);
	va_start(ap, fmt);
	buf_vprintf(b, fmt, ap);
	va_end(ap);
}

void buf_add_u64(struct buf *b, uint64_t v)
{
	static const char pairs[] =
		"00010203040506070809101112131415161718192021222324252627282930313233343536373839"
		"40414243444546474849505152535455565758596061626364656667686970717273747576777879"
		"8081828384858687888990919293949596979899";
	char digits[20];
	size_t n = sizeof(digits);

	for (; v >= 10; v /= 100) {
		n -= 2;
		memcpy(digits + n, pairs + 2 * (v % 100), 2);
	}
	if (v || n == sizeof(digits))
		digits[--n] = (char)('0' + v);
	buf_add(b, digits + n, sizeof(digits) - n);
}

void buf_add_i64(struct buf *b, int64_t v)
{
	if (v < 0)
		buf_char(b, '-');
	buf_add_u64(b, v < 0 ? 0 - (uint64_t)v : (uint64_t)v);
}

void buf_add_utf8(struct buf *b, struct str s)
{
	while (s.len) {
		size_t n = utf8_sequence(s);

		if (n)
			buf_add(b, s.at, n);
		else
			buf_text(b, "\xEF\xBF\xBD");
		s = str_from(s, n ? n : 1);
	}
}

void buf_release(struct buf *b)
{
	free(b->at);
	*b = (struct buf){ 0 };
}
