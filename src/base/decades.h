// SPDX-License-Identifier: Apache-2.0
/*
 * Powers of ten, and the logarithm to base 10: what axes need of libm, which every command would have to load for it.
 */
#ifndef TTP_BASE_DECADES_H
#define TTP_BASE_DECADES_H

/* log10 of a positive finite number, within 1e-13; exact for powers of ten up to 1e15. */
double decades_of(double v);
/* 10^n; correctly rounded for n from -22 to 22. */
double ten_to(int n);

#endif /* TTP_BASE_DECADES_H */
