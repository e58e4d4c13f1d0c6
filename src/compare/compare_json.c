// SPDX-License-Identifier: Apache-2.0
/* The comparison for programs: JSON (docs/reference/formats/compare-json.md) and CSV. */
#include <math.h>

#include "base/csv.h"
#include "base/json.h"
#include "base/number.h"
#include "compare/compare.h"
#include "compare/diff.h"

static void put_estimate(struct json_writer *w, const struct estimate *e)
{
	json_put_text(w, "verdict", str_of(compare_verdict_names[e->verdict]));
	json_put_number(w, "shift_ns", e->shift.by);
	json_put_number(w, "low_ns", e->shift.low); /* null: too few samples */
	json_put_number(w, "high_ns", e->shift.high);
	json_put_number(w, "p", e->shift.p);
	json_put_number(w, "rank_p", e->shift.rank_p);
	json_put_count(w, "base_samples", e->samples[BASE]);
	json_put_count(w, "new_samples", e->samples[NEW]);
}

static void put_side(struct json_writer *w, const struct compare *c, enum compare_side side,
		     const char *name)
{
	json_put_text(w, "name", str_of(name));
	json_put_count(w, "runs", c->ask.n[side]);
	json_put_count(w, "runs_not_counted", c->ask.not_counted[side]);
	json_put_count(w, "steps", c->runs[side]->repeats);
	json_put_count(w, "ops", c->runs[side]->at.len);
	json_put_count(w, "ops_before_steps", c->runs[side]->before);
	json_put_count(w, "untimed", c->untimed[side]);
	json_put_whole(w, "total_ns", c->total_ns[side]);
	json_put_whole(w, "device_ns", c->device_ns[side]);
	json_put_whole(w, "gap_ns", c->total_ns[side] - c->device_ns[side]);
	json_put_number(w, "clock_mhz", c->mhz[side] > 0 ? c->mhz[side] : NAN);
	json_put_text(w, "arch", c->runs[side]->calls->arch);
}

static uint32_t id_of(const struct compare *c, const struct compare_line *l, enum compare_side side)
{
	const struct op_sequence *s = c->runs[side];

	return s->calls->all.at[s->at.at[l->position[side]].call].id;
}

static void put_line(struct json_writer *w, const struct compare *c, const struct compare_line *l)
{
	SCOPED(buf) struct buf label = { 0 };

	compare_label(&label, c, l);
	json_open_object(w);
	json_put_text(w, "op", buf_view(&label));
	json_put_text(w, "change", str_of(line_change_names[l->change]));
	json_put_count(w, "count", l->count);
	if (l->position[BASE] != DIFF_NONE)
		json_put_count(w, "base_id", id_of(c, l, BASE));
	if (l->position[NEW] != DIFF_NONE)
		json_put_count(w, "new_id", id_of(c, l, NEW));
	json_put_whole(w, "base_ns", l->time_ns[BASE]);
	json_put_whole(w, "new_ns", l->time_ns[NEW]);
	json_put_whole(w, "base_gap_ns", l->gap_ns[BASE]);
	json_put_whole(w, "new_gap_ns", l->gap_ns[NEW]);
	if (l->change == LINE_KEPT || l->change == LINE_CHANGED)
		put_estimate(w, &l->time);
	json_put_text(w, "cause", buf_view(&l->cause));
	if (l->gap.samples[BASE] && l->gap.samples[NEW]) {
		json_put_object(w, "gap");
		put_estimate(w, &l->gap);
		json_close_object(w);
	}
	json_put_text(w, "gap_cause", buf_view(&l->gap_cause));
	json_close_object(w);
}

static void put_contribution(struct json_writer *w, const struct compare *c,
			     const struct contribution *x)
{
	double percent = compare_contribution_percent(c, x);

	json_open_object(w);
	json_put_count(w, "line", x->line);
	json_put_text(w, "of", x->is_gap ? STR("gap") : STR("time"));
	json_put_whole(w, "by_ns", x->by_ns);
	json_put_number(w, "percent", percent);
	json_close_object(w);
}

/* The three lines that the text begins with. */
static void put_totals(struct json_writer *w, const struct compare *c)
{
	static const char *const names[] = { "step", "device", "gaps" };
	int64_t ns[3][SIDES];

	for (int side = BASE; side < SIDES; side++) {
		ns[0][side] = c->total_ns[side];
		ns[1][side] = c->device_ns[side];
		ns[2][side] = c->total_ns[side] - c->device_ns[side];
	}
	json_put_array(w, "totals");
	for (int i = 0; i < 3; i++) {
		int64_t base = ns[i][BASE], by = ns[i][NEW] - base;

		json_open_object(w);
		json_put_text(w, "of", str_of(names[i]));
		json_put_whole(w, "base_ns", base);
		json_put_whole(w, "new_ns", ns[i][NEW]);
		json_put_whole(w, "by_ns", by);
		json_put_number(w, "percent", base > 0 ? 100 * (double)by / (double)base : NAN);
		json_close_object(w);
	}
	json_close_array(w);
}

