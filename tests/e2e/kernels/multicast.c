/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The first tile of a row of four sends a line to the others, and waits until all say that it came.
 * Arguments: 1 if this is the sender, first and last x, y (translated).
 */
#include <ttp/kernel.h>

#define LINE (TTP_L1_FREE + 0x100 + NOC_INDEX * 0x1000)

void kernel_main(void)
{
	uint32_t sender = ttp_get_arg(0), x0 = ttp_get_arg(1), x1 = ttp_get_arg(2),
		 y = ttp_get_arg(3);
	uint32_t ready = ttp_get_semaphore(2 * NOC_INDEX),
		 came = ttp_get_semaphore(2 * NOC_INDEX + 1);

	if (sender) {
		uint64_t others = ttp_noc_rect_addr(NOC_INDEX, x0 + 1, y, x1, y, 0);

		for (uint32_t i = 0; i < 64; i++)
			TTP_L1(LINE)[i] = 0xC0DE0000u + i;
		DeviceZoneScopedN("SEND");
		ttp_noc_async_write_multicast(LINE, others | LINE, 256, x1 - x0);
		ttp_noc_async_write_barrier();
		*TTP_L1(ready) = 1;
		ttp_noc_semaphore_set_multicast(ready, others | ready, x1 - x0);
		ttp_noc_semaphore_wait(TTP_L1(came), x1 - x0);
		ttp_noc_async_write_barrier();
	} else {
		DeviceZoneScopedN("RECEIVE");
		ttp_noc_semaphore_wait(TTP_L1(ready), 1);
		ttp_noc_semaphore_inc(ttp_noc_addr(x0, y, came), 1);
		ttp_noc_async_atomic_barrier();
	}
}
