/* SPDX-License-Identifier: Apache-2.0 */
/* Tile by tile: OP of buffer 0, or of 0 and 1, into 16. */
#include "tiles.h"

/* What OP may be. */
#define ADD           1
#define GELU          2
#define GELU_BACKWARD 3 /* 0: what comes from behind, 1: what gelu was given */

void kernel_main(void)
{
	for (uint32_t n = COUNT; n; n--) {
		ttp_compute_cb_wait_front(0, 1);
		if (OP != GELU)
			ttp_compute_cb_wait_front(1, 1);
		ttp_tile_regs_acquire();
		if (OP == ADD) {
			ttp_binary_tiles(TTP_TENSIX_ADD, 0, 1, 0, 0, 0);
		} else if (OP == GELU) {
			ttp_copy_tile(0, 0, 0);
			ttp_sfpu(TTP_SFPU_GELU, 0, 0);
		} else {
			ttp_copy_tile(0, 0, 0);
			ttp_copy_tile(1, 0, 1);
			ttp_sfpu(TTP_SFPU_GELU_DERIVATIVE, 1, 0);
			ttp_sfpu_binary(TTP_SFPU_BINARY_MUL, 0, 1);
		}
		ttp_compute_cb_pop_front(0, 1);
		if (OP != GELU)
			ttp_compute_cb_pop_front(1, 1);
		hand_on(16, 1);
	}
}
