// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/exhausted.h"
#include "base/out.h"
#include "base/paths.h"

enum { NAME_TRIES = 100, LIMIT_OF_NUMBERS = 1000000 };

int out_open(const char *path, int flags, mode_t mode)
{
	bool fresh = flags & O_TRUNC;
	struct stat st;
	int fd = -1;

	flags |= O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK;
	for (int i = 0; i < NAME_TRIES; i++) {
		if (fresh && unlink(path) && errno != ENOENT)
			return -1;
		fd = open(path, fresh ? (flags & ~O_TRUNC) | O_CREAT | O_EXCL : flags, mode);
		if (fd >= 0 || !fresh || errno != EEXIST)
			break;
	}
	if (fd >= 0 && (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_nlink > 1)) {
		close(fd);
		errno = EEXIST;
		fd = -1;
	}
	return fd;
}

enum ttp_rc out_all(int fd, const char *name, struct str text, struct ttp_err *e)
{
	struct out out;
	enum ttp_rc rc;

	out_init(&out, fd, name);
	out_str(&out, text);
	rc = out_finish(&out, e);
	return close(fd) && !rc ? ttp_fail_errno(e, "%s", name) : rc;
}

/* Opening it again would not share its offset, and renaming over it would cut it off from what others write there. */
int out_is_descriptor(const char *path)
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

/* The name in the folder. */
static const char *name_of(const struct out_file *f)
{
	return f->path + dir_len(f->path);
}

