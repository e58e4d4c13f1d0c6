// SPDX-License-Identifier: Apache-2.0
/* Runs of one or two commands in turn, each recorded into a folder of its own: what `ttprof bench` compares. */
#ifndef TTP_CMD_BENCH_RUNS_H
#define TTP_CMD_BENCH_RUNS_H

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"

enum { BENCH_SIDES = 2 };

struct bench_runs {
	const char *folder;            /* FOLDER/A/1, FOLDER/B/1, FOLDER/warmup/A1 … */
	char **command[BENCH_SIDES];   /* words, ended by NULL; the same for both: A against A */
	VEC(char *) done[BENCH_SIDES]; /* folders of runs that are complete */
	unsigned warmups;              /* of each side, recorded and not compared */
	bool stopped;                  /* by a signal */
};

/* Makes the folder, which must be new or empty, and lets signals stop the runs instead of this process. */
enum ttp_rc bench_runs_begin(struct bench_runs *b, struct ttp_err *e) TTP_CHECKED;
/* Which side is next: A B B A. */
int bench_runs_next(const struct bench_runs *b);
/* One more run of a side.  A program that fails, or records nothing, is an error. */
enum ttp_rc bench_runs_one(struct bench_runs *b, int side, bool is_warmup,
			   struct ttp_err *e) TTP_CHECKED;
void bench_runs_release(struct bench_runs *b);

#endif /* TTP_CMD_BENCH_RUNS_H */
