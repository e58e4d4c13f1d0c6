/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of buffer 0, times a factor, each value no further than its own row (causal): softmax into 16.  1 has the mask of the
 * tile on the diagonal, 2 the number one.  Common arguments: tiles of a row, factor.
 */
#include "tiles.h"

enum { SCORES, MASK, ONE, OUT = 16, MASKED = 24, HIGHEST, POWERS, INVERSE };

void kernel_main(void)
{
	uint32_t wide = ttp_compute_common_arg(0), factor = ttp_compute_common_arg(1);

	ttp_compute_cb_wait_front(MASK, 1);
	ttp_compute_cb_wait_front(ONE, 1);
	for (uint32_t row = FIRST; row < FIRST + COUNT; row++) {
		uint32_t diagonal = row % wide, seen = diagonal + 1;

		ttp_compute_cb_wait_front(SCORES, wide);
		for (uint32_t i = 0; i < seen; i++) {
			ttp_tile_regs_acquire();
			ttp_copy_tile(SCORES, i, 0);
			ttp_sfpu(TTP_SFPU_MUL_SCALAR, 0, factor);
			if (i == diagonal) {
				ttp_copy_tile(MASK, 0, 1);
				ttp_sfpu_binary(TTP_SFPU_BINARY_ADD, 0, 1);
			}
			hand_on(MASKED, 1);
		}
		ttp_compute_cb_pop_front(SCORES, wide);
		ttp_compute_cb_wait_front(MASKED, seen);
		reduce_rows(TTP_TENSIX_REDUCE_MAX_ROW, MASKED, ONE, seen);
		hand_on(HIGHEST, 1);
		ttp_compute_cb_wait_front(HIGHEST, 1);
		for (uint32_t i = 0; i < seen; i++) {
			ttp_tile_regs_acquire();
			ttp_binary_tiles(TTP_TENSIX_BCAST_SUB_COL, MASKED, HIGHEST, i, 0, 0);
			ttp_sfpu(TTP_SFPU_EXP, 0, 0);
			hand_on(POWERS, 1);
		}
		ttp_compute_cb_pop_front(MASKED, seen);
		ttp_compute_cb_pop_front(HIGHEST, 1);
		ttp_compute_cb_wait_front(POWERS, seen);
		reduce_rows(TTP_TENSIX_REDUCE_SUM_ROW, POWERS, ONE, seen);
		ttp_sfpu(TTP_SFPU_RECIP, 0, 0);
		hand_on(INVERSE, 1);
		ttp_compute_cb_wait_front(INVERSE, 1);
		each_pair(TTP_TENSIX_BCAST_MUL_COL, POWERS, INVERSE, seen, true, OUT);
		ttp_compute_cb_pop_front(POWERS, seen);
		ttp_compute_cb_pop_front(INVERSE, 1);
		for (uint32_t i = seen; i < wide; i++) {
			ttp_tile_regs_acquire(); /* which makes it 0 */
			hand_on(OUT, 1);
		}
	}
}
