// SPDX-License-Identifier: Apache-2.0
#include "client/life/lifecycle.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

static bool are_one_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

int fd_apart(int fd, mode_t type)
{
	int apart = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, FD_FLOOR), error = errno;
	struct stat here, there;

	if (fd < 0)
		return -1;
	if (apart < 0) {
		errno = error;
		return error == EBADF ? -1 : fd;
	}
	if (fstat(apart, &there) || (there.st_mode & S_IFMT) != type) {
		close(apart);
		errno = EBADF;
		return -1;
	}
	if (!fstat(fd, &here) && are_one_file(&here, &there))
		close(fd);
	return apart;
}
