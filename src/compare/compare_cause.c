// SPDX-License-Identifier: Apache-2.0
/* What differs between the rows of an op on both sides. */
#include <math.h>

#include "base/number.h"
#include "compare/compare.h"
#include "compare/diff.h"

static void add_change(struct buf *b, const char *what, struct str from, struct str to)
{
	if (str_eq(from, to))
		return;
	buf_printf(b, "%s%s %.*s → %.*s", b->len ? ", " : "", what, STR_ARG(str_head(from, 40)),
		   STR_ARG(str_head(to, 40)));
}

static void add_cores(struct buf *b, double from, double to)
{
	if (from > 0 && to > 0 && (from < to || from > to))
		buf_printf(b, "%s%.0f → %.0f cores", b->len ? ", " : "", from, to);
}

static const struct {
	enum tensor_part part;
	const char *what;
} tensor_changes[] = {
	{ TENSOR_DATATYPE, "type" },
	{ TENSOR_LAYOUT, "layout" },
	{ TENSOR_MEMORY, "memory" },
};

/* The first tensor that differs in one of these says it; a shape that differs is in the op's name. */
static void add_tensors(struct buf *b, const struct ops_table *const *t, const size_t *row)
{
	for (size_t i = 0; i < sizeof(tensor_changes) / sizeof(*tensor_changes); i++)
		for (size_t slot = 0; slot < t[BASE]->tensor_slots.len; slot++) {
			const struct tensor_slot *at = &t[BASE]->tensor_slots.at[slot];
			const struct tensor *x = ops_tensor(t[BASE], slot, row[BASE]);
			const struct tensor *y = ops_tensor(
				t[NEW], ops_tensor_slot(t[NEW], at->output, at->index), row[NEW]);
			struct str from, to;

			if (!x || !y)
				continue;
			from = ops_string(t[BASE], x->text[tensor_changes[i].part]);
			to = ops_string(t[NEW], y->text[tensor_changes[i].part]);
			if (str_eq(from, to))
				continue;
			buf_printf(b, "%s%s %u ", b->len ? ", " : "",
				   at->output ? "output" : "input", at->index);
			buf_printf(b, "%s %.*s → %.*s", tensor_changes[i].what,
				   STR_ARG(str_head(from, 40)), STR_ARG(str_head(to, 40)));
			break;
		}
}

/* All of a line's change, and the clock changed by as much. */
static bool is_clock(const struct compare *c, const struct compare_line *l)
{
	double cycles[SIDES];

	if (!(c->mhz[BASE] > 0) || !(c->mhz[NEW] > 0) ||
	    fabs(c->mhz[NEW] / c->mhz[BASE] - 1) < 0.005)
		return false;
	for (int side = BASE; side < SIDES; side++)
		cycles[side] = (double)l->time_ns[side] * c->mhz[side] / 1000;
	return fabs(cycles[NEW] - cycles[BASE]) <= 0.005 * cycles[BASE];
}

static void find_cause(const struct compare *c, struct compare_line *l)
{
	const struct ops_table *t[SIDES];
	struct buf *b = &l->cause;
	double cores[SIDES] = { 0, 0 };
	size_t row[SIDES];

	for (int side = BASE; side < SIDES; side++) {
		const struct op_sequence *s = c->runs[side];

		t[side] = s->calls->table;
		row[side] = s->calls->all.at[s->at.at[l->position[side]].call].row;
		ops_real(t[side], OPS_CORE_COUNT, row[side], &cores[side]);
	}
	if (is_clock(c, l))
		buf_printf(b, "clock %.0f → %.0f MHz: as many cycles", c->mhz[BASE], c->mhz[NEW]);
	add_cores(b, cores[BASE], cores[NEW]);
	add_change(b, "fidelity", ops_text(t[BASE], OPS_MATH_FIDELITY, row[BASE]),
		   ops_text(t[NEW], OPS_MATH_FIDELITY, row[NEW]));
	add_tensors(b, t, row);
	if (b->len)
		return;
	if (!str_eq(ops_text(t[BASE], OPS_ATTRIBUTES, row[BASE]),
		    ops_text(t[NEW], OPS_ATTRIBUTES, row[NEW])))
		buf_text(b, "attributes differ");
	else if (!str_eq(ops_text(t[BASE], OPS_PROGRAM_HASH, row[BASE]),
			 ops_text(t[NEW], OPS_PROGRAM_HASH, row[NEW])))
		buf_text(b, "another program (hash)");
}

void compare_find_causes(struct compare *c)
{
	vec_each (l, &c->lines)
		if (l->position[BASE] != DIFF_NONE && l->position[NEW] != DIFF_NONE &&
		    l->time_ns[BASE] != l->time_ns[NEW])
			find_cause(c, l);
}
