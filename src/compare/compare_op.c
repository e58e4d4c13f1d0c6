// SPDX-License-Identifier: Apache-2.0
/* One op in full, of BASE and of NEW: its times, what happened inside of it, and every column in which its rows differ. */
#include <math.h>

#include "base/opt.h"
#include "base/table.h"
#include "compare/compare.h"
#include "compare/diff.h"

/* Times and counters of a single call differ always, and have their lines above. */
static bool is_measured(struct str name)
{
	return str_has(name, STR("[ns]")) || str_has(name, STR("CYCLE")) ||
	       str_has(name, STR(" TS")) || str_starts(name, STR("GLOBAL CALL COUNT")) ||
	       str_starts(name, STR("HOST START")) || str_starts(name, STR("HOST END")) ||
	       str_has(name, STR("TRACE ID")) || str_has(name, STR("SESSION"));
}

static size_t find_position(const struct compare *c, enum compare_side side, uint64_t id)
{
	const struct op_sequence *s = &c->runs[side][0];

	for (size_t at = 0; at < s->at.len; at++) {
		if (s->calls->all.at[s->at.at[at].call].id == id)
			return at;
		for (size_t r = 0; s->call && r < s->repeats; r++)
			if (s->calls->all.at[s->call[at * s->repeats + r]].id == id)
				return at;
	}
	return DIFF_NONE;
}

bool compare_find_op(const struct compare *c, uint64_t id, struct compare_op *to)
{
	*to = (struct compare_op){ .position = { DIFF_NONE, DIFF_NONE } };
	to->position[NEW] = find_position(c, NEW, id);
	if (to->position[NEW] == DIFF_NONE)
		to->position[BASE] = find_position(c, BASE, id);
	if (to->position[BASE] != DIFF_NONE)
		to->position[NEW] = c->across[to->position[BASE]];
	else
		for (size_t i = 0; to->position[NEW] != DIFF_NONE && i < c->runs[BASE]->at.len; i++)
			if (c->across[i] == to->position[NEW])
				to->position[BASE] = i;
	for (int side = BASE; side < SIDES; side++)
		if (to->position[side] != DIFF_NONE &&
		    c->line_of[side][to->position[side]] != DIFF_NONE) {
			to->line = c->line_of[side][to->position[side]];
			return true;
		}
	return false;
}

static const struct call *call_of(const struct compare *c, int side, size_t position)
{
	const struct op_sequence *s = &c->runs[side][0];

	return &s->calls->all.at[s->at.at[position].call];
}

struct difference {
	struct str name;
	struct buf text[SIDES];
};
typedef VEC(struct difference) differences;

static size_t find_name(const struct ops_cells *cells, struct str name)
{
	for (size_t i = 0; i < cells->file->names.len; i++)
		if (str_eq(cells->file->names.at[i], name))
			return i;
	return cells->file->names.len;
}

/* Columns that only one side has come last. */
static void find_differences(const struct compare *c, const struct compare_op *op, differences *to)
{
	struct ops_cells cells[SIDES];

	for (int side = BASE; side < SIDES; side++) {
		const struct call *call = call_of(c, side, op->position[side]);

		ops_cells_init(&cells[side], c->runs[side]->calls->table);
		ops_cells_row(&cells[side], call->row);
	}
	for (int side = BASE; side < SIDES; side++)
		for (size_t i = 0; i < cells[side].file->names.len; i++) {
			struct str name = cells[side].file->names.at[i];
			size_t other = find_name(&cells[!side], name);
			bool there = other < cells[!side].file->names.len;
			struct difference d = { .name = name };

			if (is_measured(name) || (there && side == NEW))
				continue;
			buf_str(&d.text[side], ops_cell(&cells[side], i));
			if (there)
				buf_str(&d.text[!side], ops_cell(&cells[!side], other));
			if (str_eq(buf_view(&d.text[BASE]), buf_view(&d.text[NEW])))
				RELEASE(buf, &d.text[BASE], &d.text[NEW]);
			else
				*vec_push(to) = d;
		}
	for (int side = BASE; side < SIDES; side++)
		ops_cells_release(&cells[side]);
}

static const struct table_column columns[] = {
	{ .head = "column", .flexible = true, .min = 12, .enough = 30 },
	{ .head = "BASE", .flexible = true, .min = 8 },
	{ .head = "NEW", .flexible = true, .min = 8 },
};

static void cell(void *ctx, size_t row, size_t column, struct buf *b, enum colour *colour)
{
	const struct difference *d = &((const differences *)ctx)->at[row];

	(void)colour;
	buf_str(b, column ? buf_view(&d->text[column - 1]) : d->name);
}

