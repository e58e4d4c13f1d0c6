// SPDX-License-Identifier: Apache-2.0
/*
 * A bounded queue between threads: ownership of what is in an item moves with it.
 *
 * Items have one fixed size and are copied in and out (for anything large, a pointer).  First in, first
 * out; any number of threads on either side.  A full queue makes producers wait, so a slow consumer
 * slows them down instead of filling memory.
 *
 * Closing means that nothing more will come: pushes are refused (the item stays the caller's), pops give
 * what is left and then say so.  Either side may close, more than once.  Close, let all threads
 * leave, then release.  Exhaustion aborts; nothing else can fail.
 */
#ifndef TTP_BASE_QUEUE_H
#define TTP_BASE_QUEUE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct queue {
	pthread_mutex_t lock; /* over all below; no other lock is taken while it is held */
	pthread_cond_t not_empty, not_full;
	unsigned char *items;
	size_t item_size, capacity;
	size_t head, count;
	bool closed;
};

void queue_init(struct queue *q, size_t capacity, size_t item_size);
/* Items that are still inside are forgotten: pop them first if they own something. */
void queue_release(struct queue *q);

/* Waits for room; false if the queue is closed. */
bool queue_push(struct queue *q, const void *item);
/* Waits for an item; false once the queue is closed and empty. */
bool queue_pop(struct queue *q, void *item);
/* Without waiting; false also when full, or empty. */
bool queue_try_push(struct queue *q, const void *item);
bool queue_try_pop(struct queue *q, void *item);
/* Wakes everyone who waits. */
void queue_close(struct queue *q);

#endif /* TTP_BASE_QUEUE_H */
