// SPDX-License-Identifier: Apache-2.0
#include "base/table.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/vec.h"

enum { GAP_DEFAULT = 2, FLEXIBLE_MIN = 4 };

static const char *const sgr[] = {
#define X(name, code) [COLOUR_##name] = "\033[" code "m",
	COLOUR_LIST(X)
#undef X
};

static void colour_begin(struct buf *b, enum colour colour, bool on)
{
	if (on && colour != COLOUR_NONE)
		buf_text(b, sgr[colour]);
}

static void colour_end(struct buf *b, enum colour colour, bool on)
{
	if (on && colour != COLOUR_NONE)
		buf_text(b, "\033[0m");
}

void colour_text(struct buf *b, struct str s, enum colour colour, bool on)
{
	colour_begin(b, colour, on);
	buf_str(b, s);
	colour_end(b, colour, on);
}

static bool is_plain(struct str s)
{
	for (size_t i = 0; i < s.len; i++)
		if ((unsigned char)s.at[i] < ' ' || (unsigned char)s.at[i] >= 0x7f)
			return false;
	return true;
}

/* What the screen can show of `s`, which lies in t->text.  Valid until the next call. */
static struct str shown_text(struct table *t, struct str s)
{
	if (is_plain(s))
		return s;
	buf_clear(&t->clean);
	width_clean(&t->clean, s);
	if (t->utf8)
		return buf_view(&t->clean);
	buf_clear(&t->text);
	width_ascii(&t->text, buf_view(&t->clean));
	return buf_view(&t->text);
}

static struct str head_text(struct table *t, size_t column)
{
	const struct table_column *c = &t->columns[column];

	buf_set_str(&t->text, str_of(c->head));
	if (c->unit)
		buf_printf(&t->text, " %s", c->unit);
	return shown_text(t, buf_view(&t->text));
}

static struct str cell_text(struct table *t, size_t row, size_t column, enum colour *colour)
{
	*colour = COLOUR_NONE;
	buf_clear(&t->text);
	t->cell(t->ctx, row, column, &t->text, colour);
	return shown_text(t, buf_view(&t->text));
}

static size_t gap_of(const struct table *t)
{
	return t->gap ? t->gap : GAP_DEFAULT;
}

static size_t total_width(const struct table *t)
{
	size_t total = t->indent, shown = 0;

	for (size_t i = 0; i < t->n; i++) {
		if (!t->shown[i])
			continue;
		total += t->widths[i];
		shown++;
	}
	return total + (shown ? (shown - 1) * gap_of(t) : 0);
}

/* The column that leaves next, or n. */
static size_t next_drop(const struct table *t, bool firm)
{
	size_t best = t->n;

	for (size_t i = 0; i < t->n; i++)
		if (t->shown[i] && t->columns[i].drop && t->columns[i].firm == firm &&
		    (best == t->n || t->columns[i].drop < t->columns[best].drop))
			best = i;
	return best;
}

static size_t drop_columns(struct table *t, size_t total, bool firm)
{
	size_t column;

	while (total > t->width && (column = next_drop(t, firm)) < t->n) {
		t->shown[column] = false;
		total = total_width(t);
	}
	return total;
}

/* How far flexible columns are shortened: before any column leaves, before a firm one does, in the end. */
enum squeeze { TO_ENOUGH, TO_KNOWN, TO_LEAST };

static size_t least_width(const struct table_column *c, enum squeeze how)
{
	size_t least = c->min > FLEXIBLE_MIN ? c->min : FLEXIBLE_MIN;
	size_t wish = how == TO_ENOUGH ? c->enough : how == TO_KNOWN ? c->known_by : least;

	if (how == TO_ENOUGH && !wish)
		return SIZE_MAX;
	return wish > least ? wish : least;
}

/* The widest flexible column that still has something to give, or n. */
static size_t next_shrink(const struct table *t, enum squeeze how)
{
	size_t best = t->n;

	for (size_t i = 0; i < t->n; i++) {
		const struct table_column *c = &t->columns[i];

		if (t->shown[i] && c->flexible && t->widths[i] > least_width(c, how) &&
		    (best == t->n || t->widths[i] > t->widths[best]))
			best = i;
	}
	return best;
}

static size_t shrink_columns(struct table *t, size_t total, enum squeeze how)
{
	size_t column;

	while (total > t->width && (column = next_shrink(t, how)) < t->n) {
		t->widths[column]--;
		total--;
	}
	return total;
}

static void fit(struct table *t)
{
	SCOPED(mem) size_t *whole = mem_alloc(t->n + 1, sizeof(*whole));
	size_t total = total_width(t);

	t->tight = false;
	if (!t->width || total <= t->width)
		return;
	memcpy(whole, t->widths, t->n * sizeof(*whole));
	total = shrink_columns(t, total, TO_ENOUGH);
	total = drop_columns(t, total, false);
	total = shrink_columns(t, total, TO_KNOWN);
	(void)drop_columns(t, total, true);
	/* those that stay share the room that there is now */
	for (size_t i = 0; i < t->n; i++)
		t->widths[i] = t->shown[i] ? whole[i] : 0;
	t->tight = shrink_columns(t, total_width(t), TO_LEAST) > t->width;
}

