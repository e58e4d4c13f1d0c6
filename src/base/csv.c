// SPDX-License-Identifier: Apache-2.0
/*
 * The reader looks at 64 bytes at a time: one mask of the bytes that can end a field, one of those
 * that need care (not ASCII, or NUL).  Between separators nothing is looked at twice; a field that
 * begins with a quote leaves this path, is read by itself, and the masks are made anew behind it.
 */
#include "base/csv.h"

#include <stdlib.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { BLOCK_BYTES = 64 };

struct masks {
	uint64_t separators, odd;
};

#ifdef __SSE2__
static struct masks masks_of(const char *p)
{
	const __m128i comma = _mm_set1_epi8(','), lf = _mm_set1_epi8('\n'),
		      cr = _mm_set1_epi8('\r');
	const __m128i one = _mm_set1_epi8(1);
	struct masks m = { 0 };

	for (int i = 0; i < BLOCK_BYTES; i += 16) {
		__m128i v = _mm_loadu_si128((const __m128i *)(const void *)(p + i));
		__m128i sep =
			_mm_or_si128(_mm_cmpeq_epi8(v, comma),
				     _mm_or_si128(_mm_cmpeq_epi8(v, lf), _mm_cmpeq_epi8(v, cr)));

		m.separators |= (uint64_t)(unsigned)_mm_movemask_epi8(sep) << i;
		/* signed: below 1 are NUL and everything from 0x80 on */
		m.odd |= (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmplt_epi8(v, one)) << i;
	}
	return m;
}
#else
static struct masks masks_of(const char *p)
{
	struct masks m = { 0 };

	for (int i = 0; i < BLOCK_BYTES; i++) {
		char c = p[i];

		m.separators |= (uint64_t)(c == ',' || c == '\n' || c == '\r') << i;
		m.odd |= (uint64_t)((signed char)c < 1) << i;
	}
	return m;
}
#endif

/* Masks of the block that begins at `block`; past the end of the data there is nothing. */
static struct masks load(const struct csv_reader *r, size_t block)
{
	char tail[BLOCK_BYTES];
	size_t left = r->data.len - block;

	if (left >= BLOCK_BYTES)
		return masks_of(r->data.at + block);
	memset(tail, 'x', sizeof(tail));
	memcpy(tail, r->data.at + block, left);
	return masks_of(tail);
}

static void go_to(struct csv_reader *r, size_t at)
{
	struct masks m = { 0 };

	r->at = at;
	r->block = at - at % BLOCK_BYTES;
	if (r->block < r->data.len)
		m = load(r, r->block);
	r->separators = m.separators & ~0ull << at % BLOCK_BYTES;
	r->block_odd = m.odd;
}

void csv_reader_init(struct csv_reader *r, struct str data)
{
	*r = (struct csv_reader){ .data = data, .next_line = 1 };
	go_to(r, str_starts(data, STR("\xEF\xBB\xBF")) ? 3 : 0);
}

void csv_seek(struct csv_reader *r, size_t row_at)
{
	go_to(r, row_at);
}

bool csv_field_stays(const struct csv_reader *r, size_t i)
{
	const char *at = r->field[i].at;

	return at >= r->data.at && at <= r->data.at + r->data.len;
}

/* Offset of the next separator at or behind r->at, or the end of the data. */
static size_t next_separator(struct csv_reader *r)
{
	while (!r->separators) {
		struct masks m;

		r->block += BLOCK_BYTES;
		if (r->block >= r->data.len)
			return r->data.len;
		m = load(r, r->block);
		r->separators = m.separators;
		r->block_odd = m.odd;
		r->odd_bytes |= m.odd != 0;
	}
	return r->block + (size_t)__builtin_ctzll(r->separators);
}

static void push_field(struct csv_reader *r, struct str s)
{
	if (r->fields == r->field_cap)
		r->field = vec_grow(r->field, &r->field_cap, r->fields + 1, sizeof(*r->field));
	r->field[r->fields++] = s;
}

