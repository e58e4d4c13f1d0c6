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
	width_cut_name(b, buf_view(&clean), p->label, p->utf8);
}

static void bound_cell(const char *bound, struct buf *b, enum colour *colour)
{
	buf_text(b, bound);
	if (*bound && strcmp(bound, "?") != 0)
		*colour = strcmp(bound, "SLOW") ? COLOUR_GREEN : COLOUR_YELLOW;
}

static void bar_cell(const struct page *p, double value, struct buf *b, enum colour *colour)
{
	*colour = COLOUR_CYAN;
	add_bar(b, p->most > 0 ? value / p->most : 0, p->bar, p->utf8);
}

#define OP_COLUMNS(X)                                                                    \
	X(OP_ID, "ID", NULL, RIGHT, 0, 4, false, buf_printf(b, "%u", line->id))          \
	X(OP, "op", NULL, LEFT, 12, 0, true, add_label(p, line, b))                      \
	X(OP_CALLS, "calls", NULL, RIGHT, 0, 2, false, buf_printf(b, "%u", line->count)) \
	X(OP_TOTAL, "total", NULL, RIGHT, 0, 0, false, label_ns(b, total))               \
	X(OP_MEAN, "mean", NULL, RIGHT, 0, 1, false, label_ns(b, line->time_ns))         \
	X(OP_BOUND, "bound", NULL, LEFT, 0, 3, false,                                    \
	  bound_cell(call_bound(&r->calls, line), b, colour))                            \
	X(OP_SHARE, "share", "%", RIGHT, 0, 5, false,                                    \
	  number_fixed(b, device > 0 ? 100 * total / device : 0, 1, 0))                  \
	X(OP_BAR, "", NULL, LEFT, 0, 0, false, bar_cell(p, total, b, colour))
enum { OP_COLUMNS(SCREEN_ID) };

static void op_cell(void *ctx, size_t row, size_t column, struct buf *b, enum colour *colour)
{
	struct page *p = ctx;
	const struct report *r = p->t->ops;
	const struct call *line = &r->lines[p->t->lines.at[row]];
	double total = line->time_ns * line->count, device = r->findings.totals.device_ns;

	switch (column) {
		OP_COLUMNS(SCREEN_CELL)
	}
}

static void why_cell(const struct top_gap *gap, struct buf *b, enum colour *colour)
{
	bool late = gap->total_ns > (double)LONG_GAP_NS * gap->count;

	buf_text(b, gap->building ? "building" : gap->pause ? "pause" : late ? "host" : "launch");
	*colour = gap->building || gap->pause ? COLOUR_GREY : late ? COLOUR_RED : COLOUR_NONE;
}

static void cover_cell(const struct page *p, const struct top_gap *gap, struct buf *b)
{
	width_cut(b, gap->cover, COVER_COLUMNS, p->utf8);
	if (gap->cover_ns > 0)
		buf_printf(b, " %.0f %%", 100 * gap->cover_ns / gap->host_ns);
}

#define GAP_COLUMNS(X)                                                                  \
	X(GAP_ID, "ID", NULL, RIGHT, 0, 4, false, buf_printf(b, "%u", call->id))        \
	X(GAP_OP, "before op", NULL, LEFT, 12, 0, true, add_label(p, call, b))          \
	X(GAP_COUNT, "gaps", NULL, RIGHT, 0, 2, false, buf_printf(b, "%u", gap->count)) \
	X(GAP_TOTAL, "total", NULL, RIGHT, 0, 0, false, label_ns(b, gap->total_ns))     \
	X(GAP_MAX, "longest", NULL, RIGHT, 0, 1, false, label_ns(b, call->gap_ns))      \
	X(GAP_WHY, "why", NULL, LEFT, 0, 3, false, why_cell(gap, b, colour))            \
	X(GAP_COVER, "host was in", NULL, LEFT, 0, 5, false, cover_cell(p, gap, b))     \
	X(GAP_BAR, "", NULL, LEFT, 0, 0, false, bar_cell(p, gap->total_ns, b, colour))
enum { GAP_COLUMNS(SCREEN_ID) };

