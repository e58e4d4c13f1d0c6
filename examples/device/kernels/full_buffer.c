/* SPDX-License-Identifier: Apache-2.0 */
/* More zones than a core's buffer has room for: 125 of ZONES are kept, the others counted. */
#include <ttp/kernel.h>

void kernel_main(void)
{
	for (unsigned i = 0; i < ZONES; i++) {
		DeviceZoneScopedN("TEST-FULL");
		__asm__ volatile("nop\n\tnop\n\tnop\n\tnop\n\tnop");
	}
}
