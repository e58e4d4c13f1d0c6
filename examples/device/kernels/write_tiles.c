/* SPDX-License-Identifier: Apache-2.0 */
/* Tiles of circular buffer 16 to a DRAM buffer.  Arguments: to, first tile, tiles. */
#include <ttp/kernel.h>

void kernel_main(void)
{
	uint32_t to = ttp_get_arg(0), tile = ttp_get_arg(1), end = tile + ttp_get_arg(2);
	uint32_t bytes = ttp_get_tile_size(16);

	for (; tile < end; tile++) {
		DeviceZoneScopedN("write");
		ttp_cb_wait_front(16, 1);
		ttp_noc_async_write(ttp_get_read_ptr(16), ttp_dram_page_addr(to, bytes, tile), bytes);
		ttp_noc_async_write_barrier();
		ttp_cb_pop_front(16, 1);
	}
}
