// SPDX-License-Identifier: Apache-2.0
#include "base/order.h"

#include <stdint.h>

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
