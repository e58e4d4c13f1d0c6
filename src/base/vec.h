// SPDX-License-Identifier: Apache-2.0
/*
 * Growable arrays of one type: `VEC(struct zone) zones = { 0 }; *vec_push(&zones) = z;`
 *
 * Small arrays double; large ones grow by a quarter, because columns of a million rows must not carry
 * twice their size (glibc moves large blocks by remapping, so nothing is copied either).  Exhaustion
 * aborts: sizes that come from outside are checked against a named limit before they get here.
 */
#ifndef TTP_BASE_VEC_H
#define TTP_BASE_VEC_H

#include <stddef.h>
#include <stdlib.h>

#define VEC(type)                \
	struct {                 \
		type *at;        \
		size_t len, cap; \
	}

/* Room for at least `need` elements; returns the new block and stores its capacity. */
void *vec_grow(void *at, size_t *cap, size_t need, size_t size);
/* Exactly `len` elements, for arrays that are finished. */
void *vec_shrink(void *at, size_t *cap, size_t len, size_t size);
/* malloc, calloc and realloc that abort on exhaustion, for everything that is not a vec. */
void *mem_alloc(size_t n, size_t size);
void *mem_zero(size_t n, size_t size);

#define vec_reserve(v, n)          \
	((n) <= (v)->cap ? (void)0 \
			 : (void)((v)->at = vec_grow((v)->at, &(v)->cap, (n), sizeof(*(v)->at))))
#define vec_push(v)    (vec_reserve((v), (v)->len + 1), &(v)->at[(v)->len++])
#define vec_trim(v)    ((void)((v)->at = vec_shrink((v)->at, &(v)->cap, (v)->len, sizeof(*(v)->at))))
#define vec_clear(v)   ((void)((v)->len = 0))
#define vec_release(v) (free((v)->at), (v)->at = NULL, (v)->len = (v)->cap = 0)
/* By a function as qsort() takes it; base/order.h makes one of a list of keys. */
#define vec_sort(v, by) ((v)->len ? qsort((v)->at, (v)->len, sizeof(*(v)->at), by) : (void)0)
/* An empty vec may have no block, and NULL must not be added to. */
#define vec_each(item, v)                                                          \
	for (__typeof__(*(v)->at) *item = (v)->at,                                 \
				  *item##_end = (v)->len ? item + (v)->len : item; \
	     item < item##_end; item++)

#endif /* TTP_BASE_VEC_H */
