// SPDX-License-Identifier: Apache-2.0
/*
 * Preloaded into a program: writes the path of each file that is opened for reading to the file that OPENS_LOG names, a line each.
 * For tests/e2e/run_opens.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

typedef int open_fn(const char *path, int flags, ...);
typedef int openat_fn(int dir, const char *path, int flags, ...);
typedef FILE *fopen_fn(const char *path, const char *mode);

static void note(const char *path)
{
	static int log = -1;
	char real[PATH_MAX + 1];
	const char *name = getenv("OPENS_LOG");
	open_fn *next = (open_fn *)dlsym(RTLD_NEXT, "open");

	if (log < 0 && name && next)
		log = next(name, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
	if (log < 0 || !realpath(path, real))
		return;
	strcat(real, "\n");
	if (write(log, real, strlen(real)) < 0)
		abort();
}

static void note_flags(const char *path, int flags)
{
	if ((flags & O_ACCMODE) == O_RDONLY && !(flags & (O_DIRECTORY | O_PATH)))
		note(path);
}

#define MODE(flags, mode)                                                          \
	do {                                                                       \
		va_list ap;                                                        \
                                                                                   \
		va_start(ap, flags);                                               \
		(mode) = (flags) & (O_CREAT | O_TMPFILE) ? va_arg(ap, mode_t) : 0; \
		va_end(ap);                                                        \
	} while (0)

#define OPEN(name)                                                              \
	int name(const char *path, int flags, ...);                             \
	int name(const char *path, int flags, ...)                              \
	{                                                                       \
		mode_t mode;                                                    \
                                                                                \
		MODE(flags, mode);                                              \
		note_flags(path, flags);                                        \
		return ((open_fn *)dlsym(RTLD_NEXT, #name))(path, flags, mode); \
	}

#define OPENAT(name)                                                                   \
	int name(int dir, const char *path, int flags, ...);                           \
	int name(int dir, const char *path, int flags, ...)                            \
	{                                                                              \
		mode_t mode;                                                           \
                                                                                       \
		MODE(flags, mode);                                                     \
		if (dir == AT_FDCWD || path[0] == '/')                                 \
			note_flags(path, flags);                                       \
		return ((openat_fn *)dlsym(RTLD_NEXT, #name))(dir, path, flags, mode); \
	}

#define FOPEN(name)                                                       \
	FILE *name(const char *path, const char *mode);                   \
	FILE *name(const char *path, const char *mode)                    \
	{                                                                 \
		if (mode[0] == 'r')                                       \
			note(path);                                       \
		return ((fopen_fn *)dlsym(RTLD_NEXT, #name))(path, mode); \
	}

OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)
FOPEN(fopen)
FOPEN(fopen64)
