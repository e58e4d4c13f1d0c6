// SPDX-License-Identifier: Apache-2.0
/* Where tt-metal keeps logs and results. */
#ifndef TTP_RUNS_PROFILER_FOLDER_H
#define TTP_RUNS_PROFILER_FOLDER_H

#include "base/str.h"

/* $TT_METAL_PROFILER_DIR, $TT_METAL_HOME/generated/profiler, or ./generated/profiler. */
void profiler_folder(struct buf *path);
/* RUN/generated/profiler, where a program was run in RUN; false: there is none. */
bool profiler_folder_below(const char *run, struct buf *path);
/*
 * Of 2023: $TT_METAL_HOME/tt_metal/tools/profiler.  True if `name` (a folder or file) is there, and `now`, which is what tools of today write to generated/profiler, is
 * not, or is older.  `path` is then that of `name`, `out` that of `results`.
 */
bool profiler_folder_2023(const char *name, const char *now, const char *results, struct buf *path,
			  struct buf *out);

#endif /* TTP_RUNS_PROFILER_FOLDER_H */