static void put_differences(const struct compare *c, const struct compare_op *op, struct term term,
			    struct out *out)
{
	differences all = { 0 };
	struct table t = { .columns = columns,
			   .n = sizeof(columns) / sizeof(*columns),
			   .cell = cell,
			   .ctx = &all,
			   .width = (size_t)term.width,
			   .indent = 2,
			   .colour = term.colour,
			   .utf8 = term.utf8 };

	find_differences(c, op, &all);
	t.rows = all.len;
	if (all.len) {
		out_printf(out, "\nColumns that differ (op %u of BASE, op %u of NEW):\n",
			   call_of(c, BASE, op->position[BASE])->id,
			   call_of(c, NEW, op->position[NEW])->id);
		table_print(&t, out);
	} else {
		out_text(out, "\nNo column of its rows differs, times aside.\n");
	}
	table_release(&t);
	vec_each (d, &all)
		RELEASE(buf, &d->text[BASE], &d->text[NEW]);
	vec_release(&all);
}

/* "    between −1.2 µs and +3 µs, 5 against 5 runs: slower" */
static void add_estimate(struct buf *b, const struct compare *c, const struct estimate *e,
			 const char *verdict)
{
	if (!e->samples[BASE] && !e->samples[NEW])
		return;
	buf_text(b, "          ");
	if (isfinite(e->shift.low)) {
		buf_text(b, "between ");
		compare_signed_ns(b, e->shift.low);
		buf_text(b, " and ");
		compare_signed_ns(b, e->shift.high);
		buf_text(b, ", ");
	}
	buf_printf(b, "%u against %u %s: %s\n", e->samples[BASE], e->samples[NEW],
		   compare_unit_names[c->unit], verdict);
}

static void add_head(struct buf *b, const struct compare *c, const struct compare_op *op,
		     const struct compare_line *l, struct term term)
{
	SCOPED(buf) struct buf label = { 0 }, clean = { 0 };

	compare_label(&label, c, l);
	width_clean(&clean, buf_view(&label));
	colour_text(b, buf_view(&clean), COLOUR_BOLD, term.colour);
	buf_char(b, '\n');
	if (op->position[BASE] == DIFF_NONE || op->position[NEW] == DIFF_NONE) {
		int side = op->position[BASE] != DIFF_NONE ? BASE : NEW;

		buf_printf(b, "op %u of %s alone: no op of the other side stands for it\n",
			   call_of(c, side, op->position[side])->id, side == BASE ? "BASE" : "NEW");
	} else {
		buf_printf(b, "op %u of BASE, op %u of NEW",
			   call_of(c, BASE, op->position[BASE])->id,
			   call_of(c, NEW, op->position[NEW])->id);
		if (l->change == LINE_CHANGED)
			buf_text(b, "; it is another one");
		buf_char(b, '\n');
	}
	if (l->count > 1)
		buf_printf(b, "%u like it in a step: the times are of all of them\n", l->count);
}

static void add_because(struct buf *b, const struct buf *cause, struct term term)
{
	SCOPED(buf) struct buf text = { 0 };

	if (!cause->len)
		return;
	buf_text(&text, "because ");
	width_clean(&text, buf_view(cause));
	opt_wrap(b, text.at, 10, 0, term.width);
}

static void add_inside(struct buf *b, const struct compare *c, uint32_t line)
{
	struct inside_figure all[INSIDE_FIGURES_MOST];
	size_t n = compare_inside(c, line, all);

	if (n)
		buf_text(b, "\nInside of it, means of its calls:\n");
	for (size_t i = 0; i < n; i++)
		compare_totals_line(b, all[i].name, 28, (int64_t)all[i].mean_ns[BASE],
				    (int64_t)all[i].mean_ns[NEW]);
}

void compare_op_text(const struct compare *c, const char *const *names, const struct compare_op *op,
		     struct term term, struct out *out)
{
	const struct compare_line *l = &c->lines.at[op->line];
	SCOPED(buf) struct buf b = { 0 }, plain = { 0 };
	bool both = op->position[BASE] != DIFF_NONE && op->position[NEW] != DIFF_NONE;

	compare_names(&b, names);
	buf_text(&b, "\n\n");
	add_head(&b, c, op, l, term);
	compare_totals_line(&b, "time", 7, l->time_ns[BASE], l->time_ns[NEW]);
	add_estimate(&b, c, &l->time, compare_verdict_names[l->time.verdict]);
	add_because(&b, &l->cause, term);
	if (c->has_gaps) {
		compare_totals_line(&b, "gaps", 7, l->gap_ns[BASE], l->gap_ns[NEW]);
		add_estimate(&b, c, &l->gap, compare_gap_verdict_names[l->gap.verdict]);
		add_because(&b, &l->gap_cause, term);
	}
	if (both)
		add_inside(&b, c, op->line);
	if (!term.utf8)
		width_ascii(&plain, buf_view(&b));
	out_buf(out, term.utf8 ? &b : &plain);
	if (both)
		put_differences(c, op, term, out);
}
