// SPDX-License-Identifier: Apache-2.0
/* Where the tools of 2023 kept logs and results: $TT_METAL_HOME/tt_metal/tools/profiler. */
#ifndef TTP_CMD_PLACES_2023_H
#define TTP_CMD_PLACES_2023_H

#include "base/str.h"

/*
 * True if `name` (a folder or file) is there, and `now`, which is what tools of today write to generated/profiler, is
 * not, or is older.  `path` is then that of `name`, `out` that of `results`.
 */
bool places_2023(const char *name, const char *now, const char *results, struct buf *path,
		 struct buf *out);

#endif /* TTP_CMD_PLACES_2023_H */