void compare_json_add(struct buf *to, const struct compare *c, const char *const *names,
		      void (*more)(const void *what, struct json_writer *w), const void *what)
{
	SCOPED(buf) struct buf text = { 0 };
	struct json_writer w = { .to = to, .pretty = true };

	compare_sentence(&text, c);
	json_open_object(&w);
	json_put_text(&w, "schema", STR("ttprof.compare/1"));
	put_estimate(&w, &c->total);
	json_put_text(&w, "sentence", buf_view(&text));
	buf_clear(&text);
	compare_finding(&text, c);
	json_put_text(&w, "finding", buf_view(&text));
	buf_clear(&text);
	compare_wish(&text, c);
	json_put_text(&w, "wish", buf_view(&text));
	buf_clear(&text);
	compare_ground(&text, c);
	json_put_text(&w, "ground", buf_view(&text));
	json_put_text(&w, "unit", str_of(compare_unit_names[c->unit]));
	json_put_whole(&w, "change_ns", c->total_ns[NEW] - c->total_ns[BASE]);
	json_put_bool(&w, "firm", c->is_firm);
	json_put_bool(&w, "gaps_compared", c->has_gaps);
	json_put_count(&w, "runs_needed", c->needed);
	json_put_count(&w, "common_ops", c->common);
	json_put_number(&w, "min_percent", c->ask.min_percent);
	json_put_number(&w, "min_ns", c->ask.min_ns);
	json_put_object(&w, "base");
	put_side(&w, c, BASE, names[BASE]);
	json_close_object(&w);
	json_put_object(&w, "new");
	put_side(&w, c, NEW, names[NEW]);
	json_close_object(&w);
	put_totals(&w, c);
	json_put_count(&w, "runs_on_both_sides", c->ask.shared);
	json_put_array(&w, "contributions");
	vec_each (x, &c->contributions)
		put_contribution(&w, c, x);
	json_close_array(&w);
	json_put_count(&w, "explaining", compare_explaining(c, 0));
	json_put_array(&w, "lines");
	vec_each (l, &c->lines)
		put_line(&w, c, l);
	json_close_array(&w);
	if (more)
		more(what, &w);
	json_close_object(&w);
	buf_char(to, '\n');
}

void compare_json(const struct compare *c, const char *const *names,
		  void (*more)(const void *what, struct json_writer *w), const void *what,
		  struct out *out)
{
	SCOPED(buf) struct buf b = { 0 };

	compare_json_add(&b, c, names, more, what);
	out_buf(out, &b);
}

/* The ID of an op at a position of a side's first run; 0: there is none. */
static uint32_t position_id(const struct compare *c, enum compare_side side, uint32_t position)
{
	const struct op_sequence *s = c->runs[side];

	return position == DIFF_NONE ? 0 : s->calls->all.at[s->at.at[position].call].id;
}

void compare_pairs_json(const struct compare *c, struct json_writer *w)
{
	static const char *const names[] = { "base", "new", "line" };
	size_t n = c->runs[BASE]->at.len, m = c->runs[NEW]->at.len;
	SCOPED(mem) bool *taken = mem_zero(m + 1, sizeof(*taken));
	VEC(uint32_t) column[3] = { 0 };

	for (uint32_t i = 0; i < n; i++) {
		uint32_t other = c->across[i];

		if (other != DIFF_NONE)
			taken[other] = true;
		*vec_push(&column[0]) = position_id(c, BASE, i);
		*vec_push(&column[1]) = position_id(c, NEW, other);
		*vec_push(&column[2]) = c->line_of[BASE][i] + 1; /* DIFF_NONE: 0 */
	}
	for (uint32_t i = 0; i < m; i++) {
		if (taken[i])
			continue;
		*vec_push(&column[0]) = 0;
		*vec_push(&column[1]) = position_id(c, NEW, i);
		*vec_push(&column[2]) = c->line_of[NEW][i] + 1;
	}
	json_put_object(w, "pairs");
	for (int k = 0; k < 3; k++) {
		json_put_array(w, names[k]);
		vec_each (v, &column[k])
			json_write_u64(w, *v);
		json_close_array(w);
		vec_release(&column[k]);
	}
	json_close_object(w);
}

static void number_cell(struct csv_writer *w, double v)
{
	csv_plain(w);
	if (isfinite(v))
		number_shortest(w->out, v);
}

static void whole_cell(struct csv_writer *w, int64_t v)
{
	csv_plain(w);
	buf_add_i64(w->out, v);
}

void compare_csv(const struct compare *c, struct out *out)
{
	static const char *const head[] = { "op",           "change",      "count",
					    "base [ns]",    "new [ns]",    "base gap [ns]",
					    "new gap [ns]", "shift [ns]",  "low [ns]",
					    "high [ns]",    "p",           "verdict",
					    "cause",        "gap verdict", "gap cause" };
	SCOPED(buf) struct buf b = { 0 }, label = { 0 };
	struct csv_writer w = { .out = &b, .eol = "\n" };

	for (size_t i = 0; i < sizeof(head) / sizeof(*head); i++)
		csv_field(&w, str_of(head[i]));
	csv_end_row(&w);
	vec_each (l, &c->lines) {
		bool both = l->change == LINE_KEPT || l->change == LINE_CHANGED;

		buf_clear(&label);
		compare_label(&label, c, l);
		csv_field(&w, buf_view(&label));
		csv_field(&w, str_of(line_change_names[l->change]));
		whole_cell(&w, l->count);
		for (int side = BASE; side < SIDES; side++)
			whole_cell(&w, l->time_ns[side]);
		for (int side = BASE; side < SIDES; side++)
			whole_cell(&w, l->gap_ns[side]);
		number_cell(&w, both ? l->time.shift.by : NAN);
		number_cell(&w, both ? l->time.shift.low : NAN);
		number_cell(&w, both ? l->time.shift.high : NAN);
		number_cell(&w, both ? l->time.shift.p : NAN);
		csv_field(&w, both ? str_of(compare_verdict_names[l->time.verdict]) : STR(""));
		csv_field(&w, buf_view(&l->cause));
		csv_field(&w, l->gap.samples[BASE] && l->gap.samples[NEW]
				      ? str_of(compare_gap_verdict_names[l->gap.verdict])
				      : STR(""));
		csv_field(&w, buf_view(&l->gap_cause));
		csv_end_row(&w);
	}
	out_buf(out, &b);
}
