// SPDX-License-Identifier: Apache-2.0
#include "base/number.h"
#include "base/table.h"
#include "base/width.h"
#include "draw/screen.h"
#include "draw/top.h"
#include "report/headline.h"
#include "report/label.h"

enum { COVER_COLUMNS = 18, BAR_MIN = 6, BAR_MAX = 40, EIGHTHS = 8 };

/* A bar to an eighth of a column, so that small shares still differ. */
static void add_bar(struct buf *b, double part, size_t width, bool utf8)
{
	static const char *const ends[] = { "", "▏", "▎", "▍", "▌", "▋", "▊", "▉" };
	size_t eighths;

	if (!(part > 0))
		return;
	part = part < 1 ? part : 1;
	eighths = (size_t)(part * (double)(width * EIGHTHS) + 0.5);
	if (!utf8) {
		buf_fill(b, '#', (eighths + 4) / EIGHTHS);
		return;
	}
	eighths = eighths ? eighths : 1;
	for (size_t i = 0; i < eighths / EIGHTHS; i++)
		buf_text(b, "█");
	buf_text(b, ends[eighths % EIGHTHS]);
}

struct page {
	const struct top *t;
	size_t bar;
	double most; /* what a whole bar stands for */
	bool utf8;
	size_t label; /* at most so much of a name, so that there is room for its figures */
	struct buf name;
	bool covers; /* there is a trace that says what the host did */
};

static void add_label(struct page *p, const struct call *call, struct buf *b)
{
	const struct report *r = p->t->ops;
	SCOPED(buf) struct buf clean = { 0 };

	buf_clear(&p->name);
	label_call(&p->name, r->table, &r->calls, call);
	width_clean(&clean, buf_view(&p->name));
	width_cut(b, buf_view(&clean), p->label, p->utf8);
}

static enum colour bound_colour(const char *bound)
{
	if (!*bound || !strcmp(bound, "?"))
		return COLOUR_NONE;
	return strcmp(bound, "SLOW") ? COLOUR_GREEN : COLOUR_YELLOW;
}

/* What lines of ops and of gaps begin with: number, name, how many, how long in all, and each or at most. */
static bool call_cell(struct page *p, const struct call *call, uint32_t count, double total_ns,
		      double one_ns, size_t column, struct buf *b)
{
	switch (column) {
	case 0:
		buf_printf(b, "%u", call->id);
		return true;
	case 1:
		add_label(p, call, b);
		return true;
	case 2:
		buf_printf(b, "%u", count);
		return true;
	case 3:
		label_ns(b, total_ns);
		return true;
	case 4:
		label_ns(b, one_ns);
		return true;
	default:
		return false;
	}
}

static void bar_cell(const struct page *p, double value, struct buf *b, enum colour *colour)
{
	*colour = COLOUR_CYAN;
	add_bar(b, p->most > 0 ? value / p->most : 0, p->bar, p->utf8);
}

static void op_cell(void *ctx, size_t row, size_t column, struct buf *b, enum colour *colour)
{
	struct page *p = ctx;
	const struct report *r = p->t->ops;
	const struct call *line = &r->lines[p->t->lines.at[row]];
	double total = line->time_ns * line->count, device = r->findings.totals.device_ns;

	if (call_cell(p, line, line->count, total, line->time_ns, column, b))
		return;
	if (column == 5) {
		buf_text(b, call_bound(&r->calls, line));
		*colour = bound_colour(call_bound(&r->calls, line));
	} else if (column == 6) {
		number_fixed(b, device > 0 ? 100 * total / device : 0, 1, 0);
	} else {
		bar_cell(p, total, b, colour);
	}
}

