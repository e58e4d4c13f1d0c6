// SPDX-License-Identifier: Apache-2.0
/*
 * Lanes in a terminal.  A character holds two buckets of four dots each: the height of the dots is the part of the bucket that was busy, a quarter
 * each, so that what is shorter than a column is shown as what it is, a little.  Below a lane stands what it was most busy with.
 */
#include <math.h>
#include <stdlib.h>

#include "base/number.h"
#include "base/width.h"
#include "draw/screen.h"
#include "draw/timeline.h"
#include "report/label.h"

enum { SHARE_COLUMNS = 6, LEGEND_LINES = 8, NARROW = 60 };

static int label_columns(int width)
{
	return width < NARROW ? 10 : width < 100 ? 15 : 22;
}

size_t timeline_columns(int width)
{
	int n = width - label_columns(width) - 1 - SHARE_COLUMNS;

	return n < 10 ? 10 : (size_t)n;
}

/* 0: nothing, 1 to 4: up to so many quarters. */
static unsigned level(double part)
{
	unsigned quarters = (unsigned)ceil(part * 4 - 1e-6);

	if (!(part > 0))
		return 0;
	return quarters < 1 ? 1 : quarters > 4 ? 4 : quarters;
}

static void add_braille(struct buf *b, unsigned left, unsigned right)
{
	static const unsigned char lefts[] = { 0, 0x40, 0x44, 0x46, 0x47 };
	static const unsigned char rights[] = { 0, 0x80, 0xa0, 0xb0, 0xb8 };
	unsigned code = 0x2800u + lefts[left] + rights[right];

	if (code == 0x2800) {
		buf_char(b, ' ');
		return;
	}
	buf_char(b, (char)(0xe0 | code >> 12));
	buf_char(b, (char)(0x80 | (code >> 6 & 0x3f)));
	buf_char(b, (char)(0x80 | (code & 0x3f)));
}

struct picture {
	const struct timeline_axis *a;
	struct screen *s;
	size_t columns, per; /* buckets of a column: 2, or 1 without braille */
	int label;
	bool *in_legend; /* by name: a letter that nothing explains says nothing */
};

static double column_part(const struct picture *p, const struct draw_lane *lane, size_t column,
			  size_t half)
{
	size_t at = column * p->per + half;

	return at < p->a->lanes.buckets ? lane_part(&p->a->lanes, lane, at) : 0;
}

static void add_label(struct picture *p, struct str name, bool indent)
{
	SCOPED(buf) struct buf cut = { 0 };

	if (indent)
		buf_text(&cut, "  ");
	width_cut(&cut, name, (size_t)p->label - (indent ? 2 : 0), true);
	width_pad(&p->s->b, buf_view(&cut), (size_t)p->label + 1, WIDTH_LEFT);
}

static void add_busy(struct picture *p, const struct draw_lane *lane)
{
	static const char levels[] = " .:+#";
	SCOPED(buf) struct buf row = { 0 };
	double span =
		(double)(p->a->lanes.window.to_ns - p->a->lanes.window.from_ns) * lane->weight;
	double share = span > 0 ? 100 * lane->busy_ns / span : 0;

	add_label(p, lane->name, lane->kind == LANE_RISC_SUM || lane->kind == LANE_CORE);
	for (size_t i = 0; i < p->columns; i++)
		if (p->per == 2)
			add_braille(&row, level(column_part(p, lane, i, 0)),
				    level(column_part(p, lane, i, 1)));
		else
			buf_char(&row, levels[level(column_part(p, lane, i, 0))]);
	colour_text(&p->s->b, buf_view(&row),
		    lane->kind == LANE_HOST  ? COLOUR_GREEN
		    : lane->kind == LANE_OPS ? COLOUR_CYAN
					     : COLOUR_NONE,
		    p->s->term.colour);
	buf_printf(&p->s->b, share > 0 && share < 1 ? "  <1 %%" : " %3.0f %%", share);
	screen_line(p->s);
}

static enum colour letter_colour(char letter)
{
	static const enum colour colours[] = { COLOUR_YELLOW, COLOUR_MAGENTA, COLOUR_CYAN,
					       COLOUR_GREEN,  COLOUR_RED,     COLOUR_NONE };

