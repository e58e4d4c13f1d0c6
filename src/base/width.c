// SPDX-License-Identifier: Apache-2.0
#include "base/width.h"

#include "base/harmless.h"
#include "base/order.h"
#include "base/width_table.h"

enum { ESC = 0x1b, DEL = 0x7f, REPLACEMENT = 0xfffd };

static bool within(const struct width_range *r, size_t n, uint32_t c)
{
	size_t lo = order_first(i, n, c > r[i].last);

	return lo < n && c >= r[lo].first;
}

int width_char(uint32_t c)
{
	if (c < 0x300)
		return c < ' ' || (c >= DEL && c < 0xa0) ? 0 : 1;
	if (within(width_zero, sizeof(width_zero) / sizeof(width_zero[0]), c))
		return 0;
	return within(width_two, sizeof(width_two) / sizeof(width_two[0]), c) ? 2 : 1;
}

/* Bytes of an escape sequence ESC [ … letter at the start of `s`, or 0. */
static size_t escape_len(struct str s)
{
	if (s.len < 3 || s.at[0] != ESC || s.at[1] != '[')
		return 0;
	for (size_t i = 2; i < s.len; i++) {
		if (s.at[i] >= 0x40 && s.at[i] <= 0x7e)
			return i + 1;
		if (s.at[i] < 0x20 || s.at[i] > 0x3f)
			break;
	}
	return 0;
}

/* The next character or escape sequence: its bytes and columns. */
static size_t step(struct str s, size_t *columns, bool *escape)
{
	size_t n = escape_len(s);
	uint32_t c;

	*escape = n > 0;
	*columns = 0;
	if (n)
		return n;
	n = harmless_decode(s, &c);
	*columns = (size_t)width_char(c);
	return n;
}

/* Nearly all text is plain ASCII; the others are decoded. */
size_t width_text(struct str s)
{
	size_t total = 0;

	while (s.len) {
		unsigned char c = (unsigned char)s.at[0];
		size_t columns, n = 1;
		bool escape;

		if (c >= ' ' && c < DEL)
			columns = 1;
		else
			n = step(s, &columns, &escape);
		total += columns;
		s = str_from(s, n);
	}
	return total;
}

void width_cut(struct buf *b, struct str s, size_t max, bool utf8)
{
	size_t at = 0;
	bool full = false;

	if (width_text(s) <= max) {
		buf_str(b, s);
		return;
	}
	while (s.len) {
		size_t columns;
		bool escape;
		size_t n = step(s, &columns, &escape);

		if (escape) {
			buf_add(b, s.at, n);
		} else if (!full && max && at + columns <= max - 1) {
			buf_add(b, s.at, n);
			at += columns;
		} else if (!full) {
			full = true;
			if (max)
				buf_text(b, utf8 ? "…" : ".");
		}
		s = str_from(s, n);
	}
}

void width_cut_middle(struct buf *b, struct str s, size_t max, bool utf8)
{
	size_t all = width_text(s), tail = max ? (max - 1) / 2 : 0, head = max ? max - 1 - tail : 0;
	size_t at = 0;
	bool cut = false;

	if (all <= max) {
		buf_str(b, s);
		return;
	}
	while (s.len) {
		size_t columns;
		bool escape;
		size_t n = step(s, &columns, &escape);

		if (!cut && at + columns > head) {
			cut = true;
			if (max)
				buf_text(b, utf8 ? "…" : ".");
		}
		/* marks of a character that is gone have no width, and go with it */
		if (!escape && (!cut || (at >= all - tail && (columns || at > all - tail))))
			buf_add(b, s.at, n);
		at += columns;
		s = str_from(s, n);
	}
}

