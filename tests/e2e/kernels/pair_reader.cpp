// SPDX-License-Identifier: Apache-2.0
// Tiles of two buffers into circular buffers 0 and 1: addresses, number, first tile.
#include "dataflow_api.h"

void kernel_main()
{
	uint32_t tiles = get_arg_val<uint32_t>(2), first = get_arg_val<uint32_t>(3);
	InterleavedAddrGenFast<true> a = { get_arg_val<uint32_t>(0), get_tile_size(0), get_dataformat(0) };
	InterleavedAddrGenFast<true> b = { get_arg_val<uint32_t>(1), get_tile_size(1), get_dataformat(1) };

	for (uint32_t i = 0; i < tiles; i++) {
		cb_reserve_back(0, 1);
		cb_reserve_back(1, 1);
		noc_async_read_tile(first + i, a, get_write_ptr(0));
		noc_async_read_tile(first + i, b, get_write_ptr(1));
		noc_async_read_barrier();
		cb_push_back(0, 1);
		cb_push_back(1, 1);
	}
}
