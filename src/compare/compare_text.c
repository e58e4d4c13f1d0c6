// SPDX-License-Identifier: Apache-2.0
/* The comparison for people: a sentence, the totals, and what explains the difference; on a screen, or as Markdown. */
#include <math.h>

#include "base/number.h"
#include "base/opt.h"
#include "base/table.h"
#include "compare/compare.h"
#include "compare/diff.h"
#include "report/label.h"

static const enum colour verdict_colours[] = { COLOUR_NONE, COLOUR_GREEN, COLOUR_RED,
					       COLOUR_YELLOW };

void compare_label(struct buf *b, const struct compare *c, const struct compare_line *l)
{
	enum compare_side side = l->position[NEW] != DIFF_NONE ? NEW : BASE;
	const struct calls *calls = c->runs[side]->calls;

	label_call(b, calls->table, calls,
		   &calls->all.at[c->runs[side]->at.at[l->position[side]].call]);
}

static void add_signed_ns(struct buf *b, double ns)
{
	buf_text(b, ns < 0 ? "−" : "+");
	label_ns(b, fabs(ns));
}

static void add_percent(struct buf *b, double part, double of)
{
	buf_printf(b, "%s%.*f %%", part < 0 ? "−" : "+", fabs(100 * part / of) < 10 ? 2 : 1,
		   fabs(100 * part / of));
}

/* "; 1 kind of op is slower, 2 are faster" */
static void add_ops_verdicts(struct buf *b, const struct compare *c)
{
	static const enum compare_verdict named[] = { COMPARE_SLOWER, COMPARE_FASTER };
	const char *kinds = " kind";

	for (size_t i = 0; i < 2; i++) {
		unsigned n = 0;

		vec_each (l, &c->lines)
			n += l->change <= LINE_CHANGED && l->time.verdict == named[i];
		if (!n)
			continue;
		buf_printf(b, "%s%u%s%s %s %s", *kinds ? "; " : ", ", n, kinds,
			   !*kinds  ? ""
			   : n == 1 ? " of op"
				    : "s of ops",
			   n == 1 ? "is" : "are", compare_verdict_names[named[i]]);
		kinds = "";
	}
}

void compare_sentence(struct buf *b, const struct compare *c)
{
	const struct shift *s = &c->total.shift;
	double base = (double)c->total_ns[BASE],
	       by = (double)(c->total_ns[NEW] - c->total_ns[BASE]);

	switch (c->total.verdict) {
	case COMPARE_SAME:
		buf_printf(b, "NEW %s as fast as BASE, within %g %%", c->is_firm ? "is" : "looks",
			   c->ask.min_percent);
		break;
	case COMPARE_FASTER:
	case COMPARE_SLOWER:
		buf_printf(b, "NEW %s %s than BASE", c->is_firm ? "is" : "looks",
			   compare_verdict_names[c->total.verdict]);
		break;
	case COMPARE_UNSURE:
		buf_text(b, "It is not settled whether NEW is faster than BASE");
		break;
	}
	if (c->unsure_because)
		buf_printf(b, ": %s", c->unsure_because);
	if (base > 0 && c->common) {
		/* where some samples are far off, the mean is not what is typical */
		double slack = base * c->ask.min_percent / 100;
		bool typical = isfinite(s->low) && (by < s->low - slack || by > s->high + slack);

		buf_text(b, c->unsure_because ? ". Measured: " : ": ");
		add_percent(b, typical ? s->by : by, base);
		if (isfinite(s->low)) {
			buf_text(b, ", between ");
			add_percent(b, number_max(s->low, -base), base);
			buf_text(b, " and ");
			add_percent(b, s->high, base);
		}
		if (typical) {
			buf_text(b, ", as is typical; the mean is ");
			add_percent(b, by, base);
			buf_printf(b, ": some %s are far off", compare_unit_names[c->unit]);
		}
	}
	add_ops_verdicts(b, c);
	buf_char(b, '.');
	if (!c->is_firm && !c->unsure_because && !c->needed)
		buf_printf(
			b,
			" How runs differ is not in single runs; for a verdict take %u of each: --base A1 A2 … --new B1 B2 …",
			COMPARE_RUNS_AT_LEAST);
	if (c->needed && c->unit == UNIT_RUNS)
		buf_printf(b, " About %u runs of each may settle it.", c->needed);
	else if (c->needed)
		buf_printf(b, " %u runs of each may settle it: --base A1 A2 … --new B1 B2 …",
			   c->needed);
}

