// SPDX-License-Identifier: Apache-2.0
#include "record/capture_job.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/out.h"
#include "base/vec.h"

enum { TRIES = 100, CHUNK_BYTES = 1 << 20 };

const char *rescue_folder(size_t n)
{
	const char *dir = getenv("TMPDIR"); // NOLINT(concurrency-mt-unsafe)

	switch (n) {
	case 0:
		return ".";
	case 1:
		return dir && *dir ? dir : "/tmp";
	case 2:
		return "/var/tmp";
	default:
		return NULL;
	}
}

bool rescue_has_folder(const char *path)
{
	const char *slash = strrchr(path, '/');
	SCOPED(buf) struct buf folder = { 0 };
	struct stat st;

	if (!slash)
		return !stat(".", &st) && st.st_nlink;
	buf_add(&folder, path, slash == path ? 1 : (size_t)(slash - path));
	return !stat(folder.at, &st) && S_ISDIR(st.st_mode);
}

bool spool_has_name(int fd)
{
	struct stat st;

	return fstat(fd, &st) || st.st_nlink;
}

static bool copy_all(int from, int to, const char *name)
{
	SCOPED(mem) char *chunk = mem_alloc(CHUNK_BYTES, 1);
	struct ttp_err e;
	struct out out;
	off_t at = 0;
	ssize_t n;

	out_init(&out, to, name);
	while ((n = pread(from, chunk, CHUNK_BYTES, at)) > 0 && out_ok(&out)) {
		out_add(&out, chunk, (size_t)n);
		at += n;
	}
	return !out_finish(&out, &e) && !n && !fdatasync(to);
}

/* Under the first name that is free; false: there is no space. */
static bool copy_beside(int fd, const char *stem, struct buf *saved)
{
	for (int k = 0; k < TRIES; k++) {
		bool good;
		int to;

		buf_set(saved, "%s.saved%d", stem, k);
		to = out_open(saved->at, O_WRONLY | O_CREAT | O_EXCL, 0600);
		if (to < 0 && errno == EEXIST)
			continue;
		if (to < 0)
			return false;
		good = copy_all(fd, to, saved->at);
		if (close(to))
			good = false;
		if (!good)
			unlink(saved->at);
		return good;
	}
	return false;
}

bool spool_rescue(int fd, const char *lost, struct buf *saved)
{
	const char *slash = strrchr(lost, '/'), *name = slash && slash[1] ? slash + 1 : lost;
	const char *folder;
	bool good = copy_beside(fd, lost, saved);
	SCOPED(buf) struct buf stem = { 0 };

	for (size_t n = 0; !good && (folder = rescue_folder(n)); n++) {
		buf_set(&stem, "%s/%s", folder, name);
		good = copy_beside(fd, stem.at, saved);
	}
	return good;
}
