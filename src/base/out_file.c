// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/out.h"

enum { TEMP_TRIES = 100 };

/* The descriptor that a path such as /dev/stdout stands for, or -1.  Opening it again would not share
 * its offset, and renaming over it would cut it off from what others write there. */
static int standing_fd(const char *path)
{
	static const char *const heads[] = { "/dev/fd/", "/proc/self/fd/" };

	if (!strcmp(path, "/dev/stdout"))
		return STDOUT_FILENO;
	if (!strcmp(path, "/dev/stderr"))
		return STDERR_FILENO;
	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
		size_t n = strlen(heads[i]);
		const char *p = path + n;
		int fd = 0;

		if (strncmp(path, heads[i], n) != 0 || !*p)
			continue;
		for (; *p >= '0' && *p <= '9' && fd < INT_MAX / 10; p++)
			fd = fd * 10 + (*p - '0');
		if (!*p)
			return fd;
	}
	return -1;
}

static size_t dir_len(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (size_t)(slash - path) + 1 : 0;
}

/* A hidden name beside the final one; `turn` makes it different from those tried before. */
static char *temp_name(const char *path, unsigned turn)
{
	size_t dir = dir_len(path), len = strlen(path + dir);
	char *name;

	/* A name near the limit of 255 bytes leaves no room for ours: take its start. */
	if (asprintf(&name, "%.*s.%.*s.%ld.%u.tmp", (int)dir, path, (int)(len < 200 ? len : 200),
		     path + dir, (long)getpid(), turn) < 0)
		abort();
	return name;
}

