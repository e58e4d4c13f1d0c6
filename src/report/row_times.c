// SPDX-License-Identifier: Apache-2.0
#include "report/row_times.h"

#include <math.h>
#include <stdlib.h>

#include "base/map.h"
#include "base/number.h"
#include "report/align.h"

/* What is shorter is compared with nothing: few ops and gaps are as long, and cycles are looked up for them only. */
#define LONG_NS 1e8
#define DAY_NS  86400e9
/* Cycles are rounded, and clocks known to a thousandth. */
#define SLACK    1.02
#define SLACK_NS 1000.0

static const struct {
	enum ops_col col;
	enum odd_time odd;
} columns[] = {
	{ OPS_DURATION, ODD_KERNEL },
	{ OPS_FW_DURATION, ODD_FIRMWARE },
	{ OPS_GAP, ODD_GAP },
	{ OPS_TRACE_DURATION, ODD_REPLAY },
};
enum { COLUMNS = sizeof(columns) / sizeof(*columns) };

/* When the firmware of a row began and ended; 0, 0: not known. */
struct stay {
	double from, to;
};

/* Of a device: from the first start to the last end; and its row before. */
struct extent {
	struct stay all;
	uint32_t last;
};

struct extents {
	struct u64map devices;
	VEC(struct extent) of;
	struct stay *row;
};

static uint64_t device_key(const struct ops_table *t, size_t row)
{
	int64_t device = -1;

	(void)row_device(t, row, &device);
	return (uint64_t)(ops_file_of(t, row) - t->files.at) << 32 | (uint32_t)(device + 1);
}

static size_t column_of(const struct ops_file *f, enum ops_col col)
{
	size_t at = 0;

	while (at < f->names.len && !str_eq(f->names.at[at], ops_col_info[col].name))
		at++;
	return at;
}

static bool cycles_of(struct ops_cells *cells, const struct ops_table *t, size_t row, double *start,
		      double *end)
{
	const struct ops_file *f = ops_file_of(t, row);
	size_t from = column_of(f, OPS_FW_START), to = column_of(f, OPS_FW_END);
	uint64_t a, b;

	if (from == f->names.len || to == f->names.len)
		return false;
	ops_cells_row(cells, row);
	if (!number_u64(ops_cell(cells, from), &a) || !number_u64(ops_cell(cells, to), &b) ||
	    b <= a)
		return false;
	*start = (double)a;
	*end = (double)b;
	return true;
}

static void to_ns(struct stay *s, double ns_of_cycle)
{
	s->from *= ns_of_cycle;
	s->to *= ns_of_cycle;
}

/* Rows to look at, in their order. */
typedef VEC(uint32_t) row_vec;

/* Cycles are cells that have to be read again.  False: nothing says how long one is. */
static bool find_extents(struct extents *x, const struct ops_table *t, const row_vec *rows)
{
	/* in cycles first: what they are in time follows from ops that are no longer than others */
	double cycles = 0, all_ns = 0, ns, start, end;
	struct ops_cells cells;
	uint32_t n;
	bool added;

	ops_cells_init(&cells, t);
	vec_each (r, rows) {
		size_t row = *r;

		if (!cycles_of(&cells, t, row, &start, &end))
			continue;
		x->row[row] = (struct stay){ start, end };
		n = u64map_get_or_put(&x->devices, device_key(t, row), (uint32_t)x->of.len, &added);
		if (added)
			*vec_push(&x->of) = (struct extent){ { start, end }, UINT32_MAX };
		x->of.at[n].all.from = number_min(x->of.at[n].all.from, start);
		x->of.at[n].all.to = number_max(x->of.at[n].all.to, end);
		if (ops_real(t, OPS_FW_DURATION, row, &ns) && ns >= SLACK_NS && ns < LONG_NS) {
			cycles += end - start;
			all_ns += ns;
		}
	}
	ops_cells_release(&cells);
	vec_each (e, &x->of)
		to_ns(&e->all, all_ns > 0 ? all_ns / cycles : 0);
	vec_each (r, rows)
		to_ns(&x->row[*r], all_ns > 0 ? all_ns / cycles : 0);
	return all_ns > 0;
}

/* The longest that anything of a row can have taken; INFINITY: not known. */
static double longest(struct extents *x, const struct ops_table *t, size_t row)
{
	uint32_t n;

	if (!u64map_get(&x->devices, device_key(t, row), &n) ||
	    x->of.at[n].all.to <= x->of.at[n].all.from)
		return INFINITY;
	return (x->of.at[n].all.to - x->of.at[n].all.from) * SLACK + SLACK_NS;
}

static void note(struct row_times *x, size_t row, int which, double ns)
{
	if (!x->odd)
		x->odd = mem_zero(x->table->rows, sizeof(*x->odd));
	x->odd[row] = (uint8_t)(x->odd[row] | columns[which].odd);
	if (!x->n++ || fabs(ns) > fabs(x->ns)) {
		x->ns = ns;
		x->row = (uint32_t)row;
		x->col = columns[which].col;
	}
}

/* Its durations, and what lies before it. */
static void note_stay(struct row_times *x, size_t row)
{
	double ns;

	for (int i = 0; i < COLUMNS; i++)
		if (row_ns(x, columns[i].col, row, &ns) && fabs(ns) >= LONG_NS)
			note(x, row, i, ns);
}

static bool can_be(enum ops_col col, double ns)
{
	return fabs(ns) < DAY_NS && (ns >= 0 || col == OPS_GAP);
}

