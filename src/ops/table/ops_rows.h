// SPDX-License-Identifier: Apache-2.0
/*
 * Ops as rows on their way: whoever makes ops (the join, devices alone, the folders of 2023) names the columns and then writes the
 * cells of each row from left to right, typed.  An ops table takes them (ops_rows_table), or a CSV file does (ops_rows_csv).
 */
#ifndef TTP_OPS_TABLE_OPS_ROWS_H
#define TTP_OPS_TABLE_OPS_ROWS_H

#include "base/csv.h"
#include "base/out.h"
#include "ops/table/ops_builder.h"

enum { OPS_SHORTEST = 255 };

/* A cell.  Kinds: NONE, INT, UINT, REAL, TEXT. */
struct ops_value {
	enum cell_kind kind;
	uint8_t decimals; /* of REAL, or OPS_SHORTEST: as Python's str() */
	union cell number;
	struct str text; /* until the row ends */
};

static inline struct ops_value ops_value_text(struct str s)
{
	return (struct ops_value){ .kind = s.len ? CELL_TEXT : CELL_NONE, .text = s };
}

static inline struct ops_value ops_value_i64(int64_t v)
{
	return (struct ops_value){ .kind = CELL_INT, .number.i = v };
}

static inline struct ops_value ops_value_u64(uint64_t v)
{
	return (struct ops_value){ .kind = CELL_UINT, .number.u = v };
}

/* To the nearest whole number, halves to the even. */
static inline struct ops_value ops_value_whole(double v)
{
	return (struct ops_value){ .kind = CELL_REAL, .number.r = v };
}

static inline struct ops_value ops_value_real(double v)
{
	return (struct ops_value){ .kind = CELL_REAL, .decimals = OPS_SHORTEST, .number.r = v };
}

/* The text of a value as files have it. */
void ops_value_print(const struct ops_value *v, struct buf *to);
/* Its number; false when it has none. */
bool ops_value_number(const struct ops_value *v, double *out);

struct ops_rows {
	void (*columns)(struct ops_rows *r, const struct str *names, size_t n);
	void (*cell)(struct ops_rows *r, const struct ops_value *v);
	void (*end_row)(struct ops_rows *r);
	bool stop; /* no more is wanted: the file can't be written */
};

static inline void ops_rows_put(struct ops_rows *r, struct ops_value v)
{
	r->cell(r, &v);
}

/* ---- into a CSV file ---- */

struct ops_rows_csv {
	struct ops_rows rows; /* first */
	struct csv_writer w;
	struct buf text;
	struct out *to;
};
void ops_rows_csv_init(struct ops_rows_csv *c, struct out *to);
/* After the last row. */
void ops_rows_csv_finish(struct ops_rows_csv *c);

/* ---- into a table ---- */

struct ops_rows_table {
	struct ops_rows rows; /* first */
	struct ops_builder builder;
	size_t at; /* the next cell */
	struct buf scratch;
	VEC(struct tensor) tensors; /* of the row, by slot */
};
/* `name` says in messages where the rows are from, and outlives the table. */
void ops_rows_table_init(struct ops_rows_table *b, struct ops_table *t, const char *name);
void ops_rows_table_finish(struct ops_rows_table *b);

#endif /* TTP_OPS_TABLE_OPS_ROWS_H */
