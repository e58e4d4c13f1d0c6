/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The compute engine of the embedded chip, as the compute API of <ttp/kernel.h> drives it.
 *
 * Real Tensix instructions are hundreds; profiles need to know how long unpacking, math and packing
 * take and that their results are right.  So the embedded chip has one block of registers, for cores
 * T0, T1 and T2 only, that takes whole-tile operations.  No other device has it.
 *
 * A core writes the arguments to ARG0..ARG5 and then the operation to ISSUE.  Each core has its own
 * queue of TTP_TENSIX_QUEUE operations; a store to ISSUE stalls while it is full.  A unit takes the
 * operations of its core in order: T0 the unpackers, T1 the math engine, T2 the packer.
 *
 *	UNPACK_A, UNPACK_B, UNPACK_AB	L1 tiles -> free banks of SrcA, SrcB (two banks each)
 *	math operations			take the oldest full banks, change a tile of Dst
 *	PACK				a tile of Dst -> L1
 *	DST_ACQUIRE (T1), DST_COMMIT (T1), DST_WAIT (T2), DST_RELEASE (T2)
 *					Dst has two halves of 8 tiles, handed from math to pack and back
 *
 * A load of IDLE stalls the core until its queue is empty and its unit has finished.
 * L1 is read when an unpack begins and written when a pack ends; both take their time (hw costs).
 */
#ifndef TTP_TENSIX_MACROS_H
#define TTP_TENSIX_MACROS_H

#define TTP_TENSIX_BASE      0xFFE70000u
#define TTP_TENSIX_ARG0      (TTP_TENSIX_BASE + 0x00) /* ARG1 .. ARG5 follow, 4 bytes each */
#define TTP_TENSIX_ISSUE     (TTP_TENSIX_BASE + 0x20)
#define TTP_TENSIX_IDLE      (TTP_TENSIX_BASE + 0x24)
#define TTP_TENSIX_QUEUE     8
#define TTP_TENSIX_DST_TILES 8 /* of one half */

/* Formats of a tile in L1: 32 x 32, four faces of 16 x 16, row-major in a face, faces row-major. */
#define TTP_TILE_BF16 0 /* 2,048 bytes */
#define TTP_TILE_FP32 1 /* 4,096 bytes */

/*
 * X(NAME, code, arguments)
 * fidelity: 1 LoFi, 2 HiFi2, 3 HiFi3, 4 HiFi4.  dst: 0 .. TTP_TENSIX_DST_TILES - 1 of the half in use.
 */
#define TTP_TENSIX_OPS(X)                                                                         \
	X(UNPACK_A, 1, "address, format")                                                         \
	X(UNPACK_B, 2, "address, format")                                                         \
	X(UNPACK_AB, 3, "address A, format A, address B, format B")                               \
	X(MATMUL, 16, "dst, fidelity, 1 if B is to be transposed: dst += A x B")                  \
	X(ADD, 17, "dst: dst = A + B")                                                            \
	X(SUB, 18, "dst: dst = A - B")                                                            \
	X(MUL, 19, "dst, fidelity: dst = A * B, elementwise")                                     \
	X(COPY, 20, "dst: dst = A (takes a bank of A only)")                                      \
	X(BCAST_ADD_ROW, 21, "dst: dst = A + row 0 of B")                                         \
	X(BCAST_ADD_COL, 22, "dst: dst = A + column 0 of B")                                      \
	X(BCAST_SUB_COL, 23, "dst: dst = A - column 0 of B")                                      \
	X(BCAST_MUL_ROW, 24, "dst, fidelity: dst = A * row 0 of B")                               \
	X(BCAST_MUL_COL, 25, "dst, fidelity: dst = A * column 0 of B")                            \
	X(BCAST_MUL_SCALAR, 26, "dst, fidelity: dst = A * B[0][0]")                               \
	X(REDUCE_SUM_ROW, 27, "dst: column 0 of dst += sum of each row of A, times B[0][0]")      \
	X(REDUCE_MAX_ROW, 28, "dst: column 0 of dst = max(itself, each row of A, times B[0][0])") \
	X(REDUCE_SUM_COL, 29, "dst: row 0 of dst += sum of each column of A, times B[0][0]")      \
	X(TRANSPOSE, 30, "dst: dst = A transposed (takes a bank of A only)")                      \
	X(ZERO, 31, "dst: dst = 0")                                                               \
	X(SFPU, 48, "dst, enum ttp_sfpu, parameter as fp32 bits: dst = f(dst)")                   \
	X(SFPU_BINARY, 49, "dst, other, enum ttp_sfpu_binary: dst = f(dst, other)")               \
	X(PACK, 64, "dst, address, format")                                                       \
	X(DST_ACQUIRE, 80, "math waits for a free half, and clears it")                           \
	X(DST_COMMIT, 81, "math hands its half to pack")                                          \
	X(DST_WAIT, 82, "pack waits for a half")                                                  \
	X(DST_RELEASE, 83, "pack hands it back")                                                  \
	X(DELAY, 96, "cycles: the unit of this core is busy")

