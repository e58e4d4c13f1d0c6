/* SPDX-License-Identifier: Apache-2.0 */
/* Sums: two places of the same macro, one that passes 32 bits, and more than there is room for. */
#include <ttp/kernel.h>

void kernel_main(void)
{
	for (uint32_t i = 0; i < 10; i++) {
		{
			DeviceZoneScopedSumN1("SUM-A");
			__asm__ volatile("nop");
		}
		{
			DeviceZoneScopedSumN1("SUM-B");
			__asm__ volatile("nop");
		}
		{
			DeviceZoneScopedSumN2("SUM-C");
			__asm__ volatile("nop");
		}
	}
	for (uint32_t i = 0; i < 2; i++) {
		TTP_PLACE_AND_ID(id, "SUM-LONG");
		struct ttp_sum_zone z = ttp_sum_begin(id);

		z.start.high -= 3; /* it began three wraps of the low word ago */
		ttp_sum_end(&z);
	}
	{
		DeviceZoneScopedSumN1("SUM-FIFTH");
	}
}
