// SPDX-License-Identifier: Apache-2.0
/* One run of tt-perf-report: what its steps hand to each other. */
#ifndef TTP_COMPAT_TT_PERF_REPORT_STEPS_OF_RUN_H
#define TTP_COMPAT_TT_PERF_REPORT_STEPS_OF_RUN_H

#include <math.h>

#include "base/err.h"
#include "base/map.h"
#include "base/out.h"
#include "compat/tt_perf_report/args.h"
#include "compat/tt_perf_report/pandas.h"
#include "compat/tt_perf_report/version.h"
#include "ops/table/ops_table.h"

/* ---- colour ---- */

#define COMPAT_COLOUR_LIST(X) \
	X(GREY, "8")          \
	X(RED, "9")           \
	X(GREEN, "10")        \
	X(YELLOW, "11")       \
	X(BLUE, "12")         \
	X(MAGENTA, "13")      \
	X(CYAN, "14")         \
	X(WHITE, "15")        \
	X(ORANGE, "208")

enum colour {
	COLOUR_NONE,
#define X(name, code) COLOUR_##name,
	COMPAT_COLOUR_LIST(X)
#undef X
};

/* ---- texts of cells: each distinct one once, with all that is asked about it ---- */

enum text_flag {
	TEXT_MATMUL = 1 << 0,
	TEXT_CONV_NEW = 1 << 1, /* OptimizedConvNew */
	TEXT_TORCH = 1 << 2,
	TEXT_SIGNPOST = 1 << 3,      /* has "signpost" */
	TEXT_SIGNPOST_MARK = 1 << 4, /* has "(signpost)" */
	TEXT_SPLIT = 1 << 5,         /* shown as name and rest, coloured apart */
	TEXT_SPARSE = 1 << 6,        /* a sparse matmul */
};

struct text {
	struct str text;
	struct str name, rest; /* TEXT_SPLIT; else `name` is what is shown */
	struct str first_word;
	uint32_t width;        /* of what is shown, in code points */
	uint8_t flags, colour; /* text_flag; enum colour of an OP Code */
	uint8_t category;
};

struct texts {
	const struct compat_version *v;
	struct intern ids;
	VEC(struct text) all;
	struct arena shown; /* numbers, formatted */
};

uint32_t texts_add(struct texts *x, struct str s);
void texts_release(struct texts *x);

static inline const struct text *text_at(const struct texts *x, uint32_t id)
{
	return &x->all.at[id];
}

/* ---- rows ---- */

/* A row that goes into the report. */
struct pick {
	double took_ns; /* DEVICE KERNEL DURATION, or the mean of a merged collective; NaN: missing */
	uint32_t row;
};

enum op_has {
	OP_TIME = 1 << 0,
	OP_TIME_ZERO = 1 << 1, /* the integer 0, because the duration is missing */
	OP_GAP = 1 << 2,
	OP_CORES = 1 << 3,
	OP_CORES_FLOAT = 1 << 4, /* prints as 64.0 */
	OP_DEVICE = 1 << 5,
	OP_DRAM = 1 << 6,
	OP_FLOPS = 1 << 7,
	OP_FLOPS_PCT = 1 << 8,
	OP_SHARDED = 1 << 9,
	OP_INVALID = 1 << 10, /* its duration can't be */
	OP_BYTES = 1 << 11,
	OP_NO_NNZ = 1 << 12,   /* a sparse matmul whose work is not known */
	OP_SIGNPOST = 1 << 13, /* by its OP TYPE */
};

enum op_model { MODEL_NONE, MODEL_FLOPS, MODEL_FULL };

enum bound { BOUND_BLANK, BOUND_DRAM, BOUND_FLOP, BOUND_BOTH, BOUND_SLOW, BOUND_HOST };

/* A row of the report.  A number without its bit is Python's None; with it, it may be NaN. */
struct op {
	double time_us, gap_us, cores, bytes, dram_gbps, dram_pct, tflops, flops_pct;
	int64_t device;
	uint32_t row;            /* ID is row + 2 */
	uint32_t name, fidelity; /* texts */
	uint32_t budget;         /* cores that it could have had; 0: not known */
	uint32_t sub_device;     /* one more than its number in compat_run.sub_devices; 0: none */
	uint16_t has;
	uint8_t bound, model;
};

