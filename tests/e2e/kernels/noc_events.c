/* SPDX-License-Identifier: Apache-2.0 */
/* Many small reads inside open zones: arguments are their number and the depth. */
#include <ttp/kernel.h>

static void reads(uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		ttp_noc_async_read(ttp_dram_page_addr(0x10000000, 64, i), TTP_L1_FREE, 64);
		ttp_noc_async_read_barrier();
	}
}

static void nested(uint32_t n, uint32_t depth)
{
	DeviceZoneScopedN("NESTED");
	if (depth > 1)
		nested(n, depth - 1);
	else
		reads(n);
}

void kernel_main(void)
{
	nested(ttp_get_arg(0), ttp_get_arg(1));
}
