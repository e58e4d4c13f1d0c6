// SPDX-License-Identifier: Apache-2.0
/*
 * By what a run is known: the ops of the part that is read, when they ran by the clocks of host and devices, and how long.  Not how the report is
 * written, nor where it lies: a copy, or the report made again of the same logs, is the same run.
 */
#ifndef TTP_COMPARE_RUN_IDENTITY_H
#define TTP_COMPARE_RUN_IDENTITY_H

#include "compare/op_sequence.h"

/* Appends it: 64 hexadecimal digits, whatever else `keys` has. */
void run_identity(struct buf *to, const struct op_sequence *s, const struct op_keys *keys);

#endif /* TTP_COMPARE_RUN_IDENTITY_H */