/* A SUB DEVICE ID, as it is shown. */
struct sub_device {
	struct str text;
	bool whole;
};

enum { ID_OF_ROW_0 = 2 };

enum { BLOCK_K, BLOCK_H, BLOCK_W };

/* What ATTRIBUTES of a matmul tell. */
struct attributes {
	bool sharded;
	uint8_t has;      /* of `block`, 1 << BLOCK_... */
	int64_t block[3]; /* in0_block_w, out_subblock_h, out_subblock_w */
};

/* ---- what was wrong with the input ---- */

#define COMPAT_FAULT_LIST(X)                                                                      \
	X(NO_CODE, "no OP CODE: shown as (unnamed)")                                              \
	X(NO_TYPE, "no OP TYPE: neither a device op nor a signpost")                              \
	X(NO_DEVICE, "device op without DEVICE ID: not merged")                                   \
	X(NOT_NUMBER, "no number where one should be, or one too large: left blank")              \
	X(FIDELITY, "MATH FIDELITY is none of HiFi4, HiFi2, LoFi: FLOPs % left blank")            \
	X(FIDELITY_1_3, "MATH FIDELITY is none of HiFi4, HiFi3, HiFi2, LoFi: FLOPs % left blank") \
	X(MEMORY, "matmul with a tensor of unknown memory: DRAM left blank")                      \
	X(DATATYPE, "tensor in DRAM without DATATYPE: DRAM left blank")                           \
	X(NO_TYPES, "no DATATYPE columns for a matmul or conv: types shown as nan")               \
	X(DIMENSION, "tensor dimensions missing or unreadable: DRAM and FLOPs left blank")        \
	X(NO_TIME, "DEVICE KERNEL DURATION is 0: DRAM and FLOPs left blank")                      \
	X(NO_CORES, "CORE COUNT is 0: FLOPs % left blank")                                        \
	X(WINDOW, "convolution without a readable window_hw in its ATTRIBUTES: FLOPs left blank")

enum fault {
#define X(id, text) FAULT_##id,
	COMPAT_FAULT_LIST(X)
#undef X
		FAULTS
};

enum { FAULT_ROWS = 8 };
struct fault_count {
	uint64_t count;
	uint32_t row[FAULT_ROWS];
};

/* ---- the run ---- */

enum format { FORMAT_V1, FORMAT_V2, FORMAT_V21 };
/* What a file's columns are to pandas, after all files were put together. */
struct file_kinds {
	enum pandas_kind call_count, cores, start, took, gap, worker_cores, sub_device;
	enum pandas_kind dim[3][4]; /* slots IN0, IN1, OUT0; W, Z, Y, X */
	enum pandas_kind type[3], memory[3];
	uint8_t parts
		[3]; /* mask of 1 << part: columns that stand here under the original's names */
};
enum { IN0, IN1, OUT0 };

struct compat_run {
	const struct compat_version *v;
	struct compat_args args;
	struct out *out;
	struct buf *errors;
	struct buf line;
	bool colour;

	struct ops_table t;
	size_t place[3];
	VEC(struct file_kinds) kinds;
	VEC(double) device_shift; /* per file, added to DEVICE ID */
	enum format format;
	const struct arch *arch; /* NULL: not known */
	double worker_cores;     /* NaN: not known */
	size_t budgets;          /* distinct ones in the files */

	VEC(uint32_t) order; /* rows, as sorted and cut by signposts */
	VEC(struct pick) picks;
	VEC(struct op) ops;
	struct texts texts;
	VEC(uint32_t) attributes_of; /* per string: one more than its index in `attributes` */
	VEC(struct attributes) attributes;
	size_t device_ops, host_ops, signposts; /* before any filter */
	double total_us;                        /* T of the shown ops */
	double time_sum_us, gap_sum_us;
	bool has_roofline; /* of the shown ops: */
	double dram_gbps, dram_pct;
	bool shows_sub_devices, shows_budgets; /* in the table */
	struct intern sub_device_texts;
	VEC(struct sub_device) sub_devices;

