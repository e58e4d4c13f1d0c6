// SPDX-License-Identifier: Apache-2.0
#include "report/row_kinds.h"

#include <stdlib.h>

static uint32_t text_of(const struct ops_table *t, enum ops_col col, size_t row)
{
	return t->column[col].text ? t->column[col].text[row] : 0;
}

/* `parts`: 4 of the row itself, and its tensors. */
static uint64_t key_of(const struct ops_table *t, size_t row, uint32_t *parts)
{
	double cores = 0;
	size_t n = 0;

	ops_real(t, OPS_CORE_COUNT, row, &cores);
	parts[n++] = text_of(t, OPS_OP_CODE, row);
	parts[n++] = text_of(t, OPS_ATTRIBUTES, row);
	parts[n++] = text_of(t, OPS_MATH_FIDELITY, row);
	parts[n++] = cores > 0 && cores < 1e9 ? (uint32_t)cores : 0;
	vec_each (p, &t->tensor)
		parts[n++] = (*p)[row];
	return str_hash(str_n((const char *)parts, n * sizeof(*parts)));
}

void row_kinds_find(struct row_kinds *k, const struct ops_table *t)
{
	SCOPED(mem) uint32_t *parts = mem_alloc(4 + t->tensor.len, sizeof(*parts));
	struct u64map known = { 0 };

	*k = (struct row_kinds){ .of_row = mem_alloc(t->rows + 1, sizeof(*k->of_row)) };
	for (uint32_t row = 0; row < t->rows; row++) {
		bool added;

		k->of_row[row] = u64map_get_or_put(&known, key_of(t, row, parts),
						   (uint32_t)k->first.len, &added);
		if (added)
			*vec_push(&k->first) = row;
	}
	u64map_release(&known);
}

void row_kinds_release(struct row_kinds *k)
{
	free(k->of_row);
	vec_release(&k->first);
}