static int open_nameless(const char *path)
{
	size_t dir = dir_len(path);
	char *where;
	int fd;

	/* Without /proc it could never get a name. */
	if (access("/proc/self/fd", X_OK) != 0)
		return -1;
	where = dir ? strndup(path, dir) : strdup(".");
	if (!where)
		abort();
	fd = open(where, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
	free(where);
	return fd;
}

static int open_named(struct out_file *f)
{
	for (unsigned turn = 0; turn < TEMP_TRIES; turn++) {
		char *name = temp_name(f->path, turn);
		int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

		if (fd >= 0) {
			f->temp = name;
			return fd;
		}
		free(name);
		if (errno != EEXIST)
			break;
	}
	return -1;
}

/* Links a nameless file to a hidden name: link() can't replace, rename() can. */
static enum ttp_rc give_name(struct out_file *f, struct ttp_err *e)
{
	char self[64];

	snprintf(self, sizeof(self), "/proc/self/fd/%d", f->out.fd);
	for (unsigned turn = 0; turn < TEMP_TRIES; turn++) {
		char *name = temp_name(f->path, turn);

		if (!linkat(AT_FDCWD, self, AT_FDCWD, name, AT_SYMLINK_FOLLOW)) {
			f->temp = name;
			return TTP_OK;
		}
		free(name);
		if (errno != EEXIST)
			break;
	}
	return ttp_fail_errno(e, "%s", f->shown);
}

static enum ttp_rc opened_as(struct out_file *f, int fd, const char *path, struct ttp_err *e)
{
	if (fd < 0) {
		enum ttp_rc rc = ttp_fail_errno(e, "%s", path);

		out_file_abandon(f);
		return rc;
	}
	out_init(&f->out, fd, f->shown);
	return TTP_OK;
}

static enum ttp_rc open_as(struct out_file *f, const char *path, bool nameless, struct ttp_err *e)
{
	int fd = standing_fd(path);
	struct stat was;
	bool replaces;

	*f = (struct out_file){ .out.fd = -1, .shown = strdup(path) };
	if (!f->shown)
		abort();
	if (fd >= 0) {
		fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
		goto opened;
	}
	replaces = !stat(path, &was);
	if (!replaces && errno != ENOENT)
		goto opened;
	if (!replaces && !path[dir_len(path)]) /* "" or "folder/": no name to give */
		goto opened;
	if (replaces && S_ISDIR(was.st_mode)) {
		errno = EISDIR;
		goto opened;
	}
	if (replaces && !S_ISREG(was.st_mode)) {
		fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
		goto opened;
	}
	/* Renaming asks only the directory: a file that is protected stays so. */
	if (replaces && access(path, W_OK) != 0)
		goto opened;
	f->path = replaces ? realpath(path, NULL) : strdup(path);
	if (!f->path)
		goto opened;
	fd = nameless ? open_nameless(f->path) : -1;
	if (fd < 0)
		fd = open_named(f);
	if (fd >= 0 && replaces) {
		if (fchown(fd, was.st_uid, was.st_gid) != 0)
			was.st_mode &= 0777u; /* not ours to give: then no set-id bits either */
		(void)fchmod(fd, was.st_mode & 07777u);
	}
opened:
	return opened_as(f, fd, path, e);
}

enum ttp_rc out_file_open(struct out_file *f, const char *path, struct ttp_err *e)
{
	return open_as(f, path, true, e);
}

enum ttp_rc out_file_open_named(struct out_file *f, const char *path, struct ttp_err *e)
{
	return open_as(f, path, false, e);
}

enum ttp_rc out_file_open_here(struct out_file *f, const char *path, struct ttp_err *e)
{
	struct stat st;

	if (lstat(path, &st) || S_ISREG(st.st_mode) || S_ISDIR(st.st_mode))
		return open_as(f, path, true, e);
	*f = (struct out_file){ .out.fd = -1 };
	if (!S_ISLNK(st.st_mode))
		return ttp_fail(e, TTP_USAGE,
				"%s: is a pipe, a socket or a device: move it away, or name a file "
				"to write to",
				path);
	f->shown = strdup(path);
	f->path = strdup(path);
	if (!f->shown || !f->path)
		abort();
	int fd = open_nameless(path);

	if (fd < 0)
		fd = open_named(f);
	return opened_as(f, fd, path, e);
}

enum ttp_rc out_file_commit(struct out_file *f, struct ttp_err *e)
{
	enum ttp_rc rc = out_finish(&f->out, e);

	if (!rc && f->path && !f->temp)
		rc = give_name(f, e);
	if (!rc) {
		/* Some file systems (NFS, quotas) tell of a full disk only here. */
		if (close(f->out.fd) != 0)
			rc = ttp_fail_errno(e, "%s", f->shown);
		f->out.fd = -1;
	}
	if (!rc && f->path) {
		if (rename(f->temp, f->path) != 0) {
			rc = ttp_fail_errno(e, "%s", f->shown);
		} else {
			free(f->temp);
			f->temp = NULL;
		}
	}
	out_file_abandon(f);
	return rc;
}

void out_file_abandon(struct out_file *f)
{
	out_release(&f->out);
	if (f->shown && f->out.fd >= 0)
		close(f->out.fd);
	if (f->temp)
		unlink(f->temp);
	free(f->temp);
	free(f->path);
	free(f->shown);
	*f = (struct out_file){ .out.fd = -1 };
}

enum ttp_rc out_append_open(struct out_append *a, struct ttp_err *e, const char *fmt, ...)
{
	struct stat st;
	va_list ap;
	int fd;

	*a = (struct out_append){ 0 };
	va_start(ap, fmt);
	buf_vprintf(&a->path, fmt, ap);
	va_end(ap);
	fd = open(a->path.at, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0) {
		enum ttp_rc rc = ttp_fail_errno(e, "%s", a->path.at);

		buf_release(&a->path);
		return rc;
	}
	(void)flock(fd, LOCK_EX); /* where there are no locks, writers have to take turns */
	a->fresh = !fstat(fd, &st) && !st.st_size;
	out_init(&a->out, fd, a->path.at);
	return TTP_OK;
}

enum ttp_rc out_append_close(struct out_append *a, struct ttp_err *e)
{
	enum ttp_rc rc = out_finish(&a->out, e);

	if (close(a->out.fd) && !rc)
		rc = ttp_fail_errno(e, "%s", a->path.at);
	buf_release(&a->path);
	return rc;
}