	struct fault_count fault[FAULTS];
};

/* A status line. */
void compat_say(struct compat_run *r, enum colour c, const char *fmt, ...) TTP_PRINTF(3, 4);
void compat_fault(struct compat_run *r, enum fault f, size_t row);
/* A line for stderr: "tt-perf-report: warning: ...". */
void compat_warn(struct compat_run *r, const char *fmt, ...) TTP_PRINTF(2, 3);
/* `s` between the escapes of `c`, if colours are on. */
void compat_colour(const struct compat_run *r, struct buf *b, enum colour c, struct str s);

const struct file_kinds *compat_kinds(const struct compat_run *r, size_t row);
/* DEVICE ID of a row, or NaN. */
double compat_device(const struct compat_run *r, size_t row);
/* A number of a row, NaN when it is missing or not readable. */
double compat_real(const struct compat_run *r, enum ops_col col, enum pandas_kind kind, size_t row);
/* String id of a part of a tensor of a row; 0 when missing or not there. */
uint32_t compat_tensor_part(const struct compat_run *r, int place, enum tensor_part part,
			    size_t row);
/* True when some file has the column of this tensor part. */
bool compat_has_part(const struct compat_run *r, int place, enum tensor_part part);
/* OP CODE of a row, never missing. */
struct str compat_op_code(const struct compat_run *r, size_t row);

/* Attributes of a row; each distinct text is searched once. */
struct attributes compat_attributes(struct compat_run *r, size_t row);

static inline const struct text *op_name(const struct compat_run *r, const struct op *op)
{
	return text_at(&r->texts, op->name);
}

/* Share of the op in the total; false when there is none. */
bool compat_total_pct(const struct compat_run *r, const struct op *op, double *pct);
bool compat_is_muted(const struct compat_run *r, const struct op *op);

/* ---- cells that may hold anything: the rules of 1.3 ---- */

/* A number of a row by Python's float(); NaN when it is missing, not finite or none. */
double compat_finite(const struct compat_run *r, enum ops_col col, enum pandas_kind kind,
		     size_t row);
/* A count of cores: whole, above 0, and not absurd.  Else 0. */
uint32_t compat_core_count(double v);
bool compat_is_whole(double v);
/* A dimension of a tensor: whole, above 0, at most 2^32. */
bool compat_is_dim(double v);
/* A DEVICE ID by which rows can be merged. */
bool compat_is_device(const struct compat_run *r, double v);
/* The duration is missing or negative, or the op began too long before its predecessor ended. */
bool compat_is_invalid(const struct compat_run *r, size_t row, double took_ns);
/* Without control characters. */
void compat_clean(struct buf *b, struct str s);
/* With ' before it when a spreadsheet would calculate it. */
void compat_mark_formula(struct buf *b, struct str s);

/* ---- sub-devices ---- */

/* Reads what the rows say of the cores that ops had, and says so; the largest budget. */
double compat_budgets_in_files(struct compat_run *r, const struct arch *arch);
void compat_read_sub_device(struct compat_run *r, struct op *op);
/* What the shown ops have: sets which columns are shown. */
void compat_count_sub_devices(struct compat_run *r);

/* Names of ops that no category has, each once. */
void compat_warn_unclassified(struct compat_run *r, struct u64map *warned, const struct op *op);

/* ---- the steps; those that return false have said why ---- */

bool compat_load_files(struct compat_run *r);
void compat_load_order(struct compat_run *r);
void compat_load_faults(struct compat_run *r); /* what the reader found wrong goes to stderr */
void compat_cut_at_signposts(struct compat_run *r);
void compat_merge_devices(struct compat_run *r);
void compat_analyse(struct compat_run *r);
void compat_filter(struct compat_run *r);

#endif /* TTP_COMPAT_TT_PERF_REPORT_STEPS_OF_RUN_H */