	return colours[(unsigned)(letter - 'A') % 6];
}

/* What it was busy with, a letter each. */
static void add_letters(struct picture *p, const struct draw_lane *lane)
{
	if (!lane->with)
		return;
	add_label(p, STR(""), false);
	for (size_t i = 0; i < p->columns; i++) {
		size_t to = (i + 1) * p->per;
		uint32_t with = lane_with(lane, i * p->per,
					  to < p->a->lanes.buckets ? to : p->a->lanes.buckets);
		char letter = ' ';

		if (with != UINT32_MAX)
			letter = p->in_legend[with] ? p->a->lanes.names.at[with].letter : '.';
		if (p->s->term.colour && letter > '.')
			colour_text(&p->s->b, str_n(&letter, 1), letter_colour(letter), true);
		else
			buf_char(&p->s->b, letter);
	}
	screen_line(p->s);
}

static void add_axis(struct picture *p)
{
	const struct lanes *l = &p->a->lanes;
	double from = (double)l->window.from_ns, to = (double)l->window.to_ns;
	struct axis axis = axis_of(from, to, (int)p->columns / 9);
	SCOPED(buf) struct buf line = { 0 }, text = { 0 };
	double at;

	buf_fill(&line, ' ', p->columns);
	for (int i = 0; axis_at(&axis, i, to, &at); i++) {
		size_t column = (size_t)((at - from) / (to - from) * (double)p->columns);

		buf_clear(&text);
		buf_char(&text, '|');
		axis_number(&text, &axis, at);
		if (column + text.len > p->columns)
			break;
		memcpy(line.at + column, text.at, text.len);
	}
	buf_set(&text, "%s%s%s", p->a->what, *p->a->what ? ", " : "", axis.unit);
	add_label(p, buf_view(&text), false);
	buf_str(&p->s->b, buf_view(&line));
	screen_line(p->s);
}

static double time_of_all(const struct lanes *l, bool op)
{
	double all = 0;

	vec_each (name, &l->names)
		if (name->op == op && name->ns > 0)
			all += name->ns;
	return all;
}

/* The names that take most; one at least. */
static void choose_legend(struct picture *p, bool op)
{
	const struct lanes *l = &p->a->lanes;
	double all = time_of_all(l, op);
	size_t n = 0;

	vec_each (i, &l->ranked) {
		const struct lane_name *name = &l->names.at[*i];

		if (name->op != op || !name->letter || name->ns <= 0)
			continue;
		if (n == LEGEND_LINES || (n && 1000 * name->ns < all))
			break;
		p->in_legend[*i] = true;
		n++;
	}
}

static void add_legend(struct picture *p, bool op)
{
	const struct lanes *l = &p->a->lanes;
	double all = time_of_all(l, op);
	size_t more = 0;

	vec_each (i, &l->ranked) {
		const struct lane_name *name = &l->names.at[*i];
		SCOPED(buf) struct buf line = { 0 }, cut = { 0 };
		size_t room = (size_t)p->s->term.width;

		if (name->op != op || name->ns <= 0)
			continue;
		if (!p->in_legend[*i]) {
			more++;
			continue;
		}
		/* on a narrow screen a name that differs from others is worth more than its share */
		room = room < NARROW ? room - 13 : room - 34;
		room = room > 60 ? 60 : room;
		width_cut(&cut, intern_get(&l->texts, name->text), room, true);
		width_pad(&line, buf_view(&cut), room, WIDTH_LEFT);
		buf_text(&p->s->b, "  ");
		colour_text(&p->s->b, str_n(&name->letter, 1), letter_colour(name->letter),
			    p->s->term.colour);
		buf_char(&p->s->b, ' ');
		buf_str(&p->s->b, buf_view(&line));
		add_time_column(&p->s->b, name->ns);
		if (p->s->term.width >= NARROW)
			buf_printf(&p->s->b, " %5.1f %%", all > 0 ? 100 * name->ns / all : 0);
		if (op && p->s->term.width >= NARROW)
			buf_printf(&p->s->b, "  %llu×", (unsigned long long)name->calls);
		screen_line(p->s);
	}
	if (more) {
		buf_text(&p->s->b, "  . ");
		add_counted(&p->s->b, more, op ? "more op" : "more zone",
			    op ? "more ops" : "more zones");
		screen_line(p->s);
	}
}

