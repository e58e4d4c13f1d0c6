// SPDX-License-Identifier: Apache-2.0
/*
 * The environment of a device, read when it is opened.  The table of all variables, also of those that
 * only other parts read, is here too, for `ttprof doctor`.
 */
#ifndef TTP_HOST_SETTINGS_H
#define TTP_HOST_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"

struct host_settings {
	bool profiler;      /* TT_METAL_DEVICE_PROFILER */
	bool sum;           /* TT_METAL_PROFILER_SUM */
	bool noc_events;    /* TT_METAL_DEVICE_PROFILER_NOC_EVENTS */
	uint32_t programs;  /* TT_METAL_PROFILER_PROGRAM_SUPPORT_COUNT; 0: not given */
	bool slow_dispatch; /* TT_METAL_SLOW_DISPATCH_MODE: read after every program */
	bool no_files;      /* TT_METAL_PROFILER_DISABLE_DUMP_TO_FILES */
	bool no_push;       /* TT_METAL_PROFILER_DISABLE_PUSH_TO_TRACY */
	bool sync;          /* TT_METAL_PROFILER_SYNC */
	bool print;         /* TT_METAL_DPRINT_CORES */
	char print_cores[256];
	char print_file[1024];   /* TT_METAL_DPRINT_FILE */
	char folder[1024];       /* where logs go: ends in .logs */
	int log_columns;         /* TTP_DEVICE_LOG: 6, 12, 15 */
	uint64_t timeout_cycles; /* TTP_DEVICE_TIMEOUT */
	char hash_file[1024];    /* TTP_DEVICE_HASH: for tests */
};

/* TTP_USAGE if variables exclude each other or make no sense; the text says which and why. */
enum ttp_rc settings_read(struct host_settings *s, struct ttp_err *e) TTP_CHECKED;

/* tt-metal's idea of on: the first character is 1. */
bool settings_on(const char *variable);

/* X(name, what it does here, or NULL: known and not used by this version) */
struct settings_variable {
	const char *name, *does;
};
extern const struct settings_variable settings_variables[]; /* ended by a name of NULL */

#endif /* TTP_HOST_SETTINGS_H */
