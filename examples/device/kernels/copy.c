/* SPDX-License-Identifier: Apache-2.0 */
/* Pages of one DRAM buffer to another, through L1.  Arguments: from, to, first page, pages, bytes of one. */
#include <ttp/kernel.h>

void kernel_main(void)
{
	uint32_t from = ttp_get_arg(0), to = ttp_get_arg(1), page = ttp_get_arg(2);
	uint32_t end = page + ttp_get_arg(3), bytes = ttp_get_arg(4);

	for (; page < end; page++) {
		DeviceZoneScopedN("page");
		ttp_noc_async_read(ttp_dram_page_addr(from, bytes, page), TTP_L1_FREE, bytes);
		ttp_noc_async_read_barrier();
		ttp_noc_async_write(TTP_L1_FREE, ttp_dram_page_addr(to, bytes, page), bytes);
		ttp_noc_async_write_barrier();
	}
}
