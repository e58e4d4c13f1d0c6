/* SPDX-License-Identifier: Apache-2.0 */
/* Circular buffer 0 into 16, BATCH tiles at a time, each through a function of the vector unit REPEAT times.  Arguments: tiles. */
#include <ttp/kernel.h>

void kernel_main(void)
{
	uint32_t tiles = ttp_compute_arg(0);
#ifdef VARIANT
	static const volatile uint32_t variant = VARIANT;

	(void)variant;
#endif

	for (uint32_t i = 0; i < tiles; i += BATCH) {
		ttp_compute_cb_wait_front(0, BATCH);
		ttp_compute_cb_reserve_back(16, BATCH);
		for (uint32_t k = 0; k < BATCH; k++) {
			ttp_tile_regs_acquire();
			ttp_copy_tile(0, k, 0);
			for (int r = 0; r < REPEAT; r++)
				ttp_sfpu(FUNCTION, 0, 0);
			ttp_tile_regs_commit();
			ttp_tile_regs_wait();
			ttp_pack_tile(0, 16);
			ttp_tile_regs_release();
		}
		ttp_compute_cb_push_back(16, BATCH);
		ttp_compute_cb_pop_front(0, BATCH);
	}
}
