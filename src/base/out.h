// SPDX-License-Identifier: Apache-2.0
/*
 * Output that is checked.
 *
 * `struct out` writes to a descriptor through 256 KiB.  The first error is remembered and the rest is
 * thrown away, so writers write straight through and ask once, at out_finish(); those who write for
 * long ask out_ok() now and then.
 *
 * `struct out_file` is a file that appears whole or not at all: it is written without a name (or,
 * where the file system can't, under a hidden one beside the final name) and takes its name at
 * out_file_commit().  A file that stood there before keeps standing until then, and for good when
 * anything fails; its mode passes on to the new one.  Devices, pipes and /dev/stdout, /dev/fd/N are
 * written in place.
 *
 * Links: the target of a link that the user names is replaced, unless another user made the link in a
 * folder that others can write.  A link under a name that we choose is replaced itself, never followed.
 *
 * Power loss: a file that replaces another one, or whose source is removed afterwards (`durable`), is on
 * the disk before it takes the name.  Other files can be made again from what they were made of.
 *
 * `struct out_append` adds to the end of a file that has other writers, under a lock.
 *
 * No other module opens files for writing (tests/house/run_facts): those that need a descriptor take
 * out_open().
 *
 * Not thread-safe: one owner.
 */
#ifndef TTP_BASE_OUT_H
#define TTP_BASE_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/harmless.h"
#include "base/str.h"

struct out {
	int fd;
	int failed; /* errno of the first write that failed, or 0 */
	char *at;
	size_t len;
	uint64_t total_bytes; /* accepted so far, written or waiting */
	bool screen;          /* the descriptor is a terminal: all passes harmless_gate() */
	enum harmless_escapes escapes; /* of ours, that a terminal gets */
	const char *name;              /* borrowed: for messages */
	struct buf *into;              /* instead of a descriptor; NULL */
};

/* The descriptor stays the caller's.  Who writes colours or a line of progress sets `escapes`. */
void out_init(struct out *o, int fd, const char *name);
/* To memory, as a terminal would get it: colours stay, all else that could steer it is made harmless.  End it by out_finish(). */
void out_init_screen(struct out *o, struct buf *to);
void out_add(struct out *o, const char *at, size_t len);
void out_printf(struct out *o, const char *fmt, ...) TTP_PRINTF(2, 3);
/* Room for `len` bytes (64 KiB at most), to be written there and then said by out_took(): rows without a call per cell. */
char *out_room(struct out *o, size_t len);
void out_took(struct out *o, size_t len);
/* Writes what waits, for output that somebody is watching. */
void out_flush(struct out *o);
/* Flushes, frees the buffer, and tells whether everything was written: TTP_SYS and e->sys_errno
 * (EPIPE: the reader went away). */
enum ttp_rc out_finish(struct out *o, struct ttp_err *e) TTP_CHECKED;
/* Frees the buffer, forgets what waits. */
void out_release(struct out *o);

static inline bool out_ok(const struct out *o)
{
	return !o->failed;
}

static inline void out_str(struct out *o, struct str s)
{
	out_add(o, s.at, s.len);
}

static inline void out_text(struct out *o, const char *z)
{
	out_add(o, z, strlen(z));
}

static inline void out_char(struct out *o, char c)
{
	out_add(o, &c, 1);
}

/* Writes and empties `b`, which can so be used again for the next line. */
static inline void out_buf(struct out *o, struct buf *b)
{
	out_add(o, b->at, b->len);
	buf_clear(b);
}

/*
 * A descriptor for `path`, a name that we choose; -1 with errno.  Never through a link, and never a pipe, device or file
 * with a second name (EEXIST).  With O_TRUNC the file is a new one: whoever has the old one open keeps it.
 */
int out_open(const char *path, int flags, mode_t mode);

/* Writes all of `text` to a descriptor of out_open(), and closes it. */
enum ttp_rc out_all(int fd, const char *name, struct str text, struct ttp_err *e) TTP_CHECKED;

/* The file's name is on the disk, too, as far as the file system can. */
void out_sync_name(const char *path);

enum { OUT_NAME_BYTES = 300 }; /* more than a name may have */

struct out_file {
	struct out out; /* write here */
	bool keeps; /* set it: what stands there is moved aside to NAME.1.csv, the next free number */
	bool durable; /* set it: a recording.  What it is made of will be removed; a new one is its user's own */
	/* ours: */
	char *path;                /* the final name, links resolved; NULL when written in place */
	char temp[OUT_NAME_BYTES]; /* the hidden name in the folder, "" while the file has none */
	char *shown;               /* the name as it was given */
	int dir_fd;                /* the folder, while there is a path */
	bool replaces;
};

/* The descriptor that a path such as /dev/stdout or /dev/fd/3 stands for, or -1. */
int out_is_descriptor(const char *path);
/* On failure nothing is left to release. */
enum ttp_rc out_file_open(struct out_file *f, const char *path, struct ttp_err *e) TTP_CHECKED;
/* The same without nameless files, as on file systems that have none. */
enum ttp_rc out_file_open_named(struct out_file *f, const char *path,
				struct ttp_err *e) TTP_CHECKED;
/* The same for a name that nobody has typed: a link that stands there is replaced, not followed, and a pipe or device refused. */
enum ttp_rc out_file_open_here(struct out_file *f, const char *path, struct ttp_err *e) TTP_CHECKED;
/* Gives the file its name, if all was well; else as out_file_abandon().  Releases `f` either way. */
enum ttp_rc out_file_commit(struct out_file *f, struct ttp_err *e) TTP_CHECKED;
/* The same for files of one folder that belong together: those that are moved aside get the same number.  On failure those
 * that have their name by then keep it. */
enum ttp_rc out_files_commit(struct out_file *const *files, size_t n,
			     struct ttp_err *e) TTP_CHECKED;
/* Leaves no trace.  Fine on a zeroed, failed or finished `f`. */
void out_file_abandon(struct out_file *f);

/* A file that threads and processes add to, one at a time. */
struct out_append {
	struct out out; /* write here */
	bool fresh;     /* it was empty: write what it begins with */
	/* ours: */
	struct buf path;
};

/* The path as by printf, a name that we choose.  Waits until nobody else adds; on failure nothing is left to release. */
enum ttp_rc out_append_open(struct out_append *a, struct ttp_err *e, const char *fmt, ...)
	TTP_PRINTF(3, 4) TTP_CHECKED;
enum ttp_rc out_append_close(struct out_append *a, struct ttp_err *e) TTP_CHECKED;

#endif /* TTP_BASE_OUT_H */
