/* SPDX-License-Identifier: Apache-2.0 */
/* `loops` times fifty instructions that do nothing. */
#include <ttp/kernel.h>

#define NOP5 __asm__ volatile("nop\n nop\n nop\n nop\n nop")
#define NOP25 \
	NOP5; \
	NOP5; \
	NOP5; \
	NOP5; \
	NOP5

void kernel_main(void)
{
#if TTP_RISC < 2
	uint32_t loops = ttp_get_arg(0);
#else
	uint32_t loops = ttp_compute_arg(0);
#endif

	for (uint32_t i = 0; i < loops; i++) {
		NOP25;
		NOP25;
	}
}
