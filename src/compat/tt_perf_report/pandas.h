// SPDX-License-Identifier: Apache-2.0
/*
 * How pandas 2.2 reads a CSV: what is missing, what is a number, how text becomes a double (not
 * correctly rounded), and what a whole column then is.  A column's kind is visible in the output: the
 * same cell is 64 in one file and 64.0 in another that has one empty cell elsewhere.
 */
#ifndef TTP_COMPAT_TT_PERF_REPORT_PANDAS_H
#define TTP_COMPAT_TT_PERF_REPORT_PANDAS_H

#include <stdbool.h>

#include "ops/table/ops_table.h"

extern const struct ops_rules pandas_rules;

enum pandas_kind { PANDAS_ABSENT, PANDAS_INT, PANDAS_UINT, PANDAS_FLOAT, PANDAS_TEXT };

/* What text is to pandas: CELL_NONE, CELL_INT, CELL_UINT, CELL_REAL; CELL_HUGE for digits beyond 64 bits
 * (out->r is their value as float) and floats that overflow (out->r infinite); else CELL_TEXT. */
enum cell_kind pandas_classify(struct str text, union cell *out);
/* The float conversion; false when `text` has no float syntax.  Overflow gives infinity. */
bool pandas_float(struct str text, double *out);

/* Kind of a column of one file, and of the same cells after all files were put together. */
enum pandas_kind pandas_file_kind(const struct ops_table *t, const struct ops_file *f,
				  enum ops_col col);
enum pandas_kind pandas_kind(const struct ops_table *t, const struct ops_file *f, enum ops_col col);
/* The same for a part of a tensor, by the kinds that were seen (a mask). */
enum pandas_kind pandas_kind_of_mask(unsigned seen);

/* Value of a number cell in a column of this kind; NaN when it is missing or text. */
double pandas_real(enum pandas_kind kind, enum cell_kind cell, union cell v);
/* str() of a cell in a column of this kind. */
void pandas_text(struct buf *b, enum pandas_kind kind, struct str text);

#endif /* TTP_COMPAT_TT_PERF_REPORT_PANDAS_H */
