/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Softmax (buffer 0) and what comes from behind (1) to the gradient of the scores (16):
 *	softmax * (behind - sum of the row of (softmax * behind)) * factor
 * 2 has the number one.  Common arguments: tiles of a row, factor.
 */
#include "tiles.h"

enum { SOFTMAX, BEHIND, ONE, OUT = 16, PRODUCTS = 24, SUM, REST };

void kernel_main(void)
{
	uint32_t wide = ttp_compute_common_arg(0), factor = ttp_compute_common_arg(1);

	ttp_compute_cb_wait_front(ONE, 1);
	for (uint32_t n = COUNT; n; n--) {
		ttp_compute_cb_wait_front(SOFTMAX, wide);
		ttp_compute_cb_wait_front(BEHIND, wide);
		each_pair(TTP_TENSIX_MUL, SOFTMAX, BEHIND, wide, false, PRODUCTS);
		ttp_compute_cb_wait_front(PRODUCTS, wide);
		reduce_rows(TTP_TENSIX_REDUCE_SUM_ROW, PRODUCTS, ONE, wide);
		ttp_compute_cb_pop_front(PRODUCTS, wide);
		hand_on(SUM, 1);
		ttp_compute_cb_wait_front(SUM, 1);
		each_pair(TTP_TENSIX_BCAST_SUB_COL, BEHIND, SUM, wide, true, REST);
		ttp_compute_cb_pop_front(BEHIND, wide);
		ttp_compute_cb_pop_front(SUM, 1);
		ttp_compute_cb_wait_front(REST, wide);
		for (uint32_t i = 0; i < wide; i++) {
			ttp_tile_regs_acquire();
			ttp_binary_tiles(TTP_TENSIX_MUL, SOFTMAX, REST, i, i, 0);
			ttp_sfpu(TTP_SFPU_MUL_SCALAR, 0, factor);
			hand_on(OUT, 1);
		}
		ttp_compute_cb_pop_front(SOFTMAX, wide);
		ttp_compute_cb_pop_front(REST, wide);
	}
}
