// SPDX-License-Identifier: Apache-2.0
/*
 * Preloaded (LD_PRELOAD) into the process under test: what it asks of the disk, in order, for tests/faults/run_power.
 *
 *	TTP_DISK_LOG	a folder: `log` gets a line per call, N the bytes of a file as they were when it was synced
 *
 *	entry DIR NAME INODE	a name was made, or made to stand for another file
 *	gone DIR NAME
 *	moved DIR NAME DIR NAME INODE
 *	file INODE N		the file was synced
 *	dir DIR			the folder was
 *
 * Folders are inodes, too.  Only this process is affected: the variables are removed when it starts, and a forked child is left alone.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[PATH_MAX];
static int log_fd = -1, copies;
static pid_t self;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#define REAL(name)                                                                 \
	({                                                                         \
		static __typeof__(&name) f;                                        \
		if (!f)                                                            \
			f = (__typeof__(&name))(uintptr_t)dlsym(RTLD_NEXT, #name); \
		f;                                                                 \
	})

__attribute__((constructor)) static void begin(void)
{
	const char *where = getenv("TTP_DISK_LOG");
	char path[PATH_MAX + 8];

	if (!where)
		return;
	snprintf(folder, sizeof(folder), "%s", where);
	snprintf(path, sizeof(path), "%s/log", folder);
	log_fd = REAL(open)(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	log_fd = fcntl(log_fd, F_DUPFD_CLOEXEC, 900); /* where nobody counts or closes it */
	self = getpid();
	unsetenv("TTP_DISK_LOG");
	unsetenv("LD_PRELOAD");
}

static void say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static void say(const char *fmt, ...)
{
	char line[PATH_MAX];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	(void)!REAL(write)(log_fd, line, (size_t)n);
}

static bool is_on(void)
{
	return log_fd >= 0 && getpid() == self;
}

/* The folder that a path is in, as a number; *name is the rest. */
static unsigned long folder_of(int at, const char *path, const char **name)
{
	const char *slash = strrchr(path, '/');
	char dir[PATH_MAX] = ".";
	struct stat st;

	*name = slash ? slash + 1 : path;
	if (slash)
		snprintf(dir, sizeof(dir), "%.*s", slash == path ? 1 : (int)(slash - path), path);
	return fstatat(at, dir, &st, 0) ? 0 : st.st_ino;
}

static void entry(int at, const char *path)
{
	const char *name;
	unsigned long dir = folder_of(at, path, &name);
	struct stat st;

	if (is_on() && !fstatat(at, path, &st, AT_SYMLINK_NOFOLLOW) &&
	    (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode)))
		say("entry %lu %s %lu\n", dir, name, (unsigned long)st.st_ino);
}

static void gone(int at, const char *path)
{
	const char *name;
	unsigned long dir = folder_of(at, path, &name);

	if (is_on())
		say("gone %lu %s\n", dir, name);
}

/* Before the call is done, so that what is written meanwhile does not count. */
static int copy(int fd)
{
	char self_fd[40], path[PATH_MAX + 24], block[65536];
	int from, to, n;
	ssize_t got;

	pthread_mutex_lock(&lock);
	n = ++copies;
	pthread_mutex_unlock(&lock);
	snprintf(self_fd, sizeof(self_fd), "/proc/self/fd/%d", fd);
	snprintf(path, sizeof(path), "%s/%d", folder, n);
	from = REAL(open)(self_fd, O_RDONLY | O_CLOEXEC);
	to = REAL(open)(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	while (from >= 0 && to >= 0 && (got = REAL(read)(from, block, sizeof(block))) > 0)
		(void)!REAL(write)(to, block, (size_t)got);
	if (from >= 0)
		REAL(close)(from);
	if (to >= 0)
		REAL(close)(to);
	return n;
}

static void synced(int fd, int n)
{
	struct stat st;

	if (!is_on() || fstat(fd, &st))
		return;
	if (S_ISDIR(st.st_mode))
		say("dir %lu\n", (unsigned long)st.st_ino);
	else
		say("file %lu %d\n", (unsigned long)st.st_ino, n);
}

#define SYNC(name)                                                   \
	int name(int fd)                                             \
	{                                                            \
		int n = is_on() ? copy(fd) : 0, rc = REAL(name)(fd); \
                                                                     \
		if (!rc)                                             \
			synced(fd, n);                               \
		return rc;                                           \
	}
SYNC(fsync)
SYNC(fdatasync)

static bool makes(int flags)
{
	return flags & O_CREAT && (flags & O_TMPFILE) != O_TMPFILE;
}

static mode_t mode_in(int flags, va_list ap)
{
	return flags & (O_CREAT | __O_TMPFILE) ? va_arg(ap, mode_t) : 0;
}

#define OPEN(name)                                                \
	int name(const char *path, int flags, ...)                \
	{                                                         \
		va_list ap;                                       \
		int fd;                                           \
                                                                  \
		va_start(ap, flags);                              \
		fd = REAL(name)(path, flags, mode_in(flags, ap)); \
		va_end(ap);                                       \
		if (fd >= 0 && makes(flags))                      \
			entry(AT_FDCWD, path);                    \
		return fd;                                        \
	}
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                  \
	int name(int at, const char *path, int flags, ...)            \
	{                                                             \
		va_list ap;                                           \
		int fd;                                               \
                                                                      \
		va_start(ap, flags);                                  \
		fd = REAL(name)(at, path, flags, mode_in(flags, ap)); \
		va_end(ap);                                           \
		if (fd >= 0 && makes(flags))                          \
			entry(at, path);                              \
		return fd;                                            \
	}
OPENAT(openat)
OPENAT(openat64)

int linkat(int from_at, const char *from, int at, const char *path, int flags)
{
	int rc = REAL(linkat)(from_at, from, at, path, flags);

	if (!rc)
		entry(at, path);
	return rc;
}

/* One step: no crash has both names, or none. */
static void moved(int from_at, const char *from, int at, const char *path)
{
	const char *name, *old;
	unsigned long dir = folder_of(at, path, &name), old_dir = folder_of(from_at, from, &old);
	struct stat st;

	if (is_on() && !fstatat(at, path, &st, AT_SYMLINK_NOFOLLOW))
		say("moved %lu %s %lu %s %lu\n", old_dir, old, dir, name, (unsigned long)st.st_ino);
}

int rename(const char *from, const char *to)
{
	int rc = REAL(rename)(from, to);

	if (!rc)
		moved(AT_FDCWD, from, AT_FDCWD, to);
	return rc;
}

int renameat(int from_at, const char *from, int at, const char *to)
{
	int rc = REAL(renameat)(from_at, from, at, to);

	if (!rc)
		moved(from_at, from, at, to);
	return rc;
}

int renameat2(int from_at, const char *from, int at, const char *to, unsigned flags)
{
	int rc = REAL(renameat2)(from_at, from, at, to, flags);

	if (!rc)
		moved(from_at, from, at, to);
	return rc;
}

int unlink(const char *path)
{
	int rc = REAL(unlink)(path);

	if (!rc)
		gone(AT_FDCWD, path);
	return rc;
}

int unlinkat(int at, const char *path, int flags)
{
	int rc = REAL(unlinkat)(at, path, flags);

	if (!rc)
		gone(at, path);
	return rc;
}

int mkdir(const char *path, mode_t mode)
{
	int rc = REAL(mkdir)(path, mode);

	if (!rc)
		entry(AT_FDCWD, path);
	return rc;
}
