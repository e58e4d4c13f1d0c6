// SPDX-License-Identifier: Apache-2.0
/*
 * Files and folders.  Nothing that stands at a name is removed: a file of the same name is first moved aside to
 * NAME.1.csv (the next free number), and a new one appears whole or not at all.
 */
#ifndef TTP_BASE_PATHS_H
#define TTP_BASE_PATHS_H

#include "base/err.h"
#include "base/str.h"

/* Makes a folder and those above it. */
enum ttp_rc folder_make(const char *path, struct ttp_err *e) TTP_CHECKED;
/* Moves a file that stands at `path` aside; fine when there is none. */
enum ttp_rc file_keep(const char *path, struct ttp_err *e) TTP_CHECKED;
/* A copy that shares the blocks or the file where the file system can. */
enum ttp_rc file_copy(const char *from, const char *to, struct ttp_err *e) TTP_CHECKED;
/* A folder with all that is in it; links and devices are skipped. */
enum ttp_rc folder_copy(const char *from, const char *to, struct ttp_err *e) TTP_CHECKED;
/* "2026_01_31_23_59_59", local time. */
void date_text(char text[32]);
/* Makes `path` absolute, as os.path.abspath() does. */
void path_absolute(struct buf *path);

#endif /* TTP_BASE_PATHS_H */
