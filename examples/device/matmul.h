// SPDX-License-Identifier: Apache-2.0
/* Matrices for the two matmul examples: small whole numbers, so that every sum is exact in bf16. */
#ifndef MATMUL_H
#define MATMUL_H

#include "example.h"

enum { TILE = 32, TILE_BYTES = TILE * TILE * 2 };

struct matrix {
	uint32_t rows, columns; /* in tiles */
	size_t bytes;
	uint16_t *at;
};

static inline struct matrix matrix_new(uint32_t rows, uint32_t columns)
{
	struct matrix m = { rows, columns, (size_t)rows * columns * TILE_BYTES, NULL };

	m.at = calloc(1, m.bytes);
	return m;
}

static inline void matrix_fill(struct matrix *m, uint32_t *random)
{
	for (size_t i = 0; i < m->bytes / 2; i++)
		m->at[i] = bf16_of((float)(next_random(random) % 3) - 1.0f);
}

/* How many values of c are not those of a x b. */
static inline uint32_t matrix_wrong(const struct matrix *a, const struct matrix *b,
				    const struct matrix *c)
{
	uint32_t wrong = 0;

	for (uint32_t m = 0; m < c->rows * TILE; m++)
		for (uint32_t n = 0; n < c->columns * TILE; n++) {
			float sum = 0;

			for (uint32_t k = 0; k < a->columns * TILE; k++)
				sum += of_bf16(a->at[in_tiles(m, k, a->columns)]) *
				       of_bf16(b->at[in_tiles(k, n, b->columns)]);
			wrong += c->at[in_tiles(m, n, c->columns)] != bf16_of(sum);
		}
	return wrong;
}

#endif /* MATMUL_H */
