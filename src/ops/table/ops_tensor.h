// SPDX-License-Identifier: Apache-2.0
/*
 * Tensors of ops.  A run has few different tensors and many ops, so a table stores each distinct
 * tensor once (the seven cells that describe it) and a number per op and slot.
 */
#ifndef TTP_OPS_TABLE_OPS_TENSOR_H
#define TTP_OPS_TABLE_OPS_TENSOR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"

/* The seven columns of a tensor, e.g. INPUT_0_W_PAD[LOGICAL] … INPUT_0_MEMORY, in file order. */
enum tensor_part {
	TENSOR_W,
	TENSOR_Z,
	TENSOR_Y,
	TENSOR_X,
	TENSOR_LAYOUT,
	TENSOR_DATATYPE,
	TENSOR_MEMORY
};
enum { TENSOR_PARTS = 7 };

struct tensor {
	uint32_t text[TENSOR_PARTS]; /* string ids of the table */
};

/* Distinct tensors, numbered from 0 in order of first appearance. */
struct tensor_set {
	VEC(struct tensor) all;
	struct intern numbers; /* by their bytes */
};

uint32_t tensor_set_add(struct tensor_set *set, const struct tensor *t);
void tensor_set_release(struct tensor_set *set);

/* Which tensor of an op: INPUT_i or OUTPUT_i. */
struct tensor_slot {
	bool output;
	uint16_t index;
};

/* Splits "INPUT_3_Y_PAD[LOGICAL]" into slot and part; false when `name` is no tensor column. */
bool tensor_column(struct str name, struct tensor_slot *slot, enum tensor_part *part);

/* "4096[4001]" or "4096" → 4096 and 4001 (or 4096 twice); false when it is neither. */
bool tensor_dim(struct str text, int64_t *padded, int64_t *logical);

#endif /* TTP_OPS_TABLE_OPS_TENSOR_H */
