// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <time.h>

#include "base/number.h"
#include "base/table.h"
#include "base/width.h"
#include "history/history_out.h"
#include "report/label.h"

enum { COMMIT_DIGITS = 10 };

void history_commit(struct buf *b, const struct history_run *r)
{
	if (r->commit_id.len)
		buf_printf(b, "%.*s%s", STR_ARG(str_head(r->commit_id, COMMIT_DIGITS)),
			   r->dirty ? "+" : "");
	else
		buf_printf(b, "run %lld", (long long)r->id);
}

void history_date(struct buf *b, int64_t time_s)
{
	time_t at = (time_t)time_s;
	struct tm tm;
	char text[32];

	if (time_s > 0 && gmtime_r(&at, &tm) && strftime(text, sizeof(text), "%Y-%m-%d %H:%M", &tm))
		buf_text(b, text);
}

bool trend_is_shown(const struct trends *t, const struct trend *tr, const struct history_shown *s)
{
	SCOPED(buf) struct buf label = { 0 };

	if (!s->op)
		return s->every || tr->of <= TREND_GAPS;
	trend_label(&label, t, tr);
	/* the exact name alone, where one has it */
	return str_has_nocase(buf_view(&label), str_of(s->op));
}

bool change_is_shown(const struct trend_change *c, const struct history_shown *s)
{
	return s->all || c->is_open;
}

/* ---- list ---- */

static const struct table_column list_columns[] = {
	{ .head = "run", .align = WIDTH_RIGHT },
	{ .head = "recorded" },
	{ .head = "commit" },
	{ .head = "branch", .drop = 4, .flexible = true, .min = 6 },
	{ .head = "name", .flexible = true, .min = 8, .enough = TABLE_NAME },
	{ .head = "machine", .drop = 2, .flexible = true, .min = 6 },
	{ .head = "chip", .drop = 3 },
	{ .head = "clock", .unit = "MHz", .align = WIDTH_RIGHT, .drop = 1 },
	{ .head = "ops", .align = WIDTH_RIGHT, .drop = 5 },
	{ .head = "step", .align = WIDTH_RIGHT },
};

static void list_cell(void *ctx, size_t row, size_t column, struct buf *b, enum colour *colour)
{
	const struct history *h = ctx;
	const struct history_run *r = &h->runs.at[row];

	(void)colour;
	switch (column) {
	case 0:
		buf_add_i64(b, r->id);
		break;
	case 1:
		history_date(b, r->time_s);
		break;
	case 2:
		if (r->commit_id.len)
			history_commit(b, r);
		break;
	case 3:
		buf_str(b, r->branch);
		break;
	case 4:
		buf_str(b, r->name);
		break;
	case 5:
		buf_str(b, r->machine);
		break;
	case 6:
		buf_str(b, r->chip);
		break;
	case 7:
		if (r->mhz > 0)
			number_fixed(b, r->mhz, 0, 0);
		break;
	case 8:
		buf_add_i64(b, r->ops);
		break;
	default:
		label_ns(b, r->total_ns);
	}
}

void history_list_text(const struct history *h, struct term term, struct out *out)
{
	struct table t = { .columns = list_columns,
			   .n = sizeof(list_columns) / sizeof(*list_columns),
			   .rows = h->runs.len,
			   .cell = list_cell,
			   .ctx = (void *)(size_t)h,
			   .width = (size_t)term.width,
			   .colour = term.colour,
			   .utf8 = term.utf8 };

	if (h->runs.len)
		table_print(&t, out);
	else
		out_text(out, "no runs\n");
	table_release(&t);
}

/* ---- show ---- */

void series_name(struct buf *b, const struct series *s)
{
	const struct str parts[] = { s->name, s->branch, s->machine, s->chip };
	bool any = false;

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		if (!parts[i].len)
			continue;
		buf_text(b, any ? " · " : "");
		width_clean(b, parts[i]);
		any = true;
	}
	if (!any)
		buf_text(b, "runs without a name");
}

/* The last values that fit, from the least to the most; a change is where the line of marks has one. */
static void put_sparkline(struct buf *b, const struct trend *tr, size_t runs, size_t most,
			  bool utf8)
{
	static const char *const bars[] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	static const char *const plain[] = { "_", ".", ",", "-", "=", "+", "*", "#" };
	size_t from = runs > most ? runs - most : 0;
	double low = INFINITY, high = -INFINITY;

	for (size_t r = from; r < runs; r++)
		if (!isnan(tr->ns[r])) {
			low = number_min(low, tr->ns[r]);
			high = number_max(high, tr->ns[r]);
		}
	for (size_t r = from; r < runs; r++) {
		double part = high > low ? (tr->ns[r] - low) / (high - low) : 0.5;

		if (isnan(tr->ns[r]))
			buf_char(b, ' ');
		else
			buf_text(b, (utf8 ? bars : plain)[part < 0    ? 0
							  : part >= 1 ? 7
								      : (int)(part * 8)]);
	}
}

static void put_percent(struct buf *b, double by, double of)
{
	if (of > 0)
		buf_printf(b, "%s%.*f %%", by < 0 ? "−" : "+", fabs(100 * by / of) < 10 ? 2 : 1,
			   fabs(100 * by / of));
}

