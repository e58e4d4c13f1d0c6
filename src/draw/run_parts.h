// SPDX-License-Identifier: Apache-2.0
/*
 * What a user names as RUN, as the files that it stands for:
 *
 *	a folder         the newest ops report in it or below, and the device log and trace beside that; else those in it or in its .logs
 *	run.json         the report and the trace that it names, and what lies beside it
 *	an ops report    and the device log and trace beside it
 *	a device log, a .tracy file, a spool: that one alone
 */
#ifndef TTP_DRAW_RUN_PARTS_H
#define TTP_DRAW_RUN_PARTS_H

#include "base/err.h"
#include "base/str.h"

struct run_parts {
	const char *given;
	struct buf ops, device, trace; /* paths; empty: there is none */
};

/* TTP_USAGE or TTP_SYS when it stands for nothing. */
enum ttp_rc run_parts_find(struct run_parts *p, const char *run, struct ttp_err *e) TTP_CHECKED;
void run_parts_release(struct run_parts *p);

/* The last part of a path, for people. */
struct str path_name(const char *path);

#endif /* TTP_DRAW_RUN_PARTS_H */
