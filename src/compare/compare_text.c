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

void compare_signed_ns(struct buf *b, double ns)
{
	buf_text(b, ns < 0 ? "−" : "+");
	label_ns(b, fabs(ns));
}

void compare_percent(struct buf *b, double part, double of)
{
	buf_printf(b, "%s%.*f %%", part < 0 ? "−" : "+", fabs(100 * part / of) < 10 ? 2 : 1,
		   fabs(100 * part / of));
}

static const enum compare_verdict named[] = { COMPARE_SLOWER, COMPARE_FASTER };

/* "; gaps before 1 kind of op are longer" */
static void add_gap_verdicts(struct buf *b, const struct compare *c)
{
	for (size_t i = 0; i < 2; i++) {
		unsigned n = 0;

		vec_each (l, &c->lines)
			n += l->gap.verdict == named[i];
		if (n)
			buf_printf(b, "; gaps before %u kind%s are %s", n,
				   n == 1 ? " of op" : "s of ops",
				   compare_gap_verdict_names[named[i]]);
	}
}

/* "; 1 kind of op is slower, 2 are faster" */
static void add_ops_verdicts(struct buf *b, const struct compare *c)
{
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

void compare_finding(struct buf *b, const struct compare *c)
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
		if (compare_is_clock_alone(c))
			buf_printf(b, " by its clock alone (%.0f → %.0f MHz, as many cycles)",
				   c->mhz[BASE], c->mhz[NEW]);
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
		compare_percent(b, typical ? s->by : by, base);
		if (isfinite(s->low)) {
			buf_text(b, ", between ");
			compare_percent(b, number_max(s->low, -base), base);
			buf_text(b, " and ");
			compare_percent(b, s->high, base);
		}
		if (typical) {
			buf_text(b, ", as is typical; the mean is ");
			compare_percent(b, by, base);
			buf_printf(b, ": some %s are far off", compare_unit_names[c->unit]);
		}
	}
	add_ops_verdicts(b, c);
	add_gap_verdicts(b, c);
	buf_char(b, '.');
}

void compare_wish(struct buf *b, const struct compare *c)
{
	if (!c->is_firm && !c->unsure_because && !c->needed)
		buf_printf(b,
			   "How runs differ is not in single runs; for a verdict take %u of each",
			   COMPARE_RUNS_AT_LEAST);
	else if (c->needed && c->unit == UNIT_RUNS)
		buf_printf(b, "About %u runs of each may settle it", c->needed);
	else if (c->needed)
		buf_printf(b, "%u runs of each may settle it", c->needed);
}

void compare_sentence(struct buf *b, const struct compare *c)
{
	size_t before;

	compare_finding(b, c);
	before = b->len;
	buf_char(b, ' ');
	compare_wish(b, c);
	if (b->len == before + 1)
		b->at[b->len = before] = 0;
	else
		buf_text(b, c->needed && c->unit == UNIT_RUNS ? "."
							      : ": --base A1 A2 … --new B1 B2 …");
}

void compare_totals_line(struct buf *b, const char *name, size_t wide, int64_t from, int64_t to)
{
	SCOPED(buf) struct buf x = { 0 }, y = { 0 };

	label_ns(&x, (double)from);
	label_ns(&y, (double)to);
	buf_text(b, "  ");
	width_pad(b, str_of(name), wide, WIDTH_LEFT);
	width_pad(b, buf_view(&x), 9, WIDTH_RIGHT);
	buf_text(b, " → ");
	width_pad(b, buf_view(&y), 9, WIDTH_RIGHT);
	buf_text(b, "   ");
	compare_signed_ns(b, (double)(to - from));
	if (from > 0) {
		buf_text(b, "  ");
		compare_percent(b, (double)(to - from), (double)from);
	}
	buf_char(b, '\n');
}

/* In the part that is compared, of a run on average. */
static double building_of(const struct compare *c, enum compare_side side)
{
	double ns = 0;

	for (size_t r = 0; r < c->ask.n[side]; r++)
		vec_each (call, &c->ask.runs[side][r]->all)
			ns += call->build_ns;
	return ns / (double)c->ask.n[side];
}

/* A run of one step that was not warmed up: what is left of its gaps may be first calls, too. */
static void add_building(struct buf *b, const struct compare *c)
{
	double ns[SIDES] = { building_of(c, BASE), building_of(c, NEW) };

	for (int side = BASE; side < SIDES; side++)
		if (c->runs[side]->repeats > 1 || !(ns[side] > (double)c->total_ns[side] / 10))
			ns[side] = 0;
	if (!(ns[BASE] > 0) && !(ns[NEW] > 0))
		return;
	buf_text(b, " Programs were being built, which is not counted:");
	for (int side = BASE; side < SIDES; side++) {
		if (!(ns[side] > 0))
			continue;
		buf_text(b, side == BASE ? " " : ns[BASE] > 0 ? ", " : " ");
		label_ns(b, ns[side]);
		buf_text(b, side == BASE ? " in BASE" : " in NEW");
	}
	buf_text(b, "; runs that are warmed up compare better.");
}

