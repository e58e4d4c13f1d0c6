// SPDX-License-Identifier: Apache-2.0
/* The dashboard that the tools of 2023 started after their work: today the page of `ttprof view`, served. */
#ifndef TTP_CMD_DASHBOARD_H
#define TTP_CMD_DASHBOARD_H

#include <stdint.h>

/* Serves the page of a run until it is stopped; `port` -1: the usual one.  Returns the exit status: 0 where this program has no such
 * page, which is said, as the files are there. */
int dashboard_serve(const char *prog, const char *run, int64_t port);

#endif /* TTP_CMD_DASHBOARD_H */
