// SPDX-License-Identifier: Apache-2.0
/* What `ttprof device` and process_device_log share: from a device log to statistics and files. */
#ifndef TTP_CMD_DEVICE_RUN_H
#define TTP_CMD_DEVICE_RUN_H

#include "markers/analyses/marker_log.h"
#include "markers/log/device_log.h"

/* Options are read straight into it. */
struct device_request {
	const char *prog;
	const char *log;    /* path; NULL: in the profiler's folder */
	const char *folder; /* where results go; NULL: the default below the profiler's folder */
	const char *setup, *analyses; /* a name; a file of the user's own */
	bool quiet;                   /* no statistics on stdout */
	bool no_archive, no_detection;
	bool no_files;          /* statistics only */
	bool no_plots;          /* no device_perf.html */
	bool webapp, no_webapp; /* serve the dashboard in any case, or never */
	int64_t port;           /* of it; -1: not given */
	bool json;              /* statistics on stdout as JSON */
	bool original;          /* behave as process_device_log.py */
};

int device_run(const struct device_request *q);

#endif /* TTP_CMD_DEVICE_RUN_H */
