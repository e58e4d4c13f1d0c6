// SPDX-License-Identifier: Apache-2.0
/* `ttprof report` of a run that has no ops: what the host did. */
#ifndef TTP_CMD_REPORT_HOST_H
#define TTP_CMD_REPORT_HOST_H

#include <stdbool.h>

/* False if there is nothing of the host to show, and so nothing was; else *status is the exit status. */
bool report_host(const char *prog, const char *run, bool json, bool strict, int *status);

/* Where it has not even a trace, an earlier one is shown, and this is said. */
void report_warn_later(const char *prog, const char *later, const char *shown);

#endif /* TTP_CMD_REPORT_HOST_H */
