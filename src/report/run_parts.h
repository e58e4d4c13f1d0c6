// SPDX-License-Identifier: Apache-2.0
/*
 * What a user names as RUN, as the files that it stands for:
 *
 *	a folder         the newest ops report in it or below, and the device log and trace beside that; else those in it or in its .logs
 *	run.json         the report and the trace that it names, and what lies beside it
 *	an ops report    and the device log and trace beside it
 *	"-"              an ops report from standard input
 *	a device log, a .tracy file, a spool: that one alone
 */
#ifndef TTP_REPORT_RUN_PARTS_H
#define TTP_REPORT_RUN_PARTS_H

#include <stdbool.h>

#include "base/err.h"
#include "base/str.h"

struct run_parts {
	const char *given;
	struct buf ops, log, trace;  /* paths; empty: there is none */
	struct buf run_json, cost;   /* likewise */
	struct buf folder;           /* the run's, for its name; the file itself when it is alone */
	struct buf logs;             /* the folder with the profiler's logs; empty when RUN is a file */
	bool alone;                  /* RUN is one file, and nothing was found beside it */
};

/* Fails when there is nothing at all to show. */
enum ttp_rc run_parts_find(struct run_parts *p, const char *run, struct ttp_err *e) TTP_CHECKED;
void run_parts_release(struct run_parts *p);
/* Fails if `path`, which is about to be written, is one of its files. */
enum ttp_rc run_parts_spare(const struct run_parts *p, const char *path, struct ttp_err *e) TTP_CHECKED;

/* The last part of a path, for people. */
struct str path_name(const char *path);

#endif /* TTP_REPORT_RUN_PARTS_H */
