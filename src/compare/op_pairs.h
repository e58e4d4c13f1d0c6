// SPDX-License-Identifier: Apache-2.0
/* Which op of one run is which of another one. */
#ifndef TTP_COMPARE_OP_PAIRS_H
#define TTP_COMPARE_OP_PAIRS_H

#include "compare/op_sequence.h"

/*
 * Per position of `a` the one of `b`, or DIFF_NONE; rising; for the caller to free.  Exactly alike first; in what is left between these, of the
 * same shape; then of the same name.  Both have their names from the same dictionaries.
 */
uint32_t *op_sequence_pair(const struct op_sequence *a, const struct op_sequence *b);

#endif /* TTP_COMPARE_OP_PAIRS_H */
