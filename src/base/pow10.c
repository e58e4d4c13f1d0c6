// SPDX-License-Identifier: Apache-2.0
#include "base/pow10.h"

#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * Big integers of 32-bit limbs, lowest first.  Positive powers are kept times 2^128, so that 128 bits
 * can be taken from any of them; 10^324 has 1077 bits.  Negative powers are
 * floor(2^(32 * LIMBS - 1) / 10^n), got by dividing by ten again and again (a floor of a floor is the
 * floor); after 292 steps more than 128 bits are left.
 */
enum { SHIFT_LIMBS = 4, LIMBS = SHIFT_LIMBS + 35 };
_Static_assert(32 * LIMBS - 1 - 128 > 4 * -POW10_MIN - (-POW10_MIN * 2 / 3),
	       "negative powers keep 128 bits");

static struct pow10 table[POW10_MAX - POW10_MIN + 1];
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* 64 bits, of which the lowest is bit `i`. */
static uint64_t bits_from(const uint32_t *limb, int i)
{
	const uint32_t *p = limb + i / 32;
	uint64_t low = (uint64_t)p[1] << 32 | p[0];
	int r = i % 32;

	return r ? low >> r | (uint64_t)p[2] << (64 - r) : low;
}

static int top_bit(const uint32_t *limb)
{
	int i = LIMBS - 1;

	while (!limb[i])
		i--;
	return 32 * i + 31 - __builtin_clz(limb[i]);
}

static bool any_below(const uint32_t *limb, int bit)
{
	for (int i = 0; i < bit / 32; i++)
		if (limb[i])
			return true;
	return limb[bit / 32] & ((1u << bit % 32) - 1);
}

static void store(int k, const uint32_t *limb, bool exact)
{
	struct pow10 *p = &table[k - POW10_MIN];
	int top = top_bit(limb);

	p->hi = bits_from(limb, top - 63);
	p->lo = bits_from(limb, top - 127);
	if (!exact || any_below(limb, top - 127)) {
		p->lo++;
		assert(p->lo);
	}
}

static void fill(void)
{
	uint32_t limb[LIMBS + 1] = { [SHIFT_LIMBS] = 1 }; /* one more is read, never used */
	int used = LIMBS;

	for (int k = 0; k <= POW10_MAX; k++) {
		uint64_t carry = 0;

		assert(top_bit(limb) - 32 * SHIFT_LIMBS == pow10_log2(k));
		store(k, limb, true);
		for (int i = 0; i < LIMBS; i++) {
			carry += (uint64_t)limb[i] * 10;
			limb[i] = (uint32_t)carry;
			carry >>= 32;
		}
	}
	for (int i = 0; i < LIMBS; i++)
		limb[i] = 0;
	limb[LIMBS - 1] = 1u << 31;
	for (int k = -1; k >= POW10_MIN; k--) {
		uint64_t rest = 0;

		for (int i = used - 1; i >= 0; i--) {
			rest = rest << 32 | limb[i];
			limb[i] = (uint32_t)(rest / 10);
			rest %= 10;
		}
		while (!limb[used - 1])
			used--;
		assert(top_bit(limb) - (32 * LIMBS - 1) == pow10_log2(k));
		store(k, limb, false);
	}
}

const struct pow10 *pow10_table(void)
{
	pthread_once(&once, fill);
	return table;
}
