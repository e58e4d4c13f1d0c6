/* SPDX-License-Identifier: Apache-2.0 */
/* Room on the disk for what does not fit into memory: files without a name, gone when they are closed. */
#ifndef TTP_BASE_TEMPORARY_H
#define TTP_BASE_TEMPORARY_H

#include "base/err.h"

/* In $TMPDIR, else in /tmp.  A descriptor, or -1 with errno set. */
int temporary_file(void);
/* The same, and why not. */
int temporary_file_or(struct ttp_err *e);

#endif /* TTP_BASE_TEMPORARY_H */
