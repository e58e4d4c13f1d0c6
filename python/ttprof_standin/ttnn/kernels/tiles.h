/* SPDX-License-Identifier: Apache-2.0 */
/* What the compute kernels share.  Buffers: 0 .. 15 come from the reader, 16 goes to the writer, 24 .. 31 stay. */
#ifndef TILES_H
#define TILES_H

#include <ttp/kernel.h>

#define COUNT ttp_compute_arg(1) /* units of work of this core */

#define BITS_LOWEST 0xFF7FFFFFu /* the least fp32 */

/* From Dst to a buffer. */
TTP_INLINE void hand_on(unsigned cb, uint32_t tiles)
{
	ttp_tile_regs_commit();
	ttp_tile_regs_wait();
	ttp_compute_cb_reserve_back(cb, tiles);
	for (uint32_t i = 0; i < tiles; i++)
		ttp_pack_tile(i, cb);
	ttp_tile_regs_release();
	ttp_compute_cb_push_back(cb, tiles);
}

/* to[i] = a[i] op b[i], or op b[0]. */
TTP_INLINE void each_pair(uint32_t op, unsigned a, unsigned b, uint32_t n, bool one_b, unsigned to)
{
	for (uint32_t i = 0; i < n; i++) {
		ttp_tile_regs_acquire();
		ttp_binary_tiles(op, a, b, i, one_b ? 0 : i, 0);
		hand_on(to, 1);
	}
}

/* Sums or maxima of rows of n tiles, times what `scale` begins with, into tile 0 of Dst, which is taken. */
TTP_INLINE void reduce_rows(uint32_t op, unsigned cb, unsigned scale, uint32_t n)
{
	ttp_tile_regs_acquire();
	if (op == TTP_TENSIX_REDUCE_MAX_ROW)
		ttp_sfpu(TTP_SFPU_ADD_SCALAR, 0, BITS_LOWEST);
	for (uint32_t i = 0; i < n; i++)
		ttp_binary_tiles(op, cb, scale, i, 0, 0);
}

#endif /* TILES_H */
