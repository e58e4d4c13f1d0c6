// SPDX-License-Identifier: Apache-2.0
#include "base/order.h"

#include <stdlib.h>

#include "base/vec.h"

#define ORDER(name, type)                                        \
	int order_##name(const void *a, const void *b)           \
	{                                                        \
		type l = *(const type *)a, r = *(const type *)b; \
                                                                 \
		return l < r ? -1 : l > r;                       \
	}

ORDER(i64, int64_t)
ORDER(u32, uint32_t)
ORDER(u64, uint64_t)
ORDER(double, double)

uint32_t *order_numbers(size_t n, order_in_fn *by, const void *in)
{
	uint32_t *numbers = mem_alloc(n + 1, sizeof(*numbers));

	for (size_t i = 0; i < n; i++)
		numbers[i] = (uint32_t)i;
	qsort_r(numbers, n, sizeof(*numbers), by, (void *)(uintptr_t)in);
	return numbers;
}

ORDER_MOST(by_value, struct ranked, value, number)

int order_ranked(const void *a, const void *b)
{
	return by_value(a, b);
}
