// SPDX-License-Identifier: Apache-2.0
/*
 * What a tool makes of a device log: which files it writes, and where it is stricter or more trusting than others.  `ttprof device` is one
 * (draw/device_results.h), process_device_log.py another (compat/process_device_log/device_tool_original.h).
 */
#ifndef TTP_MARKERS_ANALYSES_DEVICE_TOOL_H
#define TTP_MARKERS_ANALYSES_DEVICE_TOOL_H

#include "base/out.h"
#include "markers/analyses/marker_log.h"

/* A log that was read and analysed. */
struct device_analysed {
	const struct device_log *log;
	const struct marker_log *markers;
	const struct analysis *list;
	size_t n;
	bool detect_ops;
	const char *setup, *input_path, *output_folder; /* as they were given */
};

typedef void device_write_fn(const struct device_analysed *a, struct out *to);

struct device_tool {
	device_write_fn *write_json, *write_chrome;
	bool few_files;         /* of logs with zones: statistics and JSON alone */
	bool copies_log;        /* beside its files, and into its archive */
	bool packs_marks_twice; /* logs of numbered marks, of 2023: a plain tar as well */
	bool trusts_logs; /* takes them as they are: no zones of their own, no launches found, no word of a cut */
	bool takes_folders; /* a folder stands for the log in it */
	bool has_dashboard; /* served when it is done, if asked for, or for a log of 2023 in a terminal */
	/* Statistics of numbered marks of a Grayskull. */
	void (*print_marks)(const struct marker_log *m, const char *setup, struct buf *to);
};

#endif /* TTP_MARKERS_ANALYSES_DEVICE_TOOL_H */
