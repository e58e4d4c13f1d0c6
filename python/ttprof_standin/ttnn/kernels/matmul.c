/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of one row of COLUMNS tiles: buffers 0 x 1 into 16.  Common arguments: columns, steps along K, 1 if B is transposed. */
#include "tiles.h"

void kernel_main(void)
{
	uint32_t columns = ttp_compute_common_arg(0), steps = ttp_compute_common_arg(1);
	uint32_t turned = ttp_compute_common_arg(2);

	for (uint32_t n = COUNT; n; n--) {
		ttp_tile_regs_acquire();
		for (uint32_t k = 0; k < steps; k++) {
			ttp_compute_cb_wait_front(0, 1);
			ttp_compute_cb_wait_front(1, columns);
			for (uint32_t c = 0; c < columns; c++)
				if (turned)
					ttp_matmul_tiles_transposed(0, 1, 0, c, c);
				else
					ttp_matmul_tiles(0, 1, 0, c, c);
			ttp_compute_cb_pop_front(0, 1);
			ttp_compute_cb_pop_front(1, columns);
		}
		hand_on(16, columns);
	}
}