/* What no report can say, whatever else is in it; true: some of the rest is long. */
static bool find_impossible(struct row_times *x)
{
	bool any_long = false;
	double ns;

	for (int i = 0; i < COLUMNS; i++) {
		if (!x->table->column[columns[i].col].kind)
			continue;
		for (size_t row = 0; row < x->table->rows; row++) {
			if (!ops_real(x->table, columns[i].col, row, &ns) ||
			    !ops_row_is(x->table, row, OPS_ROW_DEVICE_OP))
				continue;
			if (!can_be(columns[i].col, ns))
				note(x, row, i, ns);
			else
				any_long |= fabs(ns) >= LONG_NS;
		}
	}
	return any_long;
}

/* The cores of both are more than there are: they can't have run at the same time. */
static bool are_too_many(const struct ops_table *t, size_t row, size_t other)
{
	double a, b, workers;

	return ops_real(t, OPS_CORE_COUNT, row, &a) && ops_real(t, OPS_CORE_COUNT, other, &b) &&
	       ops_real(t, OPS_WORKER_CORES, row, &workers) && workers > 0 && a + b > workers;
}

/*
 * A row and the one before it on its device: what overlaps for long on more cores than there are did not take that long, neither of
 * them; and no gap is longer than the time since the last op that is known to have ended.
 */
static void find_overlaps(struct row_times *x, struct extents *e, const row_vec *rows)
{
	double ns;
	uint32_t n;

	vec_each (r, rows) {
		size_t row = *r, before;
		const struct stay *now = &e->row[row], *last;

		if (now->to <= 0 || !u64map_get(&e->devices, device_key(x->table, row), &n))
			continue;
		before = e->of.at[n].last;
		e->of.at[n].last = (uint32_t)row;
		if (before == UINT32_MAX)
			continue;
		last = &e->row[before];
		if (last->from <= now->from && last->to - now->from >= LONG_NS &&
		    now->to - now->from >= LONG_NS && are_too_many(x->table, row, before)) {
			note_stay(x, before);
			note_stay(x, row);
		}
		if (row_ns(x, OPS_GAP, row, &ns) && ns >= LONG_NS && last->to <= now->from &&
		    ns > (now->from - last->to) * SLACK + LONG_NS)
			note(x, row, 2, ns);
	}
}

/* False: nothing says how long cycles are. */
static bool find_too_long(struct row_times *x, const row_vec *rows)
{
	struct extents extents = { .row = mem_zero(x->table->rows + 1, sizeof(*extents.row)) };
	bool known = find_extents(&extents, x->table, rows);
	double ns;

	for (int i = 0; i < COLUMNS && extents.of.len; i++)
		vec_each (r, rows)
			if (row_ns(x, columns[i].col, *r, &ns) && fabs(ns) >= LONG_NS &&
			    fabs(ns) > longest(&extents, x->table, *r))
				note(x, *r, i, ns);
	find_overlaps(x, &extents, rows);
	u64map_release(&extents.devices);
	vec_release(&extents.of);
	free(extents.row);
	return known;
}

/* Kernels run inside of the firmware. */
static void find_outside_of_firmware(struct row_times *x)
{
	double kernel, firmware;

	for (size_t row = 0; row < x->table->rows; row++)
		if (row_ns(x, OPS_DURATION, row, &kernel) && kernel >= LONG_NS &&
		    row_ns(x, OPS_FW_DURATION, row, &firmware) && firmware > 0 &&
		    kernel > firmware * SLACK + SLACK_NS)
			note(x, row, 0, kernel);
}

static bool is_long(const struct row_times *x, size_t row)
{
	double ns;

	for (int i = 0; i < COLUMNS; i++)
		if (row_ns(x, columns[i].col, row, &ns) && fabs(ns) >= LONG_NS)
			return true;
	return false;
}

static size_t row_before(const struct ops_table *t, size_t row)
{
	for (size_t before = row; before-- > 0;)
		if (ops_row_is(t, before, OPS_ROW_DEVICE_OP) &&
		    device_key(t, before) == device_key(t, row))
			return before;
	return row;
}

/* All, or some: the first and last ones, and what is long with the row before on its device. */
static void pick_rows(row_vec *rows, const struct row_times *x, bool all)
{
	enum { ENDS = 32 };
	const struct ops_table *t = x->table;
	size_t behind = t->rows > ENDS ? t->rows - ENDS : 0;

	for (size_t row = 0; row < t->rows; row++) {
		size_t before = row;

		if (!ops_row_is(t, row, OPS_ROW_DEVICE_OP))
			continue;
		if (!all && row >= ENDS && row < behind) {
			if (!is_long(x, row))
				continue;
			before = row_before(t, row);
		}
		if (before < row && before > (rows->len ? rows->at[rows->len - 1] : 0))
			*vec_push(rows) = (uint32_t)before;
		*vec_push(rows) = (uint32_t)row;
	}
}

void row_times_find(struct row_times *x, const struct ops_table *t)
{
	struct row_times part = { .table = t };
	row_vec rows = { 0 };

	*x = (struct row_times){ .table = t };
	if (!find_impossible(x))
		return;
	find_outside_of_firmware(x);
	/* what is not too long for some of the rows is not for all, and few files have anything that is */
	pick_rows(&rows, x, false);
	if (!find_too_long(&part, &rows) || part.n) {
		vec_clear(&rows);
		pick_rows(&rows, x, true);
		(void)find_too_long(x, &rows);
	}
	row_times_release(&part);
	vec_release(&rows);
}

void row_times_release(struct row_times *x)
{
	free(x->odd);
	x->odd = NULL;
}
