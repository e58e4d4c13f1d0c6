// SPDX-License-Identifier: Apache-2.0
#include "trace/spill.h"
#include "base/input.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/order.h"
#include "base/paths.h"

void spill_init(struct spill_store *s, size_t limit_bytes)
{
	*s = (struct spill_store){ .limit_bytes = limit_bytes, .fd = -1 };
}

void spill_release(struct spill_store *s)
{
	fd_release(&s->fd);
}

enum ttp_rc spill_check(const struct spill_store *s, struct ttp_err *e)
{
	if (!s->failed)
		return TTP_OK;
	errno = s->failed;
	return ttp_fail_errno(
		e, "temporary file (set TMPDIR to a folder with room, %llu bytes so far)",
		(unsigned long long)s->file_bytes);
}

static void write_at(struct spill_store *s, const uint8_t *at, size_t n, uint64_t offset)
{
	while (n && !s->failed) {
		ssize_t k = pwrite(s->fd, at, n, (off_t)offset);

		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0) {
			s->failed = k < 0 ? errno : ENOSPC;
			return;
		}
		at += k;
		offset += (uint64_t)k;
		n -= (size_t)k;
	}
}

/* Puts a full chunk away: it stays where it is, or goes to the file. */
static void put_away(struct spill_store *s, struct spill_chunk *c)
{
	if (s->used_bytes + c->len <= s->limit_bytes) {
		s->used_bytes += c->len;
		return;
	}
	if (s->fd < 0 && !s->failed) {
		s->fd = temporary_file();
		if (s->fd < 0)
			s->failed = errno;
	}
	if (s->failed) { /* the answer is lost anyway; do not take all memory, too */
		free(c->at);
		c->at = NULL;
		return;
	}
	c->offset = s->file_bytes;
	write_at(s, c->at, c->len, c->offset);
	s->file_bytes += c->len;
	free(c->at);
	c->at = NULL;
}

void spill_more(struct spill_store *s, struct spill_log *l)
{
	struct spill_chunk *last = l->chunks.len ? &l->chunks.at[l->chunks.len - 1] : NULL;
	uint64_t start = 0;
	uint32_t cap = SPILL_CHUNK_MIN;
	struct spill_chunk *c;

	if (last) {
		last->len = (uint32_t)(l->at - last->at);
		start = last->start + last->len;
		cap = last->cap < SPILL_CHUNK_MAX ? last->cap * 2 : last->cap;
		put_away(s, last);
	}
	c = vec_push(&l->chunks);
	*c = (struct spill_chunk){ .at = mem_alloc(cap, 1), .cap = cap, .start = start };
	l->at = c->at;
	l->end = c->at + cap;
}

void spill_add(struct spill_store *s, struct spill_log *l, const void *bytes, size_t n)
{
	const uint8_t *from = bytes;

	while (n) {
		size_t room = (size_t)(l->end - l->at), k = n < room ? n : room;

		if (!room) {
			spill_more(s, l);
			continue;
		}
		memcpy(l->at, from, k);
		l->at += k;
		from += k;
		n -= k;
	}
}

uint64_t spill_size(const struct spill_log *l)
{
	const struct spill_chunk *last;

	if (!l->chunks.len)
		return 0;
	last = &l->chunks.at[l->chunks.len - 1];
	return last->start + (uint64_t)(l->at - last->at);
}

/* Of the chunk that holds byte `at` of the log. */
static size_t chunk_number(const struct spill_log *l, uint64_t at)
{
	size_t after = order_first(i, l->chunks.len, l->chunks.at[i].start <= at);

	return after ? after - 1 : 0;
}

