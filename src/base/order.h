// SPDX-License-Identifier: Apache-2.0
/* Orders for qsort() and vec_sort(). */
#ifndef TTP_BASE_ORDER_H
#define TTP_BASE_ORDER_H

#include <stddef.h>
#include <stdint.h>

#include "base/each_arg.h"

/* Numbers, rising. */
int order_i64(const void *a, const void *b);
int order_u32(const void *a, const void *b);
int order_u64(const void *a, const void *b);
int order_double(const void *a, const void *b); /* none of them NAN */

/* Numbers of items, those with the largest value first; equal ones by number. */
struct ranked {
	double value;
	unsigned number;
};
int order_ranked(const void *a, const void *b);

/* As ORDER_BY below, but the largest `most` comes first; where these are equal, the smallest `then`. */
#define ORDER_MOST(name, type, most, then)                        \
	static int name(const void *a_, const void *b_)           \
	{                                                         \
		const type *x = a_, *y = b_;                      \
                                                                  \
		if (x->most < y->most || x->most > y->most)       \
			return x->most < y->most ? 1 : -1;        \
		return (x->then > y->then) - (x->then < y->then); \
	}

/*
 * An order is a list of keys: the first member in which two items differ decides, the smaller number comes first.
 *
 *	ORDER_BY(by_device_and_time, struct event, device, time_ns)
 *
 * makes static int by_device_and_time(const void *, const void *), of one to twelve keys.
 */
#define ORDER_KEY(unused, k)            \
	if (x->k < y->k || x->k > y->k) \
		return x->k < y->k ? -1 : 1;
#define ORDER_BY(name, type, ...)                       \
	static int name(const void *a_, const void *b_) \
	{                                               \
		const type *x = a_, *y = b_;            \
                                                        \
		EACH_ARG(ORDER_KEY, , __VA_ARGS__)      \
		return 0;                               \
	}

/*
 * The same for qsort_r(), where keys are expressions: `it` points to an item, `in` to the context.
 *
 *	ORDER_IN(by_start, uint32_t, struct log, in->events.at[*it].start, *it)
 */
#define ORDER_IN_KEY(unused, k)                \
	{                                      \
		it = x;                        \
		const __typeof__(k) l = (k);   \
		it = y;                        \
		const __typeof__(k) r = (k);   \
		if (l < r || l > r)            \
			return l < r ? -1 : 1; \
	}
#define ORDER_IN(name, type, context, ...)                         \
	static int name(const void *a_, const void *b_, void *in_) \
	{                                                          \
		const __typeof__(type) *x = a_, *y = b_, *it;      \
		const context *in = in_;                           \
                                                                   \
		EACH_ARG(ORDER_IN_KEY, , __VA_ARGS__)              \
		(void)in;                                          \
		return 0;                                          \
	}

/*
 * In what is sorted: the first number `i` below `n` for which `before`, an expression of `i`, does not hold; else `n`.
 *
 *	size_t first = order_first(i, starts.len, starts.at[i].time_ns < from_ns);
 */
#define order_first(i, n, before)                         \
	__extension__({                                   \
		size_t lo_ = 0, hi_ = (n);                \
                                                          \
		while (lo_ < hi_) {                       \
			size_t i = lo_ + (hi_ - lo_) / 2; \
                                                          \
			if (before)                       \
				lo_ = i + 1;              \
			else                              \
				hi_ = i;                  \
		}                                         \
		lo_;                                      \
	})

typedef int order_in_fn(const void *a, const void *b, void *in);
/* The numbers below `n` in an order; for the caller to free. */
uint32_t *order_numbers(size_t n, order_in_fn *by, const void *in);

#endif /* TTP_BASE_ORDER_H */