/* As the reports name them: anybody's text. */
static void add_chips(struct buf *b, struct str base, struct str new_one)
{
	buf_text(b, " They ran on different chips: ");
	width_clean(b, str_head(base, 40));
	buf_text(b, " and ");
	width_clean(b, str_head(new_one, 40));
	buf_char(b, '.');
}

/* What is counted twice says nothing about chance. */
static void add_equal_runs(struct buf *b, const struct compare_ask *ask)
{
	const uint32_t *out = ask->not_counted;

	if (out[BASE] || out[NEW])
		buf_text(b, "Equal runs count once: ");
	if (out[BASE])
		buf_printf(b, "%u of BASE%s", out[BASE], out[NEW] ? ", " : "");
	if (out[NEW])
		buf_printf(b, "%u of NEW", out[NEW]);
	if (out[BASE] || out[NEW])
		buf_printf(b, " %s not counted. ", out[BASE] + out[NEW] == 1 ? "is" : "are");
	if (ask->shared && ask->shared == ask->n[BASE] && ask->shared == ask->n[NEW])
		buf_printf(b, "Both sides are the same run%s. ", ask->shared == 1 ? "" : "s");
	else if (ask->shared)
		buf_printf(b, "%u run%s of NEW %s in BASE, too. ", ask->shared,
			   ask->shared == 1 ? "" : "s", ask->shared == 1 ? "is" : "are");
}

void compare_ground(struct buf *b, const struct compare *c)
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
	add_equal_runs(b, &c->ask);
	if (a->before || n->before)
		buf_printf(b, "Before the steps that repeat: %u and %u ops, not compared. ",
			   a->before, n->before);
	if (a->repeats != n->repeats && a->repeats > 1 && n->repeats > 1)
		buf_printf(
			b,
			"The same ops come %u times in BASE and %u times in NEW: a step is one of them; if these are layers, compare what all of them take (ttprof report). ",
			a->repeats, n->repeats);
	buf_printf(b, "Chance is judged by %s: %u against %u.", compare_unit_names[c->unit],
		   c->total.samples[BASE], c->total.samples[NEW]);
	if (c->excluded)
		buf_printf(b, " %u op%s of a step ha%s no device time and %s not compared.",
			   c->excluded, c->excluded == 1 ? "" : "s", c->excluded == 1 ? "s" : "ve",
			   c->excluded == 1 ? "is" : "are");
	add_building(b, c);
	if (!c->has_gaps)
		buf_text(b, " Gaps are not compared: not every run has measured them.");
	if (!str_eq(a->calls->arch, n->calls->arch))
		add_chips(b, a->calls->arch, n->calls->arch);
	if (c->mhz[BASE] > 0 && c->mhz[NEW] > 0 && fabs(c->mhz[NEW] / c->mhz[BASE] - 1) >= 0.005)
		buf_printf(b, " Clock: %.0f → %.0f MHz.", c->mhz[BASE], c->mhz[NEW]);
}

/* ---- what explains it ---- */

enum column { BY, BY_PERCENT, INTERVAL, VERDICT, OPS, ID, WHAT, WHY, COLUMNS };
static const struct table_column columns[COLUMNS] = {
	[BY] = { .head = "change", .align = WIDTH_RIGHT },
	[BY_PERCENT] = { .head = "of it", .align = WIDTH_RIGHT, .drop = 2 },
	[INTERVAL] = { .head = "between", .align = WIDTH_RIGHT, .drop = 1 },
	[VERDICT] = { .head = "verdict" },
	[OPS] = { .head = "ops", .align = WIDTH_RIGHT, .drop = 4, .firm = true },
	[ID] = { .head = "id", .align = WIDTH_RIGHT, .drop = 3 },
	[WHAT] = { .head = "what",
		   .flexible = true,
		   .min = 16,
		   .is_name = true,
		   .enough = TABLE_NAME },
	[WHY] = { .head = "because", .flexible = true, .min = 12, .enough = TABLE_NAME },
};

/* For --id. */
static uint32_t id_of(const struct compare *c, const struct compare_line *l)
{
	enum compare_side side = l->position[NEW] != DIFF_NONE ? NEW : BASE;
	const struct op_sequence *s = &c->runs[side][0];

	return s->calls->all.at[s->at.at[l->position[side]].call].id;
}