static void add_totals_line(struct buf *b, const char *name, int64_t from, int64_t to)
{
	SCOPED(buf) struct buf x = { 0 }, y = { 0 };

	label_ns(&x, (double)from);
	label_ns(&y, (double)to);
	buf_printf(b, "  %-7s", name);
	width_pad(b, buf_view(&x), 9, WIDTH_RIGHT);
	buf_text(b, " → ");
	width_pad(b, buf_view(&y), 9, WIDTH_RIGHT);
	buf_text(b, "   ");
	add_signed_ns(b, (double)(to - from));
	if (from > 0) {
		buf_text(b, "  ");
		add_percent(b, (double)(to - from), (double)from);
	}
	buf_char(b, '\n');
}

/* What was laid side by side, and what stands for chance. */
static void add_ground(struct buf *b, const struct compare *c)
{
	const struct op_sequence *a = c->runs[BASE], *n = c->runs[NEW];
	uint32_t gone = 0, more = 0, changed = 0;

	vec_each (l, &c->lines) {
		gone += l->change == LINE_VANISHED ? l->count : 0;
		more += l->change == LINE_APPEARED ? l->count : 0;
		changed += l->change == LINE_CHANGED ? l->count : 0;
	}
	buf_printf(b, "%u op%s of a step %s on both sides", c->common, c->common == 1 ? "" : "s",
		   c->common == 1 ? "is" : "are");
	if (changed)
		buf_printf(b, ", %u of them changed", changed);
	if (gone || more)
		buf_printf(b, "; %u gone, %u new", gone, more);
	buf_printf(b, ". BASE: %zu run%s of %u step%s; NEW: %zu of %u. ", c->ask.n[BASE],
		   c->ask.n[BASE] == 1 ? "" : "s", a->repeats, a->repeats == 1 ? "" : "s",
		   c->ask.n[NEW], n->repeats);
	if (a->before || n->before)
		buf_printf(b, "Before the steps that repeat: %u and %u ops, not compared. ",
			   a->before, n->before);
	buf_printf(b, "Chance is judged by %s: %u against %u.", compare_unit_names[c->unit],
		   c->total.samples[BASE], c->total.samples[NEW]);
	if (c->excluded)
		buf_printf(b, " %u op%s of a step ha%s no device time and %s not compared.",
			   c->excluded, c->excluded == 1 ? "" : "s", c->excluded == 1 ? "s" : "ve",
			   c->excluded == 1 ? "is" : "are");
	if (!c->has_gaps)
		buf_text(b, " Gaps are not compared: not every run has measured them.");
	if (!str_eq(a->calls->arch, n->calls->arch))
		buf_printf(b, " They ran on different chips: %.*s and %.*s.",
			   STR_ARG(str_head(a->calls->arch, 40)),
			   STR_ARG(str_head(n->calls->arch, 40)));
	if (c->mhz[BASE] > 0 && c->mhz[NEW] > 0 && fabs(c->mhz[NEW] / c->mhz[BASE] - 1) >= 0.005)
		buf_printf(b, " Clock: %.0f → %.0f MHz.", c->mhz[BASE], c->mhz[NEW]);
}

/* ---- what explains it ---- */

enum column { BY, BY_PERCENT, INTERVAL, VERDICT, OPS, WHAT, WHY, COLUMNS };
static const struct table_column columns[COLUMNS] = {
	[BY] = { .head = "change", .align = WIDTH_RIGHT },
	[BY_PERCENT] = { .head = "of it", .align = WIDTH_RIGHT, .drop = 2 },
	[INTERVAL] = { .head = "between", .align = WIDTH_RIGHT, .drop = 1 },
	[VERDICT] = { .head = "verdict" },
	[OPS] = { .head = "ops", .align = WIDTH_RIGHT, .drop = 3 },
	[WHAT] = { .head = "what", .flexible = true, .min = 16 },
	[WHY] = { .head = "because", .flexible = true, .min = 12 },
};

static void cell(void *ctx, size_t row, size_t column, struct buf *b, enum colour *colour)
{
	const struct compare *c = ctx;
	const struct contribution *x = &c->contributions.at[row];
	const struct compare_line *l = &c->lines.at[x->line];
	int64_t base = x->is_gap ? l->gap_ns[BASE] : l->time_ns[BASE];

	switch ((enum column)column) {
	case BY:
		add_signed_ns(b, (double)x->by_ns);
		break;
	case BY_PERCENT:
		if (base > 0)
			add_percent(b, (double)x->by_ns, (double)base);
		break;
	case INTERVAL:
		if (!x->is_gap && isfinite(l->time.shift.low)) {
			add_signed_ns(b, l->time.shift.low);
			buf_text(b, " and ");
			add_signed_ns(b, l->time.shift.high);
		}
		break;
	case VERDICT:
		if (x->is_gap)
			break;
		buf_text(b, l->change >= LINE_APPEARED ? line_change_names[l->change]
						       : compare_verdict_names[l->time.verdict]);
		*colour =
			l->change >= LINE_APPEARED ? COLOUR_CYAN : verdict_colours[l->time.verdict];
		break;
	case OPS:
		buf_printf(b, "%u", l->count);
		break;
	case WHAT:
		buf_text(b, x->is_gap ? "gap before " : "");
		compare_label(b, c, l);
		break;
	case WHY:
		if (!x->is_gap)
			buf_str(b, buf_view(&l->cause));
		break;
	case COLUMNS:
		break;
	}
}

