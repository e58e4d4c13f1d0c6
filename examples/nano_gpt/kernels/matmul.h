/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the tiles of a matmul are.  A tensor may be a part of another one (the heads of an attention are columns of one
 * matrix), so all distances are given: tile (b, row, column) is page
 *	first + b / inner * outer_step + b % inner * inner_step + row * row_step + column * column_step.
 */
#ifndef MATMUL_H
#define MATMUL_H

#include <ttp/kernel.h>

enum { INNER, K_TILES, ROW_BLOCKS, COLUMN_BLOCKS, ROWS, COLUMNS, FIRST_TURNED, CHUNK, HEAD };
enum { ADDRESS, FIRST_TILE, OUTER_STEP, INNER_STEP, ROW_STEP, COLUMN_STEP, WORDS };

static uint32_t matmul_of(uint32_t tensor, uint32_t what)
{
	return ttp_get_common_arg(HEAD + tensor * WORDS + what);
}

static uint32_t matmul_tile(uint32_t tensor, uint32_t batch)
{
	uint32_t inner = ttp_get_common_arg(INNER);

	return matmul_of(tensor, FIRST_TILE) + batch / inner * matmul_of(tensor, OUTER_STEP) +
	       batch % inner * matmul_of(tensor, INNER_STEP);
}

/* What block this is, of a number that counts columns first, then rows, then batches. */
struct block {
	uint32_t batch, row, column; /* of tiles */
};

static struct block matmul_block(uint32_t n)
{
	uint32_t wide = ttp_get_common_arg(COLUMN_BLOCKS), high = ttp_get_common_arg(ROW_BLOCKS);
	struct block b = { n / wide / high, n / wide % high * ttp_get_common_arg(ROWS),
			   n % wide * ttp_get_common_arg(COLUMNS) };

	return b;
}

#endif /* MATMUL_H */
