/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of a table, chosen by token, as tiles into buffer 0, and the tiles of the positions in the text into 1. Common
 * arguments: tokens (pages of 32), table, positions, tiles of a row, rows of tiles of a text.  Arguments: first tile,
 * tiles.
 */
#include <ttp/kernel.h>

enum { HALF_ROW = 32, FACE = 512 };

/* Bytes from the beginning of a tile to the row's left half; the right half is a face further. */
static uint32_t row_in_tile(uint32_t row)
{
	return row / 16 * 2 * FACE + row % 16 * HALF_ROW;
}

void kernel_main(void)
{
	uint32_t unit = ttp_get_arg(0), end = unit + ttp_get_arg(1), tokens = ttp_get_common_arg(0);
	uint32_t table = ttp_get_common_arg(1), places = ttp_get_common_arg(2);
	uint32_t wide = ttp_get_common_arg(3), high = ttp_get_common_arg(4);
	uint32_t have = ~0u, bytes = ttp_get_tile_size(0), ids = ttp_get_write_ptr(2);

	for (; unit < end; unit++) {
		uint32_t row = unit / wide, column = unit % wide, to;

		if (row != have) {
			ttp_noc_async_read(ttp_dram_page_addr(tokens, 128, row), ids, 128);
			ttp_noc_async_read_barrier();
			have = row;
		}
		ttp_cb_reserve_back(0, 1);
		ttp_cb_reserve_back(1, 1);
		to = ttp_get_write_ptr(0);
		for (uint32_t r = 0; r < 32; r++) {
			uint32_t id = TTP_L1(ids)[r], here = to + row_in_tile(r);
			uint64_t from = ttp_dram_page_addr(table, bytes, id / 32 * wide + column) +
					row_in_tile(id % 32);

			ttp_noc_async_read(from, here, HALF_ROW);
			ttp_noc_async_read(from + FACE, here + FACE, HALF_ROW);
		}
		ttp_noc_async_read(ttp_dram_page_addr(places, bytes, row % high * wide + column),
				   ttp_get_write_ptr(1), bytes);
		ttp_noc_async_read_barrier();
		ttp_cb_push_back(0, 1);
		ttp_cb_push_back(1, 1);
	}
}
