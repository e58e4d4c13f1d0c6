// SPDX-License-Identifier: Apache-2.0
#include "base/paths.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/out.h"

enum ttp_rc folder_make(const char *path, struct ttp_err *e)
{
	struct buf part = { 0 };
	enum ttp_rc rc = TTP_OK;

	for (const char *p = path;; p++) {
		if ((*p == '/' || !*p) && part.len && mkdir(part.at, 0777) && errno != EEXIST) {
			rc = ttp_fail_errno(e, "%s", part.at);
			break;
		}
		if (!*p)
			break;
		buf_char(&part, *p);
	}
	buf_release(&part);
	return rc;
}

static enum ttp_rc move_aside(const char *path, struct ttp_err *e)
{
	const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
	int stem = dot && (!slash || dot > slash) ? (int)(dot - path) : (int)strlen(path);
	struct buf name = { 0 };
	enum ttp_rc rc = TTP_OK;

	for (int n = 1;; n++) {
		buf_clear(&name);
		buf_printf(&name, "%.*s.%d%s", stem, path, n, path + stem);
		/* link and unlink: never over a file that is there */
		if (!link(path, name.at)) {
			if (unlink(path))
				rc = ttp_fail_errno(e, "%s", path);
			break;
		}
		if (errno == EEXIST)
			continue;
		if (access(name.at, F_OK) && !rename(path, name.at))
			break;
		rc = ttp_fail_errno(e, "%s: keeping the earlier file as %s", path, name.at);
		break;
	}
	buf_release(&name);
	return rc;
}

enum ttp_rc file_keep(const char *path, struct ttp_err *e)
{
	char *real = realpath(path, NULL);
	struct stat st;
	enum ttp_rc rc = TTP_OK;

	/* devices and pipes are written in place: only files are moved */
	if (real && !stat(real, &st) && S_ISREG(st.st_mode))
		rc = move_aside(real, e);
	free(real);
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
	int fd = open(from, O_RDONLY | O_CLOEXEC);
	enum ttp_rc rc;

	if (fd < 0)
		return ttp_fail_errno(e, "%s", from);
	rc = out_file_open(&f, to, e);
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
	struct buf a = { 0 }, b = { 0 };
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
	buf_release(&a);
	buf_release(&b);
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
	struct buf out = { 0 };
	struct str rest, piece;

	if (!path->len || path->at[0] != '/') {
		char *here = getcwd(NULL, 0);

		buf_printf(&out, "%s/%s", here ? here : ".", path->at ? path->at : "");
		free(here);
		buf_clear(path);
		buf_str(path, buf_view(&out));
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
	buf_clear(path);
	buf_str(path, buf_view(&out));
	buf_release(&out);
}
