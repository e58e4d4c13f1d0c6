/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tile by tile into 16.  One of: BINARY, an operation of the math engine on 0 and 1; VECTOR, one of the vector engine on
 * both; neither: a copy of 0.  Then THEN, a function of the vector engine; its parameter is common argument 0.  GATE: times what it was before.
 */
#include "tiles.h"

#if defined(BINARY) || defined(VECTOR)
#define INPUTS 2
#else
#define INPUTS 1
#endif

void kernel_main(void)
{
	for (uint32_t n = COUNT; n; n--) {
		for (unsigned cb = 0; cb < INPUTS; cb++)
			ttp_compute_cb_wait_front(cb, 1);
		ttp_tile_regs_acquire();
#ifdef BINARY
		ttp_binary_tiles(BINARY, 0, 1, 0, 0, 0);
#else
		ttp_copy_tile(0, 0, 0);
#endif
#ifdef VECTOR
		ttp_copy_tile(1, 0, 1);
		ttp_sfpu_binary(VECTOR, 0, 1);
#endif
#ifdef GATE
		ttp_copy_tile(0, 0, 1);
#endif
#ifdef THEN
		ttp_sfpu(THEN, 0, ttp_compute_common_arg(0));
#endif
#ifdef GATE
		ttp_sfpu_binary(TTP_SFPU_BINARY_MUL, 0, 1);
#endif
		for (unsigned cb = 0; cb < INPUTS; cb++)
			ttp_compute_cb_pop_front(cb, 1);
		hand_on(16, 1);
	}
}
