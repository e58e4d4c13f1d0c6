/* SPDX-License-Identifier: Apache-2.0 */
/* Circular buffer 16, BATCH tiles at a time, to DRAM (TO_DRAM) or to where they are taken away.  Arguments: address, first tile, tiles. */
#include <ttp/kernel.h>

void kernel_main(void)
{
	uint32_t base = ttp_get_arg(0), tile = ttp_get_arg(1), end = tile + ttp_get_arg(2);
	uint32_t bytes = ttp_get_tile_size(16);

	(void)base;
	(void)bytes;
	while (tile < end) {
		ttp_cb_wait_front(16, BATCH);
#ifdef TO_DRAM
		for (uint32_t i = 0, from = ttp_get_read_ptr(16); i < BATCH; i++, from += bytes)
			ttp_noc_async_write(from, ttp_dram_page_addr(base, bytes, tile + i), bytes);
		ttp_noc_async_write_barrier();
#endif
		tile += BATCH;
		ttp_cb_pop_front(16, BATCH);
	}
}
