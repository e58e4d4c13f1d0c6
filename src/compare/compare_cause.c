// SPDX-License-Identifier: Apache-2.0
/* What differs between the rows of an op on both sides. */
#include <math.h>
#include <string.h>

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

/* Lists of kernels are long and alike: what differs of them, from the last "/" or item before it to the end of that item. */
static struct str item_at(struct str s, size_t at)
{
	size_t from = at, to = at;

	while (from && !strchr("/'\"[;, ", s.at[from - 1]))
		from--;
	while (to < s.len && !strchr("'\"];,", s.at[to]))
		to++;
	return str_n(s.at + from, to - from);
}

static void add_kernels(struct buf *b, const char *what, struct str from, struct str to)
{
	size_t at = 0;

	while (at < from.len && at < to.len && from.at[at] == to.at[at])
		at++;
	if (from.len && to.len)
		add_change(b, what, item_at(from, at), item_at(to, at));
}

static const struct {
	enum ops_col source, hash;
	const char *kernel, *code;
} kernel_changes[] = {
	{ OPS_COMPUTE_SOURCE, OPS_COMPUTE_HASH, "compute kernel", "code of the compute kernel" },
	{ OPS_DM_SOURCE, OPS_DM_HASH, "data movement kernel", "code of the data movement kernel" },
};

/* Another file; or the same, whose code differs. */
static void add_all_kernels(struct buf *b, const struct ops_table *const *t, const size_t *row)
{
	for (size_t i = 0; i < sizeof(kernel_changes) / sizeof(*kernel_changes); i++) {
		struct str source[SIDES], hash[SIDES];

		for (int side = BASE; side < SIDES; side++) {
			source[side] = ops_text(t[side], kernel_changes[i].source, row[side]);
			hash[side] = ops_text(t[side], kernel_changes[i].hash, row[side]);
		}
		if (!str_eq(source[BASE], source[NEW]))
			add_kernels(b, kernel_changes[i].kernel, source[BASE], source[NEW]);
		else
			add_kernels(b, kernel_changes[i].code, hash[BASE], hash[NEW]);
	}
}

static void add_sub_device(struct buf *b, const struct ops_table *const *t, const size_t *row)
{
	double on[SIDES];

	if (ops_real(t[BASE], OPS_SUB_DEVICE_ID, row[BASE], &on[BASE]) &&
	    ops_real(t[NEW], OPS_SUB_DEVICE_ID, row[NEW], &on[NEW]) &&
	    (on[BASE] < on[NEW] || on[BASE] > on[NEW]))
		buf_printf(b, "%ssub-device %.0f → %.0f", b->len ? ", " : "", on[BASE], on[NEW]);
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

static bool are_as_many_cycles(const struct compare *c, const int64_t ns[SIDES])
{
	double cycles[SIDES];

	if (!(c->mhz[BASE] > 0) || !(c->mhz[NEW] > 0) ||
	    fabs(c->mhz[NEW] / c->mhz[BASE] - 1) < 0.005)
		return false;
	for (int side = BASE; side < SIDES; side++)
		cycles[side] = (double)ns[side] * c->mhz[side] / 1000;
	return fabs(cycles[NEW] - cycles[BASE]) <=
	       number_max(0.5, c->ask.min_percent) / 100 * cycles[BASE];
}

bool compare_is_clock(const struct compare *c, const struct compare_line *l)
{
	return are_as_many_cycles(c, l->time_ns);
}

bool compare_is_clock_alone(const struct compare *c)
{
	int64_t gaps =
		(c->total_ns[NEW] - c->device_ns[NEW]) - (c->total_ns[BASE] - c->device_ns[BASE]);

	return are_as_many_cycles(c, c->device_ns) &&
	       fabs((double)gaps) <= compare_margin(&c->ask, c->total_ns[BASE]);
}

/* The first row of a line on both sides. */
struct rows {
	const struct ops_table *t[SIDES];
	size_t row[SIDES];
};

static struct rows rows_of(const struct compare *c, const struct compare_line *l)
{
	struct rows r;

	for (int side = BASE; side < SIDES; side++) {
		const struct op_sequence *s = c->runs[side];

		r.t[side] = s->calls->table;
		r.row[side] = s->calls->all.at[s->at.at[l->position[side]].call].row;
	}
	return r;
}

static bool differs(const struct rows *r, enum ops_col col)
{
	return !str_eq(ops_text(r->t[BASE], col, r->row[BASE]),
		       ops_text(r->t[NEW], col, r->row[NEW]));
}

static bool is_paired(const struct compare_line *l)
{
	return l->position[BASE] != DIFF_NONE && l->position[NEW] != DIFF_NONE;
}

static void find_cause(const struct compare *c, struct compare_line *l, bool hashes_compare)
{
	const struct rows r = rows_of(c, l);
	struct buf *b = &l->cause;
	double cores[SIDES] = { 0, 0 };

	for (int side = BASE; side < SIDES; side++)
		ops_real(r.t[side], OPS_CORE_COUNT, r.row[side], &cores[side]);
	if (compare_is_clock(c, l))
		buf_printf(b, "clock %.0f → %.0f MHz: as many cycles", c->mhz[BASE], c->mhz[NEW]);
	add_cores(b, cores[BASE], cores[NEW]);
	add_change(b, "fidelity", ops_text(r.t[BASE], OPS_MATH_FIDELITY, r.row[BASE]),
		   ops_text(r.t[NEW], OPS_MATH_FIDELITY, r.row[NEW]));
	add_tensors(b, r.t, r.row);
	add_sub_device(b, r.t, r.row);
	add_all_kernels(b, r.t, r.row);
	if (b->len)
		return;
	if (differs(&r, OPS_ATTRIBUTES))
		buf_text(b, "attributes differ");
	else if (hashes_compare && differs(&r, OPS_PROGRAM_HASH))
		buf_text(b, "another program (hash)");
}

/* Where most of them differ, hashes are of another build or folder, and say nothing of one op. */
static bool hashes_compare(const struct compare *c)
{
	size_t all = 0, others = 0;

	vec_each (l, &c->lines) {
		struct rows r;

		if (l->change != LINE_KEPT)
			continue;
		r = rows_of(c, l);
		all++;
		others += differs(&r, OPS_PROGRAM_HASH);
	}
	return 2 * others <= all;
}

void compare_find_causes(struct compare *c)
{
	bool hashes = hashes_compare(c);

	vec_each (l, &c->lines)
		if (is_paired(l) && l->time_ns[BASE] != l->time_ns[NEW])
			find_cause(c, l, hashes);
}
