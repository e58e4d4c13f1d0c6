/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of so many tiles of buffer 0 into 16.  Common arguments: tiles of a sum. */
#include "tiles.h"

void kernel_main(void)
{
	uint32_t tiles = ttp_compute_common_arg(0);

	for (uint32_t n = COUNT; n; n--) {
		ttp_compute_cb_wait_front(0, tiles);
		ttp_tile_regs_acquire();
		for (uint32_t i = 0; i < tiles; i++) {
			ttp_copy_tile(0, i, 1);
			ttp_sfpu_binary(TTP_SFPU_BINARY_ADD, 0, 1);
		}
		ttp_compute_cb_pop_front(0, tiles);
		hand_on(16, 1);
	}
}
