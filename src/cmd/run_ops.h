// SPDX-License-Identifier: Apache-2.0
/* --two-runs: are the ops of two runs the same? */
#ifndef TTP_CMD_RUN_OPS_H
#define TTP_CMD_RUN_OPS_H

#include <stdbool.h>

#include "base/str.h"

/* Two files of messages (tracy_ops_data.csv), of the run without devices and of the one with them; `why` gets the first
 * difference, as a part of a sentence. */
bool run_ops_same(const char *without, const char *with, struct buf *why);

#endif /* TTP_CMD_RUN_OPS_H */
