// SPDX-License-Identifier: Apache-2.0
/*
 * The one way into an ops table: typed cells, row by row.
 *
 *	ops_builder_init()                       an empty table
 *	  ops_builder_file()                     rows of another source follow
 *	    ops_builder_store(), _store_tensor() columns that are kept
 *	    ops_builder_row()                    space for a row, then its cells: _text(), _number(), _tensor()
 *	    ops_builder_end_row()
 *	  ops_builder_end_file()                 columns that the source lacks are empty
 *	ops_builder_finish()
 *
 * The CSV reader (ops_table_read.c) calls these as it goes; makers of ops write rows (ops_rows.h), which ops_rows_table.c turns
 * into these calls.
 */
#ifndef TTP_OPS_TABLE_OPS_BUILDER_H
#define TTP_OPS_TABLE_OPS_BUILDER_H

#include "ops/table/ops_table.h"

struct ops_builder {
	struct ops_table *t;
	struct ops_file *f; /* that rows go to */
	size_t row_cap;
};

void ops_builder_init(struct ops_builder *b, struct ops_table *t, const struct ops_rules *rules);
struct ops_file *ops_builder_file(struct ops_builder *b);
void ops_builder_store(struct ops_builder *b, enum ops_col col);
/* The number of the slot in t->tensor_slots. */
size_t ops_builder_store_tensor(struct ops_builder *b, struct tensor_slot slot);
/* A column that has no enum ops_col; its number in t->extra. */
size_t ops_builder_store_extra(struct ops_builder *b);
void ops_builder_reserve(struct ops_builder *b, size_t rows);
void ops_builder_end_file(struct ops_builder *b);
/* Gives back what was reserved in vain. */
void ops_builder_finish(struct ops_builder *b);

/* The number of a string; `stays`: it lives as long as the table and need not be copied. */
uint32_t ops_builder_string(struct ops_builder *b, struct str s, bool stays);
/* Of a tensor slot: number of `tensors`. */
void ops_builder_tensor(struct ops_builder *b, size_t slot, uint32_t tensor);

static inline void ops_builder_row(struct ops_builder *b)
{
	if (b->t->rows == b->row_cap)
		ops_builder_reserve(b, b->t->rows + 1);
}

static inline void ops_builder_text(struct ops_builder *b, enum ops_col col, uint32_t string)
{
	b->t->column[col].text[b->t->rows] = string;
	b->f->seen[col] |= (uint8_t)(1u << b->t->string_kind.at[string]);
}

static inline void ops_builder_number(struct ops_builder *b, enum ops_col col, enum cell_kind kind,
				      union cell value)
{
	struct ops_column *c = &b->t->column[col];

	c->kind[b->t->rows] = (uint8_t)kind;
	c->value[b->t->rows] = value;
	b->f->seen[col] |= (uint8_t)(1u << kind);
}

/* `row_at`: its offset in the source, for ops_cells; 0 where there is none. */
static inline void ops_builder_end_row(struct ops_builder *b, uint64_t row_at)
{
	b->t->row_at[b->t->rows++] = row_at;
}

#endif /* TTP_OPS_TABLE_OPS_BUILDER_H */
