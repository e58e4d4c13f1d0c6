/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of logits (buffer 0), with a 1 where the right answer is (1); 2 has the number one.
 * Forward: log of the sum of powers, less the right one's logit, in column 0 of 16.
 * BACKWARD: softmax less the ones, times a factor.  Common arguments: tiles of a row, factor.
 */
#include "tiles.h"

enum { LOGITS, RIGHT, ONE, OUT = 16, HIGHEST = 24, POWERS, SUM, PRODUCTS, CHOSEN };

static void backward(uint32_t wide, uint32_t factor)
{
	ttp_sfpu(TTP_SFPU_RECIP, 0, 0);
	hand_on(SUM, 1);
	ttp_compute_cb_wait_front(SUM, 1);
	each_pair(TTP_TENSIX_BCAST_MUL_COL, POWERS, SUM, wide, true, PRODUCTS);
	ttp_compute_cb_wait_front(PRODUCTS, wide);
	for (uint32_t i = 0; i < wide; i++) {
		ttp_tile_regs_acquire();
		ttp_binary_tiles(TTP_TENSIX_SUB, PRODUCTS, RIGHT, i, i, 0);
		ttp_sfpu(TTP_SFPU_MUL_SCALAR, 0, factor);
		hand_on(OUT, 1);
	}
}

static void forward(uint32_t wide)
{
	ttp_sfpu(TTP_SFPU_LOG, 0, 0);
	ttp_copy_tile(HIGHEST, 0, 1);
	ttp_sfpu_binary(TTP_SFPU_BINARY_ADD, 0, 1);
	hand_on(SUM, 1);
	each_pair(TTP_TENSIX_MUL, LOGITS, RIGHT, wide, false, PRODUCTS);
	ttp_compute_cb_wait_front(PRODUCTS, wide);
	reduce_rows(TTP_TENSIX_REDUCE_SUM_ROW, PRODUCTS, ONE, wide);
	hand_on(CHOSEN, 1);
	ttp_compute_cb_wait_front(SUM, 1);
	ttp_compute_cb_wait_front(CHOSEN, 1);
	each_pair(TTP_TENSIX_SUB, SUM, CHOSEN, 1, true, OUT);
	ttp_compute_cb_pop_front(CHOSEN, 1);
}

void kernel_main(void)
{
	uint32_t wide = ttp_compute_common_arg(0);

	ttp_compute_cb_wait_front(ONE, 1);
	for (uint32_t n = COUNT; n; n--) {
		ttp_compute_cb_wait_front(LOGITS, wide);
		ttp_compute_cb_wait_front(RIGHT, wide);
		reduce_rows(TTP_TENSIX_REDUCE_MAX_ROW, LOGITS, ONE, wide);
		hand_on(HIGHEST, 1);
		ttp_compute_cb_wait_front(HIGHEST, 1);
		for (uint32_t i = 0; i < wide; i++) {
			ttp_tile_regs_acquire();
			ttp_binary_tiles(TTP_TENSIX_BCAST_SUB_COL, LOGITS, HIGHEST, i, 0, 0);
			ttp_sfpu(TTP_SFPU_EXP, 0, 0);
			hand_on(POWERS, 1);
		}
		ttp_compute_cb_wait_front(POWERS, wide);
		reduce_rows(TTP_TENSIX_REDUCE_SUM_ROW, POWERS, ONE, wide);
#ifdef BACKWARD
		backward(wide, ttp_compute_common_arg(1));
#else
		forward(wide);
#endif
		ttp_compute_cb_pop_front(LOGITS, wide);
		ttp_compute_cb_pop_front(RIGHT, wide);
		ttp_compute_cb_pop_front(HIGHEST, 1);
		ttp_compute_cb_pop_front(POWERS, wide);
		ttp_compute_cb_pop_front(SUM, 1);
		ttp_compute_cb_pop_front(PRODUCTS, wide);
	}
}
