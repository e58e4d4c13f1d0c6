/* SPDX-License-Identifier: Apache-2.0 */
/* Circular buffers 0 + 1 into 16, tile by tile.  Arguments: tiles. */
#include <ttp/kernel.h>

void kernel_main(void)
{
	uint32_t tiles = ttp_compute_arg(0);

	for (uint32_t i = 0; i < tiles; i++) {
		DeviceZoneScopedN("add");
		ttp_compute_cb_wait_front(0, 1);
		ttp_compute_cb_wait_front(1, 1);
		ttp_tile_regs_acquire();
		ttp_binary_tiles(TTP_TENSIX_ADD, 0, 1, 0, 0, 0);
		ttp_tile_regs_commit();
		ttp_compute_cb_pop_front(0, 1);
		ttp_compute_cb_pop_front(1, 1);
		ttp_tile_regs_wait();
		ttp_compute_cb_reserve_back(16, 1);
		ttp_pack_tile(0, 16);
		ttp_tile_regs_release();
		ttp_compute_cb_push_back(16, 1);
	}
}
