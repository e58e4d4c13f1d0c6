// SPDX-License-Identifier: Apache-2.0
#include "base/queue.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

void queue_init(struct queue *q, size_t capacity, size_t item_size)
{
	assert(capacity && item_size);
	*q = (struct queue){ .item_size = item_size, .capacity = capacity };
	q->items = mem_alloc(capacity, item_size);
	pthread_mutex_init(&q->lock, NULL);
	pthread_cond_init(&q->not_empty, NULL);
	pthread_cond_init(&q->not_full, NULL);
}

void queue_release(struct queue *q)
{
	pthread_cond_destroy(&q->not_full);
	pthread_cond_destroy(&q->not_empty);
	pthread_mutex_destroy(&q->lock);
	free(q->items);
	q->items = NULL;
}

static bool push(struct queue *q, const void *item, bool wait)
{
	bool fits;

	pthread_mutex_lock(&q->lock);
	while (wait && !q->closed && q->count == q->capacity)
		pthread_cond_wait(&q->not_full, &q->lock);
	fits = !q->closed && q->count < q->capacity;
	if (fits) {
		size_t at = q->head + q->count++;

		if (at >= q->capacity)
			at -= q->capacity;
		memcpy(q->items + at * q->item_size, item, q->item_size);
		pthread_cond_signal(&q->not_empty);
	}
	pthread_mutex_unlock(&q->lock);
	return fits;
}

static bool pop(struct queue *q, void *item, bool wait)
{
	bool any;

	pthread_mutex_lock(&q->lock);
	while (wait && !q->closed && !q->count)
		pthread_cond_wait(&q->not_empty, &q->lock);
	any = q->count;
	if (any) {
		memcpy(item, q->items + q->head * q->item_size, q->item_size);
		q->head = q->head + 1 == q->capacity ? 0 : q->head + 1;
		q->count--;
		pthread_cond_signal(&q->not_full);
	}
	pthread_mutex_unlock(&q->lock);
	return any;
}

bool queue_push(struct queue *q, const void *item)
{
	return push(q, item, true);
}

bool queue_pop(struct queue *q, void *item)
{
	return pop(q, item, true);
}

bool queue_try_push(struct queue *q, const void *item)
{
	return push(q, item, false);
}

bool queue_try_pop(struct queue *q, void *item)
{
	return pop(q, item, false);
}

void queue_close(struct queue *q)
{
	pthread_mutex_lock(&q->lock);
	q->closed = true;
	pthread_cond_broadcast(&q->not_empty);
	pthread_cond_broadcast(&q->not_full);
	pthread_mutex_unlock(&q->lock);
}
