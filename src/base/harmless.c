// SPDX-License-Identifier: Apache-2.0
#include "base/harmless.h"

enum { ESC = 0x1b, DEL = 0x7f, REPLACEMENT = 0xfffd, ESCAPE_MAX = 32 };

bool harmless_char(uint32_t c)
{
	if (c < 0x300)
		return c >= ' ' && !(c >= DEL && c < 0xa0);
	return !(c == 0x61c || c == 0x200e || c == 0x200f || (c >= 0x2028 && c <= 0x202e) ||
		 (c >= 0x2066 && c <= 0x2069) || c == 0xfeff);
}

/* Bytes of the sequence that begins with this one; 0: none does. */
static size_t sequence_len(unsigned char first)
{
	return first < 0x80   ? 1
	       : first < 0xc2 ? 0
	       : first < 0xe0 ? 2
	       : first < 0xf0 ? 3
	       : first < 0xf5 ? 4
			      : 0;
}

size_t harmless_decode(struct str s, uint32_t *c)
{
	const unsigned char *p = (const unsigned char *)s.at;
	size_t len = sequence_len(p[0]);

	*c = p[0];
	if (len == 1)
		return 1;
	if (!len || len > s.len || !str_is_utf8(str_head(s, len))) {
		*c = REPLACEMENT;
		return 1;
	}
	*c = p[0] & (0x7fu >> len);
	for (size_t i = 1; i < len; i++)
		*c = *c << 6 | (p[i] & 0x3fu);
	return len;
}

/* Colours and bold; nothing that hides text. */
static bool is_colour(struct str s)
{
	struct str piece;
	unsigned skip = 0; /* numbers that belong to the one before: 38;5;N */

	while (str_split(&s, ';', &piece)) {
		unsigned n = 0;

		if (piece.len > 3)
			return false;
		for (size_t i = 0; i < piece.len; i++)
			n = n * 10 + (unsigned)(piece.at[i] - '0');
		if (skip) {
			if (skip-- == 2 && n != 5)
				return false;
		} else if (n == 38 || n == 48) {
			skip = 2;
		} else if (!(n <= 2 || (n >= 30 && n <= 37) || n == 39 || (n >= 90 && n <= 97))) {
			return false;
		}
	}
	return !skip;
}

/* Bytes of an escape sequence of ours at the start of `s`; 0: it is none; SIZE_MAX: more has to come. */
static size_t escape_len(struct str s, enum harmless_escapes escapes)
{
	size_t i = 2, at = s.at[0] == '\r';

	if (escapes == HARMLESS_NO_ESCAPES || (at && escapes != HARMLESS_PROGRESS))
		return 0;
	if (s.len < at + 2)
		return s.len == at || s.at[at] == ESC ? SIZE_MAX : 0;
	s = str_from(s, at);
	if (s.at[0] != ESC || s.at[1] != '[')
		return 0;
	while (i < s.len && i < ESCAPE_MAX &&
	       ((s.at[i] >= '0' && s.at[i] <= '9') || s.at[i] == ';'))
		i++;
	if (i == s.len && i < ESCAPE_MAX)
		return SIZE_MAX;
	if (i == s.len || i == ESCAPE_MAX)
		return 0;
	if (s.at[i] == 'K' && escapes == HARMLESS_PROGRESS && i == 2)
		return at + i + 1;
	return !at && s.at[i] == 'm' && is_colour(str_n(s.at + 2, i - 2)) ? i + 1 : 0;
}

/* A sequence that was cut where `s` ends. */
static bool is_cut(struct str s)
{
	size_t len = sequence_len((unsigned char)s.at[0]);

	if (len < 2 || s.len >= len)
		return false;
	for (size_t i = 1; i < s.len; i++)
		if (((unsigned char)s.at[i] & 0xc0) != 0x80)
			return false;
	return true;
}

size_t harmless_gate(struct buf *to, struct str s, enum harmless_escapes escapes, bool last)
{
	struct str rest = s;

	while (rest.len) {
		size_t plain = 0, n;
		uint32_t c;

		while (plain < rest.len && rest.at[plain] >= ' ' && rest.at[plain] < DEL)
			plain++;
		buf_add(to, rest.at, plain);
		rest = str_from(rest, plain);
		if (!rest.len)
			break;
		if (rest.at[0] == ESC || rest.at[0] == '\r') {
			n = escape_len(rest, escapes);
			if (n == SIZE_MAX && !last)
				break;
			if (n && n != SIZE_MAX) {
				buf_add(to, rest.at, n);
				rest = str_from(rest, n);
				continue;
			}
		}
		if (!last && is_cut(rest))
			break;
		n = harmless_decode(rest, &c);
		if (c == '\n' || c == '\t' || (harmless_char(c) && c != REPLACEMENT))
			buf_add(to, rest.at, n);
		else
			buf_text(to, c == REPLACEMENT ? "\xef\xbf\xbd" : "?");
		rest = str_from(rest, n);
	}
	return s.len - rest.len;
}
