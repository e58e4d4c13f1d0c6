/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Blocks of ROWS x COLUMNS tiles of the result (at most 8): buffers 0 x 1 into 16.
 * Common arguments: rows, columns, steps along K, A transposed, B transposed.
 */
#include "tiles.h"

void kernel_main(void)
{
	uint32_t rows = ttp_compute_common_arg(0), columns = ttp_compute_common_arg(1);
	uint32_t steps = ttp_compute_common_arg(2), turn_a = ttp_compute_common_arg(3);
	uint32_t turn_b = ttp_compute_common_arg(4), a = turn_a ? 24 : 0;

	for (uint32_t n = COUNT; n; n--) {
		/* B's tiles are turned by the unpacker, A's must go through Dst. */
		for (uint32_t k = 0; turn_a && k < steps; k++) {
			ttp_compute_cb_wait_front(0, rows);
			ttp_tile_regs_acquire();
			for (uint32_t r = 0; r < rows; r++)
				ttp_unary_tile(TTP_TENSIX_TRANSPOSE, 0, r, r);
			ttp_compute_cb_pop_front(0, rows);
			hand_on(24, rows);
		}
		ttp_tile_regs_acquire();
		for (uint32_t k = 0; k < steps; k++) {
			ttp_compute_cb_wait_front(a, rows);
			ttp_compute_cb_wait_front(1, columns);
			for (uint32_t r = 0; r < rows; r++)
				for (uint32_t c = 0; c < columns; c++)
					if (turn_b)
						ttp_matmul_tiles_transposed(a, 1, r, c,
									    r * columns + c);
					else
						ttp_matmul_tiles(a, 1, r, c, r * columns + c);
			ttp_compute_cb_pop_front(a, rows);
			ttp_compute_cb_pop_front(1, columns);
		}
		hand_on(16, rows * columns);
	}
}