static void put(struct buf *b, struct term term, struct out *out)
{
	SCOPED(buf) struct buf plain = { 0 };

	if (!term.utf8)
		width_ascii(&plain, buf_view(b));
	out_buf(out, term.utf8 ? b : &plain);
	buf_clear(b);
}

static void add_names(struct buf *b, const char *const *names)
{
	buf_text(b, "BASE ");
	width_clean(b, str_of(names[BASE]));
	buf_text(b, " · NEW ");
	width_clean(b, str_of(names[NEW]));
}

void compare_text(const struct compare *c, const char *const *names, size_t most, struct term term,
		  struct out *out)
{
	struct table t = { .columns = columns,
			   .n = COLUMNS,
			   .rows = compare_explaining(c, most),
			   .cell = cell,
			   .ctx = (void *)(size_t)c,
			   .width = (size_t)term.width,
			   .indent = 2,
			   .colour = term.colour,
			   .utf8 = term.utf8 };
	SCOPED(buf) struct buf b = { 0 }, line = { 0 }, wrapped = { 0 };
	struct str rest, piece;

	add_names(&b, names);
	buf_text(&b, "\n\n");
	compare_sentence(&line, c);
	opt_wrap(&wrapped, line.at, 0, 0, term.width);
	rest = buf_view(&wrapped);
	while (str_split(&rest, '\n', &piece) && piece.len) {
		colour_text(&b, piece, COLOUR_BOLD, term.colour);
		buf_char(&b, '\n');
	}
	add_totals_line(&b, "step", c->total_ns[BASE], c->total_ns[NEW]);
	add_totals_line(&b, "device", c->device_ns[BASE], c->device_ns[NEW]);
	add_totals_line(&b, "gaps", c->total_ns[BASE] - c->device_ns[BASE],
			c->total_ns[NEW] - c->device_ns[NEW]);
	buf_clear(&line);
	add_ground(&line, c);
	buf_char(&b, '\n');
	opt_wrap(&b, line.at, 0, 0, term.width);
	put(&b, term, out);
	if (!t.rows)
		return;
	buf_printf(&b, "\nWhat explains it (%zu of %zu differences):\n", t.rows,
		   c->contributions.len);
	put(&b, term, out);
	table_print(&t, out);
	table_release(&t);
}

/* A cell of a Markdown table: one line, and nothing in it is markup. */
static void markdown_cell(struct buf *b, struct str text)
{
	SCOPED(buf) struct buf clean = { 0 };

	width_clean(&clean, text);
	buf_text(b, "| ");
	for (size_t i = 0; i < clean.len; i++) {
		if (strchr("\\|`*_<>[]&", clean.at[i]))
			buf_char(b, '\\');
		buf_char(b, clean.at[i]);
	}
	buf_char(b, ' ');
}

void compare_markdown(const struct compare *c, const char *const *names, size_t most,
		      struct out *out)
{
	static const enum column shown[] = { BY, BY_PERCENT, INTERVAL, VERDICT, OPS, WHAT, WHY };
	SCOPED(buf) struct buf b = { 0 }, text = { 0 };
	size_t rows = compare_explaining(c, most);
	enum colour none = COLOUR_NONE;

	buf_text(&b, "**");
	compare_sentence(&b, c);
	buf_text(&b, "**\n\n");
	add_ground(&b, c);
	buf_text(&b, "\n\n| | BASE | NEW |\n|---|---:|---:|\n| run ");
	for (int side = BASE; side < SIDES; side++)
		markdown_cell(&b, str_of(names[side]));
	buf_text(&b, "|\n| a step ");
	for (int side = BASE; side < SIDES; side++) {
		buf_clear(&text);
		label_ns(&text, (double)c->total_ns[side]);
		markdown_cell(&b, buf_view(&text));
	}
	buf_text(&b, "|\n");
	if (rows) {
		buf_text(&b, "\n");
		for (size_t i = 0; i < sizeof(shown) / sizeof(*shown); i++)
			markdown_cell(&b, str_of(columns[shown[i]].head));
		buf_text(&b, "|\n|---:|---:|---:|---|---:|---|---|\n");
	}
	for (size_t r = 0; r < rows; r++) {
		for (size_t i = 0; i < sizeof(shown) / sizeof(*shown); i++) {
			buf_clear(&text);
			cell((void *)(size_t)c, r, shown[i], &text, &none);
			markdown_cell(&b, buf_view(&text));
		}
		buf_text(&b, "|\n");
	}
	out_buf(out, &b);
}
