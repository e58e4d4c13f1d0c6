// SPDX-License-Identifier: Apache-2.0
/* Cells of any column, also of those that a table doesn't store: they are read from the file again. */
#include "base/csv.h"
#include "base/number.h"
#include "ops/table/ops_table.h"

static bool has_text(const struct ops_file *f)
{
	return !f->fields.len;
}

/* A cell of a source without a file. */
static enum cell_kind stored_cell(const struct ops_table *t, const struct ops_field *f, size_t row,
				  union cell *value, struct str *text)
{
	const struct ops_column *c = NULL;
	enum cell_kind kind = CELL_NONE;
	uint32_t string = 0;

	switch ((enum field_store)f->store) {
	case FIELD_IN_TENSOR:
		string = t->tensors.all.at[t->tensor.at[f->at][row]].text[f->part];
		break;
	case FIELD_IN_COLUMN:
		c = &t->column[f->at];
		string = c->text ? c->text[row] : 0;
		break;
	case FIELD_IN_EXTRA:
		c = &t->extra.at[f->at];
		if (c->kind[row] == CELL_TEXT || c->kind[row] == CELL_HUGE)
			string = (uint32_t)c->value[row].u;
		break;
	}
	*text = ops_string(t, string);
	if (!c || c->text)
		return t->rules->classify(*text, value);
	kind = (enum cell_kind)c->kind[row];
	*value = c->value[row];
	return kind;
}

static struct str cell_text(enum cell_kind kind, union cell v, struct str text, struct buf *scratch)
{
	buf_clear(scratch);
	if (text.len)
		return text;
	if (kind == CELL_INT)
		buf_add_i64(scratch, v.i);
	else if (kind == CELL_UINT)
		buf_add_u64(scratch, v.u);
	else if (kind == CELL_REAL)
		number_shortest(scratch, v.r);
	return buf_view(scratch);
}

void ops_cells_init(struct ops_cells *c, const struct ops_table *t)
{
	*c = (struct ops_cells){ .t = t };
}

void ops_cells_row(struct ops_cells *c, size_t row)
{
	const struct ops_file *f = ops_file_of(c->t, row);

	c->row = row;
	if (f != c->file) {
		if (c->file)
			csv_reader_release(&c->csv);
		c->file = f;
		csv_reader_init(&c->csv, f->in.data);
	}
	if (!has_text(f))
		return;
	csv_seek(&c->csv, c->t->row_at[row]);
	if (!csv_next(&c->csv))
		c->csv.fields = 0;
}

static struct str csv_cell(const struct ops_cells *c, size_t name)
{
	name += c->file->shift;
	return name < c->csv.fields ? c->csv.field[name] : str_n("", 0);
}

enum cell_kind ops_cell_value(struct ops_cells *c, size_t name, union cell *value)
{
	struct str text;

	if (!has_text(c->file))
		return stored_cell(c->t, &c->file->fields.at[name], c->row, value, &text);
	return c->t->rules->classify(csv_cell(c, name), value);
}

struct str ops_cell(struct ops_cells *c, size_t name)
{
	union cell v = { 0 };
	enum cell_kind kind;
	struct str text;

	if (has_text(c->file))
		return csv_cell(c, name);
	kind = stored_cell(c->t, &c->file->fields.at[name], c->row, &v, &text);
	return cell_text(kind, v, text, &c->scratch);
}

void ops_cells_release(struct ops_cells *c)
{
	if (c->file)
		csv_reader_release(&c->csv);
	buf_release(&c->scratch);
	c->file = NULL;
}

struct str ops_source_text(const struct ops_table *t, size_t row, struct str name,
			   struct buf *scratch)
{
	struct ops_cells c;
	size_t field = 0;

	ops_cells_init(&c, t);
	ops_cells_row(&c, row);
	while (field < c.file->names.len && !str_eq(c.file->names.at[field], name))
		field++;
	buf_clear(scratch);
	if (field < c.file->names.len)
		buf_add_utf8(scratch, ops_cell(&c, field));
	ops_cells_release(&c);
	return buf_view(scratch);
}
