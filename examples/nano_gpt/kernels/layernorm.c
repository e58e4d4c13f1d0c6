/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of buffer 0: less their mean, over their deviation, times 1, plus 2, into 16; also what comes before 1 and 2 (17)
 * and one over the deviation (18), for the backward pass.  3 has one over the width.
 * Common arguments: tiles of a row, epsilon.
 */
#include "tiles.h"

enum {
	X,
	GAMMA,
	BETA,
	SCALE,
	Y = 16,
	NORMAL,
	INVERSE,
	MEAN = 24,
	CENTRED,
	SQUARES,
	DEVIATION,
	OWN_NORMAL,
	TIMES
};

void kernel_main(void)
{
	uint32_t wide = ttp_compute_common_arg(0), epsilon = ttp_compute_common_arg(1);

	ttp_compute_cb_wait_front(SCALE, 1);
	ttp_compute_cb_wait_front(GAMMA, wide);
	ttp_compute_cb_wait_front(BETA, wide);
	for (uint32_t n = COUNT; n; n--) {
		ttp_compute_cb_wait_front(X, wide);
		reduce_rows(TTP_TENSIX_REDUCE_SUM_ROW, X, SCALE, wide);
		hand_on(MEAN, 1);
		ttp_compute_cb_wait_front(MEAN, 1);
		each_pair(TTP_TENSIX_BCAST_SUB_COL, X, MEAN, wide, true, CENTRED);
		ttp_compute_cb_pop_front(X, wide);
		ttp_compute_cb_pop_front(MEAN, 1);
		ttp_compute_cb_wait_front(CENTRED, wide);
		each_pair(TTP_TENSIX_MUL, CENTRED, CENTRED, wide, false, SQUARES);
		ttp_compute_cb_wait_front(SQUARES, wide);
		reduce_rows(TTP_TENSIX_REDUCE_SUM_ROW, SQUARES, SCALE, wide);
		ttp_sfpu(TTP_SFPU_ADD_SCALAR, 0, epsilon);
		ttp_sfpu(TTP_SFPU_RSQRT, 0, 0);
		ttp_compute_cb_pop_front(SQUARES, wide);
		hand_on_twice(DEVIATION, INVERSE);
		ttp_compute_cb_wait_front(DEVIATION, 1);
		for (uint32_t i = 0; i < wide; i++) {
			ttp_tile_regs_acquire();
			ttp_binary_tiles(TTP_TENSIX_BCAST_MUL_COL, CENTRED, DEVIATION, i, 0, 0);
			hand_on_twice(OWN_NORMAL, NORMAL);
		}
		ttp_compute_cb_pop_front(CENTRED, wide);
		ttp_compute_cb_pop_front(DEVIATION, 1);
		ttp_compute_cb_wait_front(OWN_NORMAL, wide);
		each_pair(TTP_TENSIX_BCAST_MUL_ROW, OWN_NORMAL, GAMMA, wide, false, TIMES);
		ttp_compute_cb_pop_front(OWN_NORMAL, wide);
		ttp_compute_cb_wait_front(TIMES, wide);
		each_pair(TTP_TENSIX_BCAST_ADD_ROW, TIMES, BETA, wide, false, Y);
		ttp_compute_cb_pop_front(TIMES, wide);
	}
}
