// SPDX-License-Identifier: Apache-2.0
/* Bytes as a file with a path, without a file system: for code that opens what it reads. */
#ifndef TTP_FUZZ_MEMORY_FILE_H
#define TTP_FUZZ_MEMORY_FILE_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/str.h"

struct memory_file {
	int fd;
	char path[32];
};

static inline void memory_file_open(struct memory_file *f, struct str data)
{
	f->fd = memfd_create("input", MFD_CLOEXEC);
	if (f->fd < 0 || write(f->fd, data.at, data.len) != (ssize_t)data.len)
		abort();
	snprintf(f->path, sizeof(f->path), "/proc/self/fd/%d", f->fd);
}

static inline void memory_file_close(struct memory_file *f)
{
	close(f->fd);
}

#endif /* TTP_FUZZ_MEMORY_FILE_H */
