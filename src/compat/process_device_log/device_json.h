// SPDX-License-Identifier: Apache-2.0
/*
 * Frozen: device_analysis_data.json of process_device_log.py: every marker in every series it is in, as the text of
 * a Python tuple.  Fifteen times the log; for those who read it.
 */
#ifndef TTP_COMPAT_PROCESS_DEVICE_LOG_DEVICE_JSON_H
#define TTP_COMPAT_PROCESS_DEVICE_LOG_DEVICE_JSON_H

#include "base/out.h"
#include "markers/analyses/marker_log.h"

struct device_json {
	const struct marker_log *m;
	const struct analysis *list; /* in the order of the setup */
	size_t n;
	bool detect_ops;
	const char *input_path, *output_folder;
};

void device_json_write(const struct device_json *j, struct out *to);

#endif /* TTP_COMPAT_PROCESS_DEVICE_LOG_DEVICE_JSON_H */
