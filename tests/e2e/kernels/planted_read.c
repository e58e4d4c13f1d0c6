/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tiles into circular buffer 0, BATCH at a time.  Arguments: address, first tile, tiles, NoC x and y.  With FROM_DRAM they are
 * pages of DRAM, else tiles of the L1 of that core.
 */
#include <ttp/kernel.h>

void kernel_main(void)
{
	uint32_t base = ttp_get_arg(0), tile = ttp_get_arg(1), end = tile + ttp_get_arg(2);
	uint32_t x = ttp_get_arg(3), y = ttp_get_arg(4), bytes = ttp_get_tile_size(0);

	(void)x;
	(void)y;
	while (tile < end) {
		uint32_t to;

		ttp_cb_reserve_back(0, BATCH);
		to = ttp_get_write_ptr(0);
		for (uint32_t i = 0; i < BATCH; i++, tile++, to += bytes)
#ifdef FROM_DRAM
			ttp_noc_async_read(ttp_dram_page_addr(base, bytes, tile), to, bytes);
#else
			ttp_noc_async_read(ttp_noc_addr(x, y, base + tile % BATCH * bytes), to, bytes);
#endif
		ttp_noc_async_read_barrier();
		ttp_cb_push_back(0, BATCH);
	}
}
