// SPDX-License-Identifier: Apache-2.0
#include "capture/capture_session.h"

#include <errno.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static void sync_now(struct spool_sync *s)
{
	/* A file that can't be synced, such as a pipe, promises nothing. */
	if (fdatasync(s->fd) && errno != EINVAL && errno != EROFS && errno != ENOSYS)
		s->failed = errno;
}

static void *run(void *ctx)
{
	struct spool_sync *s = ctx;
	struct timespec next;

	pthread_mutex_lock(&s->lock);
	while (!s->stop) {
		clock_gettime(CLOCK_MONOTONIC, &next);
		next.tv_sec += SPOOL_SYNC_S;
		while (!s->stop && !pthread_cond_timedwait(&s->wake, &s->lock, &next))
			;
		if (s->stop)
			break;
		pthread_mutex_unlock(&s->lock);
		sync_now(s);
		pthread_mutex_lock(&s->lock);
	}
	pthread_mutex_unlock(&s->lock);
	return NULL;
}

void spool_sync_begin(struct spool_sync *s, int fd)
{
	pthread_condattr_t monotonic;
	sigset_t all, before;

	*s = (struct spool_sync){ .fd = fd };
	pthread_mutex_init(&s->lock, NULL);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&s->wake, &monotonic);
	pthread_condattr_destroy(&monotonic);
	/* Signals are for other threads. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	s->on = !pthread_create(&s->thread, NULL, run, s);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void spool_sync_end(struct spool_sync *s)
{
	pthread_mutex_lock(&s->lock);
	s->stop = true;
	pthread_cond_signal(&s->wake);
	pthread_mutex_unlock(&s->lock);
	if (s->on)
		pthread_join(s->thread, NULL);
	s->on = false;
	pthread_cond_destroy(&s->wake);
	pthread_mutex_destroy(&s->lock);
}
