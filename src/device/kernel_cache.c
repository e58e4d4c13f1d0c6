// SPDX-License-Identifier: Apache-2.0

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/input.h"
#include "base/out.h"
#include "device/embedded_files.h"
#include "device/kernel_inputs.h"

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

static bool is_trusted(const struct stat *st)
{
	return st->st_uid == geteuid() || !st->st_uid;
}

/*
 * Who can write to the folder chooses what our kernels are: it must be this user's or root's, as must what it is in, and closed to others.  A
 * link counts as what it leads to.
 */
static bool is_ours(const char *path)
{
	SCOPED(buf) struct buf above = { 0 };
	struct stat st;

	buf_printf(&above, "%s/..", path);
	return !stat(path, &st) && S_ISDIR(st.st_mode) && is_trusted(&st) &&
	       !(st.st_mode & (S_IWGRP | S_IWOTH)) && !stat(above.at, &st) && is_trusted(&st);
}

static enum ttp_rc make_cache(const char *path, const char *instead, struct ttp_err *e)
{
	enum ttp_rc rc = cache_make_folders(path, e);

	if (rc || is_ours(path))
		return rc;
	return ttp_fail(
		e, TTP_USAGE,
		"%s, where kernels would be kept, is not a folder that only this user can write to: %s",
		path, instead);
}

/* Anybody can make a folder of this name first. */
static enum ttp_rc temporary_cache(struct buf *path, struct ttp_err *e)
{
	buf_clear(path);
	buf_printf(path, "/tmp/ttprof-%u", (unsigned)getuid());
	return make_cache(path->at, "set HOME or TTP_CACHE", e);
}

enum ttp_rc cache_folder(struct buf *path, struct ttp_err *e)
{
	const char *own = getenv("TTP_CACHE"), *xdg = getenv("XDG_CACHE_HOME");
	const char *home = getenv("HOME");
	enum ttp_rc rc;

	if (own && *own) {
		buf_text(path, own);
		return make_cache(path->at, "chmod go-w, or set TTP_CACHE to another one", e);
	}
	if (xdg && *xdg == '/')
		buf_printf(path, "%s/ttprof", xdg);
	else if (home && *home == '/')
		buf_printf(path, "%s/.cache/ttprof", home);
	else
		return temporary_cache(path, e);
	rc = make_cache(path->at, "", e);
	/* as with sudo, which may leave HOME as it is */
	return rc == TTP_USAGE ? temporary_cache(path, e) : rc;
}

/* ---- kernels ---- */

#define SEAL_HEAD "\nttprof checksum "
enum { SEAL_BYTES = sizeof(SEAL_HEAD) - 1 + 32 + 1 };

static void make_seal(struct str bytes, struct buf *to)
{
	uint64_t hash[2] = { 0 };

	inputs_hash(hash, bytes);
	buf_printf(to, SEAL_HEAD "%016" PRIx64 "%016" PRIx64 "\n", hash[0], hash[1]);
}

enum ttp_rc cache_seal(const char *path, struct ttp_err *e)
{
	SCOPED(buf) struct buf sealed = { 0 };
	struct input in;

	TTP_TRY(input_open_file(&in, path, e));
	buf_str(&sealed, in.data);
	make_seal(in.data, &sealed);
	input_close(&in);
	return cache_write(path, buf_view(&sealed), e);
}

enum ttp_rc cache_read_kernel(struct elf_image *img, const char *path, struct ttp_err *e)
{
	SCOPED(buf) struct buf seal = { 0 };
	struct str bytes;
	struct input in;
	enum ttp_rc rc = input_open_file(&in, path, e);

	if (rc)
		return rc;
	bytes = str_head(in.data, in.data.len > SEAL_BYTES ? in.data.len - SEAL_BYTES : 0);
	make_seal(bytes, &seal);
	if (str_eq(str_from(in.data, bytes.len), buf_view(&seal)))
		rc = elf_read(img, bytes.at, bytes.len, e);
	else
		rc = ttp_fail(e, TTP_FORMAT, "its checksum is not that of its bytes");
	input_close(&in);
	return rc ? ttp_wrap(e, rc, "%s", path) : TTP_OK;
}

enum ttp_rc cache_write(const char *path, struct str bytes, struct ttp_err *e)
{
	SCOPED(buf) struct buf work = { 0 };
	bool good;
	int fd;

	buf_printf(&work, "%s.%ld.XXXXXX", path, (long)getpid());
	fd = mkostemp(work.at, O_CLOEXEC);
	good = fd >= 0;
	while (good && bytes.len) {
		ssize_t n = write(fd, bytes.at, bytes.len);

		if (n > 0)
			bytes = str_from(bytes, (size_t)n);
		else
			good = n < 0 && errno == EINTR;
	}
	if (fd >= 0 && close(fd))
		good = false;
	if (good && !rename(work.at, path))
		return TTP_OK;
	(void)ttp_fail_errno(e, "can't write %s", path);
	if (fd >= 0)
		unlink(work.at);
	return TTP_SYS;
}

/* A file that this program carries, and the folders above it. */
static enum ttp_rc unpack(const char *path, const struct device_file *f, struct ttp_err *e)
{
	SCOPED(buf) struct buf folder = { 0 };
	enum ttp_rc rc;

	buf_add(&folder, path, (size_t)(strrchr(path, '/') - path));
	rc = cache_make_folders(folder.at, e);
	return rc ? rc : cache_write(path, str_n(f->at, (size_t)(f->end - f->at)), e);
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
	SCOPED(buf) struct buf path = { 0 };
	enum ttp_rc rc = TTP_OK;

	for (const struct device_file *f = device_files; !rc && f->name; f++) {
		buf_set(&path, "%s/%s", root, f->name);
		if (!holds(path.at, str_n(f->at, (size_t)(f->end - f->at))))
			rc = unpack(path.at, f, e);
	}
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
	SCOPED(buf) struct buf work = { 0 }, path = { 0 };
	enum ttp_rc rc = TTP_OK;
	struct stat st;

	if (!stat(root->at, &st))
		return repair(root->at, e);
	buf_printf(&work, "%s/tmp-%ld-XXXXXX", cache, (long)getpid());
	if (!mkdtemp(work.at))
		rc = ttp_fail_errno(e, "can't make a folder in %s", cache);
	for (const struct device_file *f = device_files; !rc && f->name; f++) {
		buf_set(&path, "%s/%s", work.at, f->name);
		rc = unpack(path.at, f, e);
	}
	if (!rc && rename(work.at, root->at)) {
		/* Somebody else was faster. */
		if (stat(root->at, &st))
			rc = ttp_fail_errno(e, "can't make %s", root->at);
		remove_tree(work.at);
	} else if (rc && work.at) {
		remove_tree(work.at);
	}
	return rc;
}
