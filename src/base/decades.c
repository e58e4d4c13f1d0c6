// SPDX-License-Identifier: Apache-2.0
#include "base/decades.h"

#include <stdint.h>
#include <string.h>

double ten_to(int n)
{
	double power = 1;

	for (int i = n < 0 ? -n : n; i; i--)
		power *= 10;
	return n < 0 ? 1 / power : power;
}

double decades_of(double v)
{
	enum { TERMS = 15 };
	const double log10_of_2 = 0.30102999566398120, log10_of_e_twice = 0.86858896380650365;
	int exponent = 0, n = 0;
	double m = v, z, sum = 0;
	uint64_t bits;

	/* powers of ten first: what is read off an axis must not lie an ulp beside its rule */
	for (double power = 1; power <= 1e15; power *= 10, n++)
		if (v == power || v * power == 1)
			return v == power ? n : -n;
	for (; m < 0x1p-1022; exponent -= 52) /* subnormal */
		m *= 0x1p52;
	/* v = m * 2^exponent, m in [sqrt(1/2), sqrt(2)); not by frexp(), which is libm's */
	memcpy(&bits, &m, sizeof(bits));
	exponent += (int)(bits >> 52) - 1022;
	bits = (bits & 0xFFFFFFFFFFFFFull) | 1022ull << 52;
	memcpy(&m, &bits, sizeof(m));
	if (m < 0.70710678118654752) {
		m *= 2;
		exponent--;
	}
	/* ln m = 2 artanh z, |z| < 0.172: the 15th term is below 1e-23 */
	z = (m - 1) / (m + 1);
	for (int i = TERMS; i >= 0; i--)
		sum = sum * z * z + 1.0 / (2 * i + 1);
	return exponent * log10_of_2 + log10_of_e_twice * z * sum;
}
