// SPDX-License-Identifier: Apache-2.0
/*
 * The ops report: which columns there are, and the value of every cell.
 *
 * What is right and what an original does instead differ in a few points only; those are in a `struct
 * report_rules`.  The originals' are frozen (ops/compat/), ours are in ops/join/report_rules.c.
 */
#ifndef TTP_OPS_JOIN_OPS_REPORT_H
#define TTP_OPS_JOIN_OPS_REPORT_H

#include "base/err.h"
#include "base/input.h"
#include "base/str.h"
#include "base/vec.h"
#include "markers/log/device_log.h"
#include "markers/op_times.h"
#include "ops/join/join.h"
#include "ops/table/ops_rows.h"
#include "ops/table/ops_table.h"

#include <stdint.h>

/* ---- run_times.c ---- */

/* Durations of one run of an op, made from its first and last markers. */

/* RUN_TIME(id, column of the report, name of the analysis) */
#define RUN_TIME_LIST(X)                                                         \
	X(FIRST_TO_LAST, OPS_FIRST_TO_LAST, "device_kernel_first_to_last_start") \
	X(FW, OPS_FW_DURATION, "device_fw_duration")                             \
	X(KERNEL, OPS_DURATION, "device_kernel_duration")                        \
	X(DM_START, OPS_DURATION_DM, "device_kernel_duration_dm_start")          \
	X(BRISC, OPS_BRISC, "device_brisc_kernel_duration")                      \
	X(NCRISC, OPS_NCRISC, "device_ncrisc_kernel_duration")                   \
	X(TRISC0, OPS_TRISC0, "device_trisc0_kernel_duration")                   \
	X(TRISC1, OPS_TRISC1, "device_trisc1_kernel_duration")                   \
	X(TRISC2, OPS_TRISC2, "device_trisc2_kernel_duration")                   \
	X(ERISC, OPS_ERISC, "device_erisc_kernel_duration")                      \
	X(QUASAR_DM, OPS_QUASAR_DM, "device_quasar_dm_kernel_duration")          \
	X(QUASAR_TRISC, OPS_QUASAR_TRISC, "device_quasar_trisc_kernel_duration") \
	X(DM_FW, OPS_FW_DURATION_DM, "device_dm_fw_duration")                    \
	X(TRISC_FW, OPS_FW_DURATION_TRISC, "device_trisc_fw_duration")           \
	X(TRACE_FW, OPS_TRACE_FW_DURATION, "trace_fw_duration")                  \
	X(TRACE_KERNEL, OPS_TRACE_DURATION, "trace_kernel_duration")

enum run_time {
#define X(id, column, name) RUN_##id,
	RUN_TIME_LIST(X)
#undef X
		RUN_TIMES
};

struct run_time_info {
	enum ops_col column;
	const char *name;
};
extern const struct run_time_info run_time_info[RUN_TIMES];

struct run_entry {
	bool has;
	uint64_t start, end; /* cycles */
};

/* From the first start to the last end; zones that lack one of the two count with the other. */
struct run_entry run_entry(const struct op_times *t, const struct op_run *r, enum run_time what);

/* Kernel times per core of a run. */
struct run_cores {
	uint32_t cores;    /* with a kernel that took time */
	uint64_t min, max; /* cycles */
	double average;
	uint64_t first; /* of the core that started first */
};
struct run_cores run_cores(const struct op_times *t, const struct op_run *r);
/* Cores that have this: CORE_HAS_FW_ZONE is right, CORE_HAS_FW what the original counts (frozen). */
uint32_t run_core_count(const struct op_times *t, const struct op_run *r, unsigned has);

struct counter_table;
struct second_pass;
struct run_cost;
struct ops_report;

/* Latencies of a row in whole ns; NAN: none. */
struct row_gaps {
	double gap, gap_dm;
};

/* The same as it is kept: whole numbers of 32 bits, or a number in `far_gaps`. */
struct near_gaps {
	int32_t gap, gap_dm;
};
#define GAP_NONE   INT32_MAX
#define GAP_IS_FAR INT32_MIN

/* From the end of a kernel to the start of the next op's, on one core. */
struct core_gap {
	uint32_t core; /* number in `times.places` */
	uint64_t start, took;
	uint64_t from, to; /* run ids */
};

/* Reports without the host (ops/join/device_only.h). */
struct device_only_rules {
	/* Numbers of all runs in the order of their rows, for the caller to free; NULL: by their first marker. */
	uint32_t *(*order)(const struct op_times *t);
	void (*core_gap_cell)(struct buf *to, int64_t cycles); /* NULL: ns */
	bool gaps_by_row; /* from the row before, also where ops overlap; else from the latest end */
	bool ids_alone;   /* no device, trace or replay: an op is its id */
};

