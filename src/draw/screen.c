// SPDX-License-Identifier: Apache-2.0
#include "draw/screen.h"

#include "base/number.h"
#include "base/opt.h"
#include "base/width.h"
#include "report/label.h"

/* Sends and empties the text. */
static void screen_put(struct screen *s)
{
	SCOPED(buf) struct buf plain = { 0 };

	if (s->term.utf8) {
		out_buf(s->out, &s->b);
		return;
	}
	width_ascii(&plain, buf_view(&s->b));
	out_buf(s->out, &plain);
	buf_clear(&s->b);
}

void screen_line(struct screen *s)
{
	SCOPED(buf) struct buf cut = { 0 };

	while (s->b.len && s->b.at[s->b.len - 1] == ' ')
		s->b.at[--s->b.len] = 0;
	width_cut(&cut, buf_view(&s->b), (size_t)s->term.width, true);
	buf_set_str(&s->b, buf_view(&cut));
	buf_char(&s->b, '\n');
	screen_put(s);
}

/* A number and its unit stay on one line: the blank between them is one that does not break. */
static void tie_units(struct buf *to, struct str s)
{
	for (size_t i = 0; i < s.len; i++) {
		bool before = i && s.at[i - 1] >= '0' && s.at[i - 1] <= '9';
		struct str after = str_from(s, i + 1);
		bool unit = str_starts(after, STR("ns")) || str_starts(after, STR("µs")) ||
			    str_starts(after, STR("ms")) || str_starts(after, STR("s ")) ||
			    str_starts(after, STR("s,")) || str_starts(after, STR("%"));

		if (s.at[i] == ' ' && before && unit)
			buf_text(to, NO_BREAK);
		else
			buf_char(to, s.at[i]);
	}
}

static void untie(struct buf *to, struct str s)
{
	for (size_t i = 0; i < s.len; i++)
		if (s.at[i] == '\xc2' && i + 1 < s.len && s.at[i + 1] == '\xa0') {
			buf_char(to, ' ');
			i++;
		} else {
			buf_char(to, s.at[i]);
		}
}

static void wrapped(struct screen *s, int indent, int at)
{
	SCOPED(buf) struct buf tied = { 0 }, lines = { 0 };

	if (!s->b.len)
		return;
	tie_units(&tied, buf_view(&s->b));
	opt_wrap(&lines, tied.at, indent, at, s->term.width);
	buf_clear(&s->b);
	untie(&s->b, buf_view(&lines));
	screen_put(s);
}

void screen_wrap(struct screen *s)
{
	wrapped(s, 0, 0);
}

void screen_say(struct screen *s, const char *text)
{
	buf_text(&s->b, text);
	screen_wrap(s);
}

void screen_hang(struct screen *s, int indent)
{
	wrapped(s, indent, indent);
}

void screen_indent(struct screen *s, int indent)
{
	wrapped(s, indent, 0);
}

void screen_table(struct screen *s, const struct table_column *columns, size_t n, size_t rows,
		  table_cell *cell, void *ctx)
{
	struct table t = { .columns = columns,
			   .n = n,
			   .rows = rows,
			   .cell = cell,
			   .ctx = ctx,
			   .width = (size_t)s->term.width,
			   .colour = s->term.colour,
			   .utf8 = s->term.utf8,
			   .rule = true };

	table_print(&t, s->out);
	table_release(&t);
}

void screen_release(struct screen *s)
{
	buf_release(&s->b);
}

void add_count(struct buf *b, uint64_t n)
{
	number_fixed(b, (double)n, 0, n >= 10000 ? ' ' : 0);
}

void add_counted(struct buf *b, uint64_t n, const char *one, const char *many)
{
	add_count(b, n);
	buf_printf(b, " %s", n == 1 ? one : many);
}

void add_time_column(struct buf *b, double ns)
{
	SCOPED(buf) struct buf t = { 0 };

	label_ns(&t, ns);
	width_pad(b, buf_view(&t), 8, WIDTH_RIGHT);
}
