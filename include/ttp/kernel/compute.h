/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compute kernels, over the whole-tile operations of <ttp/tensix_macros.h>; the embedded chip has them,
 * other devices do not.
 *
 * One source is compiled three times: for T0, which feeds the unpackers, T1, which runs the math
 * engine, and T2, which drives the packer.  A function does the part of the core that it is compiled
 * for, so the three meet at the same calls.
 *
 *	ttp_cb_wait_front(0, 1);				T0
 *	ttp_tile_regs_acquire();				   T1
 *	ttp_matmul_tiles(0, 1, 0, 0, dst);			T0 T1
 *	ttp_tile_regs_commit(); ttp_tile_regs_wait();		   T1 T2
 *	ttp_cb_reserve_back(16, 1); ttp_pack_tile(dst, 16);	      T2
 *	ttp_tile_regs_release(); ttp_cb_push_back(16, 1);	      T2
 *	ttp_cb_pop_front(0, 1);				T0
 */
#ifndef TTP_KERNEL_COMPUTE_H
#define TTP_KERNEL_COMPUTE_H

#include "ttp/kernel/cb.h"
#include "ttp/kernel/profiler.h"
#include "ttp/tensix_macros.h"

#define TTP_UNPACK (TTP_RISC == 2)
#define TTP_MATH   (TTP_RISC == 3)
#define TTP_PACK   (TTP_RISC == 4)

#ifndef MATH_FIDELITY
#define MATH_FIDELITY 4
#endif

TTP_INLINE uint32_t ttp_compute_arg(unsigned i)
{
	/* Compute kernels have one list for the three: T0's. */
	return TTP_L1(TTP_L1_ARGS + 2 * TTP_ARGS_BYTES)[i];
}

TTP_INLINE uint32_t ttp_compute_common_arg(unsigned i)
{
	return TTP_L1(TTP_L1_COMMON_ARGS + 2 * TTP_COMMON_ARGS_BYTES)[i];
}

TTP_INLINE void ttp_tensix(uint32_t op, uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3)
{
	TTP_REG(TTP_TENSIX_ARG0) = a0;
	TTP_REG(TTP_TENSIX_ARG0 + 4) = a1;
	TTP_REG(TTP_TENSIX_ARG0 + 8) = a2;
	TTP_REG(TTP_TENSIX_ARG0 + 12) = a3;
	TTP_REG(TTP_TENSIX_ISSUE) = op;
}

/* Until all that this core asked for is done. */
TTP_INLINE void ttp_tensix_idle(void)
{
	(void)TTP_REG(TTP_TENSIX_IDLE);
}

TTP_INLINE uint32_t ttp_cb_format(unsigned cb)
{
	return TTP_STATE->cb[cb].page_bytes == 4096 ? TTP_TILE_FP32 : TTP_TILE_BF16;
}

TTP_INLINE uint32_t ttp_cb_tile(unsigned cb, uint32_t tile)
{
	struct ttp_cb *c = &TTP_STATE->cb[cb];
	uint32_t at = c->rd + tile * c->page_bytes;

	return at >= c->end ? at - c->size_bytes : at;
}

TTP_INLINE void ttp_compute_cb_wait_front(unsigned cb, uint32_t tiles)
{
	if (TTP_UNPACK) {
		DeviceZoneScopedSumN1(
			"CB-COMPUTE-WAIT-FRONT"); /* tt-metal's name, for the ops report */
		ttp_cb_wait_front(cb, tiles);
	}
}

TTP_INLINE void ttp_compute_cb_pop_front(unsigned cb, uint32_t tiles)
{
	if (TTP_UNPACK) {
		ttp_tensix_idle(); /* the tiles are read */
		ttp_cb_pop_front(cb, tiles);
	}
}

TTP_INLINE void ttp_compute_cb_reserve_back(unsigned cb, uint32_t tiles)
{
	if (TTP_PACK) {
		DeviceZoneScopedSumN2("CB-COMPUTE-RESERVE-BACK");
		ttp_cb_reserve_back(cb, tiles);
	}
}

TTP_INLINE void ttp_compute_cb_push_back(unsigned cb, uint32_t tiles)
{
	if (TTP_PACK) {
		ttp_tensix_idle(); /* the tiles are written */
		ttp_cb_push_back(cb, tiles);
		TTP_STATE->cb[cb].rd = 0;
	}
}

TTP_INLINE void ttp_tile_regs_acquire(void)
{
	if (TTP_MATH)
		ttp_tensix(TTP_TENSIX_DST_ACQUIRE, 0, 0, 0, 0);
}

