// SPDX-License-Identifier: Apache-2.0
#include "sql/sql_print.h"

#include <math.h>
#include <stdlib.h>

#include "base/csv.h"
#include "base/json.h"
#include "base/number.h"
#include "base/table.h"

/* Widths of a table's columns are those of its first rows: what follows is printed as it comes. */
enum { JSON_FLUSH_BYTES = 32 << 10, CELL_MIN = 12, ROWS_MEASURED = 10000 };

struct printer {
	struct out *out;
	enum sql_form form;
	struct buf text; /* what waits for `out` */
	size_t n, rows;
	struct csv_writer csv;
	struct json_writer json;
	VEC(struct buf) names;
	/* of a table: */
	VEC(struct str) cells;
	VEC(bool) is_text; /* columns */
	struct arena kept;
	struct term term;
	struct table table;
	struct table_column *columns; /* NULL: not laid out yet */
};

static void add_blob(struct buf *b, struct str bytes)
{
	for (size_t i = 0; i < bytes.len; i++)
		buf_printf(b, "%02x", (unsigned char)bytes.at[i]);
}

/* The shortest text that reads back the same; whole numbers without a point. */
static void add_real(struct buf *b, double v)
{
	if (fabs(v) < 1e15 && v == floor(v))
		buf_add_i64(b, (int64_t)v);
	else
		number_shortest(b, v);
}

static void add_cell(struct buf *b, const struct sql_cell *c)
{
	switch (c->kind) {
	case SQL_NULL:
		break;
	case SQL_WHOLE:
		buf_add_i64(b, c->whole);
		break;
	case SQL_REAL:
		add_real(b, c->real);
		break;
	case SQL_TEXT:
		if (c->blob)
			add_blob(b, c->text);
		else
			buf_str(b, c->text);
		break;
	}
}

/* ---- rows as they come ---- */

/* Objects can't have a key twice: "n", "n:2". */
static void add_name(struct printer *p, const char *name)
{
	struct buf b = { 0 };
	unsigned again = 1;

	buf_text(&b, name);
	for (size_t i = 0; i < p->names.len; i++)
		if (str_eq(buf_view(&p->names.at[i]), buf_view(&b))) {
			buf_set(&b, "%s:%u", name, ++again);
			i = SIZE_MAX; /* from the first one again */
		}
	*vec_push(&p->names) = b;
}

static void print_head(void *ctx, const char *const *names, size_t n)
{
	struct printer *p = ctx;

	p->n = n;
	for (size_t i = 0; i < n; i++)
		add_name(p, names[i]);
	switch (p->form) {
	case SQL_FORM_TABLE:
		break;
	case SQL_FORM_CSV:
		for (size_t i = 0; i < n; i++)
			csv_field(&p->csv, str_of(names[i]));
		csv_end_row(&p->csv);
		break;
	case SQL_FORM_JSON:
		json_open_array(&p->json);
		break;
	}
}

static void add_json(struct json_writer *w, const struct sql_cell *c, struct buf *scratch)
{
	switch (c->kind) {
	case SQL_NULL:
		json_write_null(w);
		break;
	case SQL_WHOLE:
		json_write_i64(w, c->whole);
		break;
	case SQL_REAL:
		json_write_double(w, c->real);
		break;
	case SQL_TEXT:
		buf_clear(scratch);
		add_cell(scratch, c);
		json_write_str(w, buf_view(scratch));
		break;
	}
}

static void json_row(struct printer *p, const struct sql_cell *cells)
{
	SCOPED(buf) struct buf scratch = { 0 };

	json_open_object(&p->json);
	for (size_t i = 0; i < p->n; i++) {
		json_write_key(&p->json, buf_view(&p->names.at[i]));
		add_json(&p->json, &cells[i], &scratch);
	}
	json_close_object(&p->json);
}

static void csv_row(struct printer *p, const struct sql_cell *cells)
{
	SCOPED(buf) struct buf scratch = { 0 };

	for (size_t i = 0; i < p->n; i++) {
		buf_clear(&scratch);
		add_cell(&scratch, &cells[i]);
		csv_field(&p->csv, buf_view(&scratch));
	}
	csv_end_row(&p->csv);
}

static void keep_row(struct printer *p, const struct sql_cell *cells)
{
	SCOPED(buf) struct buf scratch = { 0 };

	vec_reach(&p->is_text, p->n, false);
	for (size_t i = 0; i < p->n; i++) {
		buf_clear(&scratch);
		if (cells[i].kind == SQL_REAL && fabs(cells[i].real) >= 0.01 &&
		    cells[i].real != floor(cells[i].real))
			number_fixed(&scratch, cells[i].real, 2, 0);
		else
			add_cell(&scratch, &cells[i]);
		p->is_text.at[i] |= cells[i].kind == SQL_TEXT;
		*vec_push(&p->cells) =
			str_n(arena_dup(&p->kept, scratch.at, scratch.len), scratch.len);
	}
}

