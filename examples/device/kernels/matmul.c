/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Blocks of ROWS x COLUMNS tiles of the result; each step brings ROWS tiles of A and COLUMNS of B.
 * Arguments: blocks, steps.
 */
#include <ttp/kernel.h>

void kernel_main(void)
{
	uint32_t blocks = ttp_compute_arg(0), steps = ttp_compute_arg(1);

	for (uint32_t block = 0; block < blocks; block++) {
		DeviceZoneScopedN("block");
		ttp_tile_regs_acquire();
		for (uint32_t k = 0; k < steps; k++) {
			ttp_compute_cb_wait_front(0, ROWS);
			ttp_compute_cb_wait_front(1, COLUMNS);
			for (uint32_t m = 0; m < ROWS; m++)
				for (uint32_t n = 0; n < COLUMNS; n++)
					ttp_matmul_tiles(0, 1, m, n, m * COLUMNS + n);
			ttp_compute_cb_pop_front(0, ROWS);
			ttp_compute_cb_pop_front(1, COLUMNS);
		}
		ttp_tile_regs_commit();
		ttp_tile_regs_wait();
		ttp_compute_cb_reserve_back(16, ROWS * COLUMNS);
		for (uint32_t i = 0; i < ROWS * COLUMNS; i++)
			ttp_pack_tile(i, 16);
		ttp_tile_regs_release();
		ttp_compute_cb_push_back(16, ROWS * COLUMNS);
	}
}
