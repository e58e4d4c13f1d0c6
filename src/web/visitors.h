// SPDX-License-Identifier: Apache-2.0
/*
 * Connections that have not shown the token yet.  Whoever can reach the port can open them, and keep them open by a byte now and then, so
 * they have VISITOR_S to show it, and there are VISITORS_MAX at most: one more closes the oldest.  Those that showed it are left alone.
 */
#ifndef TTP_WEB_VISITORS_H
#define TTP_WEB_VISITORS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum { VISITOR_S = 5, VISITORS_MAX = 400 };

struct visitor {
	struct visitor *next, *before;
	int fd;
	int64_t came_ns;
	bool known, closed;
};

struct visitors {
	pthread_mutex_t
		lock; /* of the list, which is in the order of coming, and of whoever is in it */
	pthread_cond_t ended;
	struct visitor first; /* the list's ends */
	unsigned strangers;   /* in it, and not closed */
	bool end, begun;
	pthread_t watch;
};

/* A thread that closes those whose time is up; false: it does not start. */
bool visitors_begin(struct visitors *v);
void visitors_end(struct visitors *v);
/* `fd` stays the caller's: it is shut down, not closed, and not looked at after visitor_left(). */
struct visitor *visitor_came(struct visitors *v, int fd);
void visitor_is_known(struct visitors *v, struct visitor *one);
void visitor_left(struct visitors *v, struct visitor *one);

#endif /* TTP_WEB_VISITORS_H */
