// SPDX-License-Identifier: Apache-2.0
/* From a device log to statistics and files; what `ttprof device` and process_device_log share. */
#ifndef TTP_DRAW_DEVICE_RESULTS_H
#define TTP_DRAW_DEVICE_RESULTS_H

#include "base/console.h"
#include "base/out.h"
#include "markers/analyses/device_tool.h"
#include "markers/analyses/marker_log.h"

/* Options are read straight into it. */
struct device_request {
	const struct device_tool *tool;
	const struct console *console;
	const char *version; /* of the program, for the page */
	const char *log;     /* path; NULL: in the profiler's folder */
	const char *folder;  /* where results go; NULL: the default below the profiler's folder */
	const char *setup, *analyses; /* a name; a file of the user's own */
	bool no_setup;                /* the file's alone */
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

/*
 * device_perf.html: what the dashboards of 2023 showed of a device log, as one file that needs nothing from elsewhere: per chip a timeline by core with a
 * row per RISC, launches, where time 0 is, and the statistics of every analysis.
 */
/* More segments than this are omitted, and the page says so: a browser should still like to open it. */
enum { DEVICE_PAGE_SEGMENTS = 2000000 };

struct device_page {
	const struct marker_log *m; /* analysed */
	const struct analysis *list;
	size_t n;
	struct str source;  /* name of the log */
	struct str version; /* of the program */
};

void device_page_write(const struct device_page *p, struct out *out);

#endif /* TTP_DRAW_DEVICE_RESULTS_H */
