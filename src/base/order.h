// SPDX-License-Identifier: Apache-2.0
/* Orders for qsort() and vec_sort(). */
#ifndef TTP_BASE_ORDER_H
#define TTP_BASE_ORDER_H

/* Numbers, rising. */
int order_i64(const void *a, const void *b);
int order_u32(const void *a, const void *b);
int order_u64(const void *a, const void *b);
int order_double(const void *a, const void *b); /* none of them NAN */

/*
 * An order is a list of keys: the first member in which two items differ decides, the smaller number comes first.
 *
 *	ORDER_BY(by_device_and_time, struct event, device, time_ns)
 *
 * makes static int by_device_and_time(const void *, const void *), of one to four keys.
 */
#define ORDER_KEY(k)                    \
	if (x->k < y->k || x->k > y->k) \
		return x->k < y->k ? -1 : 1;
#define ORDER_1(a)          ORDER_KEY(a)
#define ORDER_2(a, b)       ORDER_KEY(a) ORDER_KEY(b)
#define ORDER_3(a, b, c)    ORDER_2(a, b) ORDER_KEY(c)
#define ORDER_4(a, b, c, d) ORDER_3(a, b, c) ORDER_KEY(d)

#define ORDER_PICK(a, b, c, d, keys, ...) keys
#define ORDER_BY(name, type, ...)                                                           \
	static int name(const void *a_, const void *b_)                                     \
	{                                                                                   \
		const type *x = a_, *y = b_;                                                \
                                                                                            \
		ORDER_PICK(__VA_ARGS__, ORDER_4, ORDER_3, ORDER_2, ORDER_1, )(__VA_ARGS__); \
		return 0;                                                                   \
	}

#endif /* TTP_BASE_ORDER_H */
