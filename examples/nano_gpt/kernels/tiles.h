/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the compute kernels share.  Circular buffers: 0 .. 15 come from the reader, 16 .. 23 go to the writer, 24 .. 31
 * stay.
 */
#ifndef TILES_H
#define TILES_H

#include <ttp/kernel.h>

/* Which part of the work this core has, in units of the op: rows of tiles, tiles, blocks. */
#define FIRST ttp_compute_arg(0)
#define COUNT ttp_compute_arg(1)

#define BITS_LOWEST 0xFF7FFFFFu /* the least fp32 */

/* From Dst to a buffer: its first `tiles` tiles. */
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

/* One tile to two buffers: a buffer has one taker. */
TTP_INLINE void hand_on_twice(unsigned cb, unsigned other)
{
	ttp_tile_regs_commit();
	ttp_tile_regs_wait();
	ttp_compute_cb_reserve_back(cb, 1);
	ttp_pack_tile(0, cb);
	ttp_compute_cb_push_back(cb, 1);
	ttp_compute_cb_reserve_back(other, 1);
	ttp_pack_tile(0, other);
	ttp_tile_regs_release();
	ttp_compute_cb_push_back(other, 1);
}

/* to = f(a[i], b[i]) for n tiles, or with one tile of b for all. */
TTP_INLINE void each_pair(uint32_t op, unsigned a, unsigned b, uint32_t n, bool one_b, unsigned to)
{
	for (uint32_t i = 0; i < n; i++) {
		ttp_tile_regs_acquire();
		ttp_binary_tiles(op, a, b, i, one_b ? 0 : i, 0);
		hand_on(to, 1);
	}
}

/* Sums or maxima of rows over n tiles, times the first value of `scale`, into tile 0 of Dst; Dst is taken. */
TTP_INLINE void reduce_rows(uint32_t op, unsigned cb, unsigned scale, uint32_t n)
{
	ttp_tile_regs_acquire();
	if (op == TTP_TENSIX_REDUCE_MAX_ROW)
		ttp_sfpu(TTP_SFPU_ADD_SCALAR, 0, BITS_LOWEST);
	for (uint32_t i = 0; i < n; i++)
		ttp_binary_tiles(op, cb, scale, i, 0, 0);
}

#endif /* TILES_H */
