// SPDX-License-Identifier: Apache-2.0
/*
 * The ops report with the source locations in MLIR that its ops come from, as tt-torch's profile tools write it.  The compiler reports
 * them by messages between those of ops; there are two generations of it.
 */
#ifndef TTP_COMPAT_TT_TORCH_MLIR_COLUMNS_H
#define TTP_COMPAT_TT_TORCH_MLIR_COLUMNS_H

#include "base/err.h"

enum mlir_layout {
	MLIR_FIRST, /* profile.py: LOC in front, Raw LOC at the end, by the order of messages */
	MLIR_LAST, /* tt_profile: LOC, CONST_EVAL_OP, PROGRAM_METADATA at the end, by the op's number */
};

enum ttp_rc mlir_columns_write(const char *report, const char *trace, enum mlir_layout layout,
			       const char *to, struct ttp_err *e) TTP_CHECKED;

#endif /* TTP_COMPAT_TT_TORCH_MLIR_COLUMNS_H */
