// SPDX-License-Identifier: Apache-2.0
/* Several reports are of several hosts of one run, or they are of runs that have nothing to do with each other. */
#ifndef TTP_RUNS_ONE_RUN_H
#define TTP_RUNS_ONE_RUN_H

#include "base/err.h"

/*
 * Fails if what lies beside ops reports, or their names, say that they are not of one run.  Where nothing says so they may be.  `runs` are what the user named
 * them, `reports` their files.
 */
enum ttp_rc one_run_check(char *const *runs, const char *const *reports, size_t n,
			  struct ttp_err *e) TTP_CHECKED;

#endif /* TTP_RUNS_ONE_RUN_H */