static void gap_cell(void *ctx, size_t row, size_t column, struct buf *b, enum colour *colour)
{
	struct page *p = ctx;
	const struct top_gap *gap = &p->t->gaps.at[row];
	const struct call *call = &p->t->ops->calls.all.at[gap->call];

	switch (column == COLUMN_GAP_COVER && !p->covers ? COLUMN_GAP_BAR : column) {
		GAP_COLUMNS(SCREEN_CELL)
	}
}

static void where_cell(const struct page *p, const struct zone_sum *z, struct buf *b,
		       enum colour *colour)
{
	width_cut(b, intern_get(&p->t->zones->texts, z->where), COVER_COLUMNS, p->utf8);
	*colour = COLOUR_GREY;
}

#define ZONE_COLUMNS(X)                                                                   \
	X(ZONE, "zone", NULL, LEFT, 12, 0, true,                                          \
	  width_cut_name(b, intern_get(&p->t->zones->texts, z->name), p->label, p->utf8)) \
	X(ZONE_WHERE, "where", NULL, LEFT, 0, 4, false, where_cell(p, z, b, colour))      \
	X(ZONE_CALLS, "calls", NULL, RIGHT, 0, 3, false, buf_add_u64(b, z->calls))        \
	X(ZONE_TOTAL, "total", NULL, RIGHT, 0, 0, false, label_ns(b, z->total_ns))        \
	X(ZONE_SELF, "self", NULL, RIGHT, 0, 5, false, label_ns(b, z->self_ns))           \
	X(ZONE_MEAN, "mean", NULL, RIGHT, 0, 2, false, label_ns(b, zone_mean_ns(z)))      \
	X(ZONE_MAX, "max", NULL, RIGHT, 0, 1, false, label_ns(b, z->max_ns))              \
	X(ZONE_BAR, "", NULL, LEFT, 0, 0, false, bar_cell(p, zone_rank(z, p->t->sort), b, colour))
enum { ZONE_COLUMNS(SCREEN_ID) };

static void zone_cell(void *ctx, size_t row, size_t column, struct buf *b, enum colour *colour)
{
	const struct page *p = ctx;
	const struct zone_sum *z = &p->t->zones->all.at[p->t->rows.at[row]];

	switch (column) {
		ZONE_COLUMNS(SCREEN_CELL)
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

static bool nothing(struct screen *s, size_t rows, const char *why)
{
	if (!rows) {
		buf_text(&s->b, why);
		screen_indent(s, 2);
	}
	return !rows;
}

static void add_ops(const struct top *t, struct screen *s, struct page *p)
{
	static const struct table_column columns[] = { OP_COLUMNS(SCREEN_COLUMN) };
	const struct totals *sums = &t->ops->findings.totals;
	const struct call *first;

	heading(s, "Ops by device time");
	buf_text(&s->b, " · device ");
	label_ns(&s->b, sums->device_ns);
	add_more(s, t->lines.len, t->all_lines, "kinds");
	if (nothing(s, t->lines.len,
		    t->filter.len ? "no op has this name" : "no op has device time"))
		return;
	first = &t->ops->lines[t->lines.at[0]];
	p->most = first->time_ns * first->count;
	screen_table(s, columns, sizeof(columns) / sizeof(*columns), t->lines.len, op_cell, p);
}

static void add_gaps(const struct top *t, struct screen *s, struct page *p)
{
	static const struct table_column columns[] = { GAP_COLUMNS(SCREEN_COLUMN) };
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
		SCOPED(buf) struct buf aside = { 0 };

		headline_aside(&aside, &t->ops->findings.totals);
		if (aside.len)
			buf_printf(&s->b, ", aside %s", aside.at);
	}
	add_more(s, t->gaps.len, t->all_gaps, "kinds");
	if (nothing(s, t->gaps.len, "none"))
		return;
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
	static const struct table_column columns[] = { ZONE_COLUMNS(SCREEN_COLUMN) };
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
	if (nothing(s, t->rows.len, t->filter.len ? "no zone has this name" : "none"))
		return;
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
