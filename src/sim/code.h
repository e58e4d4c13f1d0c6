// SPDX-License-Identifier: Apache-2.0
/*
 * Code as the interpreter wants it: pages of 1 KiB, decoded when they are first entered.  Tiles that hold
 * the same bytes at the same address share a page.
 *
 * A core's own stores into decoded code are not noticed, as the instruction caches of the chip don't
 * notice them; leaving reset, the cache's invalidate register, and writes by host or NoC are.
 */
#ifndef TTP_SIM_CODE_H
#define TTP_SIM_CODE_H

#include <stdbool.h>
#include <stdint.h>

#define PAGE_WORDS 256u
#define PAGE_BYTES 1024u

/*
 * X(NAME): what the interpreter can do.  Branches: F forward, B backward (taken ones are checks),
 * both inside the page; A anywhere else.
 */
#define UOPS(X)                                                                                 \
	X(LUI)                                                                                  \
	X(JAL_F)                                                                                \
	X(JAL_B)                                                                                \
	X(JAL_A)                                                                                \
	X(JALR)                                                                                 \
	X(BEQ_F)                                                                                \
	X(BNE_F)                                                                                \
	X(BLT_F)                                                                                \
	X(BGE_F)                                                                                \
	X(BLTU_F)                                                                               \
	X(BGEU_F)                                                                               \
	X(BEQ_B)                                                                                \
	X(BNE_B) X(BLT_B) X(BGE_B) X(BLTU_B) X(BGEU_B) X(BEQ_A) X(BNE_A) X(BLT_A) X(BGE_A)      \
		X(BLTU_A) X(BGEU_A) X(LB) X(LH) X(LW) X(LBU) X(LHU) X(SB) X(SH) X(SW) X(ADDI)   \
			X(SLTI) X(SLTIU) X(XORI) X(ORI) X(ANDI) X(SLLI) X(SRLI) X(SRAI) X(ADD)  \
				X(SUB) X(SLL) X(SLT) X(SLTU) X(XOR) X(SRL) X(SRA) X(OR) X(AND)  \
					X(MUL) X(MULH) X(MULHSU) X(MULHU) X(DIV) X(DIVU) X(REM) \
						X(REMU) X(NOP) X(ECALL) X(EBREAK) X(TENSIX)     \
							X(ILLEGAL) X(PAGE_END)

enum uop_code {
#define X(name) UOP_##name,
	UOPS(X)
#undef X
		UOP_COUNT
};

/* rd: 32 for x0.  rs2 of a load: instructions until its result is used, 1 .. 8. */
struct uop {
	uint8_t op, rd, rs1, rs2;
	int32_t imm; /* branches in the page: uops to go; others: bytes; LUI, AUIPC: the value */
};

struct code_page {
	uint32_t addr;
	uint32_t refs;
	uint64_t hash;
	struct code_page *next;
	struct uop uop[PAGE_WORDS + 1];
	uint32_t word[PAGE_WORDS];
};

struct code_store;

struct code_store *code_store_new(void);
void code_store_free(struct code_store *s);
/* The page of these bytes at `addr`; any thread.  NULL when memory is exhausted. */
struct code_page *code_store_get(struct code_store *s, uint32_t addr, const uint32_t *words);
void code_store_put(struct code_store *s, struct code_page *p);

#endif /* TTP_SIM_CODE_H */
