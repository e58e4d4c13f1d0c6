// SPDX-License-Identifier: Apache-2.0
#include "debug/dprint.h"

void kernel_main()
{
	DPRINT << "core " << TTP_RISC << " says " << -5 << ' ' << HEX() << 255u << DEC() << ' ' << F32(1.5f)
	       << ENDL();
	for (uint32_t i = 0; i < 300; i++)
		DPRINT << "line " << i << ENDL();
}
