// SPDX-License-Identifier: Apache-2.0
// The other way, from circular buffer `cb` (argument 4).
#include "dataflow_api.h"

void kernel_main()
{
	uint32_t pages = get_arg_val<uint32_t>(1), cb = get_arg_val<uint32_t>(4);
	InterleavedAddrGen<true> to = { get_arg_val<uint32_t>(0), get_arg_val<uint32_t>(2) };

	for (uint32_t i = 0; i < pages; i++) {
		DeviceZoneScopedN("WRITE-PAGE");
		cb_wait_front(cb, 1);
		noc_async_write_page(get_arg_val<uint32_t>(3) + i, to, get_read_ptr(cb));
		noc_async_write_barrier();
		cb_pop_front(cb, 1);
	}
}
