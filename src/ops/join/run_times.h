// SPDX-License-Identifier: Apache-2.0
/* Durations of one run of an op, made from its first and last markers. */
#ifndef TTP_OPS_JOIN_RUN_TIMES_H
#define TTP_OPS_JOIN_RUN_TIMES_H

#include "markers/op_times.h"
#include "ops/table/ops_table.h"

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
	X(TRACE_FW, OPS_COLS, "trace_fw_duration")                               \
	X(TRACE_KERNEL, OPS_COLS, "trace_kernel_duration")

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
/* Cores with a zone whose name holds "FW" (frozen), or with firmware of the runtime. */
uint32_t run_core_count_any_fw(const struct op_times *t, const struct op_run *r);
uint32_t run_core_count(const struct op_times *t, const struct op_run *r);

#endif /* TTP_OPS_JOIN_RUN_TIMES_H */
