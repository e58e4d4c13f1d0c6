// SPDX-License-Identifier: Apache-2.0
/* What a user names as RUN: an ops report, "-", or a folder that has one. */
#ifndef TTP_RUNS_RUN_FILES_H
#define TTP_RUNS_RUN_FILES_H

#include <stdbool.h>

#include "base/err.h"
#include "base/str.h"

/*
 * The ops report that `run` stands for, into `path` (NUL-terminated): itself when it is no folder (a
 * manifest.json stands for its folder); else
 * the newest ops_perf_results*.csv (also .gz, .zst) in it, in its newest sub-folder that has one, or in
 * reports/ below it.  The newest is that with the latest time in its name, or in its folder's; a name without one goes by the file's time.
 */
enum ttp_rc run_ops_file(const char *run, struct buf *path, struct ttp_err *e) TTP_CHECKED;
/* The same; `later` is the folder of a run that was recorded after that and has no report, or empty. */
enum ttp_rc run_ops_file_of(const char *run, struct buf *path, struct buf *later,
			    struct ttp_err *e) TTP_CHECKED;

/*
 * The program ran again after the report `ops` of the folder `run`, without `ttprof run`: its device log in .logs is newer than the report, and
 * not the one that the report was made of.  Into `logs`: the folder with that log.
 */
bool run_ran_later(const char *run, const char *ops, struct buf *logs);

/*
 * Folders rank0, rank1, ... of `run`, in the order of ranks, and how many: a launcher (tt-run --tracy) gave each rank of a run a folder of its own.  The
 * names are for mem_release(), one by one, as is their list.
 */
size_t run_rank_folders(const char *run, char ***folders);
/* Two files below the folders of two ranks of one launch. */
bool run_of_two_ranks(const char *path, const char *other);

/*
 * The folder of ops of the 2023 generation that `run` has, into `path`: run/logs/ops, run/ops, itself, or ops/ops below it.  False
 * when it has none.
 */
bool run_old_ops(const char *run, struct buf *path);

#endif /* TTP_RUNS_RUN_FILES_H */
