// SPDX-License-Identifier: Apache-2.0
/* Frozen: the statistics that process_device_log.py of 2023 printed for logs of six columns. */
#ifndef TTP_OPS_COMPAT_DEVICE_STATS_2023_H
#define TTP_OPS_COMPAT_DEVICE_STATS_2023_H

#include "ops/marker_log.h"

void device_stats_2023_print(const struct marker_log *m, struct buf *to);

#endif /* TTP_OPS_COMPAT_DEVICE_STATS_2023_H */
