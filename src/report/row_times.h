// SPDX-License-Identifier: Apache-2.0
/*
 * Times that rows give, but for those that can't be: negative ones, more than a day, longer than the firmware that encloses the kernel, or longer
 * than what lies between the first and the last cycle that the device has in the whole report; of two ops that overlap on more cores than there are; and
 * gaps that begin before the op ahead has ended.  Counters that overflow, and cells that were damaged, look so.
 */
#ifndef TTP_REPORT_ROW_TIMES_H
#define TTP_REPORT_ROW_TIMES_H

#include "ops/table/ops_table.h"

enum odd_time {
	ODD_KERNEL = 1 << 0,   /* DEVICE KERNEL DURATION */
	ODD_FIRMWARE = 1 << 1, /* DEVICE FW DURATION */
	ODD_GAP = 1 << 2,      /* OP TO OP LATENCY */
	ODD_REPLAY = 1 << 3,   /* DEVICE TRACE KERNEL DURATION */
};

struct row_times {
	const struct ops_table *table;
	uint8_t *odd; /* per row, of enum odd_time; NULL: all of them can be */
	uint64_t n;   /* cells */
	uint32_t row; /* the one with the longest */
	double ns;    /* how long that one is */
	enum ops_col col;
};

void row_times_find(struct row_times *x, const struct ops_table *t);
void row_times_release(struct row_times *x);

/* 0 where there is none. */
static inline unsigned row_odd_times(const struct row_times *x, size_t row)
{
	return x->odd ? x->odd[row] : 0;
}

/* One of the four columns; false: nothing is known.  Gaps may be negative: ops that overlap. */
static inline bool row_ns(const struct row_times *x, enum ops_col col, size_t row, double *ns)
{
	unsigned odd = row_odd_times(x, row);

	if (odd && (col == OPS_DURATION      ? odd & ODD_KERNEL
		    : col == OPS_FW_DURATION ? odd & ODD_FIRMWARE
		    : col == OPS_GAP         ? odd & ODD_GAP
					     : odd & ODD_REPLAY))
		return false;
	return ops_real(x->table, col, row, ns);
}

#endif /* TTP_REPORT_ROW_TIMES_H */
