// SPDX-License-Identifier: Apache-2.0
/*
 * Locals that are released when their scope ends, whichever way it is left:
 *
 *	SCOPED(buf) struct buf path = { 0 }, text = { 0 };
 *	SCOPED(vec) VEC(uint32_t) rows = { 0 };
 *	SCOPED(mem) double *sums = mem_zero(n, sizeof(*sums));
 *
 * SCOPED(x) calls x_release() with the variable's address.  The variable must be fit for that from its declaration on.
 *
 * What a struct owns is a list in its own release function:
 *
 *	RELEASE(vec, &t->zones, &t->runs, &t->names);
 *
 * calls vec_release() for each of up to twelve addresses; RELEASE(mem, ...) frees pointers, by their addresses.
 */
#ifndef TTP_BASE_SCOPED_H
#define TTP_BASE_SCOPED_H

#include <stdlib.h>

#include "base/each_arg.h"

#define SCOPED(x) __attribute__((cleanup(x##_release)))

#define RELEASE_ONE(x, a) x##_release(a),
#define RELEASE(x, ...)   (EACH_ARG(RELEASE_ONE, x, __VA_ARGS__)(void) 0)

/* What malloc() gave, or NULL; takes the address of the pointer, for SCOPED(mem). */
static inline void mem_release(void *pointer)
{
	void *at;

	__builtin_memcpy(&at, pointer, sizeof(at));
	free(at);
}

#endif /* TTP_BASE_SCOPED_H */