/* Offset of the quote that closes a field whose text begins at `from`; STR_NONE without one. */
static size_t closing_quote(const struct csv_reader *r, size_t from)
{
	for (;;) {
		size_t n = str_find_char(str_from(r->data, from), '"');

		if (n == STR_NONE)
			return STR_NONE;
		from += n;
		if (from + 1 >= r->data.len || r->data.at[from + 1] != '"')
			return from;
		from += 2;
	}
}

static uint64_t lines_in(struct str s)
{
	uint64_t n = 0;

	for (size_t i = 0; i < s.len; i++)
		n += s.at[i] == '\n' ||
		     (s.at[i] == '\r' && (i + 1 == s.len || s.at[i + 1] != '\n'));
	return n;
}

static bool has_odd(struct str s)
{
	for (size_t i = 0; i < s.len; i++)
		if ((signed char)s.at[i] < 1)
			return true;
	return false;
}

/*
 * A field that begins with a quote at r->at.  Afterwards r->at is its separator.  False: the quote
 * is never closed, and the field is to be read as plain text.
 *
 * Text behind the closing quote belongs to the field, quotes in it being plain characters.
 */
static bool quoted_field(struct csv_reader *r)
{
	size_t from = r->at + 1, close, end, kept;
	struct str inner;

	close = closing_quote(r, from);
	if (close == STR_NONE) {
		/* At most once in a file, so that the search costs little: all quotes from here on are
		 * doubled, and a field that begins with doubled quotes is closed by the last of them. */
		r->quote_unclosed = true;
		return false;
	}
	inner = str_n(r->data.at + from, close - from);
	r->next_line += lines_in(inner);
	r->odd_bytes |= has_odd(inner);
	go_to(r, close + 1);
	r->odd_bytes |= r->block_odd != 0;
	end = next_separator(r);
	r->at = end;
	if (end == close + 1 && str_find_char(inner, '"') == STR_NONE) {
		push_field(r, inner);
		return true;
	}
	kept = r->scratch.len;
	for (size_t i = 0; i < inner.len; i++) {
		buf_char(&r->scratch, inner.at[i]);
		i += inner.at[i] == '"';
	}
	buf_add(&r->scratch, r->data.at + close + 1, end - close - 1);
	push_field(r, str_n(NULL, r->scratch.len - kept)); /* placed once the row is complete */
	return true;
}

/* The scratch buffer may have moved while it grew: its fields get their addresses at the end. */
static void place_scratch(struct csv_reader *r)
{
	size_t at = 0;

	if (!r->scratch.len)
		return;
	for (size_t i = 0; i < r->fields; i++)
		if (!r->field[i].at) {
			r->field[i].at = r->scratch.at + at;
			at += r->field[i].len;
		}
}

static bool is_line_end(char c)
{
	return c == '\n' || c == '\r';
}

static size_t after_line_end(const struct csv_reader *r, size_t at)
{
	bool crlf = r->data.at[at] == '\r' && at + 1 < r->data.len && r->data.at[at + 1] == '\n';

	return at + 1 + crlf;
}

/* Skips rows that are empty or of blanks and tabs only. */
static void skip_blank_rows(struct csv_reader *r)
{
	size_t at = r->at, row = r->at;

	while (at < r->data.len) {
		char c = r->data.at[at];

		if (c == ' ' || c == '\t') {
			at++;
		} else if (is_line_end(c)) {
			row = at = after_line_end(r, at);
			r->next_line++;
		} else {
			break;
		}
	}
	if (at == r->data.len)
		row = at;
	if (row != r->at)
		go_to(r, row);
}

/*
 * Fields up to the end of the row or to one that begins with a quote, the path that nearly every field
 * takes: state is kept in registers.  Returns the offset of the separator behind the last field taken;
 * *stopped_at_quote says that the next field is a quoted one.
 */
