// SPDX-License-Identifier: Apache-2.0
/* What a run prints and writes. */
#ifndef TTP_REPORT_COMPAT_OUTPUT_H
#define TTP_REPORT_COMPAT_OUTPUT_H

#include "report/compat/run.h"

/* ---- the table ---- */

#define COMPAT_COLUMN_LIST(X)                  \
	X(ID, "ID", "", 0)                     \
	X(TOTAL, "Total %", "%", 1)            \
	X(BOUND, "Bound", "", 0)               \
	X(CODE, "OP Code", "", 0)              \
	X(DEVICE, "Device", "", 0)             \
	X(TIME, "Device Time", "\xCE\xBCs", 0) \
	X(GAP, "Op-to-Op Gap", "\xCE\xBCs", 0) \
	X(CORES, "Cores", "", 0)               \
	X(DRAM, "DRAM", "GB/s", 0)             \
	X(DRAM_PCT, "DRAM %", "%", 1)          \
	X(FLOPS, "FLOPs", "TFLOPs", 1)         \
	X(FLOPS_PCT, "FLOPs %", "%", 1)        \
	X(FIDELITY, "Math Fidelity", "", 0)

enum table_column {
#define X(id, name, unit, decimals) COL_##id,
	COMPAT_COLUMN_LIST(X)
#undef X
		TABLE_COLUMNS
};

extern const char *const table_names[TABLE_COLUMNS];

struct table {
	struct run *r;
	size_t width[TABLE_COLUMNS];
};

void table_measure(struct table *t, struct run *r);
void table_print(const struct table *t);
/* One line, without its end. */
void table_row(const struct table *t, const struct op *op, struct buf *b);

extern const char *const bound_names[];

/* ---- advice ---- */

struct advice {
	struct buf text;
	size_t end[8]; /* of each item in `text` */
	size_t count;
};

/* Items for a matmul; none for others. */
void advice_find(struct advice *a, struct run *r, const struct op *op);
void print_advice(const struct table *t);

enum verdict {
	VERDICT_NONE,
	VERDICT_SUFFICIENT,
	VERDICT_TOO_HIGH,
	VERDICT_TOO_LOW,
	VERDICT_NOT_APPLICABLE,
	VERDICT_UNKNOWN
};

/* Is the fidelity right for the datatypes?  Appends the text of the verdict, if it has one. */
enum verdict fidelity_verdict(const struct run *r, size_t row, struct buf *text);

/* ---- files ---- */

bool write_csv(struct run *r);
/* The stacked report: printed, and written where it was asked for. */
bool write_stacked(struct run *r);

/* ---- attributes of an op ---- */

struct attributes attributes_read(struct str s);
/* "w=(3,3) s=... | LAYOUT" of a halo op. */
void attributes_halo(struct str s, struct buf *b);
/* " [ABH=2|4 ADB SR]" of a convolution. */
void attributes_conv(struct str s, struct buf *b);
/* window_hw of a convolution; false when it can't be read. */
bool attributes_window(struct str s, int64_t window[2]);

#endif /* TTP_REPORT_COMPAT_OUTPUT_H */
