/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tiles of tensors into circular buffers, unit by unit.  Units lie in a grid of UNITS_HIGH x UNITS_WIDE per matrix of the
 * result.  A tensor with fewer matrices, rows or columns of tiles than the result is used again for each.
 * Common arguments: tensors, units high, units wide, buffer for a scale or 32, scale as fp32 bits; for each tensor:
 * buffer, address, tiles of a unit, its matrices, its tiles high and wide, 1 if it comes only once.
 * Arguments: first unit, units.
 */
#include <ttp/kernel.h>

#include "pages.h"

enum { TENSORS, UNITS_HIGH, UNITS_WIDE, SCALE_CB, SCALE, HEAD };
enum { CB, ADDRESS, TILES, BATCH, HIGH, WIDE, ONCE, WORDS };

static uint32_t of(uint32_t tensor, uint32_t what)
{
	return ttp_get_common_arg(HEAD + tensor * WORDS + what);
}

static uint32_t first_tile(uint32_t tensor, uint32_t unit)
{
	uint32_t units_wide = ttp_get_common_arg(UNITS_WIDE);
	uint32_t units_high = ttp_get_common_arg(UNITS_HIGH);
	uint32_t high = of(tensor, HIGH), wide = of(tensor, WIDE);
	uint32_t row = unit / units_wide % units_high, column = unit % units_wide;
	uint32_t matrix = unit / units_wide / units_high % of(tensor, BATCH);

	return matrix * high * wide + (high == 1 ? 0 : row * wide) +
	       (wide == 1 ? 0 : column * of(tensor, TILES));
}

static void bring(uint32_t tensors, uint32_t unit, uint32_t once)
{
	for (uint32_t t = 0; t < tensors; t++) {
		uint32_t cb = of(t, CB), bytes = ttp_get_tile_size(cb), tiles = of(t, TILES), tile,
			 to;

		if (of(t, ONCE) != once)
			continue;
		tile = once ? 0 : first_tile(t, unit);
		ttp_cb_reserve_back(cb, tiles);
		to = ttp_get_write_ptr(cb);
		for (uint32_t i = 0; i < tiles; i++, tile++, to += bytes)
			ttp_noc_async_read(page_addr(of(t, ADDRESS), bytes, tile), to,
					   bytes);
	}
	ttp_noc_async_read_barrier();
	for (uint32_t t = 0; t < tensors; t++)
		if (of(t, ONCE) == once)
			ttp_cb_push_back(of(t, CB), of(t, TILES));
}

void kernel_main(void)
{
	uint32_t unit = ttp_get_arg(0), end = unit + ttp_get_arg(1);
	uint32_t tensors = ttp_get_common_arg(TENSORS), scale = ttp_get_common_arg(SCALE_CB);

	if (scale < 32) { /* reductions take one value of this tile */
		ttp_cb_reserve_back(scale, 1);
		*TTP_L1(ttp_get_write_ptr(scale)) = ttp_get_common_arg(SCALE);
		ttp_cb_push_back(scale, 1);
	}
	bring(tensors, 0, 1);
	for (; unit < end; unit++)
		bring(tensors, unit, 0);
}
