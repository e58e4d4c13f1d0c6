/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gradients of gamma (16) and beta (17): sums over all rows of what comes from behind (buffer 0) times the normal
 * values (1), and of the former alone.  A unit is a column of tiles; 2 has the number one.  Common arguments:
 * tiles of a column.
 */
#include "tiles.h"

enum { BEHIND, NORMAL, ONE, GAMMA = 16, BETA, PRODUCTS = 24 };

void kernel_main(void)
{
	uint32_t high = ttp_compute_common_arg(0);

	ttp_compute_cb_wait_front(ONE, 1);
	for (uint32_t n = COUNT; n; n--) {
		ttp_compute_cb_wait_front(BEHIND, high);
		ttp_compute_cb_wait_front(NORMAL, high);
		each_pair(TTP_TENSIX_MUL, BEHIND, NORMAL, high, false, PRODUCTS);
		ttp_compute_cb_wait_front(PRODUCTS, high);
		reduce_rows(TTP_TENSIX_REDUCE_SUM_COL, PRODUCTS, ONE, high);
		hand_on(GAMMA, 1);
		reduce_rows(TTP_TENSIX_REDUCE_SUM_COL, BEHIND, ONE, high);
		hand_on(BETA, 1);
		ttp_compute_cb_pop_front(BEHIND, high);
		ttp_compute_cb_pop_front(NORMAL, high);
		ttp_compute_cb_pop_front(PRODUCTS, high);
	}
}
