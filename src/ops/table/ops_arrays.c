// SPDX-License-Identifier: Apache-2.0
#include "ops/table/ops_arrays.h"

#include <math.h>
#include <stdlib.h>

#define EXACT 9007199254740992.0 /* 2^53: whole numbers beyond are kept as text */

/* What a column's cells are so far. */
enum column_is { COLUMN_EMPTY, COLUMN_NUMBERS, COLUMN_TEXTS };

struct column {
	enum column_is is;
	bool odd; /* a missing cell is written as "-" or "nan" */
};

struct making {
	const struct ops_table *t;
	ops_intern_fn *intern;
	void *ctx;
};

static bool is_number(enum cell_kind kind, union cell v, double *out)
{
	*out = kind == CELL_INT ? (double)v.i : v.r;
	return kind == CELL_REAL || (kind == CELL_INT && fabs((double)v.i) < EXACT);
}

static const char *unit_of(struct str name)
{
	enum ops_col col = ops_col_find(name);

	if (col != OPS_COLS)
		return ops_col_info[col].unit;
	return str_has(name, STR("[ns]"))                               ? "ns"
	       : str_has(name, STR("(%)")) || str_has(name, STR("[%]")) ? "%"
									: "";
}

/* A column that began with numbers has a text: the rows before it are text, too. */
static void read_texts(const struct making *m, size_t name, size_t rows, struct ops_array *to)
{
	struct ops_cells cells;

	ops_cells_init(&cells, m->t);
	for (size_t row = 0; row < rows; row++) {
		ops_cells_row(&cells, row);
		to->text[row] = m->intern(m->ctx, ops_cell(&cells, name));
	}
	ops_cells_release(&cells);
}

static void become_text(const struct making *m, size_t name, size_t row, const struct column *c,
			struct ops_array *to)
{
	free(to->number);
	to->number = NULL;
	to->text = mem_zero(m->t->rows + 1, sizeof(*to->text));
	if (c->is == COLUMN_NUMBERS || c->odd)
		read_texts(m, name, row, to);
}

static void take_cell(const struct making *m, struct ops_cells *cells, size_t name, size_t row,
		      struct column *c, struct ops_array *to)
{
	union cell v = { 0 };
	enum cell_kind kind;
	double number;

	if (c->is == COLUMN_TEXTS) {
		to->text[row] = m->intern(m->ctx, ops_cell(cells, name));
		return;
	}
	kind = ops_cell_value(cells, name, &v);
	if (kind == CELL_NONE) {
		c->odd |= ops_cell(cells, name).len > 0;
	} else if (is_number(kind, v, &number)) {
		c->is = COLUMN_NUMBERS;
		to->number[row] = number;
	} else {
		become_text(m, name, row, c, to);
		to->text[row] = m->intern(m->ctx, ops_cell(cells, name));
		c->is = COLUMN_TEXTS;
	}
}

static void drop_empty(struct ops_arrays *a, const struct column *column)
{
	size_t kept = 0;

	for (size_t i = 0; i < a->all.len; i++) {
		if (column[i].is == COLUMN_EMPTY)
			free(a->all.at[i].number);
		else
			a->all.at[kept++] = a->all.at[i];
	}
	a->all.len = kept;
}

void ops_arrays_make(struct ops_arrays *a, const struct ops_table *t, ops_intern_fn *intern,
		     void *ctx)
{
	struct making m = { t, intern, ctx };
	size_t names = t->files.at[0].names.len;
	SCOPED(mem) struct column *column = mem_zero(names + 1, sizeof(*column));
	struct ops_cells cells;

	*a = (struct ops_arrays){ 0 };
	for (size_t i = 0; i < names; i++) {
		struct str name = t->files.at[0].names.at[i];
		struct ops_array *to = vec_push(&a->all);

		*to = (struct ops_array){ .name = name, .unit = unit_of(name) };
		to->number = mem_alloc(t->rows + 1, sizeof(*to->number));
		for (size_t row = 0; row < t->rows; row++)
			to->number[row] = (double)NAN;
	}
	ops_cells_init(&cells, t);
	for (size_t row = 0; row < t->rows; row++) {
		ops_cells_row(&cells, row);
		for (size_t i = 0; i < names; i++)
			take_cell(&m, &cells, i, row, &column[i], &a->all.at[i]);
	}
	ops_cells_release(&cells);
	drop_empty(a, column);
}

void ops_arrays_release(struct ops_arrays *a)
{
	vec_each (c, &a->all)
		RELEASE(mem, &c->number, &c->text);
	vec_release(&a->all);
}
