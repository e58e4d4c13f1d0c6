/* SPDX-License-Identifier: Apache-2.0 */
#include <ttp/kernel.h>

void kernel_main(void)
{
	DeviceZoneScopedN("JUDGED");
	DeviceValidateProfiler(ttp_get_arg(0) != 0);
}
