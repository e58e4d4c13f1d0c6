// SPDX-License-Identifier: Apache-2.0
/*
 * Tables for people.  Columns are declared, cells are asked for one by one, so a table of a million
 * rows takes no more memory than one of ten:
 *
 *	struct table t = { .columns = columns, .n = 5, .rows = ops->len, .cell = op_cell, .ctx = ops,
 *	                   .width = term.width, .colour = term.colour, .utf8 = term.utf8 };
 *	table_print(&t, cmd_stdout());
 *	table_release(&t);
 *
 * Every cell is asked for twice, once to measure and once to print, and must say the same both times.
 * A table that is wider than `width` is made narrower in this order, until it fits: flexible columns are
 * shortened to `enough`, columns leave in the order of their `drop` (1 first), flexible columns are
 * shortened to `known_by`, columns that are `firm` leave, flexible ones are shortened to `min`.  So one long name
 * costs no column that matters.  What is shortened has a "…"; no line is ever longer than the screen.
 * Cells are one line: control characters in them are shown as "?", so data can't steer the terminal.
 */
#ifndef TTP_BASE_TABLE_H
#define TTP_BASE_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/out.h"
#include "base/str.h"
#include "base/width.h"

#define COLOUR_LIST(X)        \
	X(NONE, "")           \
	X(RED, "31")          \
	X(GREEN, "32")        \
	X(YELLOW, "33")       \
	X(BLUE, "34")         \
	X(MAGENTA, "35")      \
	X(CYAN, "36")         \
	X(WHITE, "37")        \
	X(GREY, "90")         \
	X(BOLD, "1")          \
	X(BOLD_RED, "1;31")   \
	X(BOLD_GREEN, "1;32") \
	X(BOLD_YELLOW, "1;33")

enum colour {
#define X(name, sgr) COLOUR_##name,
	COLOUR_LIST(X)
#undef X
};

/* Appends `s` in a colour; plainly when `on` is false. */
void colour_text(struct buf *b, struct str s, enum colour colour, bool on);

struct table_column {
	const char *head; /* UTF-8 */
	const char *unit; /* shown after the head; NULL: none */
	enum width_align align;
	size_t min; /* columns at least; for a flexible one, what shortening leaves (at least 4) */
	unsigned drop; /* 0: stays; else the order of leaving, 1 first */
	bool flexible; /* may be shortened */
	bool firm;     /* leaves only when the flexible ones are at their least */
	bool is_name;  /* shortened by width_cut_name() */
	size_t enough; /* a flexible one that is wider is shortened before any column leaves; 0: after */
	size_t known_by; /* and to this before a firm one leaves; 0: min */
};

/* What of a name is enough to know it by, with its shape. */
enum { TABLE_NAME = 34 };

/* Appends the text of a cell (b comes empty) and may set its colour. */
typedef void table_cell(void *ctx, size_t row, size_t column, struct buf *b, enum colour *colour);

struct table {
	const struct table_column *columns;
	size_t n, rows;
	table_cell *cell;
	void *ctx;
	size_t width;      /* of the screen; 0: as wide as it takes */
	size_t indent;     /* blanks before each line */
	size_t gap;        /* blanks between columns; 0: two */
	bool rule;         /* a line under the head */
	bool headless;     /* no head */
	bool colour, utf8; /* what the screen can do: struct term */

	/* From here on the table's own; filled by table_measure(). */
	size_t *widths; /* per column; 0 and !shown when dropped */
	bool *shown;
	bool tight; /* even so too wide: lines are cut */
	struct buf text, line, clean;
};

/* Asks for all cells and decides on widths.  The other functions need it done. */
void table_measure(struct table *t);
/* Each appends one line, or two for a head with a rule. */
void table_head(struct table *t, struct buf *b);
void table_row(struct table *t, size_t row, struct buf *b);
/* Measures and prints all; stops early when `out` fails. */
void table_print(struct table *t, struct out *out);
void table_release(struct table *t);

/* A bar of `width` columns, `part` (0..1, else clipped) of them full: ████░░░░ or ####.... */
void bar_add(struct buf *b, double part, size_t width, bool utf8);

#endif /* TTP_BASE_TABLE_H */
