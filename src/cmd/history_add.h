// SPDX-License-Identifier: Apache-2.0
/* `ttprof history add`: runs, with what is known of where they come from, into a history. */
#ifndef TTP_CMD_HISTORY_ADD_H
#define TTP_CMD_HISTORY_ADD_H

#include "cmd/cmd.h"
#include "history/history.h"

struct history_add_options {
	const char *start, *end; /* signposts */
	bool whole_file, no_git, strict;
	const char *name, *commit, *branch, *machine;
	int64_t commit_time, time; /* 0: not given */
	struct opt_list versions;  /* NAME=TEXT */
};

/* The exit status. */
int history_add_runs(const char *prog, const struct history_add_options *u,
		     const struct store_ask *ask, const char *const *runs, size_t n);

#endif /* TTP_CMD_HISTORY_ADD_H */
