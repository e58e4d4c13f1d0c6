// SPDX-License-Identifier: Apache-2.0
#include "base/exhausted.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *exits_as; /* set before there are threads */
static struct {
	void (*fn)(void *ctx);
	void *ctx;
	pid_t pid;
} last;

void exhausted_exits(const char *prog)
{
	exits_as = prog;
}

void exhausted_exits_after(void (*fn)(void *ctx), void *ctx)
{
	last.fn = NULL;
	last.ctx = ctx;
	last.pid = getpid();
	last.fn = fn;
}

/* Appends `text` to a line of `size` bytes, as far as it fits. */
static size_t add(char *line, size_t size, size_t len, const char *text)
{
	size_t n = strlen(text);

	if (n > size - len)
		n = size - len;
	memcpy(line + len, text, n);
	return len + n;
}

static const char *decimal(char digits[24], size_t v)
{
	char *p = digits + 23;

	*p = 0;
	do
		*--p = (char)('0' + v % 10);
	while (v /= 10);
	return p;
}

/* ---- the way out of a call ---- */

enum { UNDOS_MAX = 32 }; /* nested */

struct undo {
	void (*fn)(void *arg);
	void *arg;
};

static _Thread_local struct exhausted_point *innermost;
static _Thread_local struct undo undos[UNDOS_MAX];
static _Thread_local size_t undo_count;

void exhausted_begin(struct exhausted_point *p)
{
	p->outer = innermost;
	p->undos = undo_count;
	innermost = p;
}

void exhausted_end(struct exhausted_point *p)
{
	assert(innermost == p);
	innermost = p->outer;
}

void exhausted_undo(void (*fn)(void *arg), void *arg)
{
	if (!innermost)
		return;
	assert(undo_count < UNDOS_MAX);
	undos[undo_count++] = (struct undo){ fn, arg };
}

void exhausted_done(void (*fn)(void *arg), const void *arg)
{
	for (size_t i = undo_count; i-- > 0;)
		if (undos[i].fn == fn && undos[i].arg == arg) {
			memmove(undos + i, undos + i + 1, (--undo_count - i) * sizeof(*undos));
			return;
		}
}

static void unlock(void *m)
{
	pthread_mutex_unlock(m);
}

void held_lock(pthread_mutex_t *m)
{
	pthread_mutex_lock(m);
	exhausted_undo(unlock, m);
}

void held_unlock(pthread_mutex_t *m)
{
	exhausted_done(unlock, m);
	pthread_mutex_unlock(m);
}

static void close_it(void *fd)
{
	(void)close((int)(intptr_t)fd);
}

void held_fd(int fd)
{
	exhausted_undo(close_it, (void *)(intptr_t)fd);
}

int held_close(int fd)
{
	exhausted_done(close_it, (void *)(intptr_t)fd);
	return close(fd);
}

static _Noreturn void go_back(void)
{
	struct exhausted_point *p = innermost;

	while (undo_count > p->undos) {
		struct undo u = undos[--undo_count];

		u.fn(u.arg);
	}
	innermost = p->outer;
	longjmp(p->at, 1);
}

_Noreturn void exhausted(size_t bytes)
{
	char line[256], digits[24];
	size_t len = 0, most = sizeof(line) - 1;

	if (innermost)
		go_back();
	len = add(line, most, len, exits_as ? exits_as : "ttprof");
	len = add(line, most, len, ": error: out of memory");
	if (bytes) {
		len = add(line, most, len, " (");
		len = add(line, most, len, decimal(digits, bytes));
		len = add(line, most, len, " bytes)");
	}
	line[len++] = '\n';
	(void)!write(STDERR_FILENO, line, len);
	if (exits_as && last.fn && last.pid == getpid())
		last.fn(last.ctx);
	if (exits_as)
		_exit(EXHAUSTED_STATUS);
	abort();
}
