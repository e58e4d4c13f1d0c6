// SPDX-License-Identifier: Apache-2.0
#include "base/vec.h"

#include <string.h>

#include "base/exhausted.h"

enum { DOUBLE_BELOW_BYTES = 64 * 1024 };

/* Elements up to which each push moves the block: see vec.h. */
#if defined(__SANITIZE_ADDRESS__)
#define MOVES_UP_TO 64
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define MOVES_UP_TO 64
#endif
#endif
#ifndef MOVES_UP_TO
#define MOVES_UP_TO 0
#endif

static _Noreturn void out_of_memory(size_t n, size_t size)
{
	size_t bytes;

	exhausted(__builtin_mul_overflow(n, size, &bytes) ? 0 : bytes);
}

void *vec_grow(void *at, size_t *cap, size_t need, size_t size)
{
	size_t want = *cap < DOUBLE_BELOW_BYTES / size ? *cap * 2 : *cap + *cap / 4;
	size_t bytes;
	void *p = NULL;

	if (want < 16)
		want = 16;
	if (want < need || need <= MOVES_UP_TO)
		want = need;
	if (!__builtin_mul_overflow(want, size, &bytes))
		p = realloc(at, bytes);
	if (!p)
		out_of_memory(want, size);
	*cap = want;
	return p;
}

void *vec_shrink(void *at, size_t *cap, size_t len, size_t size)
{
	void *p;

	if (!len) {
		free(at);
		*cap = 0;
		return NULL;
	}
	p = realloc(at, len * size);
	if (!p)
		return at; /* the larger block is as good */
	*cap = len;
	return p;
}

void *mem_alloc(size_t n, size_t size)
{
	size_t bytes;
	void *p = NULL;

	if (!__builtin_mul_overflow(n, size, &bytes))
		p = malloc(bytes ? bytes : 1);
	if (!p)
		out_of_memory(n, size);
	return p;
}

void *mem_zero(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size);

	if (!p)
		out_of_memory(n, size);
	return p;
}

char *mem_text(const char *z)
{
	size_t n = strlen(z) + 1;

	return memcpy(mem_alloc(n, 1), z, n);
}
