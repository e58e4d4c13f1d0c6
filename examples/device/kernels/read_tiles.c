/* SPDX-License-Identifier: Apache-2.0 */
/* Tiles of two DRAM buffers into circular buffers 0 and 1.  Arguments: a, b, first tile, tiles. */
#include <ttp/kernel.h>

void kernel_main(void)
{
	uint32_t a = ttp_get_arg(0), b = ttp_get_arg(1), tile = ttp_get_arg(2);
	uint32_t end = tile + ttp_get_arg(3), bytes = ttp_get_tile_size(0);

	for (; tile < end; tile++) {
		DeviceZoneScopedN("read");
		ttp_cb_reserve_back(0, 1);
		ttp_cb_reserve_back(1, 1);
		ttp_noc_async_read(ttp_dram_page_addr(a, bytes, tile), ttp_get_write_ptr(0), bytes);
		ttp_noc_async_read(ttp_dram_page_addr(b, bytes, tile), ttp_get_write_ptr(1), bytes);
		ttp_noc_async_read_barrier();
		ttp_cb_push_back(0, 1);
		ttp_cb_push_back(1, 1);
	}
}
