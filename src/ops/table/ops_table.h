// SPDX-License-Identifier: Apache-2.0
/*
 * The ops table: every row of one or more ops reports as columns.  Whoever reads, joins, reports,
 * compares or shows ops uses this table; nobody else parses an ops CSV.
 *
 * Storage.  TEXT columns hold numbers of strings (each distinct string once, as a slice of the mapped
 * file).  NUM columns hold 8 bytes and a kind.  Tensors are a number per slot, see ops/table/ops_tensor.h.
 * Of a CSV only columns that the reader was asked for are stored; the others can be had one cell at a time by
 * ops_source_text(), which goes back to the file.  100 to 250 bytes per row in all.  A table that was made from logs has all of its
 * columns; those without an enum ops_col are in `extra`.  It is filled by ops/table/ops_builder.h alone.
 *
 * Rows are numbered from 0 over all files in order; blank lines do not count.  A finished table is
 * never changed, so threads may share it.
 */
#ifndef TTP_OPS_TABLE_OPS_TABLE_H
#define TTP_OPS_TABLE_OPS_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/account.h"
#include "base/csv.h"
#include "base/err.h"
#include "base/input.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "markers/launch_index.h"
#include "ops/table/ops_tensor.h"

enum ops_col {
#define OPS_COLUMN(id, name, type, unit, since) OPS_##id,
#define OPS_ALIAS(id, name)
#include "ops/table/ops_columns.def"
#undef OPS_COLUMN
#undef OPS_ALIAS
	OPS_COLS
};

enum ops_type { OPS_TYPE_TEXT, OPS_TYPE_NUM };

struct ops_col_info {
	struct str name;
	enum ops_type type;
	const char *unit, *since;
};

extern const struct ops_col_info ops_col_info[OPS_COLS];
/* By name or alias; OPS_COLS when it is none of ours. */
enum ops_col ops_col_find(struct str name);

/* What a cell is.  The kinds that a column of a file has seen are kept as a mask of 1 << kind. */
enum cell_kind {
	CELL_NONE, /* missing */
	CELL_INT,  /* int64_t */
	CELL_UINT, /* uint64_t above INT64_MAX */
	CELL_REAL, /* double */
	CELL_TEXT, /* anything else; in a NUM column: what could not be read */
	CELL_HUGE, /* digits only, but beyond 64 bits, or a real that overflows: text to some readers */
};

union cell {
	int64_t i;
	uint64_t u;
	double r;
};

/*
 * How cells are read.  There is a reading that is right (ops_rules) and those of tools whose output
 * we must match to the byte; they live beside the code that needs them.
 */
struct ops_rules {
	/* Kind and, for numbers, value of a cell's text. */
	enum cell_kind (*classify)(struct str text, union cell *out);
	/* A first data row with k fields too many makes the first k fields of every row an index that
	 * is dropped (pandas).  Else such a row is as bad as any other. */
	bool long_first_row_shifts;
	bool nul_ends_field; /* else NUL is a bad byte like those that are not UTF-8 */
	/* The last cell of a file that ends in the middle of a row may be the half of a number: it counts
	 * as missing. */
	bool distrusts_cut_cells;
	bool reads_account; /* the one beside the file (ops/account_json.h) */
	bool skips_headers; /* reports written one behind the other: later headers are no rows */
};

extern const struct ops_rules ops_rules;

/* What was wrong with rows; the table is made all the same. */
#define OPS_FAULT_LIST(X)                                                                \
	X(LONG_ROW, "more fields than the header: row skipped")                          \
	X(SHORT_ROW, "fewer fields than the header: the rest is empty")                  \
	X(CUT_ROW, "ends in the middle of a row")                                        \
	X(HEADER_AGAIN, "the header once more: row skipped")                             \
	X(BAD_BYTES, "bytes that are not UTF-8 text: replaced")                          \
	X(UNCLOSED_QUOTE, "a quote is opened and never closed: read as plain text")      \
	X(SHRUNK, "the file was shortened while it was read: the rest is missing")       \
	X(CUT_SHORT, "compressed data ends early or is damaged: read as far as it goes") \
	X(NO_ACCOUNT,                                                                    \
	  "its .account.json is damaged or of another report: what was lost is not known")

