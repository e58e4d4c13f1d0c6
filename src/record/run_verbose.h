// SPDX-License-Identifier: Apache-2.0
/* `ttprof run -v`: what is done, set and written. */
#ifndef TTP_RECORD_RUN_VERBOSE_H
#define TTP_RECORD_RUN_VERBOSE_H

#include "record/run_job.h"

/* Variables as they were, to tell which of them were set. */
struct run_before {
	char **at;
	size_t len, cap;
};

void run_before_take(struct run_before *b);
void run_before_release(struct run_before *b);

/* Before the program starts: the command, its variables, where it is recorded; `j` NULL: nothing is recorded here. */
void run_verbose_begin(const struct run_request *q, const struct job *j, char **argv,
		       const struct run_before *before);
/* After it: who was recorded. */
void run_verbose_end(const struct job *j);
/* And in the end: the files of a folder. */
void run_verbose_files(const struct run_request *q, const char *dir);

#endif /* TTP_RECORD_RUN_VERBOSE_H */
