// SPDX-License-Identifier: Apache-2.0
/* The ops of a run in lines, as the table of `ttprof report` has them; one line is chosen. */
#ifndef TTP_TUI_OP_LIST_H
#define TTP_TUI_OP_LIST_H

#include "report/listing.h"
#include "tui/tui.h"

struct op_list {
	size_t top, at; /* the first line that is shown, the chosen one */
	/* ours: */
	struct report_options ask;
	struct report report;
	struct listing listing;
	const struct ops_table *ops;
	regex_t *regex;    /* of the filter; NULL: none */
	struct buf filter; /* as it was typed; empty: none */
	bool made;
};

/* Lines of like ops, or gaps: a line per op, the longest gap first. */
void op_list_init(struct op_list *l, const struct tui_source *source, bool gaps);
/* For a screen of this width, and again whenever that or what was asked for changed. */
void op_list_make(struct op_list *l, struct term term);
void op_list_release(struct op_list *l);

static inline size_t op_list_len(const struct op_list *l)
{
	return l->report.shown.len;
}

/* Of the line that was chosen; 0 if there is none. */
uint32_t op_list_id(const struct op_list *l);
/* The next column that is shown, or the one before, in its usual order. */
void op_list_sort_next(struct op_list *l, bool back);
void op_list_turn_round(struct op_list *l);
/* A line per op, or one for like ops. */
void op_list_toggle_each(struct op_list *l);
/* A regular expression on names; empty: all.  On failure the one before stays. */
enum ttp_rc op_list_filter(struct op_list *l, const char *text, struct ttp_err *e) TTP_CHECKED;

/* Head and lines, `rows` in all; moves `top` so that the chosen line is seen. */
void op_list_paint(struct op_list *l, size_t rows, struct buf *to);
/* "24 lines of 310 ops, by device time": what is listed. */
void op_list_where(const struct op_list *l, struct buf *to);
/* What is to be said of the chosen line: advice, or where the host was in the gap before it. */
void op_list_detail(const struct op_list *l, struct buf *to);

#endif /* TTP_TUI_OP_LIST_H */