void spill_patch(struct spill_store *s, struct spill_log *l, uint64_t at, const void *bytes,
		 size_t n)
{
	const uint8_t *from = bytes;

	/* Mostly it was added just now. */
	if (l->chunks.len && at >= l->chunks.at[l->chunks.len - 1].start) {
		memcpy(l->chunks.at[l->chunks.len - 1].at +
			       (at - l->chunks.at[l->chunks.len - 1].start),
		       bytes, n);
		return;
	}
	if (l->chunks.len)
		l->chunks.at[l->chunks.len - 1].len =
			(uint32_t)(l->at - l->chunks.at[l->chunks.len - 1].at);
	while (n && !s->failed) {
		size_t number = chunk_number(l, at);
		struct spill_chunk *c = &l->chunks.at[number];
		size_t in = (size_t)(at - c->start), k = c->len - in < n ? c->len - in : n;

		if (c->at)
			memcpy(c->at + in, from, k);
		else
			write_at(s, from, k, c->offset + in);
		at += k;
		from += k;
		n -= k;
	}
}

void spill_log_release(struct spill_store *s, struct spill_log *l)
{
	for (size_t i = 0; i < l->chunks.len; i++) {
		struct spill_chunk *c = &l->chunks.at[i];

		if (c->at && i + 1 < l->chunks.len)
			s->used_bytes -= c->len;
		free(c->at);
	}
	vec_release(&l->chunks);
	l->at = l->end = NULL;
}

bool spill_next_chunk(struct spill_reader *r)
{
	while (r->chunk < r->log->chunks.len) {
		const struct spill_chunk *c = &r->log->chunks.at[r->chunk++];
		size_t len = r->chunk == r->log->chunks.len ? (size_t)(r->log->at - c->at) : c->len;
		size_t got = 0;

		if (!len)
			continue;
		if (c->at) {
			r->at = r->begin = c->at;
			r->end = c->at + len;
			return true;
		}
		if (r->store->failed)
			return false;
		if (!r->buffer)
			r->buffer = mem_alloc(SPILL_CHUNK_MAX, 1);
		while (got < len) {
			ssize_t k = pread(r->store->fd, r->buffer + got, len - got,
					  (off_t)(c->offset + got));

			if (k < 0 && errno == EINTR)
				continue;
			if (k <= 0) {
				r->store->failed = k < 0 ? errno : EIO;
				return false;
			}
			got += (size_t)k;
		}
		r->at = r->begin = r->buffer;
		r->end = r->buffer + len;
		return true;
	}
	return false;
}

bool spill_seek(struct spill_reader *r, uint64_t at)
{
	uint64_t start = r->chunk && r->begin ? r->log->chunks.at[r->chunk - 1].start : 0;

	if (!r->begin || at < start || at - start >= (uint64_t)(r->end - r->begin)) {
		r->at = r->end = r->begin = NULL;
		r->chunk = chunk_number(r->log, at);
		if (!spill_next_chunk(r)) {
			r->bad = true;
			return false;
		}
		start = r->log->chunks.at[r->chunk - 1].start;
		if (at < start || at - start >= (uint64_t)(r->end - r->begin)) {
			r->bad = true;
			return false;
		}
	}
	r->at = r->begin + (at - start);
	return true;
}

const uint8_t *spill_take(struct spill_reader *r, size_t n)
{
	static const uint8_t nothing;
	const uint8_t *p = r->at;

	if (!n)
		return &nothing;
	if ((size_t)(r->end - r->at) >= n) {
		r->at += n;
		return p;
	}
	buf_clear(&r->joined);
	while (r->joined.len < n) {
		size_t want = n - r->joined.len, k;

		if (r->at == r->end && !spill_next_chunk(r)) {
			r->bad = true;
			return NULL;
		}
		k = (size_t)(r->end - r->at) < want ? (size_t)(r->end - r->at) : want;
		buf_add(&r->joined, (const char *)r->at, k);
		r->at += k;
	}
	return (const uint8_t *)r->joined.at;
}

void spill_reader_release(struct spill_reader *r)
{
	free(r->buffer);
	buf_release(&r->joined);
	r->buffer = NULL;
}