/* ---- a table ---- */

static void result_cell(void *ctx, size_t row, size_t column, struct buf *b, enum colour *colour)
{
	const struct printer *p = ctx;

	(void)colour;
	buf_str(b, p->cells.at[row * p->n + column]);
}

/* The head, and the rows that are there. */
static void lay_out(struct printer *p)
{
	p->columns = mem_zero(p->n + 1, sizeof(*p->columns));
	vec_reach(&p->is_text, p->n, false);
	for (size_t i = 0; i < p->n; i++) {
		bool is_text = p->is_text.at[i] || !p->rows;

		p->columns[i] = (struct table_column){ .head = p->names.at[i].at,
						       .align = is_text ? WIDTH_LEFT : WIDTH_RIGHT,
						       .min = is_text ? CELL_MIN : 0,
						       .flexible = is_text };
	}
	p->table = (struct table){ .columns = p->columns,
				   .n = p->n,
				   .rows = p->rows,
				   .cell = result_cell,
				   .ctx = p,
				   .width = p->term.is_tty ? (size_t)p->term.width : 0,
				   .rule = true,
				   .colour = p->term.colour,
				   .utf8 = p->term.utf8 };
	table_print(&p->table, p->out);
}

static void forget_rows(struct printer *p)
{
	p->cells.len = 0;
	arena_release(&p->kept);
}

static void table_take_row(struct printer *p, const struct sql_cell *cells)
{
	keep_row(p, cells);
	if (p->columns)
		table_row(&p->table, 0, &p->text);
	else if (p->rows == ROWS_MEASURED)
		lay_out(p);
	if (p->columns)
		forget_rows(p);
}

static bool print_row(void *ctx, const struct sql_cell *cells, size_t n)
{
	struct printer *p = ctx;

	(void)n;
	p->rows++;
	switch (p->form) {
	case SQL_FORM_TABLE:
		table_take_row(p, cells);
		break;
	case SQL_FORM_CSV:
		csv_row(p, cells);
		break;
	case SQL_FORM_JSON:
		json_row(p, cells);
		break;
	}
	if (p->text.len > JSON_FLUSH_BYTES)
		out_buf(p->out, &p->text);
	return out_ok(p->out);
}

static void end_table(struct printer *p)
{
	if (!p->columns)
		lay_out(p);
	out_buf(p->out, &p->text);
	out_printf(p->out, "%zu row%s\n", p->rows, p->rows == 1 ? "" : "s");
}

enum ttp_rc sql_print(struct sql *q, const char *text, enum sql_form form, struct term term,
		      struct out *out, struct ttp_err *e)
{
	struct printer p = { .out = out, .form = form, .term = term };
	const struct sql_sink sink = { &p, print_head, print_row };
	enum ttp_rc rc;

	p.csv = (struct csv_writer){ .out = &p.text, .eol = "\n" };
	p.json = (struct json_writer){ .to = &p.text, .pretty = true };
	rc = sql_query(q, text, &sink, e);
	if (!rc && form == SQL_FORM_TABLE)
		end_table(&p);
	if (!rc && form == SQL_FORM_JSON) {
		json_close_array(&p.json);
		buf_char(&p.text, '\n');
	}
	/* of a query that fails on its way, what came before it */
	out_buf(out, &p.text);
	buf_release(&p.text);
	vec_each (name, &p.names)
		buf_release(name);
	vec_release(&p.names);
	vec_release(&p.cells);
	vec_release(&p.is_text);
	arena_release(&p.kept);
	table_release(&p.table);
	free(p.columns);
	return rc;
}

/* ---- what there is ---- */

static void tables_cell(void *ctx, size_t row, size_t column, struct buf *b, enum colour *colour)
{
	const struct sql_table *t = &sql_tables[row];
	struct sql_column c;

	if (column == 0) {
		*colour = COLOUR_BOLD;
		buf_text(b, t->name);
	} else if (column == 1) {
		buf_text(b, t->about);
	} else {
		buf_text(b, "run");
		for (size_t i = 0; t->column(sql_data(ctx), i, &c); i++)
			buf_printf(b, " %s", c.name);
	}
}

void sql_print_tables(struct sql *q, struct term term, struct out *out)
{
	static const struct table_column columns[] = {
		{ .head = "table" },
		{ .head = "what", .flexible = true, .min = 30, .drop = 1 },
		{ .head = "columns", .flexible = true, .min = 30 },
	};
	struct table t = { .columns = columns,
			   .n = sizeof(columns) / sizeof(columns[0]),
			   .rows = sql_table_count,
			   .cell = tables_cell,
			   .ctx = q,
			   .width = term.is_tty ? (size_t)term.width : 0,
			   .colour = term.colour,
			   .utf8 = term.utf8 };

	table_print(&t, out);
	table_release(&t);
}
