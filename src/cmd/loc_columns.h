// SPDX-License-Identifier: Apache-2.0
/*
 * The ops report with the places in MLIR that its ops come from, as tt-torch's profile tools write it.  The compiler tells
 * places by messages between those of ops; there are two generations of it.
 */
#ifndef TTP_CMD_LOC_COLUMNS_H
#define TTP_CMD_LOC_COLUMNS_H

#include "base/err.h"

enum loc_layout {
	LOC_FIRST, /* profile.py: LOC in front, Raw LOC at the end, by the order of messages */
	LOC_LAST, /* tt_profile: LOC, CONST_EVAL_OP, PROGRAM_METADATA at the end, by the op's number */
};

enum ttp_rc loc_columns_write(const char *report, const char *trace, enum loc_layout layout,
			      const char *to, struct ttp_err *e) TTP_CHECKED;

#endif /* TTP_CMD_LOC_COLUMNS_H */
