// SPDX-License-Identifier: Apache-2.0
/*
 * Growable arrays of one type: `VEC(struct zone) zones = { 0 }; *vec_push(&zones) = z;`
 *
 * Small arrays double; large ones grow by a quarter, because columns of a million rows must not carry
 * twice their size (glibc moves large blocks by remapping, so nothing is copied either).  Exhaustion
 * ends the call or the program (base/exhausted.h): sizes from outside are checked against a named limit before they get here.
 *
 * A push may move the block: no pointer into an array is kept across a push to it, and no index is a call
 * (`v.at[f()]` may load `at` before f() moves it).  tests/house/run_facts looks for both; with AddressSanitizer
 * every push to a small array moves it, so that a pointer that was kept is found by the first test that uses it.
 */
#ifndef TTP_BASE_VEC_H
#define TTP_BASE_VEC_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/scoped.h"

#define VEC(type)                \
	struct {                 \
		type *at;        \
		size_t len, cap; \
	}

/* Room for at least `need` elements; returns the new block and stores its capacity. */
void *vec_grow(void *at, size_t *cap, size_t need, size_t size);
/* Exactly `len` elements, for arrays that are finished. */
void *vec_shrink(void *at, size_t *cap, size_t len, size_t size);
/* malloc, calloc and realloc that don't return on exhaustion, for everything that is not a vec. */
void *mem_alloc(size_t n, size_t size);
void *mem_zero(size_t n, size_t size);
char *mem_text(const char *z); /* strdup */

#define vec_reserve(v, n)          \
	((n) <= (v)->cap ? (void)0 \
			 : (void)((v)->at = vec_grow((v)->at, &(v)->cap, (n), sizeof(*(v)->at))))
#define vec_push(v) (vec_reserve((v), (v)->len + 1), &(v)->at[(v)->len++])
/* `n` more, from `from`. */
#define vec_append(v, from, n)                                                    \
	((n) ? (vec_reserve((v), (v)->len + (n)),                                 \
		(void)memcpy((v)->at + (v)->len, (from), (n) * sizeof(*(v)->at)), \
		(void)((v)->len += (n)))                                          \
	     : (void)0)
/* Element `i` is there: those that are missing up to it get this value. */
#define vec_reach(v, i, ...)                        \
	do {                                        \
		while ((v)->len <= (i))             \
			*vec_push(v) = __VA_ARGS__; \
	} while (0)
#define vec_trim(v)    ((void)((v)->at = vec_shrink((v)->at, &(v)->cap, (v)->len, sizeof(*(v)->at))))
#define vec_clear(v)   ((void)((v)->len = 0))
#define vec_release(v) (free((v)->at), (v)->at = NULL, (v)->len = (v)->cap = 0)
/* With the vecs that its elements have as this member. */
#define vec_release_with(v, member)                  \
	do {                                         \
		vec_each (item_, v)                  \
			vec_release(&item_->member); \
		vec_release(v);                      \
	} while (0)
/* By a function as qsort() takes it; base/order.h makes one of a list of keys. */
#define vec_sort(v, by) ((v)->len ? qsort((v)->at, (v)->len, sizeof(*(v)->at), by) : (void)0)
/* With a context, by a function as qsort_r() takes it. */
#define vec_sort_in(v, by, in)                                                             \
	((v)->len ? qsort_r((v)->at, (v)->len, sizeof(*(v)->at), by, (void *)(size_t)(in)) \
		  : (void)0)
/* An empty vec may have no block, and NULL must not be added to. */
#define vec_each(item, v)                                                          \
	for (__typeof__(*(v)->at) *item = (v)->at,                                 \
				  *item##_end = (v)->len ? item + (v)->len : item; \
	     item < item##_end; item++)

/* Any VEC, for SCOPED(vec): its block comes first. */
static inline void(vec_release)(void *v)
{
	mem_release(v);
}

#endif /* TTP_BASE_VEC_H */
