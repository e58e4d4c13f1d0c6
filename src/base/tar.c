// SPDX-License-Identifier: Apache-2.0
#include "base/tar.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/str.h"
#include "base/vec.h"

enum { BLOCK = 512, CHUNK = 1 << 16 };

struct packer {
	struct out *to;
	bool plain;
	z_stream z;
	unsigned char packed[CHUNK];
};

static void pack(struct packer *p, const void *at, size_t n, int flush)
{
	if (p->plain) {
		out_add(p->to, at, n);
		return;
	}
	p->z.next_in = (unsigned char *)(uintptr_t)at; /* zlib does not write there */
	p->z.avail_in = (unsigned)n;
	do {
		p->z.next_out = p->packed;
		p->z.avail_out = CHUNK;
		(void)deflate(&p->z, flush);
		out_add(p->to, (const char *)p->packed, CHUNK - p->z.avail_out);
	} while (!p->z.avail_out);
}

static void header(char block[BLOCK], char type, const char *name, uint64_t size)
{
	unsigned sum = 0;

	memset(block, 0, BLOCK);
	snprintf(block, 100, "%.99s", name);
	snprintf(block + 100, 8, "%07o", 0644);
	snprintf(block + 108, 8, "%07o", 0);
	snprintf(block + 116, 8, "%07o", 0);
	snprintf(block + 136, 12, "%011o", 0);
	block[156] = type;
	memcpy(block + 257, "ustar", 6);
	memcpy(block + 263, "00", 2);
	if (size < 1ull << 33) {
		snprintf(block + 124, 12, "%011llo", (unsigned long long)size);
	} else { /* base 256, as GNU tar */
		block[124] = (char)0x80;
		for (int i = 0; i < 8; i++)
			block[135 - i] = (char)(size >> 8 * i);
	}
	memset(block + 148, ' ', 8);
	for (int i = 0; i < BLOCK; i++)
		sum += (unsigned char)block[i];
	snprintf(block + 148, 7, "%06o", sum & 0777777);
}

static void pad(struct packer *p, uint64_t size)
{
	static const char zeros[BLOCK];

	if (size % BLOCK)
		pack(p, zeros, (size_t)(BLOCK - size % BLOCK), Z_NO_FLUSH);
}

/* "LENGTH path=NAME\n", where LENGTH counts itself. */
static void add_long_name(struct packer *p, const char *name)
{
	char block[BLOCK];
	SCOPED(buf) struct buf b = { 0 };
	size_t rest = strlen(" path=\n") + strlen(name), digits = 1;

	for (size_t ten = 10; rest + digits >= ten; ten *= 10)
		digits++;
	buf_printf(&b, "%zu path=%s\n", rest + digits, name);
	header(block, 'x', "PaxHeaders/name", b.len);
	pack(p, block, BLOCK, Z_NO_FLUSH);
	pack(p, b.at, b.len, Z_NO_FLUSH);
	pad(p, b.len);
}

static enum ttp_rc add_file(struct packer *p, const struct tar_file *f, struct ttp_err *e)
{
	char block[BLOCK], *chunk;
	int fd = open(f->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe is not waited for */
	struct stat st;
	uint64_t left;
	enum ttp_rc rc = TTP_OK;

	if (fd < 0)
		return ttp_fail_errno(e, "%s", f->path);
	if (fstat(fd, &st)) {
		rc = ttp_fail_errno(e, "%s", f->path);
		close(fd);
		return rc;
	}
	if (!S_ISREG(st.st_mode)) {
		close(fd);
		return ttp_fail(e, TTP_USAGE, "%s: not a file", f->path);
	}
	left = (uint64_t)st.st_size;
	if (strlen(f->name) >= 100)
		add_long_name(p, f->name);
	header(block, '0', f->name, left);
	pack(p, block, BLOCK, Z_NO_FLUSH);
	chunk = mem_zero(CHUNK, 1);
	while (left && out_ok(p->to)) {
		size_t want = left < CHUNK ? (size_t)left : CHUNK;
		ssize_t n = read(fd, chunk, want);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			rc = ttp_fail_errno(e, "%s: after %llu bytes", f->path,
					    (unsigned long long)((uint64_t)st.st_size - left));
		else if (!n)
			rc = ttp_fail(e, TTP_GONE, "%s: got shorter while it was read: try again",
				      f->path);
		if (rc)
			break;
		pack(p, chunk, (size_t)n, Z_NO_FLUSH);
		left -= (uint64_t)n;
	}
	pad(p, (uint64_t)st.st_size);
	free(chunk);
	close(fd);
	return rc;
}

static enum ttp_rc add_files(struct packer *p, const struct tar_file *files, size_t n,
			     struct ttp_err *e)
{
	char end[2 * BLOCK] = { 0 };
	enum ttp_rc rc = TTP_OK;

	for (size_t i = 0; i < n && !rc; i++)
		rc = add_file(p, &files[i], e);
	pack(p, end, sizeof(end), Z_FINISH);
	return rc;
}

enum ttp_rc tar_write(struct out *to, const struct tar_file *files, size_t n, struct ttp_err *e)
{
	SCOPED(mem) struct packer *p = mem_zero(1, sizeof(*p));

	p->to = to;
	p->plain = true;
	return add_files(p, files, n, e);
}

enum ttp_rc tar_gz_write(struct out *to, const struct tar_file *files, size_t n, struct ttp_err *e)
{
	SCOPED(mem) struct packer *p = mem_zero(1, sizeof(*p));
	enum ttp_rc rc;

	p->to = to;
	if (deflateInit2(&p->z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
		return ttp_fail(e, TTP_LIMIT, "no memory to compress with");
	rc = add_files(p, files, n, e);
	deflateEnd(&p->z);
	return rc;
}
