// SPDX-License-Identifier: Apache-2.0
#include "compare/host_zones.h"

#include <math.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/number.h"
#include "base/table.h"
#include "report/label.h"

static int by_change(const void *a, const void *b)
{
	const struct zone_line *x = a, *y = b;
	double p = fabs(x->self_ns[NEW] - x->self_ns[BASE]);
	double q = fabs(y->self_ns[NEW] - y->self_ns[BASE]);

	return p < q ? 1 : p > q ? -1 : str_cmp(x->stack, y->stack);
}

/* A run without a zone spent no time in it. */
static void judge(struct zone_line *l, const double *samples, const size_t *n)
{
	SCOPED(mem) double *a = mem_alloc(n[BASE] + 1, sizeof(*a));
	SCOPED(mem) double *b = mem_alloc(n[NEW] + 1, sizeof(*b));

	memcpy(a, samples, n[BASE] * sizeof(*a));
	memcpy(b, samples + n[BASE], n[NEW] * sizeof(*b));
	l->self.samples[BASE] = (uint32_t)n[BASE];
	l->self.samples[NEW] = (uint32_t)n[NEW];
	l->self.shift = rank_shift(a, n[BASE], b, n[NEW]);
}

static void judge_all(struct zone_lines *z, const double *samples, const size_t *n,
		      const struct compare_ask *ask)
{
	SCOPED(mem) double *p = mem_alloc(z->all.len + 1, sizeof(*p));
	size_t runs = n[BASE] + n[NEW];

	for (size_t i = 0; i < z->all.len; i++) {
		judge(&z->all.at[i], samples + i * runs, n);
		p[i] = z->all.at[i].self.shift.p;
	}
	rank_adjust(p, z->all.len);
	for (size_t i = 0; i < z->all.len; i++) {
		struct zone_line *l = &z->all.at[i];

		l->self.verdict = compare_judge_shift(
			&l->self.shift, p[i], l->self_ns[NEW] - l->self_ns[BASE],
			compare_margin(ask, (int64_t)l->self_ns[BASE]));
		if (isinf(l->self.shift.low))
			l->self.verdict = COMPARE_UNSURE;
	}
}

void zone_lines_make(struct zone_lines *to, const struct host_zones *const *runs, const size_t *n,
		     const struct compare_ask *ask)
{
	SCOPED(intern) struct intern names = { 0 };
	VEC(double) samples = { 0 };
	size_t columns = n[BASE] + n[NEW], column = 0;

	*to = (struct zone_lines){ 0 };
	for (int side = BASE; side < SIDES; side++)
		for (size_t r = 0; r < n[side]; r++, column++)
			vec_each (zone, &runs[side][r].all) {
				uint32_t at = intern_add(&names, zone->stack);
				struct zone_line *l;

				vec_reach(&to->all, at, (struct zone_line){ .stack = zone->stack });
				vec_reach(&samples, (at + 1) * columns - 1, 0);
				l = &to->all.at[at];
				l->is_in[side] = true;
				l->calls[side] += zone->calls / (double)n[side];
				l->total_ns[side] += zone->total_ns / (double)n[side];
				l->self_ns[side] += zone->self_ns / (double)n[side];
				samples.at[at * columns + column] += zone->self_ns;
			}
	if (n[BASE] && n[NEW])
		judge_all(to, samples.at, n, ask);
	vec_sort(&to->all, by_change);
	vec_release(&samples);
}

void zone_lines_release(struct zone_lines *z)
{
	vec_release(&z->all);
}

enum column { BY, FROM, TO, VERDICT, CALLS, WHAT, COLUMNS };
static const struct table_column columns_of[COLUMNS] = {
	[BY] = { .head = "change", .align = WIDTH_RIGHT },
	[FROM] = { .head = "BASE", .align = WIDTH_RIGHT },
	[TO] = { .head = "NEW", .align = WIDTH_RIGHT },
	[VERDICT] = { .head = "verdict" },
	[CALLS] = { .head = "calls", .align = WIDTH_RIGHT, .drop = 1 },
	[WHAT] = { .head = "host zone",
		   .flexible = true,
		   .min = 16,
		   .is_name = true,
		   .enough = TABLE_NAME },
};

static void cell(void *ctx, size_t row, size_t column, struct buf *b, enum colour *colour)
{
	const struct zone_lines *z = ctx;
	const struct zone_line *l = &z->all.at[row];
	double by = l->self_ns[NEW] - l->self_ns[BASE];

	switch ((enum column)column) {
	case BY:
		buf_text(b, by < 0 ? "−" : "+");
		label_ns(b, fabs(by));
		break;
	case FROM:
		label_ns(b, l->self_ns[BASE]);
		break;
	case TO:
		label_ns(b, l->self_ns[NEW]);
		break;
	case VERDICT:
		buf_text(b, !l->is_in[BASE]  ? "new"
			    : !l->is_in[NEW] ? "gone"
					     : compare_verdict_names[l->self.verdict]);
		*colour = l->self.verdict == COMPARE_SLOWER   ? COLOUR_RED
			  : l->self.verdict == COMPARE_FASTER ? COLOUR_GREEN
							      : COLOUR_NONE;
		break;
	case CALLS:
		number_fixed(b, l->calls[NEW] > 0 ? l->calls[NEW] : l->calls[BASE], 1, 0);
		break;
	case WHAT:
		buf_str(b, l->stack);
		break;
	case COLUMNS:
		break;
	}
}

void zone_lines_text(const struct zone_lines *z, size_t most, struct term term, struct out *out)
{
	size_t rows = most && z->all.len > most ? most : z->all.len;
	struct table t = { .columns = columns_of,
			   .n = COLUMNS,
			   .rows = rows,
			   .cell = cell,
			   .ctx = (void *)(size_t)z,
			   .width = (size_t)term.width,
			   .indent = 2,
			   .colour = term.colour,
			   .utf8 = term.utf8 };

	out_printf(
		out,
		"\nHost zones, time of their own in a step (%zu of %zu; not part of the above):\n",
		rows, z->all.len);
	table_print(&t, out);
	table_release(&t);
}

void zone_lines_json(const struct zone_lines *z, struct json_writer *w)
{
	json_put_array(w, "zones");
	vec_each (l, &z->all) {
		json_open_object(w);
		json_put_text(w, "stack", l->stack);
		json_put_text(w, "verdict", str_of(compare_verdict_names[l->self.verdict]));
		json_put_bool(w, "in_base", l->is_in[BASE]);
		json_put_bool(w, "in_new", l->is_in[NEW]);
		json_put_number(w, "base_self_ns", l->self_ns[BASE]);
		json_put_number(w, "new_self_ns", l->self_ns[NEW]);
		json_put_number(w, "base_ns", l->total_ns[BASE]);
		json_put_number(w, "new_ns", l->total_ns[NEW]);
		json_put_number(w, "base_calls", l->calls[BASE]);
		json_put_number(w, "new_calls", l->calls[NEW]);
		json_put_number(w, "shift_ns", l->self.shift.by);
		json_put_number(w, "low_ns", l->self.shift.low);
		json_put_number(w, "high_ns", l->self.shift.high);
		json_close_object(w);
	}
	json_close_array(w);
}
