// SPDX-License-Identifier: Apache-2.0
/* The logs that a report of 2023 was made of, packed beside it: its users sent both. */
#ifndef TTP_RUNS_LOGS_ARCHIVE_H
#define TTP_RUNS_LOGS_ARCHIVE_H

#include "base/err.h"

/* A tar of OPS and OPS_device, as gzip, with every file that is there; links are not followed. */
enum ttp_rc logs_archive_write(const char *ops, const char *path, struct ttp_err *e) TTP_CHECKED;

#endif /* TTP_RUNS_LOGS_ARCHIVE_H */