enum ops_fault {
#define X(id, text) OPS_FAULT_##id,
	OPS_FAULT_LIST(X)
#undef X
		OPS_FAULTS
};

extern const char *const ops_fault_texts[OPS_FAULTS];

enum { OPS_FAULT_ROWS = 8 };
struct ops_fault_count {
	uint64_t count;
	uint64_t line[OPS_FAULT_ROWS]; /* lines in their file of the first few */
};

/* Where a built table has the column of a name. */
enum field_store { FIELD_IN_COLUMN, FIELD_IN_TENSOR, FIELD_IN_EXTRA };
struct ops_field {
	uint8_t store; /* enum field_store */
	uint8_t part;  /* of the tensor */
	uint16_t at;   /* enum ops_col, tensor slot, or number of `extra` */
};

/* One input file and what its header says; or a source that rows were made from, without a file. */
struct ops_file {
	struct input in;
	VEC(struct ops_field) fields; /* by name, of a source without a file; empty otherwise */
	size_t first_row, rows;
	VEC(uint64_t)
	skipped; /* rows that were skipped: how many rows of the table came before each */
	VEC(struct str) names;       /* of the header, as they stand there; borrowed */
	size_t shift;                /* fields dropped in front of every row */
	uint16_t field_of[OPS_COLS]; /* field of a column in this file, OPS_ABSENT without */
	uint8_t seen[OPS_COLS];      /* mask of cell kinds */
	VEC(uint64_t) tensor_seen;   /* per slot of the table: 8 bits of mask per part */
	VEC(uint8_t) tensor_parts;   /* per slot: mask of 1 << part, which columns exist */
	struct ops_fault_count fault[OPS_FAULTS];
	struct account account; /* what its maker counted, where that is known */
	bool has_account;
};
enum { OPS_ABSENT = UINT16_MAX };

struct ops_column {
	uint32_t *text;    /* TEXT: string ids */
	union cell *value; /* NUM */
	uint8_t *kind;     /* NUM: enum cell_kind */
};

struct ops_table {
	size_t rows;
	struct intern strings;    /* id 0 is the empty string */
	VEC(uint8_t) string_kind; /* enum cell_kind of each string, by the rules */
	struct ops_column column[OPS_COLS];
	VEC(struct ops_column) extra;         /* of text: string ids in `value` */
	VEC(struct tensor_slot) tensor_slots; /* those that were stored */
	VEC(uint32_t *) tensor;               /* per slot, per row: number in `tensors` */
	struct tensor_set tensors;            /* number 0: all parts empty */
	uint64_t *row_at;                     /* offset of the row in its file */
	uint8_t *row_kind;                    /* per row, of enum ops_row_kind */
	VEC(struct ops_file) files;
	const struct ops_rules *rules;
};

/* Which columns to store. */
struct ops_want {
	const enum ops_col *cols;
	size_t count;
	/* Tensor slots to store: those below these numbers, e.g. 2 and 1; UINT16_MAX for all. */
	uint16_t inputs, outputs;
};

/*
 * Reads files one after another.  Fails only where nothing can be read: cannot open, no header.
 * On failure the table holds nothing.  `paths` must outlive the table.
 */
enum ttp_rc ops_table_read(struct ops_table *t, const char *const *paths, size_t count,
			   const struct ops_want *want, const struct ops_rules *rules,
			   struct ttp_err *e) TTP_CHECKED;
/* The same of one file that is open already; `in` is the table's from then on, also on failure. */
enum ttp_rc ops_table_read_input(struct ops_table *t, struct input in, const struct ops_want *want,
				 const struct ops_rules *rules, struct ttp_err *e) TTP_CHECKED;
void ops_table_release(struct ops_table *t);

/* Fails when one of its files has none of the columns by which ops are known: it is no ops report. */
enum ttp_rc ops_table_check(const struct ops_table *t, struct ttp_err *e) TTP_CHECKED;

