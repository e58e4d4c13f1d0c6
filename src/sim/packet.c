// SPDX-License-Identifier: Apache-2.0
/* Packets, and heaps of them in the order of time.  Nothing here aborts: memory that is not there is a fault. */
#include <stdlib.h>
#include <string.h>

#include "sim/machine.h"

struct packet *packet_new(uint32_t room)
{
	struct packet *p = malloc(sizeof(*p) + room);

	if (!p)
		return NULL;
	memset(p, 0, sizeof(*p));
	p->room = room;
	p->refs = 1;
	return p;
}

/* Those of a multicast share one piece of data, and may be delivered by two threads. */
void packet_free(struct packet *p)
{
	struct packet *shared = p->shared;

	if (__atomic_sub_fetch(&p->refs, 1, __ATOMIC_ACQ_REL) > 0)
		return;
	free(p);
	if (shared)
		packet_free(shared);
}

static bool before(const struct packet_slot *a, const struct packet_slot *b)
{
	return a->t != b->t ? a->t < b->t : a->order < b->order;
}

bool packet_heap_push(struct packet_heap *h, struct packet *p)
{
	struct packet_slot slot = { p->t, p->order, p };
	size_t i = h->len;

	if (h->len == h->cap) {
		size_t cap = h->cap ? h->cap * 2 : 16;
		struct packet_slot *at = realloc(h->at, cap * sizeof(*at));

		if (!at)
			return false;
		h->at = at;
		h->cap = cap;
	}
	h->len++;
	while (i && before(&slot, &h->at[(i - 1) / 2])) {
		h->at[i] = h->at[(i - 1) / 2];
		i = (i - 1) / 2;
	}
	h->at[i] = slot;
	return true;
}

struct packet *packet_heap_pop(struct packet_heap *h)
{
	struct packet *top = h->at[0].p;
	struct packet_slot last = h->at[--h->len];
	size_t i = 0;

	for (;;) {
		size_t child = 2 * i + 1;

		if (child >= h->len)
			break;
		if (child + 1 < h->len && before(&h->at[child + 1], &h->at[child]))
			child++;
		if (!before(&h->at[child], &last))
			break;
		h->at[i] = h->at[child];
		i = child;
	}
	if (h->len)
		h->at[i] = last;
	return top;
}
