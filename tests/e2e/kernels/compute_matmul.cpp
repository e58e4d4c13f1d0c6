// SPDX-License-Identifier: Apache-2.0
// One tile: the sum of `tiles` products.
#include "compute_kernel_api/matmul.h"

namespace NAMESPACE
{
void MAIN
{
	uint32_t tiles = get_arg_val<uint32_t>(0);

	mm_init(0, 1, 16);
	tile_regs_acquire();
	for (uint32_t i = 0; i < tiles; i++) {
		cb_wait_front(0, 1);
		cb_wait_front(1, 1);
		matmul_tiles(0, 1, 0, 0, 0, false);
		cb_pop_front(0, 1);
		cb_pop_front(1, 1);
	}
	tile_regs_commit();
	tile_regs_wait();
	cb_reserve_back(16, 1);
	pack_tile(0, 16);
	tile_regs_release();
	cb_push_back(16, 1);
}
} // namespace NAMESPACE
