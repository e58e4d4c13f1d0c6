/* SPDX-License-Identifier: Apache-2.0 */
/* LOOPS rounds of 50 instructions that do nothing: a kernel whose length is known. */
#include <ttp/kernel.h>

#define NOP5  __asm__ volatile("nop\n\tnop\n\tnop\n\tnop\n\tnop")
#define NOP50 NOP5; NOP5; NOP5; NOP5; NOP5; NOP5; NOP5; NOP5; NOP5; NOP5

void kernel_main(void)
{
	for (unsigned i = 0; i < LOOPS; i++) {
		NOP50;
	}
}
