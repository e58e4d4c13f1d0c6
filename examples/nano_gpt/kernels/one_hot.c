/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A matrix with one 1 in each row, in the column of the row's token.
 * Common arguments: tokens (pages of 32), matrix, tiles of a row.  Arguments: first tile, tiles.
 */
#include <ttp/kernel.h>

enum { ONE_IN_BF16 = 0x3F80 };

static volatile uint16_t *place(uint32_t tile, uint32_t row, uint32_t column)
{
	uint32_t face = row / 16 * 2 + column / 16;

	return (volatile uint16_t *)(uintptr_t)(tile + face * 512 + row % 16 * 32 +
						column % 16 * 2);
}

void kernel_main(void)
{
	uint32_t unit = ttp_get_arg(0), end = unit + ttp_get_arg(1), tokens = ttp_get_common_arg(0);
	uint32_t to = ttp_get_common_arg(1), wide = ttp_get_common_arg(2);
	uint32_t tile = ttp_get_write_ptr(16), bytes = ttp_get_tile_size(16);
	uint32_t ids = ttp_get_write_ptr(2), have = ~0u;

	for (uint32_t i = 0; i < bytes / 4; i++)
		TTP_L1(tile)[i] = 0;
	for (; unit < end; unit++) {
		uint32_t row = unit / wide, column = unit % wide;

		if (row != have) {
			ttp_noc_async_read(ttp_dram_page_addr(tokens, 128, row), ids, 128);
			ttp_noc_async_read_barrier();
			have = row;
		}
		for (uint32_t r = 0; r < 32; r++)
			if (TTP_L1(ids)[r] / 32 == column)
				*place(tile, r, TTP_L1(ids)[r] % 32) = ONE_IN_BF16;
		ttp_noc_async_write(tile, ttp_dram_page_addr(to, bytes, unit), bytes);
		ttp_noc_async_writes_flushed();
		for (uint32_t r = 0; r < 32; r++)
			if (TTP_L1(ids)[r] / 32 == column)
				*place(tile, r, TTP_L1(ids)[r] % 32) = 0;
	}
	ttp_noc_async_write_barrier();
}
