// SPDX-License-Identifier: Apache-2.0
/*
 * A folder that an input describes, and commands that work in it.  A line ">>> NAME KIND" begins a file, whose content
 * reaches to the line break before the next such line:
 *
 *	>>> run.json			a file; its folders are made, too
 *	>>> profile_log_device.csv gz	the same, compressed here, so that mutations stay inside of the text; or zst
 *	>>> reports/ dir		a folder
 *	>>> latest link reports		a symbolic link; its target is in the folder, too
 *	>>> pipe fifo			a named pipe
 *
 * Files get older from the last to the first, a second each.  Commands run with the folder as their working folder, and
 * words with a slash are not passed on, so that nothing outside of it is written.
 */
#ifndef TTP_FUZZ_WORK_FOLDER_H
#define TTP_FUZZ_WORK_FOLDER_H

#include <fcntl.h>
#include <ftw.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "base/str.h"

enum { FOLDER_FILES_MAX = 24, FOLDER_NAME_MAX = 120, FOLDER_WORDS_MAX = 16 };

struct work_folder {
	char path[64];
	int before; /* the working folder of the process */
};

static inline void folder_must(bool truth)
{
	if (!truth)
		abort();
}

/* Of this folder, and of nothing above it. */
static inline bool folder_may_have(struct str name)
{
	return name.len && name.len < FOLDER_NAME_MAX && name.at[0] != '/' &&
	       str_find(name, STR("..")) == STR_NONE && !memchr(name.at, 0, name.len);
}

static inline void folder_make_parents(char *name)
{
	for (char *slash = strchr(name, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = 0;
		(void)mkdir(name, 0700);
		*slash = '/';
	}
}

static inline void folder_write(const char *name, struct str kind, struct str text)
{
	void *packed = NULL;
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK,
		      0600);

	if (fd < 0)
		return; /* a folder, a link or a pipe that came first */
	if (str_eq(kind, STR("gz"))) {
		z_stream z = { 0 };

		folder_must(deflateInit2(&z, 1, Z_DEFLATED, 15 + 16, 8, 0) == Z_OK);
		z.avail_out = (unsigned)deflateBound(&z, text.len);
		packed = malloc(z.avail_out);
		folder_must(packed);
		z.next_in = (unsigned char *)(uintptr_t)text.at;
		z.avail_in = (unsigned)text.len;
		z.next_out = packed;
		folder_must(deflate(&z, Z_FINISH) == Z_STREAM_END);
		text = str_n(packed, z.total_out);
		deflateEnd(&z);
	} else if (str_eq(kind, STR("zst"))) {
		size_t most = ZSTD_compressBound(text.len);

		packed = malloc(most);
		folder_must(packed);
		text = str_n(packed, ZSTD_compress(packed, most, text.at, text.len, 1));
		folder_must(!ZSTD_isError(text.len));
	}
	folder_must(write(fd, text.at, text.len) == (ssize_t)text.len);
	close(fd);
	free(packed);
}

static inline void folder_add(struct str line, struct str text, int age)
{
	struct timespec times[2] = { { .tv_sec = 1000000 + age }, { .tv_sec = 1000000 + age } };
	char name[FOLDER_NAME_MAX], target[FOLDER_NAME_MAX];
	struct str word, kind;

	if (!str_split(&line, ' ', &word) || !folder_may_have(word))
		return;
	if (!str_split(&line, ' ', &kind))
		kind = str_n("", 0);
	(void)snprintf(name, sizeof(name), "%.*s", STR_ARG(word));
	folder_make_parents(name);
	if (str_eq(kind, STR("dir"))) {
		(void)mkdir(name, 0700);
	} else if (str_eq(kind, STR("fifo"))) {
		(void)mkfifo(name, 0600);
	} else if (str_eq(kind, STR("link"))) {
		if (!folder_may_have(line))
			return;
		(void)snprintf(target, sizeof(target), "%.*s", STR_ARG(line));
		if (symlink(target, name))
			return; /* something has the name */
	} else {
		folder_write(name, kind, text);
	}
	(void)utimensat(AT_FDCWD, name, times, AT_SYMLINK_NOFOLLOW);
}

/* Makes the folder and goes there. */
static inline void folder_open(struct work_folder *f, struct str text)
{
	static const struct str mark = { ">>> ", 4 }, next = { "\n>>> ", 5 };
	int files = 0;

	(void)snprintf(f->path, sizeof(f->path), "/tmp/ttprof-fuzz-XXXXXX");
	f->before = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	folder_must(f->before >= 0 && mkdtemp(f->path) && !chdir(f->path));
	while (str_starts(text, mark) && files++ < FOLDER_FILES_MAX) {
		size_t line = str_find_char(text, '\n'), end;
		struct str head = str_from(str_head(text, line), mark.len);

		text = line == STR_NONE ? str_n("", 0) : str_from(text, line);
		end = str_find(text, next);
		folder_add(head, text.len ? str_from(str_head(text, end), 1) : text, files);
		text = end == STR_NONE ? str_n("", 0) : str_from(text, end + 1);
	}
}

static inline int folder_remove_one(const char *path, const struct stat *st, int kind,
				    struct FTW *at)
{
	(void)st;
	(void)kind;
	(void)at;
	return remove(path);
}

static inline void folder_close(struct work_folder *f)
{
	folder_must(!fchdir(f->before));
	close(f->before);
	folder_must(!nftw(f->path, folder_remove_one, 16, FTW_DEPTH | FTW_PHYS));
}

#endif /* TTP_FUZZ_WORK_FOLDER_H */
