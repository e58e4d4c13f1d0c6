// SPDX-License-Identifier: Apache-2.0
/* Where a run comes from: what was recorded with it (run.json), and which commit of which branch is checked out. */
#ifndef TTP_HISTORY_RUN_ORIGIN_H
#define TTP_HISTORY_RUN_ORIGIN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"

struct run_origin {
	struct buf name, machine, command, recorder; /* of run.json */
	int64_t time_s;                              /* when it began; 0: not known */
	struct buf commit, branch;
	int64_t commit_s;
	bool dirty; /* files of the commit are changed */
};

/* What run.json says; what is missing there, or can't be understood, stays empty. */
void run_origin_read(struct run_origin *o, struct str run_json);
/*
 * Asks git for a commit (NULL: the one that is checked out in the current folder).  Where it is asked for none and there is no repository, `o` stays
 * as it is; a commit that git does not know, and git missing, are errors.
 */
enum ttp_rc run_origin_ask_git(struct run_origin *o, const char *commit,
			       struct ttp_err *e) TTP_CHECKED;
void run_origin_release(struct run_origin *o);

#endif /* TTP_HISTORY_RUN_ORIGIN_H */
