// SPDX-License-Identifier: Apache-2.0
// Pages of DRAM into circular buffer 0: address, number, page size, first page.
#include "dataflow_api.h"

void kernel_main()
{
	uint32_t pages = get_arg_val<uint32_t>(1);
	InterleavedAddrGen<true> from = { get_arg_val<uint32_t>(0), get_arg_val<uint32_t>(2) };

	for (uint32_t i = 0; i < pages; i++) {
		DeviceZoneScopedN("READ-PAGE");
		cb_reserve_back(0, 1);
		noc_async_read_page(get_arg_val<uint32_t>(3) + i, from, get_write_ptr(0));
		noc_async_read_barrier();
		cb_push_back(0, 1);
	}
}
