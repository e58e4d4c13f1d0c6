// SPDX-License-Identifier: Apache-2.0
#include "base/out.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/vec.h"

enum { OUT_BYTES = 256 * 1024 };

void out_init(struct out *o, int fd, const char *name)
{
	*o = (struct out){ .fd = fd, .name = name, .screen = isatty(fd) == 1 };
}

void out_init_screen(struct out *o, struct buf *to)
{
	*o = (struct out){
		.fd = -1, .name = "memory", .screen = true, .escapes = HARMLESS_COLOURS, .into = to
	};
}

static void write_all(struct out *o, const char *at, size_t len)
{
	if (o->into) {
		buf_add(o->into, at, len);
		return;
	}
	while (len && !o->failed) {
		ssize_t n = write(o->fd, at, len);

		if (n >= 0) {
			at += n;
			len -= (size_t)n;
		} else if (errno ==
			   EAGAIN) { /* somebody made our end non-blocking: wait for room */
			struct pollfd room = { .fd = o->fd, .events = POLLOUT };

			if (poll(&room, 1, -1) < 0 && errno != EINTR)
				o->failed = errno;
		} else if (errno != EINTR) {
			o->failed = errno;
		}
	}
}

/* What waits, but for the start of a sequence whose end is still to come. */
static void write_waiting(struct out *o, bool last)
{
	struct buf b = { 0 };
	size_t took = o->len;

	if (o->screen) {
		took = harmless_gate(&b, str_n(o->at, o->len), o->escapes, last);
		write_all(o, b.at, b.len);
		buf_release(&b);
	} else {
		write_all(o, o->at, o->len);
	}
	o->len -= took;
	if (o->len)
		memmove(o->at, o->at + took, o->len);
}

void out_flush(struct out *o)
{
	write_waiting(o, false);
}

void out_add(struct out *o, const char *at, size_t len)
{
	if (!len || o->failed)
		return;
	o->total_bytes += len;
	if (!o->at)
		o->at = mem_alloc(OUT_BYTES, 1);
	if (len > OUT_BYTES - o->len)
		out_flush(o);
	while (o->screen && len > OUT_BYTES / 2 && !o->failed) {
		memcpy(o->at + o->len, at, OUT_BYTES / 2);
		o->len += OUT_BYTES / 2;
		at += OUT_BYTES / 2;
		len -= OUT_BYTES / 2;
		out_flush(o);
	}
	if (len >= OUT_BYTES) {
		write_all(o, at, len);
		return;
	}
	memcpy(o->at + o->len, at, len);
	o->len += len;
}

char *out_room(struct out *o, size_t len)
{
	if (!o->at)
		o->at = mem_alloc(OUT_BYTES, 1);
	if (len > OUT_BYTES - o->len)
		out_flush(o);
	return o->at + o->len;
}

void out_took(struct out *o, size_t len)
{
	if (o->failed)
		return;
	o->total_bytes += len;
	o->len += len;
}

void out_printf(struct out *o, const char *fmt, ...)
{
	SCOPED(buf) struct buf b = { 0 };
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(&b, fmt, ap);
	va_end(ap);
	out_add(o, b.at, b.len);
}

void out_release(struct out *o)
{
	free(o->at);
	o->at = NULL;
	o->len = 0;
}

enum ttp_rc out_finish(struct out *o, struct ttp_err *e)
{
	write_waiting(o, true);
	out_release(o);
	if (!o->failed)
		return TTP_OK;
	errno = o->failed;
	return ttp_fail_errno(e, "%s", o->name ? o->name : "output");
}