static void put_range(struct buf *b, const struct trends *t, const struct series *s,
		      const struct trend_change *c)
{
	const struct history_run *bad = series_run(t, s, c->at);
	SCOPED(buf) struct buf good = { 0 }, first = { 0 };

	history_commit(&good, series_run(t, s, c->last_good));
	history_commit(&first, bad);
	if (c->at_one_commit)
		buf_text(b, "at commit ");
	else {
		width_clean(b, buf_view(&good));
		buf_text(b, " .. ");
	}
	width_clean(b, buf_view(&first));
	if (bad->time_s > 0) {
		buf_text(b, " (");
		history_date(b, bad->time_s);
		buf_text(b, ")");
	}
}

void change_note(struct buf *b, const struct trend_change *c)
{
	if (c->is_clock)
		buf_printf(b, "clock %.0f → %.0f MHz, as many cycles", c->mhz[BASE], c->mhz[NEW]);
	else if (c->at_one_commit)
		buf_text(
			b,
			"the same commit before and after it, so the machine or what it runs on changed");
	else if (c->verdict == COMPARE_SLOWER && !c->is_open)
		buf_text(b, "fixed since");
}

static void put_change(struct buf *b, const struct trends *t, const struct series *s,
		       const struct trend_change *c)
{
	const struct shift *by = &c->shift;
	SCOPED(buf) struct buf note = { 0 };

	label_ns(b, c->before_ns);
	buf_text(b, " → ");
	label_ns(b, c->after_ns);
	buf_text(b, "  ");
	put_percent(b, by->by, c->before_ns);
	buf_text(b, " (");
	put_percent(b, by->low, c->before_ns);
	buf_text(b, " to ");
	put_percent(b, by->high, c->before_ns);
	buf_text(b, ")  ");
	put_range(b, t, s, c);
	change_note(&note, c);
	if (note.len)
		buf_printf(b, ": %.*s", STR_ARG(buf_view(&note)));
}

static void show_trend(struct buf *b, const struct trends *t, const struct series *s,
		       const struct trend *tr, struct term term)
{
	size_t runs = s->runs.len, width = term.width > 10 ? (size_t)term.width - 4 : 40,
	       last = runs, first = 0;
	SCOPED(buf) struct buf label = { 0 };

	trend_label(&label, t, tr);
	buf_text(b, "  ");
	width_clean(b, buf_view(&label));
	if (tr->of > TREND_GAPS && tr->count > 1)
		buf_printf(b, ", %u ops of a step", tr->count);
	buf_char(b, '\n');
	while (first < runs && isnan(tr->ns[first]))
		first++;
	while (last > 0 && isnan(tr->ns[last - 1]))
		last--;
	if (first >= last) {
		buf_text(b, "    no run has its time\n");
		return;
	}
	buf_text(b, "    ");
	put_sparkline(b, tr, runs, width, term.utf8);
	buf_text(b, "\n    ");
	label_ns(b, tr->ns[first]);
	buf_text(b, " → ");
	label_ns(b, tr->ns[last - 1]);
	buf_printf(b, "  in %zu run%s\n", runs, runs == 1 ? "" : "s");
	vec_each (c, &tr->changes) {
		buf_printf(b, "    %s: ", compare_verdict_names[c->verdict]);
		put_change(b, t, s, c);
		buf_char(b, '\n');
	}
}

bool history_has(const struct trends *t, const struct history_shown *shown)
{
	vec_each (s, &t->all)
		vec_each (tr, &s->trends)
			if (trend_is_shown(t, tr, shown))
				return true;
	return false;
}

void history_show_text(const struct trends *t, const struct history_shown *shown, struct term term,
		       struct out *out)
{
	SCOPED(buf) struct buf b = { 0 };
	bool first = true;

	vec_each (s, &t->all) {
		bool headed = false;

		vec_each (tr, &s->trends) {
			if (!trend_is_shown(t, tr, shown))
				continue;
			if (!headed) {
				buf_text(&b, first ? "" : "\n");
				series_name(&b, s);
				buf_char(&b, '\n');
			}
			headed = true;
			first = false;
			show_trend(&b, t, s, tr, term);
		}
		out_buf(out, &b);
	}
}

/* ---- regressions ---- */

static size_t count_runs(const struct trends *t)
{
	size_t n = 0;

	vec_each (s, &t->all)
		n = s->runs.len > n ? s->runs.len : n;
	return n;
}

/* The step may be slower than it was: it can't be said, or its newest runs are, and not enough of them for a change. */
static bool is_unsure(const struct trend *tr)
{
	return tr->of == TREND_STEP && (tr->now == COMPARE_UNSURE || tr->now == COMPARE_SLOWER);
}

