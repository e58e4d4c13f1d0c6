// SPDX-License-Identifier: Apache-2.0
/* Frozen: the statistics that process_device_log.py of 2023 made of logs of six columns. */
#ifndef TTP_COMPAT_PROCESS_DEVICE_LOG_DEVICE_STATS_2023_H
#define TTP_COMPAT_PROCESS_DEVICE_LOG_DEVICE_STATS_2023_H

#include "markers/analyses/marker_log.h"

/* `setup` names which times are looked for. */
void device_stats_2023_print(const struct marker_log *m, const char *setup, struct buf *to);

/* Names of setups of that time, one after the other; NULL after the last. */
const char *setup_2023_name(size_t i);
bool setup_2023_is_known(const char *setup);

#endif /* TTP_COMPAT_PROCESS_DEVICE_LOG_DEVICE_STATS_2023_H */
