// SPDX-License-Identifier: Apache-2.0
/*
 * Frozen: process_ops_logs.py works metrics of hardware counters out twice, a little differently: for the report with the host's ops, and for
 * the one without.
 */
#ifndef TTP_COMPAT_PROCESS_OPS_LOGS_COUNTER_RULES_ORIGINAL_H
#define TTP_COMPAT_PROCESS_OPS_LOGS_COUNTER_RULES_ORIGINAL_H

#include "markers/counters/counter_metrics.h"

extern const struct counter_rules counter_rules_with_host, counter_rules_devices_alone;

#endif /* TTP_COMPAT_PROCESS_OPS_LOGS_COUNTER_RULES_ORIGINAL_H */
