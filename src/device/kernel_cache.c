// SPDX-License-Identifier: Apache-2.0
#include "device/kernel_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "device/embedded_files.h"

enum ttp_rc cache_make_folders(const char *path, struct ttp_err *e)
{
	char at[4096];
	size_t n = strlen(path);

	if (n >= sizeof(at))
		return ttp_fail(e, TTP_LIMIT, "path too long: %.100s...", path);
	memcpy(at, path, n + 1);
	for (size_t i = 1; i <= n; i++)
		if (at[i] == '/' || !at[i]) {
			char c = at[i];

			at[i] = 0;
			if (mkdir(at, 0700) && errno != EEXIST)
				return ttp_fail_errno(e, "can't make the folder %s", at);
			at[i] = c;
		}
	return TTP_OK;
}

/* Anybody can make a folder of this name first, and then choose what our kernels are. */
static enum ttp_rc temporary_cache(struct buf *path, struct ttp_err *e)
{
	struct stat st;
	enum ttp_rc rc;

	buf_printf(path, "/tmp/ttprof-%u", (unsigned)getuid());
	rc = cache_make_folders(path->at, e);
	if (rc)
		return rc;
	if (lstat(path->at, &st))
		return ttp_fail_errno(e, "%s", path->at);
	if (!S_ISDIR(st.st_mode) || st.st_uid != getuid() || st.st_mode & (S_IWGRP | S_IWOTH))
		return ttp_fail(
			e, TTP_USAGE,
			"%s, where kernels would be kept, is not a folder that only this user "
			"can write to: set HOME or TTP_CACHE",
			path->at);
	return TTP_OK;
}

enum ttp_rc cache_folder(struct buf *path, struct ttp_err *e)
{
	const char *own = getenv("TTP_CACHE"), *xdg = getenv("XDG_CACHE_HOME");
	const char *home = getenv("HOME");

	if (own && *own)
		buf_text(path, own);
	else if (xdg && *xdg == '/')
		buf_printf(path, "%s/ttprof", xdg);
	else if (home && *home == '/')
		buf_printf(path, "%s/.cache/ttprof", home);
	else
		return temporary_cache(path, e);
	return cache_make_folders(path->at, e);
}

static enum ttp_rc write_file(const char *path, struct str bytes, struct ttp_err *e)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	enum ttp_rc rc = TTP_OK;

	if (fd < 0)
		return ttp_fail_errno(e, "can't write %s", path);
	while (bytes.len) {
		ssize_t n = write(fd, bytes.at, bytes.len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			rc = ttp_fail_errno(e, "can't write %s", path);
			break;
		}
		bytes = str_from(bytes, (size_t)n);
	}
	if (close(fd) && !rc)
		rc = ttp_fail_errno(e, "can't write %s", path);
	return rc;
}

static void remove_tree(const char *root)
{
	char path[4096];

	/* The folders of the runtime are known: its files, then what they were in. */
	for (const struct device_file *f = device_files; f->name; f++)
		if (snprintf(path, sizeof(path), "%s/%s", root, f->name) < (int)sizeof(path))
			unlink(path);
	for (const struct device_file *f = device_files; f->name; f++) {
		if (snprintf(path, sizeof(path), "%s/%s", root, f->name) >= (int)sizeof(path))
			continue;
		for (char *slash;
		     (slash = strrchr(path, '/')) && (size_t)(slash - path) > strlen(root);) {
			*slash = 0;
			rmdir(path);
		}
	}
	rmdir(root);
}

static bool holds(const char *path, struct str bytes)
{
	char chunk[4096];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = 0;

	if (fd < 0)
		return false;
	while ((n = read(fd, chunk, sizeof(chunk))) > 0 && (size_t)n <= bytes.len &&
	       !memcmp(chunk, bytes.at, (size_t)n))
		bytes = str_from(bytes, (size_t)n);
	close(fd);
	return n == 0 && !bytes.len;
}

/* A cache may be emptied by hand, in part, or damaged: what is not as it was is written again. */
static enum ttp_rc repair(const char *root, struct ttp_err *e)
{
	struct buf path = { 0 }, work = { 0 };
	enum ttp_rc rc = TTP_OK;

	for (const struct device_file *f = device_files; !rc && f->name; f++) {
		struct str bytes = str_n(f->at, (size_t)(f->end - f->at));

		buf_clear(&path);
		buf_printf(&path, "%s/%s", root, f->name);
		if (holds(path.at, bytes))
			continue;
		char *slash = strrchr(path.at, '/');

		*slash = 0;
		rc = cache_make_folders(path.at, e);
		*slash = '/';
		buf_clear(&work);
		buf_printf(&work, "%s.%ld", path.at, (long)getpid());
		if (!rc)
			rc = write_file(work.at, bytes, e);
		if (!rc && rename(work.at, path.at))
			rc = ttp_fail_errno(e, "can't make %s", path.at);
	}
	buf_release(&path);
	buf_release(&work);
	return rc;
}

static uint64_t runtime_hash;

static void hash_runtime(void)
{
	for (const struct device_file *f = device_files; f->name; f++)
		runtime_hash = runtime_hash * 0x9E3779B97F4A7C15ull +
			       str_hash(str_n(f->at, (size_t)(f->end - f->at))) +
			       str_hash(str_of(f->name));
}

/* The name says what is in it, so other versions have folders of their own. */
void cache_name_runtime(const char *cache, struct buf *root)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, hash_runtime);
	buf_printf(root, "%s/runtime-%016llx", cache, (unsigned long long)runtime_hash);
}

enum ttp_rc cache_unpack_runtime(const char *cache, const struct buf *root, struct ttp_err *e)
{
	struct buf work = { 0 }, path = { 0 };
	enum ttp_rc rc = TTP_OK;
	struct stat st;

	if (!stat(root->at, &st))
		return repair(root->at, e);
	buf_printf(&work, "%s/tmp-%ld-XXXXXX", cache, (long)getpid());
	if (!mkdtemp(work.at))
		rc = ttp_fail_errno(e, "can't make a folder in %s", cache);
	for (const struct device_file *f = device_files; !rc && f->name; f++) {
		buf_clear(&path);
		buf_printf(&path, "%s/%s", work.at, f->name);
		char *slash = strrchr(path.at, '/');

		*slash = 0;
		rc = cache_make_folders(path.at, e);
		*slash = '/';
		if (!rc)
			rc = write_file(path.at, str_n(f->at, (size_t)(f->end - f->at)), e);
	}
	if (!rc && rename(work.at, root->at)) {
		/* Somebody else was faster. */
		if (stat(root->at, &st))
			rc = ttp_fail_errno(e, "can't make %s", root->at);
		remove_tree(work.at);
	} else if (rc && work.at) {
		remove_tree(work.at);
	}
	buf_release(&work);
	buf_release(&path);
	return rc;
}
