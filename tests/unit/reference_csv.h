// SPDX-License-Identifier: Apache-2.0
/*
 * CSV as base/csv.h defines it, read one byte after another, to compare the real reader with: slow,
 * without blocks or masks, and with nothing in common but the definition.  For tests and fuzzers.
 */
#ifndef TTP_TESTS_REFERENCE_CSV_H
#define TTP_TESTS_REFERENCE_CSV_H

#include "base/csv.h"

enum { REFERENCE_FIELDS = 4096 };

struct reference_csv {
	struct str data;
	size_t at;
	uint64_t next_line;
	/* the row */
	struct buf text;                   /* of all fields, one behind another */
	size_t ends[REFERENCE_FIELDS + 1]; /* of each field in `text` */
	size_t fields, row_at;
	uint64_t line;
	bool odd, quote_unclosed;
};

static inline bool reference_is_end(char c)
{
	return c == '\n' || c == '\r';
}

/* Steps over one line end. */
static inline void reference_line_end(struct reference_csv *r)
{
	bool cr = r->data.at[r->at++] == '\r';

	if (cr && r->at < r->data.len && r->data.at[r->at] == '\n')
		r->at++;
	r->next_line++;
}

/* True when the line at r->at holds blanks only; it is then stepped over. */
static inline bool reference_blank_line(struct reference_csv *r)
{
	size_t at = r->at;

	while (at < r->data.len && (r->data.at[at] == ' ' || r->data.at[at] == '\t'))
		at++;
	if (at < r->data.len && !reference_is_end(r->data.at[at]))
		return false;
	r->at = at;
	if (at < r->data.len)
		reference_line_end(r);
	return true;
}

/* The quoted text at r->at, if the quote is closed; r->at is then behind the closing quote. */
static inline bool reference_quoted(struct reference_csv *r)
{
	size_t kept = r->text.len, at = r->at + 1;
	uint64_t lines = 0;

	while (at < r->data.len) {
		char c = r->data.at[at++];
		bool more = at < r->data.len;

		if (c == '"' && !(more && r->data.at[at] == '"')) {
			r->at = at;
			r->next_line += lines;
			return true;
		}
		at += c == '"';
		lines += c == '\n' || (c == '\r' && !(more && r->data.at[at] == '\n'));
		buf_char(&r->text, c);
	}
	r->text.len = kept;
	r->quote_unclosed = true;
	return false;
}

static inline void reference_field(struct reference_csv *r)
{
	if (r->at < r->data.len && r->data.at[r->at] == '"')
		reference_quoted(r);
	while (r->at < r->data.len && r->data.at[r->at] != ',' &&
	       !reference_is_end(r->data.at[r->at]))
		buf_char(&r->text, r->data.at[r->at++]);
	if (r->fields < REFERENCE_FIELDS)
		r->ends[r->fields++] = r->text.len;
}

static inline void reference_init(struct reference_csv *r, struct str data)
{
	r->data = data;
	r->at = str_starts(data, STR("\xEF\xBB\xBF")) ? 3 : 0;
	r->next_line = 1;
	r->text = (struct buf){ 0 };
}

static inline bool reference_next(struct reference_csv *r)
{
	buf_clear(&r->text);
	r->fields = 0;
	r->quote_unclosed = r->odd = false;
	while (r->at < r->data.len && reference_blank_line(r))
		;
	if (r->at >= r->data.len)
		return false;
	r->row_at = r->at;
	r->line = r->next_line;
	reference_field(r);
	while (r->at < r->data.len && r->data.at[r->at] == ',') {
		r->at++;
		reference_field(r);
	}
	for (size_t i = r->row_at; i < r->at; i++)
		r->odd |= !r->data.at[i] || (unsigned char)r->data.at[i] >= 0x80;
	if (r->at < r->data.len)
		reference_line_end(r);
	return true;
}

static inline struct str reference_text(const struct reference_csv *r, size_t i)
{
	size_t from = i ? r->ends[i - 1] : 0;

	return str_n(buf_view(&r->text).at + from, r->ends[i] - from);
}

static inline void reference_release(struct reference_csv *r)
{
	buf_release(&r->text);
}

/* What is different about the row that both have read; NULL when nothing is. */
static inline const char *reference_differs(const struct reference_csv *want,
					    const struct csv_reader *got)
{
	if (got->row_at != want->row_at)
		return "row_at";
	if (got->quote_unclosed != want->quote_unclosed)
		return "quote_unclosed";
	if (want->odd && !got->odd_bytes)
		return "odd_bytes";
	if (want->fields == REFERENCE_FIELDS)
		return NULL; /* more than the reference holds */
	if (got->fields != want->fields)
		return "number of fields";
	for (size_t i = 0; i < got->fields; i++)
		if (!str_eq(got->field[i], reference_text(want, i)))
			return "text of a field";
	return NULL;
}

/* Reads all of `data` with both, going back to each row once more; NULL when they agree. */
static inline const char *reference_compare(struct reference_csv *want, struct str data)
{
	struct csv_reader r, again;
	const char *wrong = NULL;

	csv_reader_init(&r, data);
	csv_reader_init(&again, data);
	reference_init(want, data);
	while (!wrong) {
		bool more = reference_next(want);

		if (csv_next(&r) != more)
			wrong = "number of rows";
		if (wrong || !more)
			break;
		wrong = reference_differs(want, &r);
		if (!wrong && r.line != want->line)
			wrong = "line";
		csv_seek(&again, want->row_at);
		if (!wrong && (!csv_next(&again) || reference_differs(want, &again)))
			wrong = "the row read again";
	}
	csv_reader_release(&r);
	csv_reader_release(&again);
	reference_release(want);
	return wrong;
}

#endif /* TTP_TESTS_REFERENCE_CSV_H */
