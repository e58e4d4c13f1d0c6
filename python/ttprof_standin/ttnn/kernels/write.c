/* SPDX-License-Identifier: Apache-2.0 */
/* Buffer 16 to a tensor, tile after tile.  Common arguments: address, tiles of a unit.  Arguments: first unit, units. */
#include <ttp/kernel.h>

#include "pages.h"

void kernel_main(void)
{
	uint32_t address = ttp_get_common_arg(0), tiles = ttp_get_common_arg(1);
	uint32_t tile = ttp_get_arg(0) * tiles, end = tile + ttp_get_arg(1) * tiles;
	uint32_t bytes = ttp_get_tile_size(16);

	for (; tile < end; tile++) {
		ttp_cb_wait_front(16, 1);
		ttp_noc_async_write(ttp_get_read_ptr(16), page_addr(address, bytes, tile),
				    bytes);
		ttp_noc_async_writes_flushed();
		ttp_cb_pop_front(16, 1);
	}
	ttp_noc_async_write_barrier();
}