static void gap_cell(void *ctx, size_t row, size_t column, struct buf *b, enum colour *colour)
{
	struct page *p = ctx;
	const struct top_gap *gap = &p->t->gaps.at[row];
	const struct call *call = &p->t->ops->calls.all.at[gap->call];
	bool late = gap->total_ns > (double)LONG_GAP_NS * gap->count;

	if (call_cell(p, call, gap->count, gap->total_ns, call->gap_ns, column, b))
		return;
	if (column == 5) {
		buf_text(b, gap->building ? "building"
			    : gap->pause  ? "pause"
			    : late        ? "host"
					  : "launch");
		*colour = gap->building || gap->pause ? COLOUR_GREY
			  : late                      ? COLOUR_RED
						      : COLOUR_NONE;
	} else if (column == 6 && p->covers) {
		width_cut(b, gap->cover, COVER_COLUMNS, p->utf8);
		if (gap->cover_ns > 0)
			buf_printf(b, " %.0f %%", 100 * gap->cover_ns / gap->host_ns);
	} else {
		bar_cell(p, gap->total_ns, b, colour);
	}
}

static void zone_cell(void *ctx, size_t row, size_t column, struct buf *b, enum colour *colour)
{
	const struct page *p = ctx;
	const struct zone_sum *z = &p->t->zones->all.at[p->t->rows.at[row]];

	switch (column) {
	case 0:
		width_cut(b, intern_get(&p->t->zones->texts, z->name), p->label, p->utf8);
		break;
	case 1:
		buf_str(b, intern_get(&p->t->zones->texts, z->where));
		*colour = COLOUR_GREY;
		break;
	case 2:
		buf_printf(b, "%llu", (unsigned long long)z->calls);
		break;
	case 3:
		label_ns(b, z->total_ns);
		break;
	case 4:
		label_ns(b, z->self_ns);
		break;
	case 5:
		label_ns(b, zone_mean_ns(z));
		break;
	case 6:
		label_ns(b, z->max_ns);
		break;
	default:
		bar_cell(p, zone_rank(z, p->t->sort), b, colour);
	}
}

static void heading(struct screen *s, const char *text)
{
	out_char(s->out, '\n');
	colour_text(&s->b, str_of(text), COLOUR_BOLD, s->term.colour);
}

static void add_more(struct screen *s, size_t shown, size_t all, const char *what)
{
	if (shown < all)
		buf_printf(&s->b, " · %zu of %zu %s", shown, all, what);
	screen_wrap(s);
}

static void add_ops(const struct top *t, struct screen *s, struct page *p)
{
	static const struct table_column columns[] = {
		{ "ID", NULL, WIDTH_RIGHT, 0, 4, false },
		{ "op", NULL, WIDTH_LEFT, 12, 0, true },
		{ "calls", NULL, WIDTH_RIGHT, 0, 2, false },
		{ "total", NULL, WIDTH_RIGHT, 0, 0, false },
		{ "mean", NULL, WIDTH_RIGHT, 0, 1, false },
		{ "bound", NULL, WIDTH_LEFT, 0, 3, false },
		{ "share", "%", WIDTH_RIGHT, 0, 5, false },
		{ "", NULL, WIDTH_LEFT, 0, 0, false },
	};
	const struct totals *sums = &t->ops->findings.totals;
	const struct call *first;

	heading(s, "Ops by device time");
	buf_text(&s->b, " · device ");
	label_ns(&s->b, sums->device_ns);
	add_more(s, t->lines.len, t->all_lines, "kinds");
	if (!t->lines.len) {
		buf_text(&s->b, t->filter.len ? "no op has this name" : "no op has device time");
		screen_indent(s, 2);
		return;
	}
	first = &t->ops->lines[t->lines.at[0]];
	p->most = first->time_ns * first->count;
	screen_table(s, columns, sizeof(columns) / sizeof(*columns), t->lines.len, op_cell, p);
}

