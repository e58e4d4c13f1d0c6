// SPDX-License-Identifier: Apache-2.0
/* Sizes and times as Tracy's tools print them: "17.05 KB", "293.16 ms". */
#ifndef TTP_TRACE_TRACE_UNITS_H
#define TTP_TRACE_TRACE_UNITS_H

#include "base/str.h"

void trace_print_size(struct buf *b, uint64_t bytes);
void trace_print_time(struct buf *b, int64_t ns);

#endif /* TTP_TRACE_TRACE_UNITS_H */
