// SPDX-License-Identifier: Apache-2.0
//
// tt-metal's compute API in its own names; what it does is in <ttp/kernel/compute.h>.
// namespace NAMESPACE { void MAIN { ... } } is the kernel.
#pragma once

#include <cstdint>
#include <type_traits>

#include "compile_time_args.h"
#include "ttp/kernel.h"

#if TTP_RISC >= 2

#define ALWI      inline __attribute__((always_inline))
#define NAMESPACE ttp_compute
#define MAIN      run_main()

#if TTP_RISC == 2
#define UNPACK(x) x
#define MATH(x)
#define PACK(x)
#elif TTP_RISC == 3
#define UNPACK(x)
#define MATH(x) x
#define PACK(x)
#else
#define UNPACK(x)
#define MATH(x)
#define PACK(x) x
#endif

namespace tt
{
enum CBIndex : uint32_t {
	c_0, c_1, c_2, c_3, c_4, c_5, c_6, c_7, c_8, c_9, c_10, c_11, c_12, c_13, c_14, c_15,
	c_16, c_17, c_18, c_19, c_20, c_21, c_22, c_23, c_24, c_25, c_26, c_27, c_28, c_29, c_30, c_31
};
namespace CB
{
enum : uint32_t { c_in0 = 0, c_in1 = 1, c_in2 = 2, c_in3 = 3, c_in4 = 4, c_in5 = 5, c_in6 = 6, c_in7 = 7, c_out0 = 16, c_out1 = 17, c_intermed0 = 24, c_intermed1 = 25, c_intermed2 = 26 };
}
} // namespace tt

enum class BroadcastType : uint8_t { NONE, COL, ROW, SCALAR };
enum EltwiseBinaryType : uint8_t { ELWMUL, ELWDIV, ELWADD, ELWSUB };
enum PoolType : uint8_t { SUM, AVG, MAX };
enum ReduceDim : uint8_t { REDUCE_ROW, REDUCE_COL, REDUCE_SCALAR };

template <typename T> ALWI T get_arg_val(int i)
{
	static_assert(sizeof(T) == 4, "arguments are words");
	uint32_t v = ttp_compute_arg((unsigned)i);
	T out;

	__builtin_memcpy(&out, &v, 4);
	return out;
}
template <typename T> ALWI T get_common_arg_val(int i)
{
	return (T)ttp_compute_common_arg((unsigned)i);
}

ALWI void cb_wait_front(uint32_t cb, uint32_t n) { ttp_compute_cb_wait_front(cb, n); }
ALWI void cb_pop_front(uint32_t cb, uint32_t n) { ttp_compute_cb_pop_front(cb, n); }
ALWI void cb_reserve_back(uint32_t cb, uint32_t n) { ttp_compute_cb_reserve_back(cb, n); }
ALWI void cb_push_back(uint32_t cb, uint32_t n) { ttp_compute_cb_push_back(cb, n); }

ALWI void tile_regs_acquire() { ttp_tile_regs_acquire(); }
ALWI void tile_regs_commit() { ttp_tile_regs_commit(); }
ALWI void tile_regs_wait() { ttp_tile_regs_wait(); }
ALWI void tile_regs_release() { ttp_tile_regs_release(); }
ALWI void acquire_dst() { ttp_tile_regs_acquire(); ttp_tile_regs_commit(); ttp_tile_regs_wait(); }
ALWI void release_dst() { ttp_tile_regs_release(); }

