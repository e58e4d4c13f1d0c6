// SPDX-License-Identifier: Apache-2.0
/*
 * What a user names as RUN, as the files that it stands for:
 *
 *	a folder         the newest ops report in it or below, and the device log and trace beside that; else those in it or in its .logs
 *	run.json         the report and the trace that it names, and what lies beside it
 *	an ops report    and the device log and trace beside it
 *	a folder of 2023 its folder of ops, with a folder per op, and the device log
 *	"-"              an ops report from standard input
 *	a device log, a .tracy file, a spool: that one alone
 *
 * Where there is no ops report, runs/run.h makes the ops from the logs.
 */
#ifndef TTP_RUNS_RUN_PARTS_H
#define TTP_RUNS_RUN_PARTS_H

#include <stdbool.h>

#include "base/err.h"
#include "base/input.h"
#include "base/paths.h"
#include "base/str.h"
#include "base/vec.h"

struct run_parts {
	const char *given;
	struct buf below;           /* what it stands for, where that is RUN/generated/profiler */
	struct buf ops, log, trace; /* paths; empty: there is none */
	struct buf run_json, cost;  /* likewise */
	struct buf folder;          /* the run's, for its name; the file itself when it is alone */
	struct buf logs;    /* the folder with the profiler's logs; empty when RUN is a file */
	struct buf host;    /* the host's ops (tracy_ops_data.csv) */
	struct buf old_ops; /* a folder of ops of 2023, likewise */
	bool alone;         /* RUN is one file, and nothing was found beside it */
	bool made;          /* there is no report: the ops were made from the logs */
	/* Files that are there and can't be used, each with its name and why: `FILE: is a pipe, not a file: left out`; and what is wrong with others. */
	VEC(struct ttp_err) left_out;
	struct inputs inputs; /* files that were opened, for whoever reads them next */
};

/* Fails when there is nothing at all to show. */
enum ttp_rc run_parts_find(struct run_parts *p, const char *run, struct ttp_err *e) TTP_CHECKED;
void run_parts_release(struct run_parts *p);
/* One more file without which the rest is shown; `why` names it.  Of a file it is said once. */
void run_parts_leave_out(struct run_parts *p, const struct ttp_err *why);
/* The same, where `why` says already that it is skipped, and of what. */
void run_parts_left_out(struct run_parts *p, const struct ttp_err *why);
/* What is wrong with a file that is used all the same; each is kept once. */
void run_parts_note(struct run_parts *p, const struct ttp_err *what);
/* The ops report's name for people. */
struct str run_parts_ops_name(const struct run_parts *p);
/* Fails if `path`, which is about to be written, is one of its files. */
enum ttp_rc run_parts_spare(const struct run_parts *p, const char *path,
			    struct ttp_err *e) TTP_CHECKED;

#endif /* TTP_RUNS_RUN_PARTS_H */
