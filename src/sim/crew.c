// SPDX-License-Identifier: Apache-2.0
#include "sim/machine.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

/* Windows follow each other within microseconds while there is work, so a look is cheaper than sleep. */
enum { LOOKS = 4000, WORTH_IT = 4 };

struct crew {
	pthread_t thread;
	pthread_mutex_t lock; /* only for sleeping and waking */
	pthread_cond_t work;
	bool asleep;
	bool quit;
	uint64_t round;    /* written by the caller with release, after the list */
	uint64_t finished; /* last round that the thread is through with */
	struct node **nodes;
	int count, next;
	uint64_t end;
};

static void take_tiles(struct crew *c)
{
	int i;

	while ((i = __atomic_fetch_add(&c->next, 1, __ATOMIC_RELAXED)) < c->count)
		node_run(c->nodes[i], c->end, false);
}

/* False when it is time to go. */
static bool wait_for_round(struct crew *c, uint64_t seen)
{
	for (int i = 0; i < LOOKS; i++)
		if (__atomic_load_n(&c->round, __ATOMIC_ACQUIRE) != seen)
			return !__atomic_load_n(&c->quit, __ATOMIC_RELAXED);
	pthread_mutex_lock(&c->lock);
	c->asleep = true;
	while (__atomic_load_n(&c->round, __ATOMIC_ACQUIRE) == seen)
		pthread_cond_wait(&c->work, &c->lock);
	c->asleep = false;
	pthread_mutex_unlock(&c->lock);
	return !__atomic_load_n(&c->quit, __ATOMIC_RELAXED);
}

static void *work(void *arg)
{
	struct crew *c = arg;

	for (uint64_t seen = 0; wait_for_round(c, seen); seen++) {
		take_tiles(c);
		__atomic_store_n(&c->finished, seen + 1, __ATOMIC_RELEASE);
	}
	return NULL;
}

static void begin_round(struct crew *c)
{
	pthread_mutex_lock(&c->lock);
	__atomic_store_n(&c->round, c->round + 1, __ATOMIC_RELEASE);
	if (c->asleep)
		pthread_cond_signal(&c->work);
	pthread_mutex_unlock(&c->lock);
}

enum ttp_rc crew_new(struct crew **out, struct ttp_err *e)
{
	struct crew *c = calloc(1, sizeof(*c));
	int error;

	if (!c)
		return ttp_fail(e, TTP_LIMIT, "embedded chip: no memory for a thread");
	pthread_mutex_init(&c->lock, NULL);
	pthread_cond_init(&c->work, NULL);
	error = pthread_create(&c->thread, NULL, work, c);
	if (error) {
		pthread_cond_destroy(&c->work);
		pthread_mutex_destroy(&c->lock);
		free(c);
		return ttp_fail(e, TTP_LIMIT, "embedded chip: no thread (error %d)", error);
	}
	*out = c;
	return TTP_OK;
}

void crew_free(struct crew *c)
{
	if (!c)
		return;
	__atomic_store_n(&c->quit, true, __ATOMIC_RELAXED);
	begin_round(c);
	pthread_join(c->thread, NULL);
	pthread_cond_destroy(&c->work);
	pthread_mutex_destroy(&c->lock);
	free(c);
}

void crew_run(struct crew *c, struct node **nodes, int count, uint64_t end)
{
	if (!c || count < WORTH_IT) {
		for (int i = 0; i < count; i++)
			node_run(nodes[i], end, false);
		return;
	}
	c->nodes = nodes;
	c->count = count;
	c->end = end;
	__atomic_store_n(&c->next, 0, __ATOMIC_RELAXED);
	begin_round(c);
	take_tiles(c);
	for (int i = 0; __atomic_load_n(&c->finished, __ATOMIC_ACQUIRE) != c->round; i++)
		if (i > LOOKS)
			sched_yield();
}
