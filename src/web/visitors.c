// SPDX-License-Identifier: Apache-2.0
#include "web/visitors.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>

#include "base/vec.h"

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Its owner finds the end of it, and closes it. */
static void shut(struct visitors *v, struct visitor *one)
{
	one->closed = true;
	v->strangers--;
	(void)shutdown(one->fd, SHUT_RDWR);
}

static bool is_stranger(const struct visitor *one)
{
	return !one->known && !one->closed;
}

static void *watch(void *of)
{
	struct visitors *v = of;

	pthread_mutex_lock(&v->lock);
	while (!v->end) {
		int64_t late = now_ns() - (int64_t)VISITOR_S * 1000000000;
		struct timespec until;

		for (struct visitor *i = v->first.next; i != &v->first && i->came_ns < late;
		     i = i->next)
			if (is_stranger(i))
				shut(v, i);
		clock_gettime(CLOCK_MONOTONIC, &until);
		until.tv_sec++;
		(void)pthread_cond_timedwait(&v->ended, &v->lock, &until);
	}
	pthread_mutex_unlock(&v->lock);
	return NULL;
}

bool visitors_begin(struct visitors *v)
{
	pthread_condattr_t by;

	*v = (struct visitors){ .lock = PTHREAD_MUTEX_INITIALIZER };
	v->first.next = v->first.before = &v->first;
	pthread_condattr_init(&by);
	pthread_condattr_setclock(&by, CLOCK_MONOTONIC);
	pthread_cond_init(&v->ended, &by);
	pthread_condattr_destroy(&by);
	v->begun = !pthread_create(&v->watch, NULL, watch, v);
	return v->begun;
}

void visitors_end(struct visitors *v)
{
	if (!v->begun)
		return;
	pthread_mutex_lock(&v->lock);
	v->end = true;
	pthread_cond_signal(&v->ended);
	pthread_mutex_unlock(&v->lock);
	pthread_join(v->watch, NULL);
	pthread_cond_destroy(&v->ended);
	pthread_mutex_destroy(&v->lock);
}

struct visitor *visitor_came(struct visitors *v, int fd)
{
	struct visitor *one = mem_zero(1, sizeof(*one));

	one->fd = fd;
	one->came_ns = now_ns();
	pthread_mutex_lock(&v->lock);
	if (v->strangers >= VISITORS_MAX) {
		struct visitor *oldest = v->first.next;

		while (!is_stranger(oldest))
			oldest = oldest->next;
		shut(v, oldest);
	}
	one->before = v->first.before;
	one->next = &v->first;
	one->before->next = one->next->before = one;
	v->strangers++;
	pthread_mutex_unlock(&v->lock);
	return one;
}

void visitor_is_known(struct visitors *v, struct visitor *one)
{
	pthread_mutex_lock(&v->lock);
	if (is_stranger(one)) {
		one->known = true;
		v->strangers--;
	}
	pthread_mutex_unlock(&v->lock);
}

void visitor_left(struct visitors *v, struct visitor *one)
{
	pthread_mutex_lock(&v->lock);
	v->strangers -= is_stranger(one);
	one->before->next = one->next;
	one->next->before = one->before;
	pthread_mutex_unlock(&v->lock);
	free(one);
}
