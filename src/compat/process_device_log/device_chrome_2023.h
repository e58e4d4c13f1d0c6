// SPDX-License-Identifier: Apache-2.0
/* Frozen: the Chrome trace that process_device_log.py of 2023 wrote of logs of six columns. */
#ifndef TTP_COMPAT_PROCESS_DEVICE_LOG_DEVICE_CHROME_2023_H
#define TTP_COMPAT_PROCESS_DEVICE_LOG_DEVICE_CHROME_2023_H

#include "base/out.h"
#include "markers/analyses/marker_log.h"

void device_chrome_2023_write(const struct marker_log *m, struct out *to);

#endif /* TTP_COMPAT_PROCESS_DEVICE_LOG_DEVICE_CHROME_2023_H */
