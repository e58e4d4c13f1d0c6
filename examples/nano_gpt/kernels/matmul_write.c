/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of the result from buffer 16.  Common arguments: matmul.h, one tensor.  Arguments: first block, blocks. */
#include "matmul.h"

void kernel_main(void)
{
	uint32_t n = ttp_get_arg(0), end = n + ttp_get_arg(1), bytes = ttp_get_tile_size(16);
	uint32_t rows = ttp_get_common_arg(ROWS), columns = ttp_get_common_arg(COLUMNS);
	uint32_t to = matmul_of(0, ADDRESS), down = matmul_of(0, ROW_STEP);
	uint32_t along = matmul_of(0, COLUMN_STEP);

	for (; n < end; n++) {
		struct block at = matmul_block(n);
		uint32_t tile = matmul_tile(0, at.batch) + at.row * down + at.column * along, from;

		ttp_cb_wait_front(16, rows * columns);
		from = ttp_get_read_ptr(16);
		for (uint32_t r = 0; r < rows; r++)
			for (uint32_t c = 0; c < columns; c++, from += bytes)
				ttp_noc_async_write(
					from,
					ttp_dram_page_addr(to, bytes, tile + r * down + c * along),
					bytes);
		ttp_noc_async_writes_flushed();
		ttp_cb_pop_front(16, rows * columns);
	}
	ttp_noc_async_write_barrier();
}
