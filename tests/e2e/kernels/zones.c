/* SPDX-License-Identifier: Apache-2.0 */
/* `n` zones one after the other; each twice as long as it must be. */
#include <ttp/kernel.h>

void kernel_main(void)
{
#if TTP_RISC < 2
	uint32_t n = ttp_get_arg(0);
#else
	uint32_t n = ttp_compute_arg(0);
#endif

	for (uint32_t i = 0; i < n; i++) {
		DeviceZoneScopedN("TEST-FULL");
		__asm__ volatile("nop");
	}
}
