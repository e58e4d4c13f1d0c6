// SPDX-License-Identifier: Apache-2.0
/* The columns of one ops report: the fixed ones of ops/table/ops_columns.def, and those that its ops ask for. */
#ifndef TTP_OPS_JOIN_REPORT_COLUMNS_H
#define TTP_OPS_JOIN_REPORT_COLUMNS_H

#include "ops/join/ops_report.h"

enum column_kind {
	COLUMN_FIXED, /* index: enum ops_col */
	COLUMN_INPUT, /* index: tensor, part */
	COLUMN_OUTPUT,
	COLUMN_SIZE,    /* index: of host_events.size_names */
	COLUMN_COUNTER, /* index: of the counter table */
	COLUMN_CHILD,   /* index: of host_events.child_names */
	COLUMN_CHILD_COUNT,
	COLUMN_CHILD_AVERAGE,
	COLUMN_OP_INDEX,
	COLUMN_STATE,
	COLUMN_SECOND, /* index: of the second pass */
	COLUMN_COMPENSATED,
};

struct report_column {
	enum column_kind kind;
	uint32_t index, part;
	struct buf name;
};

struct report_columns {
	struct report_column *at;
	size_t len, cap;
};

void report_columns_make(struct report_columns *c, const struct ops_report *r);
void report_columns_release(struct report_columns *c);

#endif /* TTP_OPS_JOIN_REPORT_COLUMNS_H */
