// SPDX-License-Identifier: Apache-2.0
/*
 * CSV: one pull reader and one streaming writer for all of ttprof.
 *
 * Reader.  Works on bytes in memory (see base/input.h) and hands out a row at a time as slices of
 * them.  The dialect is the one that every tool around us writes: `,` separates; `"` is special only
 * at the start of a field and is doubled inside; LF, CRLF and CR end a row; a quoted field may hold
 * line ends; rows that are empty or blank are skipped; a UTF-8 byte order mark is dropped.
 *
 * It never fails.  A quote that is never closed would swallow the rest of the file: such a quote is
 * read as an ordinary character, the row is marked, and the next line is a row again.
 */
#ifndef TTP_BASE_CSV_H
#define TTP_BASE_CSV_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"

struct csv_reader {
	/* the row that csv_next() found; valid until the next call */
	struct str *field;
	size_t fields;
	size_t row_at;       /* offset of its first byte in the data */
	uint64_t line;       /* its first line in the file, from 1 */
	bool odd_bytes;      /* it may have bytes outside ASCII or NULs: check before trusting */
	bool quote_unclosed; /* a quoted field of it was never closed */

	/* private */
	struct str data;
	size_t at, block;
	uint64_t separators, block_odd;
	uint64_t next_line;
	size_t field_cap;
	struct buf scratch; /* text of fields that had doubled quotes, for one row */
};

void csv_reader_init(struct csv_reader *r, struct str data);
/* The next row that is not blank; false at the end. */
bool csv_next(struct csv_reader *r);
/* Goes to a row found before (its row_at); the next csv_next() reads it.  `line` is not kept. */
void csv_seek(struct csv_reader *r, size_t row_at);
/* True when field `i` lies in the data itself and so outlives the row. */
bool csv_field_stays(const struct csv_reader *r, size_t i);
void csv_reader_release(struct csv_reader *r);

/*
 * Writer.  Fields are quoted only when they must be (they hold a comma, a quote, CR or LF), as
 * Python's csv module does.
 */
struct csv_writer {
	struct buf *out;
	const char *eol; /* "\r\n" or "\n" */
	size_t fields;   /* so far in this row */
};

void csv_field(struct csv_writer *w, struct str s);
/* Begins a field that needs no quotes (numbers); the caller appends its text to w->out. */
void csv_plain(struct csv_writer *w);
void csv_end_row(struct csv_writer *w);

#endif /* TTP_BASE_CSV_H */
