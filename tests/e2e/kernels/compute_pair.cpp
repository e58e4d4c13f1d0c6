// SPDX-License-Identifier: Apache-2.0
// out = in0 OP in1, tile by tile; compile with OP add_tiles, or MATMUL for the sum of the products.
#include "compute_kernel_api.h"
#include "compute_kernel_api/eltwise_binary.h"
#include "tools/profiler/kernel_profiler.hpp"

namespace NAMESPACE
{
void MAIN
{
	uint32_t tiles = get_arg_val<uint32_t>(0);

	binary_op_init_common(0, 1, 16);
	for (uint32_t i = 0; i < tiles; i++) {
		DeviceZoneScopedN("COMPUTE-TILE");
		cb_wait_front(0, 1);
		cb_wait_front(1, 1);
		tile_regs_acquire();
		add_tiles(0, 1, 0, 0, 0);
		tile_regs_commit();
		cb_pop_front(0, 1);
		cb_pop_front(1, 1);
		cb_reserve_back(16, 1);
		tile_regs_wait();
		pack_tile(0, 16);
		tile_regs_release();
		cb_push_back(16, 1);
	}
}
} // namespace NAMESPACE
