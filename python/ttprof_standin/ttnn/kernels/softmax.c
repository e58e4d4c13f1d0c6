/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Softmax of rows of buffer 0 into 16.  2 has the number one; MASKED: 1 has what is added to the last tile of a row, so
 * that its padding counts for nothing.  Common argument: tiles of a row.
 */
#include "tiles.h"

enum { X, MASK, ONE, OUT = 16, SHOWN = 24, HIGHEST, POWERS, INVERSE };

void kernel_main(void)
{
	uint32_t wide = ttp_compute_common_arg(0);

	ttp_compute_cb_wait_front(ONE, 1);
#ifdef MASKED
	ttp_compute_cb_wait_front(MASK, 1);
#endif
	for (uint32_t n = COUNT; n; n--) {
		ttp_compute_cb_wait_front(X, wide);
		for (uint32_t i = 0; i < wide; i++) {
			ttp_tile_regs_acquire();
			ttp_copy_tile(X, i, 0);
#ifdef MASKED
			if (i == wide - 1) {
				ttp_copy_tile(MASK, 0, 1);
				ttp_sfpu_binary(TTP_SFPU_BINARY_ADD, 0, 1);
			}
#endif
			hand_on(SHOWN, 1);
		}
		ttp_compute_cb_pop_front(X, wide);
		ttp_compute_cb_wait_front(SHOWN, wide);
		reduce_rows(TTP_TENSIX_REDUCE_MAX_ROW, SHOWN, ONE, wide);
		hand_on(HIGHEST, 1);
		ttp_compute_cb_wait_front(HIGHEST, 1);
		for (uint32_t i = 0; i < wide; i++) {
			ttp_tile_regs_acquire();
			ttp_binary_tiles(TTP_TENSIX_BCAST_SUB_COL, SHOWN, HIGHEST, i, 0, 0);
			ttp_sfpu(TTP_SFPU_EXP, 0, 0);
			hand_on(POWERS, 1);
		}
		ttp_compute_cb_pop_front(SHOWN, wide);
		ttp_compute_cb_pop_front(HIGHEST, 1);
		ttp_compute_cb_wait_front(POWERS, wide);
		reduce_rows(TTP_TENSIX_REDUCE_SUM_ROW, POWERS, ONE, wide);
		ttp_sfpu(TTP_SFPU_RECIP, 0, 0);
		hand_on(INVERSE, 1);
		ttp_compute_cb_wait_front(INVERSE, 1);
		each_pair(TTP_TENSIX_BCAST_MUL_COL, POWERS, INVERSE, wide, true, OUT);
		ttp_compute_cb_pop_front(POWERS, wide);
		ttp_compute_cb_pop_front(INVERSE, 1);
	}
}
