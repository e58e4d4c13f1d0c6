/* SPDX-License-Identifier: Apache-2.0 */
/* Each tile of buffer 0, transposed, into 16; the reader brings them in the order of the result. */
#include "tiles.h"

void kernel_main(void)
{
	for (uint32_t n = COUNT; n; n--) {
		ttp_compute_cb_wait_front(0, 1);
		ttp_tile_regs_acquire();
		ttp_unary_tile(TTP_TENSIX_TRANSPOSE, 0, 0, 0);
		ttp_compute_cb_pop_front(0, 1);
		hand_on(16, 1);
	}
}
