// SPDX-License-Identifier: Apache-2.0
#include "base/input.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "base/paths.h"
#include "base/scoped.h"

enum { CHUNK_BYTES = 1 << 20, MAPPINGS_MAX = 256, PIPEFS_MAGIC = 0x50495045 };

/* ---- files that shrink under us ---- */

/*
 * The handler may run on any thread at any time, so it sees the mappings through atomics only: `end`
 * is written before `start` is published and cleared after it is withdrawn.
 */
static struct {
	_Atomic(uintptr_t) start, end;
	atomic_bool taken, hit;
} mappings[MAPPINGS_MAX];
static struct sigaction previous_sigbus;
static pthread_once_t handler_once = PTHREAD_ONCE_INIT;

static void on_sigbus(int sig, siginfo_t *info, void *context)
{
	uintptr_t at = (uintptr_t)info->si_addr;
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);

	(void)context;
	for (int i = 0; i < MAPPINGS_MAX; i++) {
		uintptr_t start = atomic_load(&mappings[i].start);

		if (!start || at < start || at >= atomic_load(&mappings[i].end))
			continue;
		/* A page of zeros in place of the one that is gone; the load is then repeated. */
		if (mmap((void *)(at & ~(page - 1)), page, PROT_READ,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
			break;
		atomic_store(&mappings[i].hit, true);
		return;
	}
	sigaction(sig, &previous_sigbus, NULL); /* not ours: the fault repeats under the old rule */
}

static void install_handler(void)
{
	struct sigaction act = { .sa_sigaction = on_sigbus, .sa_flags = SA_SIGINFO };

	sigemptyset(&act.sa_mask);
	sigaction(SIGBUS, &act, &previous_sigbus);
}

static int mapping_watch(const void *at, size_t len)
{
	pthread_once(&handler_once, install_handler);
	for (int i = 0; i < MAPPINGS_MAX; i++) {
		bool free_slot = false;

		if (!atomic_compare_exchange_strong(&mappings[i].taken, &free_slot, true))
			continue;
		atomic_store(&mappings[i].hit, false);
		atomic_store(&mappings[i].end, (uintptr_t)at + len);
		atomic_store(&mappings[i].start, (uintptr_t)at);
		return i;
	}
	return -1; /* more inputs than slots: the last ones are read unguarded */
}

static void mapping_forget(int slot)
{
	if (slot < 0)
		return;
	atomic_store(&mappings[slot].start, 0);
	atomic_store(&mappings[slot].end, 0);
	atomic_store(&mappings[slot].taken, false);
}

/* ---- temporary files ---- */

static enum ttp_rc write_all(int fd, const void *data, size_t len, struct ttp_err *e)
{
	const char *p = data;

	while (len) {
		ssize_t n = write(fd, p, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return ttp_fail_errno(e, "cannot write the temporary copy (set TMPDIR)");
		p += n;
		len -= (size_t)n;
	}
	return TTP_OK;
}

static enum ttp_rc let_wait(int fd, struct ttp_err *e)
{
	int flags = fcntl(fd, F_GETFL);

	if (flags < 0 || ((flags & O_NONBLOCK) && fcntl(fd, F_SETFL, flags & ~O_NONBLOCK)))
		return ttp_fail_errno(e, "cannot read");
	return TTP_OK;
}

/* Until somebody has the other end of a named pipe; what was read to find that out is in `chunk`. */
static enum ttp_rc wait_for_writer(int fd, char *chunk, size_t *have, struct ttp_err *e)
{
	const struct timespec pause = { .tv_nsec = 20 * 1000 * 1000 };

	for (int left = INPUT_WRITER_S * 50; left; left--) {
		ssize_t n = read(fd, chunk, CHUNK_BYTES);

		if (n < 0 && errno != EINTR && errno != EAGAIN)
			return ttp_fail_errno(e, "cannot read");
		if (n > 0 || (n < 0 && errno == EAGAIN)) {
			*have = n > 0 ? (size_t)n : 0;
			return TTP_OK;
		}
		nanosleep(&pause, NULL);
	}
	return ttp_fail(e, TTP_USAGE, "is a pipe, not a file, and nobody writes to it");
}

/* One with a name in a folder; those of a shell have none. */
static bool is_named_pipe(int fd)
{
	struct statfs fs;
	struct stat st;

	return !fstat(fd, &st) && S_ISFIFO(st.st_mode) && !fstatfs(fd, &fs) &&
	       fs.f_type != PIPEFS_MAGIC;
}

static enum ttp_rc copy_stream(int from, int to, input_accept accept, struct ttp_err *e)
{
	char *chunk = malloc(CHUNK_BYTES);
	enum ttp_rc rc = TTP_OK;
	size_t have = 0;

	if (!chunk)
		return ttp_fail(e, TTP_LIMIT, "out of memory");
	if (is_named_pipe(from))
		rc = wait_for_writer(from, chunk, &have, e);
	if (!rc)
		rc = let_wait(from, e);
	while (!rc) {
		ssize_t n = read(from, chunk + have, CHUNK_BYTES - have);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			rc = ttp_fail_errno(e, "cannot read");
		if (n > 0)
			have += (size_t)n;
		if (n > 0 && accept && have < INPUT_HEAD)
			continue;
		if (!rc)
			rc = write_all(to, chunk, have, e);
		if (n <= 0 || (accept && !accept(str_n(chunk, have))))
			break;
		accept = NULL;
		have = 0;
	}
	free(chunk);
	return rc;
}

/* ---- compressed data ---- */

static enum ttp_rc keep_unpacked(struct unpack *u, int to, const void *at, size_t len,
				 struct ttp_err *e)
{
	enum ttp_rc rc = unpack_more(u, len, e);

	return rc ? rc : write_all(to, at, len, e);
}

static enum ttp_rc inflate_to(struct str packed, int to, struct unpack *u, input_accept accept,
			      bool *cut_short, struct ttp_err *e)
{
	z_stream z = { 0 };
	unsigned char *chunk = malloc(CHUNK_BYTES);
	enum ttp_rc rc = TTP_OK;

	if (!chunk || inflateInit2(&z, 15 + 16) != Z_OK) {
		free(chunk);
		return ttp_fail(e, TTP_LIMIT, "out of memory");
	}
	/* also while text that is unpacked already waits for room */
	while (!rc && (packed.len || !z.avail_out)) {
		size_t piece = packed.len < CHUNK_BYTES ? packed.len : CHUNK_BYTES;
		int got;

		z.next_in = (unsigned char *)(uintptr_t)packed.at;
		z.avail_in = (unsigned)piece;
		z.next_out = chunk;
		z.avail_out = CHUNK_BYTES;
		got = inflate(&z, Z_NO_FLUSH);
		packed = str_from(packed, piece - z.avail_in);
		rc = keep_unpacked(u, to, chunk, CHUNK_BYTES - z.avail_out, e);
		if (accept && !accept(str_n((char *)chunk, CHUNK_BYTES - z.avail_out)))
			break;
		accept = NULL;
		if (got == Z_STREAM_END) {
			/* gzip files may be several members one after another; zeros pad tapes */
			while (packed.len && !packed.at[0])
				packed = str_from(packed, 1);
			if (!packed.len)
				goto out;
			got = inflateReset(&z);
		}
		if (got != Z_OK && got != Z_BUF_ERROR)
			break;
		if (got == Z_BUF_ERROR && z.avail_in == piece && z.avail_out == CHUNK_BYTES)
			break; /* no progress is possible */
	}
	*cut_short = true; /* the loop is left early, or the data ended inside a member */
out:
	inflateEnd(&z);
	free(chunk);
	return rc;
}

static enum ttp_rc unzstd_to(struct str packed, int to, struct unpack *u, input_accept accept,
			     bool *cut_short, struct ttp_err *e)
{
	ZSTD_DStream *z = ZSTD_createDStream();
	ZSTD_inBuffer in = { packed.at, packed.len, 0 };
	SCOPED(mem) char *chunk = malloc(CHUNK_BYTES);
	enum ttp_rc rc = TTP_OK;
	size_t want = 1;

	if (!chunk || !z) {
		rc = ttp_fail(e, TTP_LIMIT, "out of memory");
		goto out;
	}
	while (!rc) {
		ZSTD_outBuffer out = { chunk, CHUNK_BYTES, 0 };

		want = ZSTD_decompressStream(z, &out, &in);
		rc = keep_unpacked(u, to, chunk, out.pos, e);
		if (accept && out.pos && !accept(str_n(chunk, out.pos)))
			break;
		if (out.pos)
			accept = NULL;
		/* A call behind the last frame would ask for the next one. */
		if (ZSTD_isError(want) || (in.pos == in.size && (!want || out.pos < out.size)))
			break;
	}
	*cut_short = want != 0;
out:
	ZSTD_freeDStream(z);
	return rc;
}

/* ---- opening ---- */

static enum ttp_rc map_file(struct input *in, int fd, size_t len, struct ttp_err *e)
{
	void *p;

	in->slot = -1;
	in->data = str_n("", 0);
	if (!len)
		return TTP_OK;
	p = mmap(NULL, len, PROT_READ, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED)
		return ttp_fail_errno(e, "cannot map");
	madvise(p, len, MADV_SEQUENTIAL);
	in->mapped_bytes = len;
	in->data = str_n(p, len);
	in->slot = mapping_watch(p, len);
	return TTP_OK;
}

static void unmap(struct input *in)
{
	mapping_forget(in->slot);
	in->slot = -1;
	if (in->mapped_bytes)
		munmap((void *)(uintptr_t)in->data.at, in->mapped_bytes);
	in->mapped_bytes = 0;
	in->data = str_n("", 0);
}

static enum ttp_rc map_temporary(struct input *in, int fd, struct ttp_err *e)
{
	struct stat st;

	if (fstat(fd, &st))
		return ttp_fail_errno(e, "temporary file");
	return map_file(in, fd, (size_t)st.st_size, e);
}

/* A frame, or one to be skipped before it. */
static bool is_zstd(struct str data)
{
	return str_starts(data, STR("\x28\xb5\x2f\xfd")) ||
	       (data.len > 3 && (data.at[0] & 0xF0) == 0x50 &&
		!memcmp(data.at + 1, "\x2a\x4d\x18", 3));
}

/* Replaces a mapping of compressed bytes by one of what they unpack to. */
static enum ttp_rc unpack(struct input *in, input_accept accept, struct ttp_err *e)
{
	bool gzip = str_starts(in->data, STR("\x1f\x8b"));
	bool zstd = is_zstd(in->data);
	struct unpack u;
	enum ttp_rc rc;
	int fd;

	if (!gzip && !zstd)
		return TTP_OK;
	TTP_TRY(unpack_begin(&u, in->data.len, true, e));
	fd = temporary_file_or(e);
	if (fd < 0)
		return TTP_SYS;
	rc = gzip ? inflate_to(in->data, fd, &u, accept, &in->cut_short, e)
		  : unzstd_to(in->data, fd, &u, accept, &in->cut_short, e);
	if (!rc) {
		unmap(in);
		rc = map_temporary(in, fd, e);
	}
	close(fd);
	return rc;
}

/* How it begins says enough of what never ends: zeros, noise, one word again and again. */
bool input_is_table(struct str head)
{
	struct str first, second;

	if (str_starts(head, STR("\x1f\x8b")) || is_zstd(head))
		return true;
	if (str_find_char(head, 0) != STR_NONE)
		return false;
	return !str_split(&head, '\n', &first) || !str_split(&head, '\n', &second) || !head.len ||
	       str_find_char(first, ',') != STR_NONE || str_find_char(second, ',') != STR_NONE;
}

static const char *kind_of(const struct stat *st)
{
	return S_ISFIFO(st->st_mode) ? "pipe" : S_ISSOCK(st->st_mode) ? "socket" : "device";
}

static enum ttp_rc open_input(struct input *in, const char *path, input_accept accept,
			      bool only_file, struct ttp_err *e)
{
	bool is_stdin = !strcmp(path, "-") && !only_file;
	/* Without O_NONBLOCK, a pipe that nobody writes to is waited for here. */
	int fd = is_stdin ? dup(STDIN_FILENO)
			  : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	struct stat st;
	enum ttp_rc rc;

	*in = (struct input){ .name = is_stdin ? "standard input" : path, .slot = -1 };
	if (fd < 0)
		return ttp_fail_errno(e, "%s", in->name);
	if (fstat(fd, &st)) {
		rc = ttp_fail_errno(e, "fstat");
	} else if (S_ISDIR(st.st_mode)) {
		rc = ttp_fail(e, TTP_USAGE, "is a directory");
	} else if (only_file && !S_ISREG(st.st_mode)) {
		rc = ttp_fail(e, TTP_USAGE, "is a %s, not a file", kind_of(&st));
	} else if (S_ISREG(st.st_mode) && lseek(fd, 0, SEEK_CUR) == 0) {
		rc = map_file(in, fd, (size_t)st.st_size, e);
	} else {
		int copy = temporary_file_or(e);

		rc = copy < 0 ? TTP_SYS : copy_stream(fd, copy, accept, e);
		if (!rc)
			rc = map_temporary(in, copy, e);
		fd_release(&copy);
	}
	close(fd);
	if (!rc)
		rc = unpack(in, accept, e);
	if (rc) {
		unmap(in);
		return ttp_wrap(e, rc, "%s", in->name);
	}
	return TTP_OK;
}

enum ttp_rc input_open(struct input *in, const char *path, struct ttp_err *e)
{
	return open_input(in, path, NULL, false, e);
}

enum ttp_rc input_open_if(struct input *in, const char *path, input_accept accept,
			  struct ttp_err *e)
{
	return open_input(in, path, accept, false, e);
}

enum ttp_rc input_open_file(struct input *in, const char *path, struct ttp_err *e)
{
	return open_input(in, path, NULL, true, e);
}

bool input_is_odd(const char *path, struct ttp_err *e)
{
	struct stat st;

	if (stat(path, &st)) {
		if (lstat(path, &st) || !S_ISLNK(st.st_mode))
			return false;
		(void)ttp_fail(e, TTP_USAGE, "%s: is a link that leads nowhere", path);
		return true;
	}
	if (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode))
		return false;
	(void)ttp_fail(e, TTP_USAGE, "%s: is a %s, not a file", path, kind_of(&st));
	return true;
}

bool input_shrunk(const struct input *in)
{
	return in->slot >= 0 && atomic_load(&mappings[in->slot].hit);
}

void input_close(struct input *in)
{
	if (!in->borrowed)
		unmap(in);
}

struct input input_borrow(const struct input *in)
{
	struct input lent = *in;

	lent.borrowed = true;
	return lent;
}
