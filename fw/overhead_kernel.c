/* SPDX-License-Identifier: Apache-2.0 */
/* Zones with nothing inside: what they show is what a zone costs. */
#include <ttp/kernel.h>

void kernel_main(void)
{
	for (uint32_t i = 0; i < OVERHEAD_ZONES; i++) {
		DeviceZoneScopedN("PROFILER-OVERHEAD");
	}
}