static void cell(void *ctx, size_t row, size_t column, struct buf *b, enum colour *colour)
{
	const struct compare *c = ctx;
	const struct contribution *x = &c->contributions.at[row];
	const struct compare_line *l = &c->lines.at[x->line];
	const struct estimate *of = x->is_gap ? &l->gap : &l->time;
	double percent;

	switch ((enum column)column) {
	case BY:
		compare_signed_ns(b, (double)x->by_ns);
		break;
	case BY_PERCENT:
		percent = compare_contribution_percent(c, x);
		if (!isnan(percent))
			compare_percent(b, percent, 100);
		break;
	case INTERVAL:
		if (isfinite(of->shift.low)) {
			compare_signed_ns(b, of->shift.low);
			buf_text(b, " and ");
			compare_signed_ns(b, of->shift.high);
		}
		break;
	case VERDICT:
		if (x->is_gap && !of->samples[BASE])
			break;
		if (x->is_gap) {
			buf_text(b, compare_gap_verdict_names[of->verdict]);
			*colour = verdict_colours[of->verdict];
			break;
		}
		buf_text(b, l->change >= LINE_APPEARED ? line_change_names[l->change]
						       : compare_verdict_names[l->time.verdict]);
		*colour =
			l->change >= LINE_APPEARED ? COLOUR_CYAN : verdict_colours[l->time.verdict];
		break;
	case OPS:
		buf_printf(b, "%u", l->count);
		break;
	case ID:
		buf_printf(b, "%u", id_of(c, l));
		break;
	case WHAT:
		buf_text(b, x->is_gap ? "gap before " : "");
		compare_label(b, c, l);
		break;
	case WHY:
		buf_str(b, buf_view(x->is_gap ? &l->gap_cause : &l->cause));
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

void compare_names(struct buf *b, const char *const *names)
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

	compare_names(&b, names);
	buf_text(&b, "\n\n");
	compare_sentence(&line, c);
	opt_wrap(&wrapped, line.at, 0, 0, term.width);
	rest = buf_view(&wrapped);
	while (str_split(&rest, '\n', &piece) && piece.len) {
		colour_text(&b, piece, COLOUR_BOLD, term.colour);
		buf_char(&b, '\n');
	}
	compare_totals_line(&b, "step", 7, c->total_ns[BASE], c->total_ns[NEW]);
	compare_totals_line(&b, "device", 7, c->device_ns[BASE], c->device_ns[NEW]);
	compare_totals_line(&b, "gaps", 7, c->total_ns[BASE] - c->device_ns[BASE],
			    c->total_ns[NEW] - c->device_ns[NEW]);
	buf_clear(&line);
	compare_ground(&line, c);
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

/* Nothing in it is markup, calls somebody (@name) or is a link. */
static void markdown_text(struct buf *b, struct str text)
{
	SCOPED(buf) struct buf clean = { 0 };

	width_clean(&clean, text);
	for (size_t i = 0; i < clean.len; i++) {
		char next = i + 1 < clean.len ? clean.at[i + 1] : 0;

		if (strchr("\\|`*_<>[]&", clean.at[i]) || (clean.at[i] == ':' && next == '/'))
			buf_char(b, '\\');
		buf_char(b, clean.at[i]);
		if (clean.at[i] == '@')
			buf_text(b, "<!-- -->");
	}
}

void compare_markdown_cell(struct buf *b, struct str text)
{
	buf_text(b, "| ");
	markdown_text(b, text);
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
	compare_ground(&text, c);
	markdown_text(&b, buf_view(&text));
	buf_text(&b, "\n\n| | BASE | NEW |\n|---|---:|---:|\n| run ");
	for (int side = BASE; side < SIDES; side++)
		compare_markdown_cell(&b, str_of(names[side]));
	buf_text(&b, "|\n| a step ");
	for (int side = BASE; side < SIDES; side++) {
		buf_clear(&text);
		label_ns(&text, (double)c->total_ns[side]);
		compare_markdown_cell(&b, buf_view(&text));
	}
	buf_text(&b, "|\n");
	if (rows) {
		buf_text(&b, "\n");
		for (size_t i = 0; i < sizeof(shown) / sizeof(*shown); i++)
			compare_markdown_cell(&b, str_of(columns[shown[i]].head));
		buf_text(&b, "|\n|---:|---:|---:|---|---:|---|---|\n");
	}
	for (size_t r = 0; r < rows; r++) {
		for (size_t i = 0; i < sizeof(shown) / sizeof(*shown); i++) {
			buf_clear(&text);
			cell((void *)(size_t)c, r, shown[i], &text, &none);
			compare_markdown_cell(&b, buf_view(&text));
		}
		buf_text(&b, "|\n");
	}
	out_buf(out, &b);
}
