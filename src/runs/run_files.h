// SPDX-License-Identifier: Apache-2.0
/* What a user names as RUN: an ops report, "-", or a folder that has one. */
#ifndef TTP_RUNS_RUN_FILES_H
#define TTP_RUNS_RUN_FILES_H

#include <stdbool.h>

#include "base/err.h"
#include "base/str.h"

/*
 * The ops report that `run` stands for, into `path` (NUL-terminated): itself when it is no folder; else
 * the newest ops_perf_results*.csv (also .gz, .zst) in it, in its newest sub-folder that has one, or in
 * reports/ below it.  Names carry their date, so the newest is the last by name.
 */
enum ttp_rc run_ops_file(const char *run, struct buf *path, struct ttp_err *e) TTP_CHECKED;
/* The same; `later` is the folder of a run that was recorded after that and has no report, or empty. */
enum ttp_rc run_ops_file_of(const char *run, struct buf *path, struct buf *later,
			    struct ttp_err *e) TTP_CHECKED;

/*
 * The folder of ops of the 2023 generation that `run` has, into `path`: run/logs/ops, run/ops, itself, or ops/ops below it.  False
 * when it has none.
 */
bool run_old_ops(const char *run, struct buf *path);

#endif /* TTP_RUNS_RUN_FILES_H */