void table_measure(struct table *t)
{
	RELEASE(mem, &t->widths, &t->shown);
	t->widths = mem_zero(t->n, sizeof(*t->widths));
	t->shown = mem_zero(t->n, sizeof(*t->shown));
	for (size_t i = 0; i < t->n; i++) {
		t->shown[i] = true;
		t->widths[i] = t->columns[i].min;
		if (!t->headless) {
			size_t w = width_text(head_text(t, i));

			t->widths[i] = w > t->widths[i] ? w : t->widths[i];
		}
	}
	for (size_t row = 0; row < t->rows; row++) {
		for (size_t i = 0; i < t->n; i++) {
			enum colour colour;
			size_t w = width_text(cell_text(t, row, i, &colour));

			t->widths[i] = w > t->widths[i] ? w : t->widths[i];
		}
	}
	fit(t);
}

/* Lines are built in t->line; the blanks before a cell are owed until there is something to print
 * after them, so no line ends in blanks. */
struct pen {
	struct table *t;
	size_t owed;
	bool any;
};

static struct pen line_begin(struct table *t)
{
	buf_clear(&t->line);
	return (struct pen){ .t = t, .owed = t->indent };
}

static void line_cell(struct pen *p, size_t column, struct str s, enum colour colour)
{
	struct table *t = p->t;
	size_t room = t->widths[column], w = width_text(s), blanks = w < room ? room - w : 0;
	bool right = t->columns[column].align == WIDTH_RIGHT;

	p->owed += (p->any ? gap_of(t) : 0) + (right ? blanks : 0);
	p->any = true;
	if (s.len) {
		buf_fill(&t->line, ' ', p->owed);
		p->owed = 0;
		colour_begin(&t->line, colour, t->colour);
		if (w > room && t->columns[column].is_name)
			width_cut_name(&t->line, s, room, t->utf8);
		else if (w > room)
			width_cut(&t->line, s, room, t->utf8);
		else
			buf_str(&t->line, s);
		colour_end(&t->line, colour, t->colour);
	}
	p->owed += right ? 0 : blanks;
}

static void line_end(struct pen *p, struct buf *b)
{
	struct table *t = p->t;

	if (t->tight)
		width_cut(b, buf_view(&t->line), t->width, t->utf8);
	else
		buf_str(b, buf_view(&t->line));
	buf_char(b, '\n');
}

static void table_rule(struct table *t, struct buf *b)
{
	struct pen p = line_begin(t);

	for (size_t i = 0; i < t->n; i++) {
		if (!t->shown[i])
			continue;
		buf_clear(&t->text);
		for (size_t w = 0; w < t->widths[i]; w++)
			buf_text(&t->text, t->utf8 ? "─" : "-");
		line_cell(&p, i, buf_view(&t->text), COLOUR_GREY);
	}
	line_end(&p, b);
}

void table_head(struct table *t, struct buf *b)
{
	struct pen p = line_begin(t);

	for (size_t i = 0; i < t->n; i++)
		if (t->shown[i])
			line_cell(&p, i, head_text(t, i), COLOUR_BOLD);
	line_end(&p, b);
	if (t->rule)
		table_rule(t, b);
}

void table_row(struct table *t, size_t row, struct buf *b)
{
	struct pen p = line_begin(t);

	for (size_t i = 0; i < t->n; i++) {
		enum colour colour;
		struct str s;

		if (!t->shown[i])
			continue;
		s = cell_text(t, row, i, &colour);
		line_cell(&p, i, s, colour);
	}
	line_end(&p, b);
}

void table_print(struct table *t, struct out *out)
{
	SCOPED(buf) struct buf b = { 0 };

	table_measure(t);
	if (!t->headless)
		table_head(t, &b);
	out_buf(out, &b);
	for (size_t row = 0; row < t->rows && out_ok(out); row++) {
		table_row(t, row, &b);
		out_buf(out, &b);
	}
}

void table_release(struct table *t)
{
	RELEASE(mem, &t->widths, &t->shown);
	t->widths = NULL;
	t->shown = NULL;
	RELEASE(buf, &t->text, &t->line, &t->clean);
}

void bar_add(struct buf *b, double part, size_t width, bool utf8)
{
	double share = part > 0 ? part < 1 ? part : 1 : 0; /* not a number counts as nothing */
	size_t full = (size_t)(share * (double)width + 0.5);

	for (size_t i = 0; i < width; i++) {
		if (utf8)
			buf_text(b, i < full ? "█" : "░");
		else
			buf_char(b, i < full ? '#' : '.');
	}
}
