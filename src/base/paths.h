// SPDX-License-Identifier: Apache-2.0
/* Files and folders. */
#ifndef TTP_BASE_PATHS_H
#define TTP_BASE_PATHS_H

#include <dirent.h>
#include <unistd.h>

#include "base/err.h"
#include "base/str.h"

/* What stands at a path, links followed. */
bool path_is_folder(const char *path);
bool path_is_file(const char *path); /* a regular one */
/* Both are there, and are one file or folder. */
bool path_is_same(const char *a, const char *b);
/* The last part of a path, for people. */
struct str path_name(const char *path);

/* Makes a folder and those above it.  It is for its user alone, those above are as the umask says. */
enum ttp_rc folder_make(const char *path, struct ttp_err *e) TTP_CHECKED;
/* As scandir(), but that it never fails for want of memory. */
int folder_list(const char *path, struct dirent ***names, int (*wanted)(const struct dirent *),
		int (*order)(const struct dirent **, const struct dirent **));
/* A copy that shares the blocks or the file where the file system can, under a name that we choose (base/out.h). */
enum ttp_rc file_copy(const char *from, const char *to, struct ttp_err *e) TTP_CHECKED;
/* A folder with all that is in it; links and devices are skipped. */
enum ttp_rc folder_copy(const char *from, const char *to, struct ttp_err *e) TTP_CHECKED;
/* "2026_01_31_23_59_59", local time. */
void date_text(char text[32]);
/* Makes `path` absolute, as os.path.abspath() does. */
void path_absolute(struct buf *path);

/* For SCOPED(fd) and RELEASE(fd, ...): closes a descriptor that is one; it is none afterwards. */
static inline void fd_release(int *fd)
{
	if (*fd >= 0)
		(void)close(*fd);
	*fd = -1;
}

/* For SCOPED(dir) DIR *d = opendir(...). */
static inline void dir_release(DIR **d)
{
	if (*d)
		(void)closedir(*d);
}

#endif /* TTP_BASE_PATHS_H */
