// SPDX-License-Identifier: Apache-2.0
/* Another program, run to its end: its output is taken, no shell is in between. */
#ifndef TTP_DEVICE_SPAWN_H
#define TTP_DEVICE_SPAWN_H

#include "base/err.h"
#include "base/str.h"

/*
 * `argv` ends with NULL.  *status is as wait(2) says it.  TTP_SYS if it could not be started (errno
 * ENOENT: there is no such program).  `out` may be NULL: stdout is thrown away.
 */
enum ttp_rc spawn_wait(const char *const *argv, struct str input, struct buf *out, struct buf *err,
		       int *status, struct ttp_err *e) TTP_CHECKED;

#endif /* TTP_DEVICE_SPAWN_H */
