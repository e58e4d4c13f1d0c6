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

#define SCOPED(x) __attribute__((cleanup(x##_release)))

#define RELEASE_1(x, a)       x##_release(a)
#define RELEASE_2(x, a, ...)  x##_release(a), RELEASE_1(x, __VA_ARGS__)
#define RELEASE_3(x, a, ...)  x##_release(a), RELEASE_2(x, __VA_ARGS__)
#define RELEASE_4(x, a, ...)  x##_release(a), RELEASE_3(x, __VA_ARGS__)
#define RELEASE_5(x, a, ...)  x##_release(a), RELEASE_4(x, __VA_ARGS__)
#define RELEASE_6(x, a, ...)  x##_release(a), RELEASE_5(x, __VA_ARGS__)
#define RELEASE_7(x, a, ...)  x##_release(a), RELEASE_6(x, __VA_ARGS__)
#define RELEASE_8(x, a, ...)  x##_release(a), RELEASE_7(x, __VA_ARGS__)
#define RELEASE_9(x, a, ...)  x##_release(a), RELEASE_8(x, __VA_ARGS__)
#define RELEASE_10(x, a, ...) x##_release(a), RELEASE_9(x, __VA_ARGS__)
#define RELEASE_11(x, a, ...) x##_release(a), RELEASE_10(x, __VA_ARGS__)
#define RELEASE_12(x, a, ...) x##_release(a), RELEASE_11(x, __VA_ARGS__)

#define RELEASE_PICK(a, b, c, d, e, f, g, h, i, j, k, l, pick, ...) pick
#define RELEASE(x, ...)                                                                     \
	RELEASE_PICK(__VA_ARGS__, RELEASE_12, RELEASE_11, RELEASE_10, RELEASE_9, RELEASE_8, \
		     RELEASE_7, RELEASE_6, RELEASE_5, RELEASE_4, RELEASE_3, RELEASE_2,      \
		     RELEASE_1, )                                                           \
	(x, __VA_ARGS__)

/* What malloc() gave, or NULL; takes the address of the pointer, for SCOPED(mem). */
static inline void mem_release(void *pointer)
{
	void *at;

	__builtin_memcpy(&at, pointer, sizeof(at));
	free(at);
}

#endif /* TTP_BASE_SCOPED_H */
