/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The counterpart of read_units.c: circular buffers to tensors. Common arguments: tensors; for each: buffer,
 * address, tiles of a unit, distance of two units, distance of two tiles of a unit. Arguments: first unit, units.
 */
#include <ttp/kernel.h>

enum { HEAD = 1, CB = 0, ADDRESS, TILES, UNIT_STEP, TILE_STEP, WORDS };

static uint32_t of(uint32_t tensor, uint32_t what)
{
	return ttp_get_common_arg(HEAD + tensor * WORDS + what);
}

void kernel_main(void)
{
	uint32_t unit = ttp_get_arg(0), end = unit + ttp_get_arg(1),
		 tensors = ttp_get_common_arg(0);

	for (; unit < end; unit++)
		for (uint32_t t = 0; t < tensors; t++) {
			uint32_t cb = of(t, CB), tiles = of(t, TILES), address = of(t, ADDRESS);
			uint32_t tile = unit * of(t, UNIT_STEP), step = of(t, TILE_STEP);
			uint32_t bytes = ttp_get_tile_size(cb);

			for (uint32_t i = 0; i < tiles; i++, tile += step) {
				ttp_cb_wait_front(cb, 1);
				ttp_noc_async_write(ttp_get_read_ptr(cb),
						    ttp_dram_page_addr(address, bytes, tile),
						    bytes);
				ttp_noc_async_writes_flushed();
				ttp_cb_pop_front(cb, 1);
			}
		}
	ttp_noc_async_write_barrier();
}
