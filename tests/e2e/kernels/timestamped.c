/* SPDX-License-Identifier: Apache-2.0 */
/* tt-metal's timestamped events: a zone, 64 bits with a time, an event; 150 times. */
#include <ttp/kernel.h>

void kernel_main(void)
{
	for (uint32_t i = 0; i < 150; i++) {
		{
			DeviceZoneScopedN("TEST-FULL");
		}
		DeviceTimestampedData("TEST", i + ((uint64_t)1 << 32));
		DeviceRecordEvent(i);
	}
}
