/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The backward pass of layernorm.c: from behind (buffer 0), the normal values (1), one over the deviation (2), gamma (3) and
 * one over the width (4) to the gradient of what came in (16):
 *	g = from behind * gamma,  (g - mean(g) - normal * mean(g * normal)) * inverse
 * Common arguments: tiles of a row.
 */
#include "tiles.h"

enum { BEHIND, NORMAL, INVERSE, GAMMA, SCALE, OUT = 16, G = 24, MEAN, PRODUCTS, SHARE, REST };

void kernel_main(void)
{
	uint32_t wide = ttp_compute_common_arg(0);

	ttp_compute_cb_wait_front(SCALE, 1);
	ttp_compute_cb_wait_front(GAMMA, wide);
	for (uint32_t n = COUNT; n; n--) {
		ttp_compute_cb_wait_front(BEHIND, wide);
		ttp_compute_cb_wait_front(NORMAL, wide);
		ttp_compute_cb_wait_front(INVERSE, 1);
		each_pair(TTP_TENSIX_BCAST_MUL_ROW, BEHIND, GAMMA, wide, false, G);
		ttp_compute_cb_pop_front(BEHIND, wide);
		ttp_compute_cb_wait_front(G, wide);
		reduce_rows(TTP_TENSIX_REDUCE_SUM_ROW, G, SCALE, wide);
		hand_on(MEAN, 1);
		each_pair(TTP_TENSIX_MUL, G, NORMAL, wide, false, PRODUCTS);
		ttp_compute_cb_wait_front(PRODUCTS, wide);
		reduce_rows(TTP_TENSIX_REDUCE_SUM_ROW, PRODUCTS, SCALE, wide);
		ttp_compute_cb_pop_front(PRODUCTS, wide);
		hand_on(SHARE, 1);
		ttp_compute_cb_wait_front(MEAN, 1);
		ttp_compute_cb_wait_front(SHARE, 1);
		for (uint32_t i = 0; i < wide; i++) {
			ttp_tile_regs_acquire();
			ttp_binary_tiles(TTP_TENSIX_BCAST_SUB_COL, G, MEAN, i, 0, 0);
			ttp_binary_tiles(TTP_TENSIX_BCAST_MUL_COL, NORMAL, SHARE, i, 0, 1);
			ttp_sfpu_binary(TTP_SFPU_BINARY_SUB, 0, 1);
			hand_on(REST, 1);
		}
		ttp_compute_cb_pop_front(G, wide);
		ttp_compute_cb_pop_front(NORMAL, wide);
		ttp_compute_cb_pop_front(MEAN, 1);
		ttp_compute_cb_pop_front(SHARE, 1);
		ttp_compute_cb_wait_front(REST, wide);
		each_pair(TTP_TENSIX_BCAST_MUL_COL, REST, INVERSE, wide, true, OUT);
		ttp_compute_cb_pop_front(REST, wide);
		ttp_compute_cb_pop_front(INVERSE, 1);
	}
}