/* Set-up is part of each operation here. */
template <class... A> ALWI void mm_init(A...) {}
template <class... A> ALWI void mm_init_short(A...) {}
template <class... A> ALWI void binary_op_init_common(A...) {}
template <class... A> ALWI void unary_op_init_common(A...) {}
template <class... A> ALWI void init_sfpu(A...) {}
template <class... A> ALWI void add_tiles_init(A...) {}
template <class... A> ALWI void sub_tiles_init(A...) {}
template <class... A> ALWI void mul_tiles_init(A...) {}
template <class... A> ALWI void copy_tile_init(A...) {}
template <class... A> ALWI void copy_tile_to_dst_init_short(A...) {}
template <class... A> ALWI void transpose_wh_init(A...) {}
template <class... A> ALWI void transpose_wh_init_short(A...) {}
template <class... A> ALWI void init_bcast(A...) {}
template <class... A> ALWI void add_bcast_rows_init_short(A...) {}
template <class... A> ALWI void add_bcast_cols_init_short(A...) {}
template <class... A> ALWI void sub_bcast_cols_init_short(A...) {}
template <class... A> ALWI void mul_bcast_cols_init_short(A...) {}
template <class... A> ALWI void mul_bcast_rows_init_short(A...) {}
template <class... A> ALWI void mul_tiles_bcast_scalar_init_short(A...) {}
template <class... A> ALWI void pack_reconfig_data_format(A...) {}
template <class... A> ALWI void reconfig_data_format(A...) {}
template <PoolType = SUM, ReduceDim = REDUCE_ROW, bool = false, class... A> ALWI void reduce_init(A...) {}
template <PoolType = SUM, ReduceDim = REDUCE_ROW, bool = false, class... A> ALWI void reduce_init_delta(A...) {}
template <class... A> ALWI void reduce_revert_delta(A...) {}
template <class... A> ALWI void reduce_uninit(A...) {}

ALWI void matmul_tiles(uint32_t cb0, uint32_t cb1, uint32_t i0, uint32_t i1, uint32_t dst, uint32_t transpose = 0)
{
	if (transpose)
		ttp_matmul_tiles_transposed(cb0, cb1, i0, i1, dst);
	else
		ttp_matmul_tiles(cb0, cb1, i0, i1, dst);
}
ALWI void add_tiles(uint32_t cb0, uint32_t cb1, uint32_t i0, uint32_t i1, uint32_t dst)
{
	ttp_binary_tiles(TTP_TENSIX_ADD, cb0, cb1, i0, i1, dst);
}
ALWI void sub_tiles(uint32_t cb0, uint32_t cb1, uint32_t i0, uint32_t i1, uint32_t dst)
{
	ttp_binary_tiles(TTP_TENSIX_SUB, cb0, cb1, i0, i1, dst);
}
ALWI void mul_tiles(uint32_t cb0, uint32_t cb1, uint32_t i0, uint32_t i1, uint32_t dst)
{
	ttp_binary_tiles(TTP_TENSIX_MUL, cb0, cb1, i0, i1, dst);
}
ALWI void copy_tile(uint32_t cb, uint32_t i, uint32_t dst) { ttp_copy_tile(cb, i, dst); }
ALWI void transpose_wh_tile(uint32_t cb, uint32_t i, uint32_t dst) { ttp_unary_tile(TTP_TENSIX_TRANSPOSE, cb, i, dst); }

template <BroadcastType b = BroadcastType::ROW> ALWI void add_tiles_bcast(uint32_t cb0, uint32_t cb1, uint32_t i0, uint32_t i1, uint32_t dst)
{
	static_assert(b == BroadcastType::ROW || b == BroadcastType::COL, "not there yet");
	ttp_binary_tiles(b == BroadcastType::ROW ? TTP_TENSIX_BCAST_ADD_ROW : TTP_TENSIX_BCAST_ADD_COL, cb0, cb1, i0, i1, dst);
}
template <BroadcastType b = BroadcastType::COL> ALWI void sub_tiles_bcast(uint32_t cb0, uint32_t cb1, uint32_t i0, uint32_t i1, uint32_t dst)
{
	static_assert(b == BroadcastType::COL, "not there yet");
	ttp_binary_tiles(TTP_TENSIX_BCAST_SUB_COL, cb0, cb1, i0, i1, dst);
}
template <BroadcastType b = BroadcastType::ROW> ALWI void mul_tiles_bcast(uint32_t cb0, uint32_t cb1, uint32_t i0, uint32_t i1, uint32_t dst)
{
	ttp_binary_tiles(b == BroadcastType::ROW ? TTP_TENSIX_BCAST_MUL_ROW :
			 b == BroadcastType::COL ? TTP_TENSIX_BCAST_MUL_COL :
						   TTP_TENSIX_BCAST_MUL_SCALAR,
			 cb0, cb1, i0, i1, dst);
}
ALWI void add_tiles_bcast_rows(uint32_t cb0, uint32_t cb1, uint32_t i0, uint32_t i1, uint32_t dst) { add_tiles_bcast<BroadcastType::ROW>(cb0, cb1, i0, i1, dst); }
ALWI void add_tiles_bcast_cols(uint32_t cb0, uint32_t cb1, uint32_t i0, uint32_t i1, uint32_t dst) { add_tiles_bcast<BroadcastType::COL>(cb0, cb1, i0, i1, dst); }
ALWI void sub_tiles_bcast_cols(uint32_t cb0, uint32_t cb1, uint32_t i0, uint32_t i1, uint32_t dst) { sub_tiles_bcast(cb0, cb1, i0, i1, dst); }
ALWI void mul_tiles_bcast_rows(uint32_t cb0, uint32_t cb1, uint32_t i0, uint32_t i1, uint32_t dst) { mul_tiles_bcast<BroadcastType::ROW>(cb0, cb1, i0, i1, dst); }
ALWI void mul_tiles_bcast_cols(uint32_t cb0, uint32_t cb1, uint32_t i0, uint32_t i1, uint32_t dst) { mul_tiles_bcast<BroadcastType::COL>(cb0, cb1, i0, i1, dst); }
ALWI void mul_tiles_bcast_scalar(uint32_t cb0, uint32_t cb1, uint32_t i0, uint32_t i1, uint32_t dst) { mul_tiles_bcast<BroadcastType::SCALAR>(cb0, cb1, i0, i1, dst); }

