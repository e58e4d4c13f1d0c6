// SPDX-License-Identifier: Apache-2.0
/*
 * A whole input as bytes in memory, whatever it is: a file, a pipe, "-" for standard input; plain,
 * gzip (.gz) or zstd (.zst), recognised by content and not by name.
 *
 * Regular files are mapped.  Streams and compressed data are first copied into an unlinked temporary
 * file in $TMPDIR, so memory stays small; what compressed data may become is limited (below).  A mapped file that another program shortens while we read
 * it yields zeros instead of killing us with SIGBUS; input_shrunk() then says so.
 */
#ifndef TTP_BASE_INPUT_H
#define TTP_BASE_INPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"

struct input {
	struct str data;
	const char *name; /* as given; "standard input" for "-" */
	bool cut_short; /* compressed data ended early or is damaged: `data` is what came before */
	size_t mapped_bytes; /* what input_close() unmaps */
	int slot;            /* of the table that the SIGBUS handler looks at, -1 without one */
	bool borrowed;       /* another input owns the data: to close this one does nothing */
};

/* `path` must outlive the input.  On failure nothing is held. */
enum ttp_rc input_open(struct input *in, const char *path, struct ttp_err *e) TTP_CHECKED;
/*
 * The same for those who know how their input begins: a pipe, a device or compressed data whose first bytes (INPUT_HEAD
 * of them, or all) `accept` does not like are read no further, so that what never ends fills no disk.  The first bytes
 * of compressed data are shown to it, too, as they are.
 */
enum { INPUT_HEAD = 16 };
typedef bool (*input_accept)(struct str head); /* NULL: all */
enum ttp_rc input_open_if(struct input *in, const char *path, input_accept accept,
			  struct ttp_err *e) TTP_CHECKED;
/* One of them, for tables with commas: no zero bytes, and no two lines without a comma. */
bool input_is_table(struct str head);
/*
 * For files that nobody named but that were found beside others: a pipe or a device there is refused, because nobody
 * would write to it while we wait.  (A named pipe that somebody asked for is waited for: INPUT_WRITER_S for a writer.)
 */
enum { INPUT_WRITER_S = 10 };
enum ttp_rc input_open_file(struct input *in, const char *path, struct ttp_err *e) TTP_CHECKED;
/*
 * True when there is something at `path` that is neither a file nor a folder, nor leads to one: the error says what.  Whoever finds a name in a folder
 * asks first, as opening a pipe waits for somebody who writes to it.
 */
bool input_is_odd(const char *path, struct ttp_err *e);
/* True when pages of the mapping were gone when we read them: a part of the data is zeros. */
bool input_shrunk(const struct input *in);
void input_close(struct input *in);
/* The same data for another reader, as long as `in` is open. */
struct input input_borrow(const struct input *in);

/* ---- temporary.c ---- */

/* SPDX-License-Identifier: Apache-2.0 */

/* In $TMPDIR, else in /tmp.  A descriptor, or -1 with errno set. */
int temporary_file(void);
/* The same, and why not. */
int temporary_file_or(struct ttp_err *e);

/*
 * Files that several readers look at, opened once.  All zeros is an empty set.  Readers that take a `struct inputs *` open files by it; NULL:
 * for themselves alone.
 */
struct inputs {
	VEC(struct input *) all;
};

/*
 * The data of a file: lent, and good as long as the set; or, without a set, the caller's own.  To be closed in either case.  `accept` as of
 * input_open_if(), or NULL.
 */
enum ttp_rc inputs_open(struct inputs *s, const char *path, input_accept accept, struct input *in,
			struct ttp_err *e) TTP_CHECKED;
void inputs_close(struct inputs *s);

/*
 * How much compressed data may become.
 *
 * A file of some KB can unpack to terabytes, and a received file is not trusted: rows of a few bytes take twenty times as much memory when they are
 * read.  What unpacks to a temporary file may have UNPACK_FREE_BYTES, or UNPACK_RATIO times its own size where that is more, and UNPACK_MOST_BYTES at most.
 * (Device logs, which repeat themselves most, are packed 40 to 1 by default, and 150 to 1 by `zstd -19` where the same ops ran again and again.)  Data that is read
 * block by block and not kept has no such end, only the ratio.  TTP_UNPACK_LIMIT=SIZE (4G) is the limit instead of all that.
 */
#define UNPACK_FREE_BYTES (16ull << 20)
#define UNPACK_RATIO      100ull
#define UNPACK_MOST_BYTES (8ull << 30)

struct unpack {
	uint64_t most_bytes, bytes; /* allowed; so far */
};

/* Fails if TTP_UNPACK_LIMIT is no size. */
enum ttp_rc unpack_begin(struct unpack *u, uint64_t packed_bytes, bool is_kept,
			 struct ttp_err *e) TTP_CHECKED;
/* `bytes` more; fails with TTP_LIMIT and what to do when there are too many. */
enum ttp_rc unpack_more(struct unpack *u, uint64_t bytes, struct ttp_err *e) TTP_CHECKED;

#endif /* TTP_BASE_INPUT_H */
