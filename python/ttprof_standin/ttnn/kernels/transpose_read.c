/* SPDX-License-Identifier: Apache-2.0 */
/* Tiles for transpose.c.  Common arguments: address, tiles high and wide of the result.  Arguments: first tile of it, tiles. */
#include <ttp/kernel.h>

#include "pages.h"

void kernel_main(void)
{
	uint32_t address = ttp_get_common_arg(0), high = ttp_get_common_arg(1);
	uint32_t wide = ttp_get_common_arg(2), bytes = ttp_get_tile_size(0);
	uint32_t tile = ttp_get_arg(0), end = tile + ttp_get_arg(1);

	for (; tile < end; tile++) {
		uint32_t row = tile / wide % high, column = tile % wide;

		ttp_cb_reserve_back(0, 1);
		ttp_noc_async_read(
			page_addr(address, bytes,
					   tile / wide / high * high * wide + column * high + row),
			ttp_get_write_ptr(0), bytes);
		ttp_noc_async_read_barrier();
		ttp_cb_push_back(0, 1);
	}
}