template <PoolType pool = SUM, ReduceDim dim = REDUCE_ROW, bool = false>
ALWI void reduce_tile(uint32_t cb, uint32_t scaler, uint32_t i, uint32_t iscaler, uint32_t dst)
{
	static_assert(dim != REDUCE_SCALAR && !(pool == MAX && dim == REDUCE_COL), "not there yet");
	ttp_binary_tiles(dim == REDUCE_COL ? TTP_TENSIX_REDUCE_SUM_COL :
			 pool == MAX	   ? TTP_TENSIX_REDUCE_MAX_ROW :
					     TTP_TENSIX_REDUCE_SUM_ROW,
			 cb, scaler, i, iscaler, dst);
}

ALWI void pack_tile(uint32_t dst, uint32_t cb) { ttp_pack_tile(dst, cb); }
template <bool> ALWI void pack_tile(uint32_t dst, uint32_t cb, uint32_t i) { ttp_pack_tile_at(dst, cb, i); }

#define TTP_SFPU_TILE(name, function)                            \
	template <class... A> ALWI void name##_tile_init(A...) {} \
	ALWI void name##_tile(uint32_t dst) { ttp_sfpu(TTP_SFPU_##function, dst, 0); }
TTP_SFPU_TILE(exp, EXP)
TTP_SFPU_TILE(log, LOG)
TTP_SFPU_TILE(recip, RECIP)
TTP_SFPU_TILE(sqrt, SQRT)
TTP_SFPU_TILE(rsqrt, RSQRT)
TTP_SFPU_TILE(relu, RELU)
TTP_SFPU_TILE(gelu, GELU)
TTP_SFPU_TILE(tanh, TANH)
TTP_SFPU_TILE(sigmoid, SIGMOID)
TTP_SFPU_TILE(square, SQUARE)
TTP_SFPU_TILE(negative, NEGATE)
TTP_SFPU_TILE(abs, ABS)
ALWI void add_unary_tile(uint32_t dst, uint32_t bits) { ttp_sfpu(TTP_SFPU_ADD_SCALAR, dst, bits); }
ALWI void mul_unary_tile(uint32_t dst, uint32_t bits) { ttp_sfpu(TTP_SFPU_MUL_SCALAR, dst, bits); }
ALWI void add_binary_tile(uint32_t a, uint32_t b, uint32_t = 0) { ttp_sfpu_binary(TTP_SFPU_BINARY_ADD, a, b); }
ALWI void sub_binary_tile(uint32_t a, uint32_t b, uint32_t = 0) { ttp_sfpu_binary(TTP_SFPU_BINARY_SUB, a, b); }
ALWI void mul_binary_tile(uint32_t a, uint32_t b, uint32_t = 0) { ttp_sfpu_binary(TTP_SFPU_BINARY_MUL, a, b); }
ALWI void div_binary_tile(uint32_t a, uint32_t b, uint32_t = 0) { ttp_sfpu_binary(TTP_SFPU_BINARY_DIV, a, b); }

#endif