/* Is there a lane with letters of this sort, and something in it? */
static bool has_letters(const struct timeline_axis *a, bool op)
{
	vec_each (i, &a->shown) {
		const struct draw_lane *lane = &a->lanes.all.at[*i];

		if (lane->count && lane->kind == (op ? LANE_OPS : LANE_HOST))
			return true;
	}
	return false;
}

/* Lanes of a device stand below its ops, or below its name. */
static void add_lanes(struct picture *p, bool letters)
{
	uint64_t device = UINT64_MAX;

	vec_each (i, &p->a->shown) {
		const struct draw_lane *lane = &p->a->lanes.all.at[*i];

		if (lane->kind >= LANE_RISC_SUM && lane->device != device) {
			buf_printf(&p->s->b, "device %u", lane->device);
			screen_line(p->s);
		}
		device = lane->kind == LANE_HOST ? UINT64_MAX : lane->device;
		add_busy(p, lane);
		if (letters && lane->kind != LANE_CORE)
			add_letters(p, lane);
	}
}

static void add_picture(struct picture *p)
{
	unsigned with = 0;

	vec_each (i, &p->a->shown)
		with += p->a->lanes.all.at[*i].with && p->a->lanes.all.at[*i].kind != LANE_CORE;
	p->in_legend = mem_zero(p->a->lanes.names.len + 1, sizeof(*p->in_legend));
	choose_legend(p, true);
	choose_legend(p, false);
	out_char(p->s->out, '\n');
	add_axis(p);
	add_lanes(p, with <= 8);
	if (p->a->hidden) {
		add_counted(&p->s->b, p->a->hidden, "lane is", "lanes are");
		buf_text(&p->s->b, " not shown: --lane NAME");
		screen_line(p->s);
	}
	for (int op = 1; with <= 8 && op >= 0; op--)
		if (has_letters(p->a, op)) {
			out_char(p->s->out, '\n');
			add_legend(p, op);
		}
	free(p->in_legend);
}

static void add_head(const struct timeline *t, struct screen *s, size_t columns)
{
	const struct lanes *l = &t->axis[0].lanes;
	double window = (double)(l->window.to_ns - l->window.from_ns);

	width_clean(&s->b, buf_view(&t->source));
	screen_wrap(s);
	add_moment(&s->b, (double)l->window.from_ns, window);
	buf_text(&s->b, " to ");
	add_moment(&s->b, (double)l->window.to_ns, window);
	if (l->window.to_ns - l->window.from_ns < t->axis[0].span_ns) {
		buf_text(&s->b, " of ");
		add_moment(&s->b, (double)t->axis[0].span_ns, window);
	}
	if (t->fitted)
		buf_text(&s->b, ", when devices ran (all: --whole)");
	buf_text(&s->b, " · a column is ");
	label_ns(&s->b, window / (double)columns);
	screen_say(s, s->term.utf8 ? " · height: part of it that is busy"
				   : " · . : + # for up to 25, 50, 75, 100 % of it busy");
}

void timeline_text(const struct timeline *t, struct term term, struct out *out)
{
	struct screen s = { .term = term, .out = out };
	struct str rest = buf_view(&t->notes), line;

	add_head(t, &s, timeline_columns(term.width));
	for (int i = 0; i < t->axes; i++) {
		struct picture p = { .a = &t->axis[i],
				     .s = &s,
				     .columns = timeline_columns(term.width),
				     .per = term.utf8 ? 2 : 1,
				     .label = label_columns(term.width) };

		add_picture(&p);
	}
	if (rest.len)
		out_char(out, '\n');
	while (rest.len && str_split(&rest, '\n', &line)) {
		if (!line.len)
			continue;
		buf_text(&s.b, "note: ");
		width_clean(&s.b, line);
		screen_wrap(&s);
	}
	out_char(out, '\n');
	screen_say(
		&s,
		"closer: --from 40% --to 2.5ms · lanes: --lanes host,ops,riscs,cores · a picture: --svg FILE");
	screen_release(&s);
}