static void add_gaps(const struct top *t, struct screen *s, struct page *p)
{
	static const struct table_column columns[] = {
		{ "ID", NULL, WIDTH_RIGHT, 0, 4, false },
		{ "before op", NULL, WIDTH_LEFT, 12, 0, true },
		{ "gaps", NULL, WIDTH_RIGHT, 0, 2, false },
		{ "total", NULL, WIDTH_RIGHT, 0, 0, false },
		{ "longest", NULL, WIDTH_RIGHT, 0, 1, false },
		{ "why", NULL, WIDTH_LEFT, 0, 3, false },
		{ "host was in", NULL, WIDTH_LEFT, 0, 5, false },
		{ "", NULL, WIDTH_LEFT, 0, 0, false },
	};
	struct table_column shown[sizeof(columns) / sizeof(*columns)];
	size_t n = sizeof(columns) / sizeof(*columns);

	heading(s, "Gaps before ops");
	buf_text(&s->b, " · ");
	label_ns(&s->b, t->all_gap_ns);
	if (t->ops->findings.totals.build_gap_ns > 0 && !t->filter.len) {
		buf_text(&s->b, ", and ");
		label_ns(&s->b, t->ops->findings.totals.build_gap_ns);
		buf_text(&s->b, " building programs");
	}
	if (!t->filter.len) {
		struct buf aside = { 0 };

		headline_aside(&aside, &t->ops->findings.totals);
		if (aside.len)
			buf_printf(&s->b, ", aside %s", aside.at);
		buf_release(&aside);
	}
	add_more(s, t->gaps.len, t->all_gaps, "kinds");
	if (!t->gaps.len) {
		buf_text(&s->b, "none");
		screen_indent(s, 2);
		return;
	}
	p->most = t->gaps.at[0].total_ns;
	vec_each (gap, &t->gaps)
		p->covers |= gap->cover.len > 0;
	memcpy(shown, columns, sizeof(columns));
	if (!p->covers) /* the bar replaces it */
		shown[n - 2] = shown[n - 1];
	screen_table(s, shown, p->covers ? n : n - 1, t->gaps.len, gap_cell, p);
}

static void add_zones(const struct top *t, struct screen *s, struct page *p)
{
	static const struct table_column columns[] = {
		{ "zone", NULL, WIDTH_LEFT, 12, 0, true },
		{ "where", NULL, WIDTH_LEFT, 0, 4, false },
		{ "calls", NULL, WIDTH_RIGHT, 0, 3, false },
		{ "total", NULL, WIDTH_RIGHT, 0, 0, false },
		{ "self", NULL, WIDTH_RIGHT, 0, 5, false },
		{ "mean", NULL, WIDTH_RIGHT, 0, 2, false },
		{ "max", NULL, WIDTH_RIGHT, 0, 1, false },
		{ "", NULL, WIDTH_LEFT, 0, 0, false },
	};
	static const char *const zone_headings[] = { "Zones by time", "Zones by their own time",
						     "Zones by calls", "Zones by mean time",
						     "Zones by longest" };

	heading(s, zone_headings[t->sort]);
	buf_text(&s->b, " · ");
	add_counted(&s->b, t->zones->zones, "zone", "zones");
	if (t->zones->unpaired) {
		buf_text(&s->b, ", ");
		add_count(&s->b, t->zones->unpaired);
		buf_text(&s->b, " without an end are left out");
	}
	add_more(s, t->rows.len, t->all_rows, "names");
	if (!t->rows.len) {
		buf_text(&s->b, t->filter.len ? "no zone has this name" : "none");
		screen_indent(s, 2);
		return;
	}
	p->most = zone_rank(&t->zones->all.at[t->rows.at[0]], t->sort);
	screen_table(s, columns, sizeof(columns) / sizeof(*columns), t->rows.len, zone_cell, p);
}

void top_text(const struct top *t, struct term term, struct out *out)
{
	struct screen s = { .term = term, .out = out };
	size_t bar = (size_t)term.width * 3 / 20;
	struct page p = { .t = t,
			  .bar = bar < BAR_MIN   ? BAR_MIN
				 : bar > BAR_MAX ? BAR_MAX
						 : bar,
			  .label = term.width < 60 ? 22 : (size_t)term.width * 2 / 5 - 6,
			  .utf8 = term.utf8 };

	width_clean(&s.b, t->source);
	screen_wrap(&s);
	if (t->ops && t->what & TOP_OPS)
		add_ops(t, &s, &p);
	if (t->ops && t->what & TOP_GAPS)
		add_gaps(t, &s, &p);
	if (t->zones)
		add_zones(t, &s, &p);
	buf_release(&p.name);
	screen_release(&s);
}
