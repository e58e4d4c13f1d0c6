/* SPDX-License-Identifier: Apache-2.0 */
/* A zone, a number of 64 bits and an event, each time round: ten words. */
#include <ttp/kernel.h>

void kernel_main(void)
{
	for (unsigned i = 0; i < ROUNDS; i++) {
		DeviceZoneScopedN("TEST-EVENTS");
		DeviceTimestampedData("TEST-DATA", i + (1ull << 32));
		DeviceRecordEvent(i);
	}
}
