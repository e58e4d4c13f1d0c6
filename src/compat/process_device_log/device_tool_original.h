// SPDX-License-Identifier: Apache-2.0
/* Frozen: what process_device_log.py makes of a device log, of today and of 2023. */
#ifndef TTP_COMPAT_PROCESS_DEVICE_LOG_DEVICE_TOOL_ORIGINAL_H
#define TTP_COMPAT_PROCESS_DEVICE_LOG_DEVICE_TOOL_ORIGINAL_H

#include "markers/analyses/device_tool.h"

extern const struct device_tool device_tool_original;

#endif /* TTP_COMPAT_PROCESS_DEVICE_LOG_DEVICE_TOOL_ORIGINAL_H */