struct report_rules {
	const struct join_rules *join;
	struct device_only_rules device_only;
	struct run_entry (*entry)(const struct op_times *t, const struct op_run *r,
				  enum run_time what);
	unsigned core_has; /* cores count that have this: see run_core_count() */
	/* "TT_SIGNPOST: header\nmessage" */
	void (*signpost)(struct str text, struct str *header, struct str *message);
	/* Sets the gaps of all rows that have some. */
	void (*gaps)(struct ops_report *r);
	bool replays_have_capture_times; /* host times of a replay are those of its capture */
	bool sums_over_cores;            /* CB WAIT and RESERVE are sums, not averages per core */
	bool expects_compute;            /* an op with compute kernels must have their markers */
	bool own_columns;                /* OP INDEX and so on at the end */
	bool log_tells_chip;             /* DEVICE ARCH and worker cores also from the device log */
	bool report_tells_gaps;          /* latencies of the runtime's report stand as they are */
	bool quasar_from_report;         /* Quasar's own times only from the runtime's report */
	bool all_fidelities;             /* MATH FIDELITY names each when kernels differ */
	bool looks_up_sub_devices;       /* also those of markers beside the runs */
	bool all_counters;               /* also those that the original works out and forgets */
};

struct run_processes;

struct ops_report {
	const struct report_rules *rules;
	const struct host_events *host;
	const struct run_source *source;
	const struct op_times *sub_devices; /* where SUB DEVICE ID is looked up; NULL: the source */
	struct join join;
	int64_t freq_mhz, compute_cores;
	struct str arch;
	bool quasar;
	uint64_t analyses; /* mask of 1 << enum run_time and of the next; those that are shown */
	struct counter_table *counters;        /* NULL: none */
	const struct perf_report *npe;         /* of tt-npe; NULL: none */
	const struct run_cost *cost;           /* NULL: not known */
	const struct run_processes *processes; /* NULL: one, or not known */
	struct second_pass *second;            /* a report with further columns; NULL: none */
	uint64_t second_missing;    /* after writing: ops with times that it does not have */
	VEC(struct near_gaps) gaps; /* per row of the join */
	VEC(struct row_gaps) far_gaps;
};

/* Further bits of `analyses`. */
enum {
	SHOW_PER_CORE = RUN_TIMES,
	SHOW_CB_WAIT,
	SHOW_CB_RESERVE,
	SHOW_DISPATCH_CMD,
	SHOW_DISPATCH_WAIT,
	SHOW_COUNTERS,
	SHOW_CORE_GAPS,
	SHOW_ALL_BITS
};
/* The bit of an analysis by its name, or -1. */
int analysis_bit(struct str name);

/* Joins, and works out what needs more than a row.  The parts must outlive the report. */
void ops_report_make(struct ops_report *r);
void ops_report_rows(struct ops_report *r, struct ops_rows *to);
void ops_report_release(struct ops_report *r);

void ops_report_set_gaps(struct ops_report *r, size_t row, const struct row_gaps *g);
/* A rule of `gaps`: from one row to the next. */
void gaps_by_row(struct ops_report *r);

extern const struct report_rules report_rules;

/* Kernel and data-movement times of a row's run in cycles, and ns per cycle; false without a run. */
struct row_cycles {
	bool has_kernel, has_dm;
	int64_t kernel_start, kernel_end, dm_start, dm_end;
	double cycles_per_ns; /* as the original works it out */
	double ns_per_cycle;  /* of the firmware's time in the runtime's report; 0: not known */
};
bool ops_report_cycles(const struct ops_report *r, const struct join_row *row,
		       struct row_cycles *out);

/* profiler_overhead.json of a run (docs/reference/formats/overhead.md): what profiling cost it, and how sure its clocks are. */
struct device_cost {
	int64_t device;
	double zone_cycles;         /* that a zone adds to the code around it; 0: not known */
	double error_ns, error_ppm; /* of its clock on the host's; 0: it was not synced */
};

struct run_cost {
	double host_zone_ns; /* 0: not known */
	VEC(struct device_cost) devices;
};

enum ttp_rc run_cost_read(struct run_cost *c, struct inputs *files, const char *path,
			  struct ttp_err *e) TTP_CHECKED;
/* Cycles of a zone on a device; 0: not known. */
double run_cost_of_zone(const struct run_cost *c, int64_t device);
void run_cost_release(struct run_cost *c);

/*
 * The report of another run of the same program, for columns that this one lacks: hardware counters that share a
 * multiplexer need two runs.  Its rows are found by call count, trace, session and device, and count only when the op has
 * the same name there; signposts have no call count, and get nothing.
 */
struct second_pass;

enum ttp_rc second_pass_open(struct second_pass **p, const char *path,
			     struct ttp_err *e) TTP_CHECKED;
void second_pass_close(struct second_pass *p);

size_t second_pass_columns(const struct second_pass *p);
struct str second_pass_column(const struct second_pass *p, size_t i);

/* The next cells are those of this row: texts as they stand in a report, empty for none.  False without it. */
bool second_pass_seek(struct second_pass *p, struct str call_count, struct str trace_id,
		      struct str session, struct str device, struct str code);
struct str second_pass_cell(const struct second_pass *p, size_t i);

/* The columns of one ops report: the fixed ones of ops/table/ops_columns.def, and those that its ops ask for. */
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

#endif /* TTP_OPS_JOIN_OPS_REPORT_H */
