// SPDX-License-Identifier: Apache-2.0
/* Ops of a run whose ops report nobody has made yet: made here, from its logs, as `ttprof ops` makes it. */
#ifndef TTP_RUNS_RUN_OPS_H
#define TTP_RUNS_RUN_OPS_H

#include "runs/run_parts.h"

/*
 * Where there is no report and logs that give one, `p->ops` is then one in memory (`p->made`), for as long as `p` is; nothing is
 * written to the run.  `account`, if not NULL, gets what the logs cover, as JSON; it is worked out also where there is a report.
 * What can't be read is added to p->left_out.
 */
void run_ops_make(struct run_parts *p, struct buf *account);

#endif /* TTP_RUNS_RUN_OPS_H */
