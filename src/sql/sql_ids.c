// SPDX-License-Identifier: Apache-2.0
/* Rows of a table by the ids of their ops: what makes joins by id linear. */
#include <stdlib.h>

#include "sql/sql_tables.h"

static int by_id(const void *a, const void *b)
{
	const struct sql_id *x = a, *y = b;

	return x->id != y->id ? (x->id < y->id ? -1 : 1) : x->row < y->row ? -1 : x->row > y->row;
}

static void make_ids(const struct sql_table *t, struct sql_run *r, size_t all, struct sql_ids *to)
{
	to->made = true;
	for (size_t row = 0; row < all; row++) {
		struct sql_value v = { 0 };

		t->value(r, row, 0, &v);
		if (v.kind != SQL_NULL)
			*vec_push(&to->all) =
				(struct sql_id){ v.kind == SQL_REAL ? (int64_t)v.real : v.whole,
						 (uint32_t)row };
	}
	vec_sort(&to->all, by_id);
	to->rows = mem_alloc(to->all.len + 1, sizeof(*to->rows));
	for (size_t i = 0; i < to->all.len; i++)
		to->rows[i] = to->all.at[i].row;
}

/* The first that is not below `id`. */
static size_t first_from(const struct sql_ids *ids, int64_t id)
{
	size_t low = 0, high = ids->all.len;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (ids->all.at[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void sql_rows_of_id(const struct sql_table *t, struct sql_run *r, size_t all, int64_t id,
		    const uint32_t **rows, size_t *from, size_t *to)
{
	struct sql_ids *ids = &r->ids[t - sql_tables];

	if (!ids->made)
		make_ids(t, r, all, ids);
	*rows = ids->rows;
	*from = first_from(ids, id);
	*to = id == INT64_MAX ? ids->all.len : first_from(ids, id + 1);
}
