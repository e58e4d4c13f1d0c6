// SPDX-License-Identifier: Apache-2.0
/* Which rows are calls of one kind: code, attributes, fidelity, cores and tensors are the same. */
#ifndef TTP_REPORT_ROW_KINDS_H
#define TTP_REPORT_ROW_KINDS_H

#include "ops/table/ops_table.h"

struct row_kinds {
	uint32_t *of_row;    /* per row of the table: its kind */
	VEC(uint32_t) first; /* per kind: its first row */
};

/* 64 bits of hash stand for a kind: two of a million kinds fall together once in 10^7 reports. */
void row_kinds_find(struct row_kinds *k, const struct ops_table *t);
void row_kinds_release(struct row_kinds *k);

#endif /* TTP_REPORT_ROW_KINDS_H */