/* Why nobody can say that the step is not slower than it was. */
static bool why_unsure(struct buf *b, const struct series *s)
{
	enum { NEEDED = 2 * COMPARE_RUNS_AT_LEAST };

	vec_each (tr, &s->trends) {
		if (!is_unsure(tr))
			continue;
		if (tr->since < NEEDED)
			buf_printf(b, "%zu run%s, of %d that it takes", tr->since,
				   tr->since == 1 ? "" : "s", NEEDED);
		else
			buf_printf(b, "the newest %d of %zu runs %s", COMPARE_RUNS_AT_LEAST,
				   tr->since,
				   tr->now == COMPARE_SLOWER
					   ? "are slower than those before, not surely for good"
					   : "may differ");
		return true;
	}
	return false;
}

/* What is slower and still is: the step, else what lost most; `n`: how many there are. */
static const struct trend_change *find_slower(const struct series *s, bool clock,
					      const struct trend **of, size_t *n)
{
	const struct trend_change *worst = NULL;

	*n = 0;
	vec_each (tr, &s->trends)
		vec_each (c, &tr->changes) {
			if (!c->is_open || c->is_clock != clock)
				continue;
			++*n;
			if (worst && ((*of)->of == TREND_STEP || c->shift.by <= worst->shift.by))
				continue;
			worst = c;
			*of = tr;
		}
	return worst;
}

void series_finding(struct buf *b, const struct trends *t, const struct series *s)
{
	const struct trend *of = NULL;
	size_t n;
	const struct trend_change *c = find_slower(s, false, &of, &n);
	SCOPED(buf) struct buf why = { 0 };

	if (c) {
		SCOPED(buf) struct buf label = { 0 };

		trend_label(&label, t, of);
		buf_text(b, of->of == TREND_STEP ? "The " : "");
		width_clean(b, buf_view(&label));
		buf_text(b, " is slower: ");
		label_ns(b, c->before_ns);
		buf_text(b, " → ");
		label_ns(b, c->after_ns);
		buf_text(b, ", ");
		put_percent(b, c->shift.by, c->before_ns);
		buf_text(b, ", ");
		put_range(b, t, s, c);
		if (n > 1)
			buf_printf(b, "; so %s %zu other%s", n == 2 ? "is" : "are", n - 1,
				   n == 2 ? "" : "s");
		return;
	}
	if (why_unsure(&why, s)) {
		buf_printf(b, "Can't tell whether the step is slower: %.*s",
			   STR_ARG(buf_view(&why)));
		return;
	}
	c = find_slower(s, true, &of, &n);
	if (c)
		buf_printf(b, "Nothing but the clock changed: %.0f → %.0f MHz", c->mhz[BASE],
			   c->mhz[NEW]);
	else
		buf_printf(b, "Nothing is slower than it was, in %zu run%s", s->runs.len,
			   s->runs.len == 1 ? "" : "s");
}

static void put_why_unsure(struct buf *b, const struct trends *t)
{
	vec_each (s, &t->all) {
		SCOPED(buf) struct buf why = { 0 };

		if (!why_unsure(&why, s))
			continue;
		buf_text(b, "  ");
		series_name(b, s);
		buf_printf(b, ": %.*s\n", STR_ARG(buf_view(&why)));
	}
}

void history_regressions_text(const struct trends *t, const struct history_shown *shown,
			      struct term term, struct out *out)
{
	SCOPED(buf) struct buf b = { 0 };
	bool any = false;

	(void)term;
	vec_each (s, &t->all) {
		bool headed = false;

		vec_each (tr, &s->trends)
			vec_each (c, &tr->changes) {
				SCOPED(buf) struct buf label = { 0 };

				if (!change_is_shown(c, shown))
					continue;
				if (!headed) {
					series_name(&b, s);
					buf_char(&b, '\n');
				}
				headed = any = true;
				trend_label(&label, t, tr);
				buf_printf(&b, "  %s ", compare_verdict_names[c->verdict]);
				width_clean(&b, buf_view(&label));
				buf_text(&b, ": ");
				put_change(&b, t, s, c);
				buf_char(&b, '\n');
			}
		if (headed) {
			SCOPED(buf) struct buf unsure = { 0 };

			if (why_unsure(&unsure, s))
				buf_printf(&b, "  can't tell of the step since then: %.*s\n",
					   STR_ARG(buf_view(&unsure)));
		}
		out_buf(out, &b);
	}
	if (any)
		return;
	if (history_status(t) == 3) {
		buf_printf(
			&b,
			"can't tell: %zu runs in the longest series, or too much noise in it; a change needs %d runs before it and %d after it, and more where they are noisy\n",
			count_runs(t), COMPARE_RUNS_AT_LEAST, COMPARE_RUNS_AT_LEAST);
		put_why_unsure(&b, t);
	} else
		buf_text(&b, "no regression\n");
	out_buf(out, &b);
}

int series_status(const struct series *s)
{
	bool slower = false, unsure = false;

	vec_each (tr, &s->trends) {
		unsure |= is_unsure(tr);
		vec_each (c, &tr->changes)
			slower |= c->is_open && !c->is_clock;
	}
	return slower ? 1 : unsure ? 3 : 0;
}

int history_status(const struct trends *t)
{
	bool slower = false, unsure = !t->all.len;

	vec_each (s, &t->all) {
		slower |= series_status(s) == 1;
		unsure |= series_status(s) == 3;
	}
	return slower ? 1 : unsure ? 3 : 0;
}
