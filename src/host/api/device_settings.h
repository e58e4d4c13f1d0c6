// SPDX-License-Identifier: Apache-2.0
/* The environment of a device, read when it is opened.  variables.h has the table of all variables. */
#ifndef TTP_HOST_API_DEVICE_SETTINGS_H
#define TTP_HOST_API_DEVICE_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "host/api/core_choice.h"

enum delayed { DELAYED_READ, DELAYED_WRITE, DELAYED_ATOMIC, DELAYED_KINDS };

/* X(name, variable, of TT_METAL_, whether it is of the profiler, and off without it) */
#define HOST_SWITCHES(X)                                   \
	X(noc_events, DEVICE_PROFILER_NOC_EVENTS, false)   \
	X(sum, PROFILER_SUM, true)                         \
	X(accumulate, PROFILER_ACCUMULATE, true)           \
	X(sync, PROFILER_SYNC, true)                       \
	X(dispatch, DEVICE_PROFILER_DISPATCH, true)        \
	X(trace_only, TRACE_PROFILER, true)                \
	X(memory, MEM_PROFILER, false)                     \
	X(mid_run, PROFILER_MID_RUN_DUMP, true)            \
	X(perf_report, PROFILER_CPP_POST_PROCESS, true)    \
	X(no_push, PROFILER_DISABLE_PUSH_TO_TRACY, false)  \
	X(no_files, PROFILER_DISABLE_DUMP_TO_FILES, false) \
	X(slow_dispatch, SLOW_DISPATCH_MODE, false) /* read after every program */

struct host_settings {
	bool profiler; /* TT_METAL_DEVICE_PROFILER, or implied */
#define X(name, variable, of_profiler) bool name;
	HOST_SWITCHES(X)
#undef X
	bool auto_read;        /* TTP_AUTO_READ */
	uint32_t programs;     /* TT_METAL_PROFILER_PROGRAM_SUPPORT_COUNT; 0: not given */
	uint32_t counters;     /* TT_METAL_PROFILE_PERF_COUNTERS, enum counter_group */
	struct choice record;  /* TTP_PROFILER_... */
	struct choice print;   /* TT_METAL_DPRINT_... */
	char print_file[1024]; /* TT_METAL_DPRINT_FILE */
	struct choice delay[DELAYED_KINDS];
	uint64_t delay_cycles, delay_ms; /* TT_METAL_WATCHER_DEBUG_DELAY; one of them */
	bool delay_outline;              /* TT_METAL_WATCHER_NOINLINE */
	char folder[1024];               /* where logs go: ends in .logs */
	char noc_folder[1024];           /* where NoC traces go */
	int log_columns;                 /* TTP_DEVICE_LOG: 6, 12, 15 */
	uint64_t timeout_cycles;         /* TTP_DEVICE_TIMEOUT */
	char hash_file[1024];            /* TTP_DEVICE_HASH: for tests */
};

/* TTP_USAGE if variables exclude each other or make no sense; the text says which and why. */
enum ttp_rc settings_read(struct host_settings *s, struct ttp_err *e) TTP_CHECKED;

#endif /* TTP_HOST_API_DEVICE_SETTINGS_H */