void width_cut_name(struct buf *b, struct str s, size_t max, bool utf8)
{
	enum { KNOWN_BY = 12 };
	size_t from = 0, most = 0, all = width_text(s), others;
	struct str longest = { 0 };

	while (from < s.len) {
		struct str rest = str_from(s, from);
		size_t blank = str_find_char(rest, ' ');
		struct str word = str_head(rest, blank == STR_NONE ? rest.len : blank);

		if (width_text(word) > most) {
			longest = word;
			most = width_text(word);
		}
		from += word.len + 1;
	}
	others = all - most;
	if (all <= max || others + KNOWN_BY > max) {
		width_cut(b, s, max, utf8);
		return;
	}
	buf_str(b, str_head(s, (size_t)(longest.at - s.at)));
	width_cut_middle(b, longest, max - others, utf8);
	buf_str(b, str_from(s, (size_t)(longest.at - s.at) + longest.len));
}

void width_cut_words(struct buf *b, struct str s, size_t most, bool utf8)
{
	struct str word;

	for (bool first = true; s.len; first = false) {
		bool last = str_find_char(s, ' ') == STR_NONE;

		(void)str_split(&s, ' ', &word);
		if (!first)
			buf_char(b, ' ');
		width_cut_middle(b, word, most, utf8);
		if (!last && !s.len)
			buf_char(b, ' ');
	}
}

void width_pad(struct buf *b, struct str s, size_t width, enum width_align align)
{
	size_t w = width_text(s), blanks = w < width ? width - w : 0;

	if (align == WIDTH_RIGHT)
		buf_fill(b, ' ', blanks);
	buf_str(b, s);
	if (align == WIDTH_LEFT)
		buf_fill(b, ' ', blanks);
}

void width_clean(struct buf *b, struct str s)
{
	while (s.len) {
		uint32_t c;
		size_t n = harmless_decode(s, &c);

		if (c == '\t')
			buf_char(b, ' ');
		else if (!harmless_char(c))
			buf_char(b, '?');
		else if (c == REPLACEMENT && n == 1)
			buf_text(b, "\xef\xbf\xbd");
		else
			buf_add(b, s.at, n);
		s = str_from(s, n);
	}
}

void width_clean_lines(struct buf *b, struct str s)
{
	(void)harmless_gate(b, s, HARMLESS_NO_ESCAPES, true);
}

void width_ascii(struct buf *b, struct str s)
{
	static const struct {
		uint32_t c;
		char like;
	} likes[] = {
		{ 0xa0, ' ' },   { 0xb1, '~' },   { 0xb5, 'u' },   { 0xb7, '-' },   { 0xd7, 'x' },
		{ 0x3bc, 'u' },  { 0x2009, ' ' }, { 0x2010, '-' }, { 0x2011, '-' }, { 0x2013, '-' },
		{ 0x2014, '-' }, { 0x2018, 39 },  { 0x2019, 39 },  { 0x201c, '"' }, { 0x201d, '"' },
		{ 0x2022, '*' }, { 0x2026, '.' }, { 0x202f, ' ' }, { 0x2190, '<' }, { 0x2192, '>' },
		{ 0x2191, '^' }, { 0x2193, 'v' }, { 0x2212, '-' }, { 0x2248, '~' }, { 0x2264, '<' },
		{ 0x2265, '>' }, { 0x2500, '-' }, { 0x2502, '|' }, { 0x2588, '#' }, { 0x2591, '.' },
		{ 0x2592, ':' }, { 0x2593, '%' },
	};

	while (s.len) {
		size_t columns, n, i;
		bool escape;
		uint32_t c = 0;

		n = step(s, &columns, &escape);
		if (!escape)
			(void)harmless_decode(s, &c);
		for (i = 0; i < sizeof(likes) / sizeof(likes[0]); i++)
			if (c && likes[i].c == c)
				break;
		if (escape || ((unsigned char)s.at[0] < 0x80))
			buf_add(b, s.at, n);
		else if (i < sizeof(likes) / sizeof(likes[0]))
			buf_char(b, likes[i].like);
		else
			buf_fill(b, '?', columns);
		s = str_from(s, n);
	}
}