enum ttp_tensix_op {
#define X(name, code, arguments) TTP_TENSIX_##name = (code),
	TTP_TENSIX_OPS(X)
#undef X
};

/* X(NAME, code, instructions of the vector engine for 32 elements beside load and store) */
#define TTP_SFPU_OPS(X)           \
	X(EXP, 0, 12)             \
	X(LOG, 1, 14)             \
	X(RECIP, 2, 8)            \
	X(SQRT, 3, 10)            \
	X(RSQRT, 4, 10)           \
	X(RELU, 5, 1)             \
	X(GELU, 6, 18)            \
	X(GELU_DERIVATIVE, 7, 24) \
	X(TANH, 8, 14)            \
	X(SIGMOID, 9, 14)         \
	X(SQUARE, 10, 1)          \
	X(NEGATE, 11, 1)          \
	X(ABS, 12, 1)             \
	X(ADD_SCALAR, 13, 1)      \
	X(MUL_SCALAR, 14, 1)      \
	X(CLAMP_MIN, 15, 2)

enum ttp_sfpu {
#define X(name, code, instructions) TTP_SFPU_##name = (code),
	TTP_SFPU_OPS(X)
#undef X
};

#define TTP_SFPU_BINARY_OPS(X) \
	X(ADD, 0, 1)           \
	X(SUB, 1, 1)           \
	X(MUL, 2, 1)           \
	X(DIV, 3, 9)           \
	X(MAX, 4, 2)

enum ttp_sfpu_binary {
#define X(name, code, instructions) TTP_SFPU_BINARY_##name = (code),
	TTP_SFPU_BINARY_OPS(X)
#undef X
};

/*
 * Counters of the compute engine, by tt-metal's names and numbers (its perf_counters.hpp).  Those that this engine
 * can know: cycles that a unit was busy, waited, or moved data from or to L1; operations of whole tiles.
 *
 * X(NAME, number, group)
 */
