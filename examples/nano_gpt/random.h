// SPDX-License-Identifier: Apache-2.0
/* Numbers that are the same in every run with the same seed. */
#ifndef NANO_GPT_RANDOM_H
#define NANO_GPT_RANDOM_H

#include <math.h>
#include <stdint.h>

struct random {
	uint64_t state;
};

static inline void random_init(struct random *r, uint64_t seed)
{
	r->state = seed;
}

static inline uint64_t random_next(struct random *r)
{
	uint64_t x = r->state += 0x9E3779B97F4A7C15u;

	x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
	x = (x ^ x >> 27) * 0x94D049BB133111EBu;
	return x ^ x >> 31;
}

/* 0 .. 1, without the ends */
static inline double random_unit(struct random *r)
{
	return ((double)(random_next(r) >> 12) + 0.5) / 4503599627370496.0;
}

static inline float random_normal(struct random *r)
{
	double length = sqrt(-2 * log(random_unit(r)));

	return (float)(length * cos(6.283185307179586 * random_unit(r)));
}

#endif /* NANO_GPT_RANDOM_H */
