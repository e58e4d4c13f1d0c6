// SPDX-License-Identifier: Apache-2.0
/* What a run prints and writes. */
#ifndef TTP_COMPAT_TT_PERF_REPORT_OUTPUT_H
#define TTP_COMPAT_TT_PERF_REPORT_OUTPUT_H

#include "compat/tt_perf_report/steps_of_run.h"

/* ---- the table ---- */

/* Name, unit with its width and that of the blank before it, decimals. */
#define COMPAT_COLUMN_LIST(X)                     \
	X(ID, "ID", "", 0, 0)                     \
	X(TOTAL, "Total %", "%", 2, 1)            \
	X(BOUND, "Bound", "", 0, 0)               \
	X(CODE, "OP Code", "", 0, 0)              \
	X(DEVICE, "Device", "", 0, 0)             \
	X(SUB_DEVICE, "Sub Device ID", "", 0, 0)  \
	X(TIME, "Device Time", "\xCE\xBCs", 3, 0) \
	X(GAP, "Op-to-Op Gap", "\xCE\xBCs", 3, 0) \
	X(CORES, "Cores", "", 0, 0)               \
	X(BUDGET, "Available Cores", "", 0, 0)    \
	X(DRAM, "DRAM", "GB/s", 5, 0)             \
	X(DRAM_PCT, "DRAM %", "%", 2, 1)          \
	X(FLOPS, "FLOPs", "TFLOPs", 7, 1)         \
	X(FLOPS_PCT, "FLOPs %", "%", 2, 1)        \
	X(FIDELITY, "Math Fidelity", "", 0, 0)

enum sheet_column {
#define X(id, name, unit, width, decimals) COL_##id,
	COMPAT_COLUMN_LIST(X)
#undef X
		SHEET_COLUMNS
};

extern const char *const sheet_names[SHEET_COLUMNS];

struct sheet {
	struct compat_run *r;
	size_t width[SHEET_COLUMNS];
};

void sheet_measure(struct sheet *t, struct compat_run *r);
void sheet_print(const struct sheet *t);
/* One line, without its end. */
void sheet_row(const struct sheet *t, const struct op *op, struct buf *b);

extern const char *const compat_bound_names[];

/* ---- advice ---- */

struct advice {
	struct buf text;
	size_t end[8]; /* of each item in `text` */
	size_t count;
};

/* Items for a matmul; none for others. */
void compat_advice(struct advice *a, struct compat_run *r, const struct op *op);
void compat_print_advice(const struct sheet *t);

enum verdict {
	VERDICT_NONE,
	VERDICT_SUFFICIENT,
	VERDICT_TOO_HIGH,
	VERDICT_TOO_LOW,
	VERDICT_NOT_APPLICABLE,
	VERDICT_UNKNOWN
};

/* Is the fidelity right for the datatypes?  Appends the text of the verdict, if it has one. */
enum verdict compat_fidelity_verdict(const struct compat_run *r, size_t row, struct buf *text);

/* ---- files ---- */

bool compat_write_csv(struct compat_run *r);
/* The stacked report: printed, and written where it was asked for. */
bool compat_write_stacked(struct compat_run *r);

/* ---- attributes of an op ---- */

struct attributes compat_attributes_read(struct str s);
/* "w=(3,3) s=... | LAYOUT" of a halo op. */
void compat_attributes_halo(struct str s, struct buf *b);
/* " [ABH=2|4 ADB SR]" of a convolution. */
void compat_attributes_conv(struct str s, struct buf *b);
/* window_hw of a convolution; false when it can't be read. */
bool compat_attributes_window(const struct compat_version *v, struct str s, int64_t window[2]);

/* How much of a sparse matmul is computed. */
struct sparse {
	bool has_active;
	int64_t active, dense; /* batches */
};
/* `batch`: of both inputs.  `experts`: asked for, 0 when not. */
struct sparse compat_attributes_sparse(struct str s, const int64_t batch[2], int64_t experts);

#endif /* TTP_COMPAT_TT_PERF_REPORT_OUTPUT_H */
