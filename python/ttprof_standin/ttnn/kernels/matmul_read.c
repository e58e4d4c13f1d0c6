/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For each block of COLUMNS tiles of the result, CHUNK steps along K at a time: tiles of A's row into buffer 0, of B's
 * columns into 1.  Common arguments: as in the enum.  Arguments: first block, blocks.
 */
#include <ttp/kernel.h>

#include "pages.h"

enum { A, B, A_BATCH, B_BATCH, ROWS, STEPS, WIDE, COLUMNS, CHUNK, TURNED };

void kernel_main(void)
{
	uint32_t a = ttp_get_common_arg(A), b = ttp_get_common_arg(B);
	uint32_t rows = ttp_get_common_arg(ROWS), steps = ttp_get_common_arg(STEPS);
	uint32_t wide = ttp_get_common_arg(WIDE), columns = ttp_get_common_arg(COLUMNS);
	uint32_t chunk = ttp_get_common_arg(CHUNK), turned = ttp_get_common_arg(TURNED);
	uint32_t blocks = wide / columns, a_bytes = ttp_get_tile_size(0),
		 b_bytes = ttp_get_tile_size(1);
	uint32_t n = ttp_get_arg(0), end = n + ttp_get_arg(1);

	for (; n < end; n++) {
		uint32_t batch = n / blocks / rows, row = n / blocks % rows,
			 left = n % blocks * columns;
		uint32_t from_a = (batch % ttp_get_common_arg(A_BATCH) * rows + row) * steps;
		uint32_t from_b = batch % ttp_get_common_arg(B_BATCH) * steps * wide;

		for (uint32_t k = 0; k < steps; k += chunk) {
			uint32_t to_a, to_b;

			ttp_cb_reserve_back(0, chunk);
			ttp_cb_reserve_back(1, chunk * columns);
			to_a = ttp_get_write_ptr(0);
			to_b = ttp_get_write_ptr(1);
			for (uint32_t i = k; i < k + chunk; i++, to_a += a_bytes) {
				ttp_noc_async_read(page_addr(a, a_bytes, from_a + i), to_a,
						   a_bytes);
				for (uint32_t c = left; c < left + columns; c++, to_b += b_bytes)
					ttp_noc_async_read(
						page_addr(b, b_bytes,
								   from_b +
									   (turned ? c * steps + i
										   : i * wide + c)),
						to_b, b_bytes);
			}
			ttp_noc_async_read_barrier();
			ttp_cb_push_back(0, chunk);
			ttp_cb_push_back(1, chunk * columns);
		}
	}
}
