// SPDX-License-Identifier: Apache-2.0
/* What commands that run programs share: `ttprof run`, profile_this and tt-torch's tools. */
#ifndef TTP_CMD_RUN_OF_OURS_H
#define TTP_CMD_RUN_OF_OURS_H

#include "record/run_engine.h"

/* Fills what belongs to this program: where it reports to, its version, how it shows a verdict. */
void run_request_of_ours(struct run_request *q);

#endif /* TTP_CMD_RUN_OF_OURS_H */