TTP_INLINE void ttp_tile_regs_commit(void)
{
	if (TTP_MATH)
		ttp_tensix(TTP_TENSIX_DST_COMMIT, 0, 0, 0, 0);
}

TTP_INLINE void ttp_tile_regs_wait(void)
{
	if (TTP_PACK)
		ttp_tensix(TTP_TENSIX_DST_WAIT, 0, 0, 0, 0);
}

TTP_INLINE void ttp_tile_regs_release(void)
{
	if (TTP_PACK)
		ttp_tensix(TTP_TENSIX_DST_RELEASE, 0, 0, 0, 0);
}

/* Tiles of two buffers into SrcA and SrcB, then one operation of the math engine. */
TTP_INLINE void ttp_binary_tiles(uint32_t op, unsigned cb0, unsigned cb1, uint32_t tile0,
				 uint32_t tile1, uint32_t dst)
{
	if (TTP_UNPACK)
		ttp_tensix(TTP_TENSIX_UNPACK_AB, ttp_cb_tile(cb0, tile0), ttp_cb_format(cb0),
			   ttp_cb_tile(cb1, tile1), ttp_cb_format(cb1));
	if (TTP_MATH)
		ttp_tensix(op, dst, MATH_FIDELITY, 0, 0);
}

TTP_INLINE void ttp_unary_tile(uint32_t op, unsigned cb, uint32_t tile, uint32_t dst)
{
	if (TTP_UNPACK)
		ttp_tensix(TTP_TENSIX_UNPACK_A, ttp_cb_tile(cb, tile), ttp_cb_format(cb), 0, 0);
	if (TTP_MATH)
		ttp_tensix(op, dst, 0, 0, 0);
}

/* dst += tile0 x tile1; dst is 0 after ttp_tile_regs_acquire(). */
TTP_INLINE void ttp_matmul_tiles(unsigned cb0, unsigned cb1, uint32_t tile0, uint32_t tile1,
				 uint32_t dst)
{
	ttp_binary_tiles(TTP_TENSIX_MATMUL, cb0, cb1, tile0, tile1, dst);
}

/* The same with tile1 transposed, which the unpacker does on its way. */
TTP_INLINE void ttp_matmul_tiles_transposed(unsigned cb0, unsigned cb1, uint32_t tile0,
					    uint32_t tile1, uint32_t dst)
{
	if (TTP_UNPACK)
		ttp_tensix(TTP_TENSIX_UNPACK_AB, ttp_cb_tile(cb0, tile0), ttp_cb_format(cb0),
			   ttp_cb_tile(cb1, tile1), ttp_cb_format(cb1));
	if (TTP_MATH)
		ttp_tensix(TTP_TENSIX_MATMUL, dst, MATH_FIDELITY, 1, 0);
}

TTP_INLINE void ttp_copy_tile(unsigned cb, uint32_t tile, uint32_t dst)
{
	ttp_unary_tile(TTP_TENSIX_COPY, cb, tile, dst);
}

TTP_INLINE void ttp_sfpu(uint32_t function, uint32_t dst, uint32_t parameter)
{
	if (TTP_MATH)
		ttp_tensix(TTP_TENSIX_SFPU, dst, function, parameter, 0);
}

TTP_INLINE void ttp_sfpu_binary(uint32_t function, uint32_t dst, uint32_t other)
{
	if (TTP_MATH)
		ttp_tensix(TTP_TENSIX_SFPU_BINARY, dst, other, function, 0);
}

/* To the next free tile of the pages reserved, or to `tile` of them. */
TTP_INLINE void ttp_pack_tile_at(uint32_t dst, unsigned cb, uint32_t tile)
{
	if (TTP_PACK) {
		struct ttp_cb *c = &TTP_STATE->cb[cb];
		uint32_t at = c->wr + tile * c->page_bytes;

		ttp_tensix(TTP_TENSIX_PACK, dst, at >= c->end ? at - c->size_bytes : at,
			   ttp_cb_format(cb), 0);
	}
}

TTP_INLINE void ttp_pack_tile(uint32_t dst, unsigned cb)
{
	if (TTP_PACK)
		ttp_pack_tile_at(dst, cb, TTP_STATE->cb[cb].rd++);
}

/* The math or another unit of this core is busy for so long: a stand-in for an operation not modelled. */
TTP_INLINE void ttp_tensix_delay(uint32_t cycles)
{
	ttp_tensix(TTP_TENSIX_DELAY, cycles, 0, 0, 0);
}

#endif /* TTP_KERNEL_COMPUTE_H */
