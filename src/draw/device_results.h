// SPDX-License-Identifier: Apache-2.0
/* From a device log to statistics and files; what `ttprof device` and process_device_log share. */
#ifndef TTP_DRAW_DEVICE_RESULTS_H
#define TTP_DRAW_DEVICE_RESULTS_H

#include "base/console.h"
#include "markers/analyses/device_tool.h"

/* Options are read straight into it. */
struct device_request {
	const struct device_tool *tool;
	const struct console *console;
	const char *version; /* of the program, for the page */
	const char *log;     /* path; NULL: in the profiler's folder */
	const char *folder;  /* where results go; NULL: the default below the profiler's folder */
	const char *setup, *analyses; /* a name; a file of the user's own */
	bool quiet;                   /* no statistics on stdout */
	bool no_archive, no_detection;
	bool no_files;          /* statistics only */
	bool no_plots;          /* no device_perf.html */
	bool webapp, no_webapp; /* serve the dashboard in any case, or never */
	int64_t port;           /* of it; -1: not given */
	bool json;              /* statistics on stdout as JSON */
};

/* The log whose dashboard is to be served, and the folder of what was made of it; empty: none. */
struct device_served {
	struct buf log, folder;
};

/* The exit status; buffers are the caller's to release. */
int device_results(const struct device_request *q, struct device_served *serve);

/* Those of `ttprof device`. */
device_write_fn device_write_json, device_write_chrome;

#endif /* TTP_DRAW_DEVICE_RESULTS_H */
