/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tiles of up to five tensors into circular buffers, unit by unit of an op's work. Common arguments: tensors,
 * buffer for the scale or 32, scale as fp32 bits; for each tensor: buffer, address, tiles of a unit, distance of
 * two units, distance of two tiles of a unit, 1 if it is brought only once.  Arguments: first unit, units.
 */
#include <ttp/kernel.h>

enum { HEAD = 3, CB = 0, ADDRESS, TILES, UNIT_STEP, TILE_STEP, ONCE, WORDS };

static uint32_t of(uint32_t tensor, uint32_t what)
{
	return ttp_get_common_arg(HEAD + tensor * WORDS + what);
}

static void bring(uint32_t tensors, uint32_t unit, uint32_t once)
{
	for (uint32_t t = 0; t < tensors; t++) {
		uint32_t cb = of(t, CB), tiles = of(t, TILES), address = of(t, ADDRESS);
		uint32_t tile = unit * of(t, UNIT_STEP), step = of(t, TILE_STEP);
		uint32_t bytes = ttp_get_tile_size(cb), to;

		if (of(t, ONCE) != once)
			continue;
		ttp_cb_reserve_back(cb, tiles);
		to = ttp_get_write_ptr(cb);
		for (uint32_t i = 0; i < tiles; i++, tile += step, to += bytes)
			ttp_noc_async_read(ttp_dram_page_addr(address, bytes, tile), to, bytes);
	}
	ttp_noc_async_read_barrier();
	for (uint32_t t = 0; t < tensors; t++)
		if (of(t, ONCE) == once)
			ttp_cb_push_back(of(t, CB), of(t, TILES));
}

void kernel_main(void)
{
	uint32_t unit = ttp_get_arg(0), end = unit + ttp_get_arg(1);
	uint32_t tensors = ttp_get_common_arg(0), scale = ttp_get_common_arg(1);

	if (scale < 32) { /* reductions take one value of this tile */
		ttp_cb_reserve_back(scale, 1);
		*TTP_L1(ttp_get_write_ptr(scale)) = ttp_get_common_arg(2);
		ttp_cb_push_back(scale, 1);
	}
	bring(tensors, 0, 1);
	for (; unit < end; unit++)
		bring(tensors, unit, 0);
}
