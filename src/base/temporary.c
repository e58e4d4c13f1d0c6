// SPDX-License-Identifier: Apache-2.0
#include "base/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char *folder(void)
{
	const char *dir = getenv("TMPDIR"); /* NOLINT(concurrency-mt-unsafe) */

	return dir && *dir ? dir : "/tmp";
}

int temporary_file(void)
{
	char path[4096];
	int fd = open(folder(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd >= 0)
		return fd;
	/* Not every file system makes files without a name. */
	if (snprintf(path, sizeof(path), "%s/ttprof-XXXXXX", folder()) >= (int)sizeof(path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		(void)unlink(path);
	return fd;
}

int temporary_file_or(struct ttp_err *e)
{
	int fd = temporary_file();

	if (fd < 0)
		ttp_fail_errno(e, "cannot make a temporary file in %s (set TMPDIR)", folder());
	return fd;
}
