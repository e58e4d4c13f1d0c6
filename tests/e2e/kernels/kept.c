/* SPDX-License-Identifier: Apache-2.0 */
/* Guaranteed zones behind a full buffer. */
#include <ttp/kernel.h>

void kernel_main(void)
{
	for (uint32_t i = 0; i < 200; i++) {
		DeviceZoneScopedN("FILL");
	}
	DeviceZoneScopedMainN("USER-MAIN");
	{
		DeviceZoneScopedMainChildN("USER-CHILD");
	}
	{
		DeviceZoneScopedMainChildN("NEVER");
	}
}
