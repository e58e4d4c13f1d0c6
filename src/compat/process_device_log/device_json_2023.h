// SPDX-License-Identifier: Apache-2.0
/* Frozen: device_analysis_data.json that process_device_log.py of 2023 (tt-metal d6ef7b5c340) wrote. */
#ifndef TTP_COMPAT_PROCESS_DEVICE_LOG_DEVICE_JSON_2023_H
#define TTP_COMPAT_PROCESS_DEVICE_LOG_DEVICE_JSON_2023_H

#include "base/out.h"
#include "markers/analyses/marker_log.h"

void device_json_2023_write(const struct marker_log *m, const char *setup, const char *input_path,
			    const char *output_folder, struct out *to);

#endif /* TTP_COMPAT_PROCESS_DEVICE_LOG_DEVICE_JSON_2023_H */
