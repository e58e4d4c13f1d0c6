// SPDX-License-Identifier: Apache-2.0
/* The page of a run, for commands that end with one. */
#ifndef TTP_CMD_VIEW_H
#define TTP_CMD_VIEW_H

/* Until a signal; the exit status.  `port` as in web/serve.h: 0 any, -1 the usual one. */
int view_serve(const char *prog, const char *run, int port);

#endif /* TTP_CMD_VIEW_H */
