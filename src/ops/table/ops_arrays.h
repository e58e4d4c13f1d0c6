// SPDX-License-Identifier: Apache-2.0
/*
 * All columns of a table as arrays, for those who show or hand out every cell: a column is numbers (NAN where missing) or texts.  It is texts
 * as soon as one of its cells is no number, or a whole number that a double can't hold.
 */
#ifndef TTP_OPS_TABLE_OPS_ARRAYS_H
#define TTP_OPS_TABLE_OPS_ARRAYS_H

#include "ops/table/ops_table.h"

struct ops_array {
	struct str name;
	const char *unit; /* "" without one */
	double *number;   /* one of the two */
	uint32_t *text;   /* numbers that `intern` gave */
};

struct ops_arrays {
	VEC(struct ops_array) all; /* in the order of the file, without empty columns */
};

typedef uint32_t ops_intern_fn(void *ctx, struct str text);

/* Names are the table's.  `intern` gives 0 for "". */
void ops_arrays_make(struct ops_arrays *a, const struct ops_table *t, ops_intern_fn *intern,
		     void *ctx);
void ops_arrays_release(struct ops_arrays *a);

#endif /* TTP_OPS_TABLE_OPS_ARRAYS_H */