/* True when some file has the column. */
bool ops_has_column(const struct ops_table *t, enum ops_col col);
const struct ops_file *ops_file_of(const struct ops_table *t, size_t row);
/* The cell as it stands in the file, for any column of it; valid until the next call with the same
 * scratch. */
struct str ops_source_text(const struct ops_table *t, size_t row, struct str name,
			   struct buf *scratch);
/* All cells of rows, for those who show every column: one reading of the file for a whole row. */
struct ops_cells {
	const struct ops_table *t;
	const struct ops_file *file; /* of the row; its names are those of the cells */
	size_t row;
	struct csv_reader csv;
	struct buf scratch;
};
void ops_cells_init(struct ops_cells *c, const struct ops_table *t);
void ops_cells_row(struct ops_cells *c, size_t row);
/* What the cell is, with its value where it is a number. */
enum cell_kind ops_cell_value(struct ops_cells *c, size_t name, union cell *value);
/* As it stands in the file; valid until the next call. */
struct str ops_cell(struct ops_cells *c, size_t name);
void ops_cells_release(struct ops_cells *c);

/*
 * The number of a row as a user counts: from 1 over all files, skipped rows counted too, so that it
 * doesn't change when a row is fixed.
 */
uint64_t ops_row_number(const struct ops_table *t, size_t row);

/* What OP TYPE, OP CODE and METAL TRACE REPLAY SESSION ID make of a row; none of them: an op of the host. */
enum ops_row_kind {
	OPS_ROW_DEVICE_OP =
		1, /* a type that names a device, or none; calls of torch are the host's */
	OPS_ROW_SIGNPOST = 2,
	OPS_ROW_REPLAY = 4, /* it carries the host's times of the capture */
};
static inline bool ops_row_is(const struct ops_table *t, size_t row, enum ops_row_kind kind)
{
	return t->row_kind[row] & kind;
}

static inline struct str ops_string(const struct ops_table *t, uint32_t id)
{
	return intern_get(&t->strings, id);
}

static inline bool ops_string_missing(const struct ops_table *t, uint32_t id)
{
	return t->string_kind.at[id] == CELL_NONE;
}

/* Text of a TEXT column; empty when missing or when no file has the column. */
static inline struct str ops_text(const struct ops_table *t, enum ops_col col, size_t row)
{
	uint32_t id = t->column[col].text ? t->column[col].text[row] : 0;

	return ops_string_missing(t, id) ? str_n("", 0) : ops_string(t, id);
}

/* Number of a NUM column as double; false when missing or not a number. */
static inline bool ops_real(const struct ops_table *t, enum ops_col col, size_t row, double *out)
{
	const struct ops_column *c = &t->column[col];
	union cell v;

	if (!c->kind)
		return false;
	v = c->value[row];
	switch ((enum cell_kind)c->kind[row]) {
	case CELL_INT:
		*out = (double)v.i;
		return true;
	case CELL_UINT:
		*out = (double)v.u;
		return true;
	case CELL_REAL:
		*out = v.r;
		return true;
	case CELL_NONE:
	case CELL_TEXT:
	case CELL_HUGE:
		break;
	}
	return false;
}

/* As ops_real, for whole numbers that fit. */
bool ops_i64(const struct ops_table *t, enum ops_col col, size_t row, int64_t *out);

/* The tensor in a slot; NULL when the row has none there (all parts empty). */
const struct tensor *ops_tensor(const struct ops_table *t, size_t slot, size_t row);
/* Number of the slot in t->tensor_slots, or SIZE_MAX. */
size_t ops_tensor_slot(const struct ops_table *t, bool output, unsigned index);

/* Which launch of a device a row of the ops table is of: what joins the table with a device log. */

/* False: it names no device or no program, as ops of the host do. */
bool ops_row_launch(const struct ops_table *t, size_t row, struct launch_key *key);
/* All rows by their launches; to be released. */
void ops_launch_rows(const struct ops_table *t, struct launch_rows *rows);

#endif /* TTP_OPS_TABLE_OPS_TABLE_H */
