/* SPDX-License-Identifier: Apache-2.0 */
/* For each tile of the result: a row of A's tiles and a column of B's.  Arguments: a, b, Mt, Kt, Nt. */
#include <ttp/kernel.h>

void kernel_main(void)
{
	uint32_t a = ttp_get_arg(0), b = ttp_get_arg(1), mt = ttp_get_arg(2), kt = ttp_get_arg(3);
	uint32_t nt = ttp_get_arg(4), bytes = ttp_get_tile_size(0);

	for (uint32_t m = 0; m < mt; m++)
		for (uint32_t n = 0; n < nt; n++)
			for (uint32_t k = 0; k < kt; k++) {
				ttp_cb_reserve_back(0, 1);
				ttp_cb_reserve_back(1, 1);
				ttp_noc_async_read(ttp_dram_page_addr(a, bytes, m * kt + k),
						   ttp_get_write_ptr(0), bytes);
				ttp_noc_async_read(ttp_dram_page_addr(b, bytes, k * nt + n),
						   ttp_get_write_ptr(1), bytes);
				ttp_noc_async_read_barrier();
				ttp_cb_push_back(0, 1);
				ttp_cb_push_back(1, 1);
			}
}
