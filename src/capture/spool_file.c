// SPDX-License-Identifier: Apache-2.0
#include "capture/capture_session.h"

#include <errno.h>
#include <sys/uio.h>
#include <unistd.h>

void spool_file_fail(struct spool_file *f, int error)
{
	f->failed = true;
	errno = error;
	(void)ttp_fail_errno(&f->error, "after %llu bytes of the spool",
			     (unsigned long long)f->bytes);
	/* Half a record would only be taken for damage. */
	if (ftruncate(f->fd, (off_t)f->bytes))
		return;
}

static void write_all(struct spool_file *f, struct iovec *v, int n, uint64_t offset)
{
	while (n && !f->failed) {
		ssize_t k = pwritev(f->fd, v, n, (off_t)offset);

		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0) {
			spool_file_fail(f, k < 0 ? errno : ENOSPC);
			return;
		}
		offset += (uint64_t)k;
		while (n && (size_t)k >= v->iov_len) {
			k -= (ssize_t)v->iov_len;
			v++;
			n--;
		}
		if (n) {
			v->iov_base = (char *)v->iov_base + k;
			v->iov_len -= (size_t)k;
		}
	}
}

void spool_file_begin(struct spool_file *f, int fd)
{
	char magic[SPOOL_MAGIC_BYTES] = SPOOL_MAGIC;
	struct iovec v = { magic, sizeof(magic) };

	*f = (struct spool_file){ .fd = fd };
	write_all(f, &v, 1, 0);
	f->bytes = sizeof(magic);
}

void spool_file_replace(struct spool_file *f, uint64_t offset, enum spool_type type, uint8_t flags,
			uint16_t stream, const void *payload, size_t len)
{
	uint8_t header[SPOOL_HEADER_BYTES];
	struct iovec v[2] = { { header, sizeof(header) }, { NULL, len } };

	if (f->failed)
		return;
	memcpy(&v[1].iov_base, &payload, sizeof(payload)); /* written from, never to */
	spool_header_put(header, type, flags, stream, payload, len);
	write_all(f, v, len ? 2 : 1, offset);
}

void spool_file_add(struct spool_file *f, enum spool_type type, uint8_t flags, uint16_t stream,
		    const void *payload, size_t len)
{
	if (f->failed)
		return;
	spool_file_replace(f, f->bytes, type, flags, stream, payload, len);
	if (!f->failed)
		f->bytes += SPOOL_HEADER_BYTES + len;
}
