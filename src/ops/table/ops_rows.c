// SPDX-License-Identifier: Apache-2.0
#include "ops/table/ops_rows.h"

#include <math.h>

#include "base/number.h"

void ops_value_print(const struct ops_value *v, struct buf *to)
{
	switch (v->kind) {
	case CELL_NONE:
		break;
	case CELL_INT:
		buf_add_i64(to, v->number.i);
		break;
	case CELL_UINT:
		buf_add_u64(to, v->number.u);
		break;
	case CELL_REAL:
		if (v->decimals == OPS_SHORTEST)
			number_shortest(to, v->number.r);
		else
			number_fixed(to, v->number.r, v->decimals, 0);
		break;
	case CELL_TEXT:
	case CELL_HUGE:
		buf_str(to, v->text);
		break;
	}
}

bool ops_value_number(const struct ops_value *v, double *out)
{
	switch (v->kind) {
	case CELL_INT:
		*out = (double)v->number.i;
		return true;
	case CELL_UINT:
		*out = (double)v->number.u;
		return true;
	case CELL_REAL:
		*out = v->decimals ? v->number.r : rint(v->number.r);
		return true;
	case CELL_TEXT:
		return number_double(v->text, out);
	case CELL_NONE:
	case CELL_HUGE:
		break;
	}
	return false;
}

/* ---- into a CSV file ---- */

enum { FLUSH_BYTES = 65536 };

static void csv_columns(struct ops_rows *r, const struct str *names, size_t n)
{
	struct ops_rows_csv *c = (struct ops_rows_csv *)r;

	for (size_t i = 0; i < n; i++)
		csv_field(&c->w, names[i]);
	csv_end_row(&c->w);
}

static void csv_cell(struct ops_rows *r, const struct ops_value *v)
{
	struct ops_rows_csv *c = (struct ops_rows_csv *)r;

	if (v->kind == CELL_TEXT || v->kind == CELL_NONE) {
		csv_field(&c->w, v->kind == CELL_TEXT ? v->text : STR(""));
		return;
	}
	csv_plain(&c->w);
	ops_value_print(v, &c->text);
}

static void csv_row_ends(struct ops_rows *r)
{
	struct ops_rows_csv *c = (struct ops_rows_csv *)r;

	csv_end_row(&c->w);
	if (c->text.len > FLUSH_BYTES)
		out_buf(c->to, &c->text);
	r->stop = !out_ok(c->to);
}

void ops_rows_csv_init(struct ops_rows_csv *c, struct out *to)
{
	*c = (struct ops_rows_csv){
		.rows = { .columns = csv_columns, .cell = csv_cell, .end_row = csv_row_ends },
		.to = to,
	};
	c->w = (struct csv_writer){ .out = &c->text, .eol = "\r\n" };
}

void ops_rows_csv_finish(struct ops_rows_csv *c)
{
	out_buf(c->to, &c->text);
	buf_release(&c->text);
}
