// SPDX-License-Identifier: Apache-2.0
/*
 * Rows of ops into a table.  A cell becomes what the CSV reader would make of its text, so that ops are the same whether they come from
 * logs at once or through a file.
 */
#include <math.h>

#include "ops/table/ops_rows.h"

/* ---- columns ---- */

static void keep_name(struct ops_rows_table *b, struct str name)
{
	struct ops_table *t = b->builder.t;

	*vec_push(&b->builder.f->names) =
		intern_get(&t->strings, ops_builder_string(&b->builder, name, false));
}

static void reserve_slots(struct ops_rows_table *b, size_t n)
{
	struct ops_file *f = b->builder.f;

	while (f->tensor_parts.len < n) {
		*vec_push(&f->tensor_parts) = 0;
		*vec_push(&f->tensor_seen) = 0;
		*vec_push(&b->tensors) = (struct tensor){ 0 };
	}
}

static struct ops_field store_field(struct ops_rows_table *b, struct str name, size_t i)
{
	struct ops_file *f = b->builder.f;
	enum ops_col col = ops_col_find(name);
	struct tensor_slot slot;
	enum tensor_part part;
	size_t at;

	if (col != OPS_COLS && f->field_of[col] == OPS_ABSENT) {
		f->field_of[col] = (uint16_t)i;
		ops_builder_store(&b->builder, col);
		return (struct ops_field){ .store = FIELD_IN_COLUMN, .at = (uint16_t)col };
	}
	if (tensor_column(name, &slot, &part)) {
		at = ops_builder_store_tensor(&b->builder, slot);
		reserve_slots(b, at + 1);
		f->tensor_parts.at[at] |= (uint8_t)(1u << part);
		return (struct ops_field){ FIELD_IN_TENSOR, (uint8_t)part, (uint16_t)at };
	}
	at = ops_builder_store_extra(&b->builder);
	return (struct ops_field){ .store = FIELD_IN_EXTRA, .at = (uint16_t)at };
}

static void table_columns(struct ops_rows *r, const struct str *names, size_t n)
{
	struct ops_rows_table *b = (struct ops_rows_table *)r;

	for (size_t i = 0; i < n; i++) {
		keep_name(b, names[i]);
		*vec_push(&b->builder.f->fields) = store_field(b, names[i], i);
	}
	ops_builder_row(&b->builder);
}

/* ---- cells ---- */

static enum cell_kind real_kind(double r, union cell *out)
{
	out->r = r;
	return isnan(r) ? CELL_NONE : isinf(r) ? CELL_HUGE : CELL_REAL;
}

/* Of a NUM column. */
static enum cell_kind number_of(struct ops_rows_table *b, const struct ops_value *v,
				union cell *out)
{
	double whole;

	*out = v->number;
	switch (v->kind) {
	case CELL_INT:
	case CELL_NONE:
		return v->kind;
	case CELL_UINT:
		return v->number.u > INT64_MAX ? CELL_UINT : CELL_INT;
	case CELL_REAL:
		if (v->decimals == OPS_SHORTEST)
			return real_kind(v->number.r, out);
		whole = rint(v->number.r);
		if (!v->decimals && fabs(whole) < 9e15) {
			out->i = (int64_t)whole;
			return CELL_INT;
		}
		buf_clear(&b->scratch);
		ops_value_print(v, &b->scratch);
		return b->builder.t->rules->classify(buf_view(&b->scratch), out);
	case CELL_TEXT:
	case CELL_HUGE:
		break;
	}
	return b->builder.t->rules->classify(v->text, out);
}

static uint32_t string_of(struct ops_rows_table *b, const struct ops_value *v)
{
	if (v->kind == CELL_NONE)
		return 0;
	if (v->kind == CELL_TEXT)
		return ops_builder_string(&b->builder, v->text, false);
	buf_clear(&b->scratch);
	ops_value_print(v, &b->scratch);
	return ops_builder_string(&b->builder, buf_view(&b->scratch), false);
}

static void put_extra(struct ops_rows_table *b, size_t at, const struct ops_value *v)
{
	struct ops_table *t = b->builder.t;
	struct ops_column *c = &t->extra.at[at];
	union cell value = { 0 };
	enum cell_kind kind = number_of(b, v, &value);

	if (kind == CELL_TEXT || kind == CELL_HUGE)
		value.u = string_of(b, v);
	c->kind[t->rows] = (uint8_t)kind;
	c->value[t->rows] = value;
}

static void table_cell(struct ops_rows *r, const struct ops_value *v)
{
	struct ops_rows_table *b = (struct ops_rows_table *)r;
	const struct ops_field *f = &b->builder.f->fields.at[b->at++];
	enum ops_col col = (enum ops_col)f->at;
	union cell value = { 0 };
	enum cell_kind kind;

	switch ((enum field_store)f->store) {
	case FIELD_IN_EXTRA:
		put_extra(b, f->at, v);
		break;
	case FIELD_IN_TENSOR:
		b->tensors.at[f->at].text[f->part] = string_of(b, v);
		break;
	case FIELD_IN_COLUMN:
		if (ops_col_info[col].type == OPS_TYPE_TEXT) {
			ops_builder_text(&b->builder, col, string_of(b, v));
		} else {
			kind = number_of(b, v, &value);
			ops_builder_number(&b->builder, col, kind, value);
		}
		break;
	}
}

static void table_row_ends(struct ops_rows *r)
{
	struct ops_rows_table *b = (struct ops_rows_table *)r;

	for (size_t i = 0; i < b->tensors.len; i++)
		ops_builder_tensor(&b->builder, i,
				   tensor_set_add(&b->builder.t->tensors, &b->tensors.at[i]));
	ops_builder_end_row(&b->builder, 0);
	ops_builder_row(&b->builder);
	b->at = 0;
}

void ops_rows_table_init(struct ops_rows_table *b, struct ops_table *t, const char *name)
{
	*b = (struct ops_rows_table){
		.rows = { .columns = table_columns, .cell = table_cell, .end_row = table_row_ends },
	};
	ops_builder_init(&b->builder, t, &ops_rules);
	ops_builder_file(&b->builder)->in.name = name;
}

void ops_rows_table_finish(struct ops_rows_table *b)
{
	ops_builder_end_file(&b->builder);
	ops_builder_finish(&b->builder);
	buf_release(&b->scratch);
	vec_release(&b->tensors);
}
