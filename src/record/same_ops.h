// SPDX-License-Identifier: Apache-2.0
/* --two-runs: are the ops of two runs the same? */
#ifndef TTP_RECORD_SAME_OPS_H
#define TTP_RECORD_SAME_OPS_H

#include <stdbool.h>

#include "base/str.h"
#include "ops/host/host_events.h"

/* Of the run without devices and of the one with them; `why` gets the first difference, as a part of a sentence. */
bool run_ops_same(const struct host_events *without, const struct host_events *with,
		  struct buf *why);

#endif /* TTP_RECORD_SAME_OPS_H */
