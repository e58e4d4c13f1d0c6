/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of buffer 0, less their mean (CENTRE), over their deviation, into 16; WEIGHT: times buffer 1, BIAS: plus buffer 2.
 * 3 has one over the width; MASKED: 4 has 0 for the padding of a row's last tile, 1 for the rest of it.
 * Common arguments: tiles of a row, epsilon.
 */
#include "tiles.h"

enum { X, GAMMA, BETA, SCALE, MASK, Y = 16, MEAN = 24, CENTRED, SQUARES, DEVIATION, NORMAL, TIMES };

void kernel_main(void)
{
	uint32_t wide = ttp_compute_common_arg(0), epsilon = ttp_compute_common_arg(1);

	ttp_compute_cb_wait_front(SCALE, 1);
#ifdef WEIGHT
	ttp_compute_cb_wait_front(GAMMA, wide);
#endif
#ifdef BIAS
	ttp_compute_cb_wait_front(BETA, wide);
#endif
#ifdef MASKED
	ttp_compute_cb_wait_front(MASK, 1);
#endif
	for (uint32_t n = COUNT; n; n--) {
		ttp_compute_cb_wait_front(X, wide);
#ifdef CENTRE
		reduce_rows(TTP_TENSIX_REDUCE_SUM_ROW, X, SCALE, wide);
		hand_on(MEAN, 1);
		ttp_compute_cb_wait_front(MEAN, 1);
#endif
		for (uint32_t i = 0; i < wide; i++) {
			ttp_tile_regs_acquire();
#ifdef CENTRE
			ttp_binary_tiles(TTP_TENSIX_BCAST_SUB_COL, X, MEAN, i, 0, 0);
#else
			ttp_copy_tile(X, i, 0);
#endif
#ifdef MASKED
			if (i == wide - 1) {
				ttp_copy_tile(MASK, 0, 1);
				ttp_sfpu_binary(TTP_SFPU_BINARY_MUL, 0, 1);
			}
#endif
			hand_on(CENTRED, 1);
		}
		ttp_compute_cb_pop_front(X, wide);
#ifdef CENTRE
		ttp_compute_cb_pop_front(MEAN, 1);
#endif
		ttp_compute_cb_wait_front(CENTRED, wide);
		each_pair(TTP_TENSIX_MUL, CENTRED, CENTRED, wide, false, SQUARES);
		ttp_compute_cb_wait_front(SQUARES, wide);
		reduce_rows(TTP_TENSIX_REDUCE_SUM_ROW, SQUARES, SCALE, wide);
		ttp_sfpu(TTP_SFPU_ADD_SCALAR, 0, epsilon);
		ttp_sfpu(TTP_SFPU_RSQRT, 0, 0);
		ttp_compute_cb_pop_front(SQUARES, wide);
		hand_on(DEVIATION, 1);
		ttp_compute_cb_wait_front(DEVIATION, 1);
#if defined(WEIGHT) || defined(BIAS)
		each_pair(TTP_TENSIX_BCAST_MUL_COL, CENTRED, DEVIATION, wide, true, NORMAL);
#else
		each_pair(TTP_TENSIX_BCAST_MUL_COL, CENTRED, DEVIATION, wide, true, Y);
#endif
		ttp_compute_cb_pop_front(CENTRED, wide);
		ttp_compute_cb_pop_front(DEVIATION, 1);
#if defined(WEIGHT) && defined(BIAS)
		ttp_compute_cb_wait_front(NORMAL, wide);
		each_pair(TTP_TENSIX_BCAST_MUL_ROW, NORMAL, GAMMA, wide, false, TIMES);
		ttp_compute_cb_pop_front(NORMAL, wide);
		ttp_compute_cb_wait_front(TIMES, wide);
		each_pair(TTP_TENSIX_BCAST_ADD_ROW, TIMES, BETA, wide, false, Y);
		ttp_compute_cb_pop_front(TIMES, wide);
#elif defined(WEIGHT)
		ttp_compute_cb_wait_front(NORMAL, wide);
		each_pair(TTP_TENSIX_BCAST_MUL_ROW, NORMAL, GAMMA, wide, false, Y);
		ttp_compute_cb_pop_front(NORMAL, wide);
#elif defined(BIAS)
		ttp_compute_cb_wait_front(NORMAL, wide);
		each_pair(TTP_TENSIX_BCAST_ADD_ROW, NORMAL, BETA, wide, false, Y);
		ttp_compute_cb_pop_front(NORMAL, wide);
#endif
	}
}
