// SPDX-License-Identifier: Apache-2.0
#include "base/paths.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/exhausted.h"
#include "base/out.h"

bool path_is_folder(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

bool path_is_file(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode);
}

bool path_is_same(const char *a, const char *b)
{
	struct stat x, y;

	return !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

struct str path_name(const char *path)
{
	struct str s = str_of(path);
	size_t slash = str_rfind_char(s, '/');

	return slash == STR_NONE ? s : str_from(s, slash + 1);
}

int folder_list(const char *path, struct dirent ***names, int (*wanted)(const struct dirent *),
		int (*order)(const struct dirent **, const struct dirent **))
{
	int n = scandir(path, names, wanted, order);

	if (n < 0 && errno == ENOMEM)
		exhausted(0);
	return n;
}

enum ttp_rc folder_make(const char *path, struct ttp_err *e)
{
	SCOPED(buf) struct buf part = { 0 };
	enum ttp_rc rc = TTP_OK;

	for (const char *p = path;; p++) {
		if ((*p == '/' || !*p) && part.len && mkdir(part.at, *p ? 0777 : 0700) &&
		    errno != EEXIST) {
			rc = ttp_fail_errno(e, "%s", part.at);
			break;
		}
		if (!*p)
			break;
		buf_char(&part, *p);
	}
	return rc;
}

static enum ttp_rc copy_bytes(int from, struct out_file *to, const char *name, struct ttp_err *e)
{
	char *block;
	ssize_t n;

	/* the kernel may share the blocks; what it can't or won't copy is left to the loop */
	do
		n = copy_file_range(from, NULL, to->out.fd, NULL, 1 << 30, 0);
	while (n > 0);
	block = malloc(1 << 20);
	n = -1;
	if (block)
		while ((n = read(from, block, 1 << 20)) > 0 && out_ok(&to->out))
			out_add(&to->out, block, (size_t)n);
	free(block);
	return n < 0 ? ttp_fail_errno(e, "%s", name) : TTP_OK;
}

enum ttp_rc file_copy(const char *from, const char *to, struct ttp_err *e)
{
	struct out_file f;
	int fd = open(from, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st, made;
	enum ttp_rc rc;

	if (fd < 0 || fstat(fd, &st)) {
		rc = ttp_fail_errno(e, "%s", from);
		fd_release(&fd);
		return rc;
	}
	/* A pipe may never end, nor a device. */
	rc = S_ISREG(st.st_mode)
		     ? out_file_open_here(&f, to, e)
		     : ttp_fail(e, TTP_USAGE, "%s: is no file, and is not copied", from);
	/* what is its user's own stays so */
	if (!rc && !fstat(f.out.fd, &made))
		(void)fchmod(f.out.fd, made.st_mode & st.st_mode & 0777u);
	if (!rc) {
		rc = copy_bytes(fd, &f, from, e);
		if (rc)
			out_file_abandon(&f);
		else
			rc = out_file_commit(&f, e);
	}
	close(fd);
	return rc;
}

static enum ttp_rc copy_entry(const char *from, const char *to, const char *name, struct ttp_err *e)
{
	SCOPED(buf) struct buf a = { 0 }, b = { 0 };
	enum ttp_rc rc = TTP_OK;
	struct stat st;

	buf_printf(&a, "%s/%s", from, name);
	buf_printf(&b, "%s/%s", to, name);
	if (lstat(a.at, &st))
		rc = ttp_fail_errno(e, "%s", a.at);
	else if (S_ISDIR(st.st_mode))
		rc = folder_copy(a.at, b.at, e);
	else if (S_ISREG(st.st_mode))
		rc = file_copy(a.at, b.at, e);
	return rc;
}

enum ttp_rc folder_copy(const char *from, const char *to, struct ttp_err *e)
{
	DIR *dir = opendir(from);
	const struct dirent *entry;
	enum ttp_rc rc;

	if (!dir)
		return ttp_fail_errno(e, "%s", from);
	rc = folder_make(to, e);
	while (!rc && (entry = readdir(dir)))
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			rc = copy_entry(from, to, entry->d_name, e);
	closedir(dir);
	return rc;
}

void date_text(char text[32])
{
	time_t now = time(NULL);
	struct tm tm;

	localtime_r(&now, &tm);
	strftime(text, 32, "%Y_%m_%d_%H_%M_%S", &tm);
}

void path_absolute(struct buf *path)
{
	SCOPED(buf) struct buf out = { 0 };
	struct str rest, piece;

	if (!path->len || path->at[0] != '/') {
		SCOPED(mem) char *here = getcwd(NULL, 0);

		buf_printf(&out, "%s/%s", here ? here : ".", path->at ? path->at : "");
		buf_set_str(path, buf_view(&out));
		buf_clear(&out);
	}
	rest = buf_view(path);
	while (str_split(&rest, '/', &piece)) {
		if (!piece.len || str_eq(piece, STR(".")))
			continue;
		if (str_eq(piece, STR(".."))) {
			size_t up = out.len ? str_rfind_char(buf_view(&out), '/') : STR_NONE;

			if (up != STR_NONE) {
				out.len = up;
				out.at[up] = 0;
			}
			continue;
		}
		buf_char(&out, '/');
		buf_str(&out, piece);
	}
	if (!out.len)
		buf_char(&out, '/');
	buf_set_str(path, buf_view(&out));
}
