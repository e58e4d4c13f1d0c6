/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For each block of the result and each step along K (CHUNK divides their number): a column of A's tiles into
 * buffer 0 and a row of B's into 1.  If A is to be transposed, all of A comes before B, because compute turns it
 * first. Common arguments: matmul.h, tensors A and B.  Arguments: first block, blocks.
 */
#include "matmul.h"

/* CHUNK steps at once, so that the way to DRAM and back is waited for less often. */
static void read_chunk(uint32_t cb, uint32_t address, uint32_t tile, uint32_t step, uint32_t chunk,
		       uint32_t line_step, uint32_t line)
{
	uint32_t bytes = ttp_get_tile_size(cb), to;

	ttp_cb_reserve_back(cb, chunk * line);
	to = ttp_get_write_ptr(cb);
	for (uint32_t k = 0; k < chunk; k++, tile += step)
		for (uint32_t i = 0; i < line; i++, to += bytes)
			ttp_noc_async_read(ttp_dram_page_addr(address, bytes, tile + i * line_step),
					   to, bytes);
}

void kernel_main(void)
{
	uint32_t n = ttp_get_arg(0), end = n + ttp_get_arg(1), steps = ttp_get_common_arg(K_TILES);
	uint32_t rows = ttp_get_common_arg(ROWS), columns = ttp_get_common_arg(COLUMNS);
	uint32_t turned = ttp_get_common_arg(FIRST_TURNED), chunk = ttp_get_common_arg(CHUNK);
	uint32_t a = matmul_of(0, ADDRESS), b = matmul_of(1, ADDRESS);
	uint32_t a_row = matmul_of(0, ROW_STEP), a_step = matmul_of(0, COLUMN_STEP);
	uint32_t b_step = matmul_of(1, ROW_STEP), b_column = matmul_of(1, COLUMN_STEP);

	for (; n < end; n++) {
		struct block at = matmul_block(n);
		uint32_t a_tile = matmul_tile(0, at.batch) + at.row * a_row;
		uint32_t b_tile = matmul_tile(1, at.batch) + at.column * b_column;

		for (uint32_t k = 0; turned && k < steps; k += chunk, a_tile += chunk * a_step) {
			read_chunk(0, a, a_tile, a_step, chunk, a_row, rows);
			ttp_noc_async_read_barrier();
			ttp_cb_push_back(0, chunk * rows);
		}
		for (uint32_t k = 0; k < steps; k += chunk) {
			if (!turned)
				read_chunk(0, a, a_tile + k * a_step, a_step, chunk, a_row, rows);
			read_chunk(1, b, b_tile + k * b_step, b_step, chunk, b_column, columns);
			ttp_noc_async_read_barrier();
			if (!turned)
				ttp_cb_push_back(0, chunk * rows);
			ttp_cb_push_back(1, chunk * columns);
		}
	}
}
