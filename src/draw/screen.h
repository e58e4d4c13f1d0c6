// SPDX-License-Identifier: Apache-2.0
/* What pictures in a terminal have in common. */
#ifndef TTP_DRAW_SCREEN_H
#define TTP_DRAW_SCREEN_H

#include "base/out.h"
#include "base/table.h"
#include "base/term.h"

struct screen {
	struct term term;
	struct out *out;
	struct buf b; /* what is said, in UTF-8; put() sends it as the screen can show it */
};

/* A blank at which no line ends, in texts that are wrapped. */
#define NO_BREAK "\xc2\xa0"

/* Ends the line; one that is too long is cut. */
void screen_line(struct screen *s);
/* The text so far in lines of the screen's width. */
void screen_wrap(struct screen *s);
/* The same with this at its end. */
void screen_say(struct screen *s, const char *text);
/* Like it, with `indent` blanks before all lines but the first. */
void screen_hang(struct screen *s, int indent);
void screen_indent(struct screen *s, int indent); /* before all */
/*
 * A table is a list of columns, X(id, head, unit, align, min, drop, flexible, what appends its cell to `b`), from which come
 *
 *	enum { LIST(SCREEN_ID) };
 *	static const struct table_column columns[] = { LIST(SCREEN_COLUMN) };
 *	switch (column) { LIST(SCREEN_CELL) }
 */
#define SCREEN_ID(id, head, unit, align, min, drop, flexible, cell) COLUMN_##id,
#define SCREEN_COLUMN(id, heading, of_unit, side, least, order, may_cut, cell) \
	{ .head = heading,                                                     \
	  .unit = of_unit,                                                     \
	  .align = WIDTH_##side,                                               \
	  .min = least,                                                        \
	  .drop = order,                                                       \
	  .flexible = may_cut },
#define SCREEN_CELL(id, head, unit, align, min, drop, flexible, cell) \
	case COLUMN_##id:                                             \
		cell;                                                 \
		break;

/* Rows of `cell` below `columns`. */
void screen_table(struct screen *s, const struct table_column *columns, size_t n, size_t rows,
		  table_cell *cell, void *ctx);
void screen_release(struct screen *s);

/* A number with thousands apart: "175 336". */
void add_count(struct buf *b, uint64_t n);
/* "1 op", "2 ops" */
void add_counted(struct buf *b, uint64_t n, const char *one, const char *many);
/* ns in µs, ms, … to three digits, right-aligned in a column of 8. */
void add_time_column(struct buf *b, double ns);

#endif /* TTP_DRAW_SCREEN_H */