#define TTP_COUNTERS(X)                             \
	X(FPU_COUNTER, 1, FPU)                      \
	X(SFPU_COUNTER, 2, FPU)                     \
	X(MATH_COUNTER, 3, FPU)                     \
	X(MATH_FIDELITY_STALL, 6, UNPACK)           \
	X(MATH_INSTRN_STARTED, 7, UNPACK)           \
	X(MATH_INSTRN_AVAILABLE, 8, UNPACK)         \
	X(UNPACK0_BUSY_THREAD0, 11, UNPACK)         \
	X(UNPACK1_BUSY_THREAD0, 12, UNPACK)         \
	X(SRCA_WRITE_ACTUAL, 115, UNPACK)           \
	X(SRCB_WRITE_NOT_BLOCKED_PORT, 116, UNPACK) \
	X(SRCB_WRITE_ACTUAL, 113, UNPACK)           \
	X(PACKER_BUSY, 19, PACK)                    \
	X(PACKER_DEST_READ_AVAILABLE, 18, PACK)     \
	X(PACKER_BUSY_0, 124, PACK)                 \
	X(FPU_INSTRN_AVAILABLE_1, 34, INSTRN)       \
	X(UNPACK_INSTRN_AVAILABLE_0, 36, INSTRN)    \
	X(PACK_INSTRN_AVAILABLE_2, 41, INSTRN)      \
	X(THREAD_STALLS_0, 42, INSTRN)              \
	X(THREAD_STALLS_1, 43, INSTRN)              \
	X(THREAD_STALLS_2, 44, INSTRN)              \
	X(WAITING_FOR_SRCA_CLEAR, 45, INSTRN)       \
	X(WAITING_FOR_SRCB_CLEAR, 46, INSTRN)       \
	X(WAITING_FOR_SRCA_VALID, 47, INSTRN)       \
	X(WAITING_FOR_SRCB_VALID, 48, INSTRN)       \
	X(WAITING_FOR_UNPACK_IDLE_0, 52, INSTRN)    \
	X(WAITING_FOR_PACK_IDLE_2, 57, INSTRN)      \
	X(WAITING_FOR_MATH_IDLE_1, 59, INSTRN)      \
	X(WAITING_FOR_NONZERO_SEM_2, 63, INSTRN)    \
	X(WAITING_FOR_NONFULL_SEM_1, 65, INSTRN)    \
	X(THREAD_INSTRUCTIONS_0, 110, INSTRN)       \
	X(THREAD_INSTRUCTIONS_1, 111, INSTRN)       \
	X(THREAD_INSTRUCTIONS_2, 112, INSTRN)       \
	X(L1_0_UNPACKER_0, 76, L1_0)                \
	X(L1_0_UNPACKER_1_ECC_PACK1, 77, L1_0)      \
	X(L1_0_UNPACKER_0_GRANT, 94, L1_0)          \
	X(L1_0_PORT1_GRANT, 95, L1_0)

/* What the firmware finds out itself, from the counters of the NoC interfaces: words of 32 bytes. */
#define TTP_COUNTERS_OF_NOC(X)                 \
	X(L1_0_NOC_RING0_OUTGOING_0, 80, L1_0) \
	X(L1_0_NOC_RING0_OUTGOING_1, 81, L1_0) \
	X(L1_0_NOC_RING0_INCOMING_0, 82, L1_0) \
	X(L1_0_NOC_RING0_INCOMING_1, 83, L1_0) \
	X(L1_1_NOC_RING1_OUTGOING_0, 88, L1_1) \
	X(L1_1_NOC_RING1_OUTGOING_1, 89, L1_1) \
	X(L1_1_NOC_RING1_INCOMING_0, 90, L1_1) \
	X(L1_1_NOC_RING1_INCOMING_1, 91, L1_1)

enum ttp_counter_group {
	TTP_COUNTERS_FPU = 1,
	TTP_COUNTERS_PACK = 2,
	TTP_COUNTERS_UNPACK = 4,
	TTP_COUNTERS_L1_0 = 8,
	TTP_COUNTERS_L1_1 = 16,
	TTP_COUNTERS_INSTRN = 32,
};

enum ttp_counter {
#define X(name, number, group) TTP_COUNT_##name,
	TTP_COUNTERS(X)
#undef X
		TTP_COUNTERS_N
};

/* Their registers, for BRISC and the TRISCs: a store to the first three does it, whatever is stored. */
#define TTP_COUNTERS_CLEAR (TTP_TENSIX_BASE + 0x100) /* all are 0 */
#define TTP_COUNTERS_START \
	(TTP_TENSIX_BASE + 0x104) /* the time that they are counted against begins */
#define TTP_COUNTERS_STOP     (TTP_TENSIX_BASE + 0x108) /* ... and ends, with the last of several */
#define TTP_COUNTERS_REF      (TTP_TENSIX_BASE + 0x10C) /* that time, in cycles */
#define TTP_COUNTERS_VALUE(i) (TTP_TENSIX_BASE + 0x110 + 4u * (i))

/* Words that markers of all of them take. */
#define TTP_COUNTERS_WORDS (6 * (TTP_COUNTERS_N + 4))

#endif /* TTP_TENSIX_MACROS_H */
