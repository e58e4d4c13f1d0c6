// SPDX-License-Identifier: Apache-2.0
/* Frozen: the ops report as process_ops_logs.py (tt-metal tools/tracy@e4f9f0b) makes it. */
#ifndef TTP_COMPAT_PROCESS_OPS_LOGS_OPS_TOOL_ORIGINAL_H
#define TTP_COMPAT_PROCESS_OPS_LOGS_OPS_TOOL_ORIGINAL_H

#include "ops/ops_make.h"

extern const struct ops_tool ops_tool_original;

#endif /* TTP_COMPAT_PROCESS_OPS_LOGS_OPS_TOOL_ORIGINAL_H */
