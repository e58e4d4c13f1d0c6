/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A step of AdamW, tile by tile: weights (buffer 0), first and second moments (1, 2) and gradient (3) to the new
 * ones (16, 17, 18) and the weights in bf16 (19), which the next step computes with. Common arguments, fp32: beta
 * 1, 1 - beta 1, beta 2, 1 - beta 2, 1 / (1 - beta 2 ^ step), epsilon, rate / (1 - beta 1 ^ step), 1 - rate *
 * decay.
 */
#include "tiles.h"

enum { WEIGHT, FIRST_MOMENT, SECOND_MOMENT, GRADIENT };
enum { BETA1, REST1, BETA2, REST2, RIGHT2, EPSILON, RATE, KEEP };
enum { D_FIRST, D_SECOND, D_WEIGHT, D_GRADIENT, D_OTHER, D_ROOT, D_STEP }; /* tiles of Dst */

static void times(uint32_t dst, uint32_t argument)
{
	ttp_sfpu(TTP_SFPU_MUL_SCALAR, dst, ttp_compute_common_arg(argument));
}

static void one_tile(void)
{
	ttp_copy_tile(FIRST_MOMENT, 0, D_FIRST);
	ttp_copy_tile(SECOND_MOMENT, 0, D_SECOND);
	ttp_copy_tile(WEIGHT, 0, D_WEIGHT);
	ttp_copy_tile(GRADIENT, 0, D_GRADIENT);
	/* a copy of Dst is a sum with a tile that is still 0 */
	ttp_sfpu_binary(TTP_SFPU_BINARY_ADD, D_OTHER, D_GRADIENT);
	times(D_FIRST, BETA1);
	times(D_GRADIENT, REST1);
	ttp_sfpu_binary(TTP_SFPU_BINARY_ADD, D_FIRST, D_GRADIENT);
	times(D_SECOND, BETA2);
	ttp_sfpu(TTP_SFPU_SQUARE, D_OTHER, 0);
	times(D_OTHER, REST2);
	ttp_sfpu_binary(TTP_SFPU_BINARY_ADD, D_SECOND, D_OTHER);
	ttp_sfpu_binary(TTP_SFPU_BINARY_ADD, D_ROOT, D_SECOND);
	times(D_ROOT, RIGHT2);
	ttp_sfpu(TTP_SFPU_SQRT, D_ROOT, 0);
	ttp_sfpu(TTP_SFPU_ADD_SCALAR, D_ROOT, ttp_compute_common_arg(EPSILON));
	ttp_sfpu_binary(TTP_SFPU_BINARY_ADD, D_STEP, D_FIRST);
	ttp_sfpu_binary(TTP_SFPU_BINARY_DIV, D_STEP, D_ROOT);
	times(D_STEP, RATE);
	times(D_WEIGHT, KEEP);
	ttp_sfpu_binary(TTP_SFPU_BINARY_SUB, D_WEIGHT, D_STEP);
}

static void pack(uint32_t dst, unsigned cb)
{
	ttp_compute_cb_reserve_back(cb, 1);
	ttp_pack_tile(dst, cb);
	ttp_compute_cb_push_back(cb, 1);
}

void kernel_main(void)
{
	for (uint32_t n = COUNT; n; n--) {
		for (unsigned cb = 0; cb < 4; cb++)
			ttp_compute_cb_wait_front(cb, 1);
		ttp_tile_regs_acquire();
		one_tile();
		for (unsigned cb = 0; cb < 4; cb++)
			ttp_compute_cb_pop_front(cb, 1);
		ttp_tile_regs_commit();
		ttp_tile_regs_wait();
		pack(D_WEIGHT, 16);
		pack(D_FIRST, 17);
		pack(D_SECOND, 18);
		pack(D_WEIGHT, 19);
		ttp_tile_regs_release();
	}
}