static size_t plain_fields(struct csv_reader *r, bool *stopped_at_quote)
{
	const char *data = r->data.at;
	const size_t len = r->data.len;
	size_t at = r->at, block = r->block, end;
	uint64_t separators = r->separators, odd = 0;

	*stopped_at_quote = false;
	for (;;) {
		while (!separators) {
			struct masks m;

			block += BLOCK_BYTES;
			if (block >= len) {
				end = len;
				goto last;
			}
			m = len - block >= BLOCK_BYTES ? masks_of(data + block) : load(r, block);
			separators = m.separators;
			r->block_odd = m.odd;
			odd |= m.odd;
		}
		end = block + (size_t)__builtin_ctzll(separators);
		if (r->fields == r->field_cap)
			r->field =
				vec_grow(r->field, &r->field_cap, r->fields + 1, sizeof(*r->field));
		r->field[r->fields++] = str_n(data + at, end - at);
		at = end;
		if (data[end] != ',')
			goto done;
		separators &= separators - 1;
		at = end + 1;
		if (at < len && data[at] == '"') {
			*stopped_at_quote = true;
			goto done;
		}
	}
last:
	push_field(r, str_n(data + at, len - at));
	at = len;
done:
	r->at = at;
	r->block = block;
	r->separators = separators;
	r->odd_bytes |= odd != 0;
	return end;
}

/* Steps over the line end at `end`. */
static void next_row(struct csv_reader *r, size_t end)
{
	size_t next = after_line_end(r, end);

	r->next_line++;
	r->separators &= r->separators - 1;
	r->at = next;
	if (next == end + 1)
		return;
	if (r->separators && next % BLOCK_BYTES)
		r->separators &= r->separators - 1; /* the LF of a CRLF */
	else
		go_to(r, next);
}

bool csv_next(struct csv_reader *r)
{
	r->fields = 0;
	r->quote_unclosed = false;
	r->scratch.len = 0;
	skip_blank_rows(r);
	if (r->at >= r->data.len)
		return false;
	r->row_at = r->at;
	r->line = r->next_line;
	r->odd_bytes = r->block_odd != 0;
	for (;;) {
		bool quote = r->data.at[r->at] == '"';
		size_t end;

		if (quote && quoted_field(r)) {
			end = r->at;
			if (end < r->data.len && r->data.at[end] == ',') {
				r->separators &= r->separators - 1;
				r->at = end + 1;
				if (r->at < r->data.len)
					continue;
				push_field(r, str_n(r->data.at + r->at,
						    0)); /* nothing behind the comma */
				end = r->data.len;
			}
		} else {
			end = plain_fields(r, &quote);
			if (quote)
				continue;
		}
		if (end < r->data.len)
			next_row(r, end);
		break;
	}
	place_scratch(r);
	return true;
}

void csv_reader_release(struct csv_reader *r)
{
	free(r->field);
	buf_release(&r->scratch);
	*r = (struct csv_reader){ 0 };
}

static void begin_field(struct csv_writer *w)
{
	if (w->fields++)
		buf_char(w->out, ',');
}

void csv_field(struct csv_writer *w, struct str s)
{
	bool quote = false;

	begin_field(w);
	for (size_t i = 0; i < s.len && !quote; i++)
		quote = s.at[i] == ',' || s.at[i] == '"' || is_line_end(s.at[i]);
	if (!quote) {
		buf_str(w->out, s);
		return;
	}
	buf_char(w->out, '"');
	for (size_t i = 0; i < s.len; i++) {
		if (s.at[i] == '"')
			buf_char(w->out, '"');
		buf_char(w->out, s.at[i]);
	}
	buf_char(w->out, '"');
}

void csv_plain(struct csv_writer *w)
{
	begin_field(w);
}

void csv_end_row(struct csv_writer *w)
{
	buf_text(w->out, w->eol);
	w->fields = 0;
}
