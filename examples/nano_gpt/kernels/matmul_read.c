/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For each block of the result and each step along K: a column of A's tiles into buffer 0 and a row of B's into 1.  If A is
 * to be transposed, all of A comes before B, because compute turns it first.
 * Common arguments: matmul.h, tensors A and B.  Arguments: first block, blocks.
 */
#include "matmul.h"

static void read_line(uint32_t cb, uint32_t address, uint32_t tile, uint32_t step, uint32_t n)
{
	uint32_t bytes = ttp_get_tile_size(cb), to;

	ttp_cb_reserve_back(cb, n);
	to = ttp_get_write_ptr(cb);
	for (uint32_t i = 0; i < n; i++, tile += step, to += bytes)
		ttp_noc_async_read(ttp_dram_page_addr(address, bytes, tile), to, bytes);
}

void kernel_main(void)
{
	uint32_t n = ttp_get_arg(0), end = n + ttp_get_arg(1), steps = ttp_get_common_arg(K_TILES);
	uint32_t rows = ttp_get_common_arg(ROWS), columns = ttp_get_common_arg(COLUMNS);
	uint32_t turned = ttp_get_common_arg(FIRST_TURNED), a = matmul_of(0, ADDRESS);
	uint32_t b = matmul_of(1, ADDRESS);
	uint32_t a_row = matmul_of(0, ROW_STEP), a_step = matmul_of(0, COLUMN_STEP);
	uint32_t b_step = matmul_of(1, ROW_STEP), b_column = matmul_of(1, COLUMN_STEP);

	for (; n < end; n++) {
		struct block at = matmul_block(n);
		uint32_t a_tile = matmul_tile(0, at.batch) + at.row * a_row;
		uint32_t b_tile = matmul_tile(1, at.batch) + at.column * b_column;

		for (uint32_t k = 0; turned && k < steps; k++, a_tile += a_step) {
			read_line(0, a, a_tile, a_row, rows);
			ttp_noc_async_read_barrier();
			ttp_cb_push_back(0, rows);
		}
		for (uint32_t k = 0; k < steps; k++, a_tile += a_step, b_tile += b_step) {
			if (!turned)
				read_line(0, a, a_tile, a_row, rows);
			read_line(1, b, b_tile, b_column, columns);
			ttp_noc_async_read_barrier();
			if (!turned)
				ttp_cb_push_back(0, rows);
			ttp_cb_push_back(1, columns);
		}
	}
}
