/* SPDX-License-Identifier: Apache-2.0 */
/* Does nothing: its op marks a moment in the report. */
#include <ttp/kernel.h>

void kernel_main(void)
{
}
