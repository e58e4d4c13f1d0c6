// SPDX-License-Identifier: Apache-2.0
/*
 * A tiny assembler, so that tests of the embedded chip need no cross compiler.  Code is a list of words at
 * an address; labels are numbers of words.
 *
 *	struct code c = { .base = 0x4000 };
 *	li(&c, A0, 0x1000);
 *	int loop = here(&c);
 *	lw(&c, A1, A0, 0);
 *	beq(&c, A1, ZERO, loop);
 */
#ifndef TTP_TESTS_RV_ASM_H
#define TTP_TESTS_RV_ASM_H

#include <assert.h>
#include <stdint.h>

enum reg {
	ZERO,
	RA,
	SP,
	GP,
	TP,
	T0,
	T1,
	T2,
	S0,
	S1,
	A0,
	A1,
	A2,
	A3,
	A4,
	A5,
	A6,
	A7,
	S2,
	S3,
	S4,
	S5,
	S6,
	S7,
	S8
};

struct code {
	uint32_t base;
	int len;
	uint32_t word[262144];
};

static inline int emit(struct code *c, uint32_t w)
{
	assert(c->len < (int)(sizeof(c->word) / sizeof(*c->word)));
	c->word[c->len] = w;
	return c->len++;
}

static inline int here(const struct code *c)
{
	return c->len;
}

static inline uint32_t enc_i(uint32_t op, uint32_t f3, uint32_t rd, uint32_t rs1, int32_t imm)
{
	return op | rd << 7 | f3 << 12 | rs1 << 15 | (uint32_t)imm << 20;
}

static inline uint32_t enc_r(uint32_t f7, uint32_t f3, uint32_t rd, uint32_t rs1, uint32_t rs2)
{
	return 0x33 | rd << 7 | f3 << 12 | rs1 << 15 | rs2 << 20 | f7 << 25;
}

static inline uint32_t enc_s(uint32_t f3, uint32_t rs1, uint32_t rs2, int32_t imm)
{
	return 0x23 | ((uint32_t)imm & 31) << 7 | f3 << 12 | rs1 << 15 | rs2 << 20 |
	       ((uint32_t)imm >> 5) << 25;
}

static inline uint32_t enc_b(uint32_t f3, uint32_t rs1, uint32_t rs2, int32_t imm)
{
	uint32_t v = (uint32_t)imm;

	return 0x63 | (v >> 11 & 1) << 7 | (v >> 1 & 15) << 8 | f3 << 12 | rs1 << 15 | rs2 << 20 |
	       (v >> 5 & 63) << 25 | (v >> 12 & 1) << 31;
}

static inline uint32_t enc_j(uint32_t rd, int32_t imm)
{
	uint32_t v = (uint32_t)imm;

	return 0x6F | rd << 7 | (v >> 12 & 255) << 12 | (v >> 11 & 1) << 20 |
	       (v >> 1 & 1023) << 21 | (v >> 20 & 1) << 31;
}

#define ASM_I(name, op, f3)                                                            \
	static inline int name(struct code *c, enum reg rd, enum reg rs1, int32_t imm) \
	{                                                                              \
		return emit(c, enc_i(op, f3, rd, rs1, imm));                           \
	}
#define ASM_R(name, f7, f3)                                                             \
	static inline int name(struct code *c, enum reg rd, enum reg rs1, enum reg rs2) \
	{                                                                               \
		return emit(c, enc_r(f7, f3, rd, rs1, rs2));                            \
	}
/* store: value, base, offset */
#define ASM_S(name, f3)                                                                 \
	static inline int name(struct code *c, enum reg rs2, enum reg rs1, int32_t imm) \
	{                                                                               \
		return emit(c, enc_s(f3, rs1, rs2, imm));                               \
	}
#define ASM_B(name, f3)                                                               \
	static inline int name(struct code *c, enum reg rs1, enum reg rs2, int label) \
	{                                                                             \
		return emit(c, enc_b(f3, rs1, rs2, (label - c->len) * 4));            \
	}

ASM_I(addi, 0x13, 0)
ASM_I(andi, 0x13, 7)
ASM_I(slli, 0x13, 1)
ASM_I(srli, 0x13, 5)
ASM_I(lw, 0x03, 2)
ASM_I(lhu, 0x03, 5)
ASM_I(jalr, 0x67, 0)
ASM_R(add, 0, 0)
ASM_R(sub, 0x20, 0)
ASM_R(xor_, 0, 4)
ASM_R(mul, 1, 0)
ASM_R(divu, 1, 5)
ASM_S(sw, 2)
ASM_S(sb, 0)
ASM_B(beq, 0)
ASM_B(bne, 1)
ASM_B(blt, 4)
ASM_B(bltu, 6)

static inline int jump(struct code *c, int label)
{
	return emit(c, enc_j(ZERO, (label - c->len) * 4));
}

static inline void li(struct code *c, enum reg rd, uint32_t value)
{
	uint32_t high = (value + 0x800) & 0xFFFFF000u;

	if (high)
		emit(c, 0x37 | (uint32_t)rd << 7 | high);
	addi(c, rd, high ? rd : ZERO, (int32_t)(value - high));
}

static inline void nop(struct code *c)
{
	addi(c, ZERO, ZERO, 0);
}

/* A word to an address; uses T0 and T1. */
static inline void poke(struct code *c, uint32_t addr, uint32_t value)
{
	li(c, T0, addr);
	li(c, T1, value);
	sw(c, T1, T0, 0);
}

static inline void stop(struct code *c)
{
	jump(c, here(c));
}

#endif /* TTP_TESTS_RV_ASM_H */
