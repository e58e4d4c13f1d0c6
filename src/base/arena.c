// SPDX-License-Identifier: Apache-2.0
#include "base/arena.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "base/exhausted.h"

enum { BLOCK_MIN = 64 * 1024 };

struct arena_block {
	struct arena_block *next;
	size_t used, size;
	alignas(max_align_t) unsigned char mem[];
};

void *arena_alloc(struct arena *a, size_t n, size_t size)
{
	struct arena_block *b = a->head;
	size_t want;
	void *p;

	if (__builtin_mul_overflow(n, size, &want) ||
	    __builtin_add_overflow(want, alignof(max_align_t) - 1, &want))
		exhausted(0);
	want &= ~(alignof(max_align_t) - 1);

	if (!b || b->size - b->used < want) {
		size_t cap = want > BLOCK_MIN ? want : BLOCK_MIN;
		size_t bytes;

		if (__builtin_add_overflow(cap, sizeof(*b), &bytes))
			exhausted(0);
		b = calloc(1, bytes);
		if (!b)
			exhausted(bytes);
		b->size = cap;
		b->next = a->head;
		a->head = b;
	}
	p = b->mem + b->used;
	b->used += want;
	a->total += want;
	return p;
}

char *arena_dup(struct arena *a, const char *s, size_t len)
{
	char *p = arena_alloc(a, len + 1, 1);

	if (len)
		memcpy(p, s, len);
	return p;
}

void arena_release(struct arena *a)
{
	while (a->head) {
		struct arena_block *next = a->head->next;

		free(a->head);
		a->head = next;
	}
	a->total = 0;
}
