// SPDX-License-Identifier: Apache-2.0
/*
 * cpp_device_perf_report.csv: times of ops that the runtime worked out itself, one row per run of an op.
 * Columns are found by name.  Cells stay in the file: of each row only its offset is kept, and the row that was
 * asked for last is held as texts, whole numbers in their plain form.
 */
#ifndef TTP_OPS_JOIN_PERF_REPORT_H
#define TTP_OPS_JOIN_PERF_REPORT_H

#include "base/err.h"
#include "base/input.h"
#include "base/vec.h"
#include "ops/table/ops_table.h"

/* Columns beyond those of an ops report. */
enum perf_extra {
	PERF_KERNEL_START = OPS_COLS,
	PERF_KERNEL_END,
	PERF_DM_START,
	PERF_DM_END,
	PERF_QUASAR_DM_START,
	PERF_QUASAR_DM_END,
	PERF_QUASAR_TRISC_START,
	PERF_QUASAR_TRISC_END,
	PERF_OP_NAME,
	PERF_COLS
};

struct perf_cell {
	uint16_t column; /* enum ops_col or perf_extra */
	struct str text; /* never empty */
};

struct perf_row {
	uint64_t id;
	int64_t device, trace_id, session; /* -1: none */
	size_t at;                         /* in the text */
};

struct perf_reader;

struct perf_report {
	VEC(struct perf_row) rows; /* of one key only the last; in the order of first sight */
	uint64_t bad_rows;
	bool cut; /* it ends in the middle of a row, which was skipped if cells are missing */
	bool trusts_end; /* set before reading: that row is as good as others (frozen) */
	/* ours: */
	struct input in;
	struct perf_reader *reader;
	bool open;
};

enum ttp_rc perf_report_read(struct perf_report *p, const char *path,
			     struct ttp_err *e) TTP_CHECKED;
/* The same from text that the caller keeps. */
enum ttp_rc perf_report_parse(struct perf_report *p, struct str text, const char *name,
			      struct ttp_err *e) TTP_CHECKED;
void perf_report_release(struct perf_report *p);

/* Cells of a row; valid until those of another row of the same report are asked for. */
const struct perf_cell *perf_cells(const struct perf_report *p, const struct perf_row *r,
				   size_t *n);
/* Text of a cell, empty without one, as long valid; and as a whole number. */
struct str perf_text(const struct perf_report *p, const struct perf_row *r, unsigned column);
bool perf_i64(const struct perf_report *p, const struct perf_row *r, unsigned column, int64_t *out);

#endif /* TTP_OPS_JOIN_PERF_REPORT_H */
