// SPDX-License-Identifier: Apache-2.0
/* Numbers in rising order, for qsort. */
#ifndef TTP_BASE_ORDER_H
#define TTP_BASE_ORDER_H

int order_i64(const void *a, const void *b);
int order_u32(const void *a, const void *b);
int order_u64(const void *a, const void *b);
int order_double(const void *a, const void *b); /* none of them NAN */

#endif /* TTP_BASE_ORDER_H */