/* Opened once: whoever renames folders meanwhile does not send the file elsewhere. */
static int open_dir(const char *path)
{
	size_t len = dir_len(path);
	SCOPED(mem) char *where = len ? strndup(path, len) : strdup(".");
	int fd;

	if (!where)
		exhausted(0);
	fd = open(where, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 && errno == EACCES) /* others may write to it, but not list it */
		fd = open(where, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return fd;
}

void out_sync_name(const char *path)
{
	int fd = open_dir(path);

	if (fd >= 0) {
		(void)fsync(fd);
		close(fd);
	}
}

/*
 * A hidden name beside the final one; `turn` makes it different from those tried before.  No name from here on takes memory: without any
 * left, the file would stay under the hidden one.
 */
static void temp_name(struct out_file *f, unsigned turn)
{
	/* A name near the limit of 255 bytes leaves no space for ours: take its start. */
	(void)snprintf(f->temp, sizeof(f->temp), ".%.200s.%ld.%u.tmp", name_of(f), (long)getpid(),
		       turn);
}

static int open_nameless(const struct out_file *f)
{
	/* Without /proc it could never get a name. */
	if (access("/proc/self/fd", X_OK) != 0)
		return -1;
	return openat(f->dir_fd, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
}

static int open_named(struct out_file *f)
{
	for (unsigned turn = 0; turn < NAME_TRIES; turn++) {
		int fd;

		temp_name(f, turn);
		fd = openat(f->dir_fd, f->temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (fd >= 0)
			return fd;
		if (errno != EEXIST)
			break;
	}
	*f->temp = 0;
	return -1;
}

/* Links a nameless file to a hidden name: link() can't replace, rename() can. */
static enum ttp_rc give_temp_name(struct out_file *f, struct ttp_err *e)
{
	char self[64];

	snprintf(self, sizeof(self), "/proc/self/fd/%d", f->out.fd);
	for (unsigned turn = 0; turn < NAME_TRIES; turn++) {
		temp_name(f, turn);
		if (!linkat(AT_FDCWD, self, f->dir_fd, f->temp, AT_SYMLINK_FOLLOW))
			return TTP_OK;
		if (errno != EEXIST)
			break;
	}
	*f->temp = 0;
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

/* The folder, and a file in it that has no name, or a hidden one. */
static int open_beside(struct out_file *f, char *path, bool nameless)
{
	int fd = -1;

	f->dir_fd = path ? open_dir(path) : -1;
	if (f->dir_fd < 0) {
		free(path);
		return -1;
	}
	f->path = path;
	if (nameless)
		fd = open_nameless(f);
	return fd < 0 ? open_named(f) : fd;
}

/* A link that somebody else has put where anybody can: following it would give our rights to its owner. */
static bool link_of_others(const char *path)
{
	struct stat link, dir;
	int dir_fd;
	bool open_to_others;

	if (lstat(path, &link) || !S_ISLNK(link.st_mode) || link.st_uid == geteuid() ||
	    !link.st_uid)
		return false;
	dir_fd = open_dir(path);
	open_to_others = dir_fd < 0 || fstat(dir_fd, &dir) || dir.st_mode & (S_IWGRP | S_IWOTH) ||
			 (dir.st_uid && dir.st_uid != geteuid());
	fd_release(&dir_fd);
	return open_to_others;
}

static enum ttp_rc open_as(struct out_file *f, const char *path, bool nameless, struct ttp_err *e)
{
	int fd = out_is_descriptor(path);
	struct stat was;
	char *target;

	*f = (struct out_file){ .out.fd = -1, .shown = strdup(path) };
	if (!f->shown)
		exhausted(0);
	if (fd >= 0) {
		fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
		goto opened;
	}
	if (link_of_others(path)) {
		out_file_abandon(f);
		return ttp_fail(
			e, TTP_USAGE,
			"%s: is a link that another user made in a folder that others can write: "
			"name the file that is meant",
			path);
	}
	f->replaces = !stat(path, &was);
	if (!f->replaces && errno != ENOENT)
		goto opened;
	if (!f->replaces && !path[dir_len(path)]) /* "" or "folder/": no name to give */
		goto opened;
	if (f->replaces && S_ISDIR(was.st_mode)) {
		errno = EISDIR;
		goto opened;
	}
	if (f->replaces && !S_ISREG(was.st_mode)) {
		fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
		goto opened;
	}
	/* Renaming asks only the directory: a file that is protected stays so.  Another process may have moved it aside since. */
	if (f->replaces && access(path, W_OK) != 0 && errno != ENOENT)
		goto opened;
	target = f->replaces ? realpath(path, NULL) : NULL;
	f->replaces = f->replaces && (target || errno != ENOENT);
	fd = open_beside(f, f->replaces ? target : strdup(path), nameless);
	if (fd >= 0 && f->replaces) {
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
	if (!f->shown)
		exhausted(0);
	f->replaces = true;
	return opened_as(f, open_beside(f, strdup(path), true), path, e);
}

/* "report.csv" as "report.3.csv"; what does not fit is longer than a name may be. */
static const char *numbered(char aside[OUT_NAME_BYTES], const struct out_file *f, int n)
{
	const char *name = name_of(f), *dot = strrchr(name, '.');
	int stem = dot ? (int)(dot - name) : (int)strlen(name);

	(void)snprintf(aside, OUT_NAME_BYTES, "%.*s.%d%s", stem, name, n, name + stem);
	return aside;
}

static bool is_there(int dir_fd, const char *name)
{
	struct stat st;

	return !fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW);
}

/* Never over a file that is there. */
static int rename_free(int dir_fd, const char *from, const char *to)
{
	int rc = renameat2(dir_fd, from, dir_fd, to, RENAME_NOREPLACE);

	/* File systems that can't: others of ours wait for the lock meanwhile. */
	if (rc && (errno == EINVAL || errno == ENOSYS)) {
		errno = EEXIST;
		rc = is_there(dir_fd, to) ? -1 : renameat(dir_fd, from, dir_fd, to);
	}
	return rc;
}

/* Moves aside what has the names of the files, all to the same number; a number that somebody took meanwhile is not. */
static enum ttp_rc move_aside(struct out_file *const *files, size_t n, struct ttp_err *e)
{
	char aside[OUT_NAME_BYTES];

	for (int number = 1; number < LIMIT_OF_NUMBERS; number++) {
		bool taken = false;

		for (size_t i = 0; i < n && !taken; i++)
			taken = files[i]->path &&
				is_there(files[i]->dir_fd, numbered(aside, files[i], number));
		for (size_t i = 0; i < n && !taken; i++) {
			const struct out_file *f = files[i];

			if (!f->path || !f->keeps ||
			    !rename_free(f->dir_fd, name_of(f), numbered(aside, f, number)) ||
			    errno == ENOENT)
				continue;
			if (errno != EEXIST)
				return ttp_fail_errno(e, "%s: keeping the earlier file as %s",
						      f->shown, aside);
			taken = true;
		}
		if (!taken)
			return TTP_OK;
	}
	return ttp_fail(e, TTP_LIMIT, "%s: too many earlier files are kept beside it",
			files[0]->shown);
}

/* Written wholly, under a hidden name, and on the disk if that matters. */
static enum ttp_rc make_ready(struct out_file *f, struct ttp_err *e)
{
	enum ttp_rc rc = out_finish(&f->out, e);

	if (!rc && f->path && (f->durable || (f->replaces && !f->keeps)) && fdatasync(f->out.fd) &&
	    errno != EINVAL && errno != EROFS)
		rc = ttp_fail_errno(e, "%s", f->shown);
	if (!rc && f->durable && !f->replaces)
		(void)fchmod(f->out.fd, 0600);
	if (!rc && f->path && !*f->temp)
		rc = give_temp_name(f, e);
	if (!rc) {
		/* Some file systems (NFS, quotas) report a full disk only here. */
		if (close(f->out.fd) != 0)
			rc = ttp_fail_errno(e, "%s", f->shown);
		f->out.fd = -1;
	}
	return rc;
}

static enum ttp_rc take_name(struct out_file *f, struct ttp_err *e)
{
	int failed = f->keeps ? rename_free(f->dir_fd, f->temp, name_of(f))
			      : renameat(f->dir_fd, f->temp, f->dir_fd, name_of(f));

	if (failed)
		return ttp_fail_errno(e, "%s", f->shown);
	*f->temp = 0;
	if (f->durable)
		(void)fsync(
			f->dir_fd); /* not every file system can: then its rename is all there is */
	return TTP_OK;
}

/* In the end each process that writes to the same names has its file there, under its own name or a number. */
static enum ttp_rc take_names(struct out_file *const *files, size_t n, struct ttp_err *e)
{
	enum ttp_rc rc = TTP_OK;
	bool keeps = false;
	int lock = -1;

	for (size_t i = 0; i < n; i++) {
		keeps |= files[i]->path && files[i]->keeps;
		if (files[i]->path)
			lock = files[i]->dir_fd;
	}
	if (keeps)
		(void)flock(lock, LOCK_EX); /* also given back when the descriptor is closed */
	for (int turn = 0;; turn++) {
		rc = keeps ? move_aside(files, n, e) : TTP_OK;
		for (size_t i = 0; i < n && !rc; i++)
			if (*files[i]->temp)
				rc = take_name(files[i], e);
		if (!rc || !keeps || e->sys_errno != EEXIST || turn == NAME_TRIES)
			break;
	}
	return rc;
}

enum ttp_rc out_files_commit(struct out_file *const *files, size_t n, struct ttp_err *e)
{
	enum ttp_rc rc = TTP_OK;

	for (size_t i = 0; i < n && !rc; i++)
		rc = make_ready(files[i], e);
	if (!rc)
		rc = take_names(files, n, e);
	for (size_t i = 0; i < n; i++)
		out_file_abandon(files[i]);
	return rc;
}

enum ttp_rc out_file_commit(struct out_file *f, struct ttp_err *e)
{
	return out_files_commit(&f, 1, e);
}

void out_file_abandon(struct out_file *f)
{
	out_release(&f->out);
	if (f->shown && f->out.fd >= 0)
		close(f->out.fd);
	if (*f->temp)
		unlinkat(f->dir_fd, f->temp, 0);
	if (f->path)
		close(f->dir_fd);
	RELEASE(mem, &f->path, &f->shown);
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
	fd = out_open(a->path.at, O_WRONLY | O_APPEND | O_CREAT, 0666);
	if (fd < 0) {
		enum ttp_rc rc = ttp_fail_errno(e, "%s", a->path.at);

		buf_release(&a->path);
		return rc;
	}
	held_fd(fd);
	(void)flock(fd, LOCK_EX); /* where there are no locks, writers have to take turns */
	a->fresh = !fstat(fd, &st) && !st.st_size;
	out_init(&a->out, fd, a->path.at);
	return TTP_OK;
}

enum ttp_rc out_append_close(struct out_append *a, struct ttp_err *e)
{
	enum ttp_rc rc = out_finish(&a->out, e);

	if (held_close(a->out.fd) && !rc)
		rc = ttp_fail_errno(e, "%s", a->path.at);
	buf_release(&a->path);
	return rc;
}
