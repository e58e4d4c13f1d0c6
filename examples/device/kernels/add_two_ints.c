/* SPDX-License-Identifier: Apache-2.0 */
/* Two numbers come from DRAM, their sum goes back.  Arguments: addresses of both and of the result. */
#include <ttp/kernel.h>

#define SCRATCH TTP_L1_FREE

void kernel_main(void)
{
	volatile uint32_t *a = TTP_L1(SCRATCH), *b = TTP_L1(SCRATCH + 32), *sum = TTP_L1(SCRATCH + 64);

	{
		DeviceZoneScopedN("read");
		ttp_noc_async_read(ttp_dram_page_addr(ttp_get_arg(0), 32, 0), SCRATCH, 32);
		ttp_noc_async_read(ttp_dram_page_addr(ttp_get_arg(1), 32, 0), SCRATCH + 32, 32);
		ttp_noc_async_read_barrier();
	}
	{
		DeviceZoneScopedN("add");
		*sum = *a + *b;
		ttp_print_text("Adding integers: ");
		ttp_print_uint(*a);
		ttp_print_text(" + ");
		ttp_print_uint(*b);
		ttp_print_line();
	}
	{
		DeviceZoneScopedN("write");
		ttp_noc_async_write(SCRATCH + 64, ttp_dram_page_addr(ttp_get_arg(2), 32, 0), 32);
		ttp_noc_async_write_barrier();
	}
}
