// SPDX-License-Identifier: Apache-2.0
#include "sim/code.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 256 };

static int32_t imm_i(uint32_t w)
{
	return (int32_t)w >> 20;
}

static int32_t imm_s(uint32_t w)
{
	return ((int32_t)(w & 0xFE000000u) >> 20) | (int32_t)(w >> 7 & 31);
}

static int32_t imm_b(uint32_t w)
{
	return ((int32_t)(w & 0x80000000u) >> 19) | (int32_t)((w & 0x80) << 4) |
	       (int32_t)(w >> 20 & 0x7E0) | (int32_t)(w >> 7 & 0x1E);
}

static int32_t imm_j(uint32_t w)
{
	return ((int32_t)(w & 0x80000000u) >> 11) | (int32_t)(w & 0xFF000) |
	       (int32_t)(w >> 9 & 0x800) | (int32_t)(w >> 20 & 0x7FE);
}

/* F, B or A of a jump from word i of a page; turns bytes into uops for the first two. */
static int reach(int32_t *imm, unsigned i)
{
	int32_t to;

	if (*imm & 3)
		return 2;
	to = (int32_t)i + *imm / 4;
	if (to < 0 || to >= (int32_t)PAGE_WORDS)
		return 2;
	*imm /= 4;
	return *imm > 0 ? 0 : 1;
}

static void decode_branch(struct uop *u, unsigned funct, unsigned i)
{
	static const uint8_t kinds[3][8] = {
		{ UOP_BEQ_F, UOP_BNE_F, UOP_ILLEGAL, UOP_ILLEGAL, UOP_BLT_F, UOP_BGE_F, UOP_BLTU_F,
		  UOP_BGEU_F },
		{ UOP_BEQ_B, UOP_BNE_B, UOP_ILLEGAL, UOP_ILLEGAL, UOP_BLT_B, UOP_BGE_B, UOP_BLTU_B,
		  UOP_BGEU_B },
		{ UOP_BEQ_A, UOP_BNE_A, UOP_ILLEGAL, UOP_ILLEGAL, UOP_BLT_A, UOP_BGE_A, UOP_BLTU_A,
		  UOP_BGEU_A },
	};

	u->op = kinds[reach(&u->imm, i)][funct];
}

static uint8_t alu_immediate(uint32_t w, struct uop *u)
{
	static const uint8_t kinds[8] = { UOP_ADDI, UOP_ILLEGAL, UOP_SLTI, UOP_SLTIU,
					  UOP_XORI, UOP_ILLEGAL, UOP_ORI,  UOP_ANDI };
	unsigned funct = w >> 12 & 7, high = w >> 25;

	if (funct != 1 && funct != 5)
		return kinds[funct];
	u->imm &= 31;
	if (funct == 1)
		return high == 0 ? UOP_SLLI : UOP_ILLEGAL;
	return high == 0 ? UOP_SRLI : high == 0x20 ? UOP_SRAI : UOP_ILLEGAL;
}

static uint8_t alu_register(uint32_t w)
{
	static const uint8_t plain[8] = { UOP_ADD, UOP_SLL, UOP_SLT, UOP_SLTU,
					  UOP_XOR, UOP_SRL, UOP_OR,  UOP_AND };
	static const uint8_t multiply[8] = { UOP_MUL, UOP_MULH, UOP_MULHSU, UOP_MULHU,
					     UOP_DIV, UOP_DIVU, UOP_REM,    UOP_REMU };
	unsigned funct = w >> 12 & 7;

	switch (w >> 25) {
	case 0:
		return plain[funct];
	case 1:
		return multiply[funct];
	case 0x20:
		return funct == 0 ? UOP_SUB : funct == 5 ? UOP_SRA : UOP_ILLEGAL;
	default:
		return UOP_ILLEGAL;
	}
}

static void decode_word(struct uop *u, uint32_t w, uint32_t pc, unsigned i)
{
	static const uint8_t loads[8] = { UOP_LB,  UOP_LH,  UOP_LW,      UOP_ILLEGAL,
					  UOP_LBU, UOP_LHU, UOP_ILLEGAL, UOP_ILLEGAL };
	static const uint8_t stores[8] = { UOP_SB,      UOP_SH,      UOP_SW,      UOP_ILLEGAL,
					   UOP_ILLEGAL, UOP_ILLEGAL, UOP_ILLEGAL, UOP_ILLEGAL };
	unsigned rd = w >> 7 & 31, funct = w >> 12 & 7;

	u->rd = (uint8_t)(rd ? rd : 32);
	u->rs1 = (uint8_t)(w >> 15 & 31);
	u->rs2 = (uint8_t)(w >> 20 & 31);
	u->imm = imm_i(w);
	u->op = UOP_ILLEGAL;
	if ((w & 3) != 3) {
		u->op = UOP_TENSIX;
		return;
	}
	switch (w >> 2 & 31) {
	case 0x00:
		u->op = loads[funct];
		break;
	case 0x03: /* fence does nothing on Wormhole; fence.i is not known there */
		u->op = funct == 0 ? UOP_NOP : UOP_ILLEGAL;
		break;
	case 0x04:
		u->op = alu_immediate(w, u);
		break;
	case 0x05: /* auipc: where it stands is known */
		u->op = UOP_LUI;
		u->imm = (int32_t)(pc + (w & 0xFFFFF000u));
		break;
	case 0x08:
		u->op = stores[funct];
		u->imm = imm_s(w);
		break;
	case 0x0C:
		u->op = alu_register(w);
		break;
	case 0x0D:
		u->op = UOP_LUI;
		u->imm = (int32_t)(w & 0xFFFFF000u);
		break;
	case 0x18:
		u->imm = imm_b(w);
		decode_branch(u, funct, i);
		break;
	case 0x19:
		u->op = funct == 0 ? UOP_JALR : UOP_ILLEGAL;
		break;
	case 0x1B:
		u->imm = imm_j(w);
		u->op = (uint8_t)(UOP_JAL_F + reach(&u->imm, i));
		break;
	case 0x1C:
		u->op = w == 0x73 ? UOP_ECALL : w == 0x100073 ? UOP_EBREAK : UOP_ILLEGAL;
		break;
	default:
		break;
	}
	if (u->op == UOP_ILLEGAL)
		u->imm = (int32_t)w;
}

static bool is_load(const struct uop *u)
{
	return u->op >= UOP_LB && u->op <= UOP_LHU;
}

static bool is_jump(const struct uop *u)
{
	return u->op >= UOP_JAL_F && u->op <= UOP_BGEU_A;
}

static bool reads_rs2(const struct uop *u)
{
	return (u->op >= UOP_BEQ_F && u->op <= UOP_BGEU_A) ||
	       (u->op >= UOP_SB && u->op <= UOP_SW) || (u->op >= UOP_ADD && u->op <= UOP_REMU);
}

static bool reads_rs1(const struct uop *u)
{
	return u->op != UOP_LUI && !(u->op >= UOP_JAL_F && u->op <= UOP_JAL_A) && u->op < UOP_NOP;
}

/* How many instructions on the result of the load at `i` is used, as far as one can see: 1 .. 8. */
static uint8_t load_distance(const struct code_page *p, unsigned i)
{
	uint8_t rd = p->uop[i].rd;

	for (unsigned d = 1; d < 8 && i + d < PAGE_WORDS; d++) {
		const struct uop *u = &p->uop[i + d];

		if ((reads_rs1(u) && u->rs1 == rd) || (reads_rs2(u) && u->rs2 == rd))
			return (uint8_t)d;
		if (is_jump(u)) /* the first one behind it may be the one */
			return (uint8_t)(d + 1);
		if (u->rd == rd && !(u->op >= UOP_SB && u->op <= UOP_SW))
			return 8;
	}
	return 8;
}

static void decode_page(struct code_page *p)
{
	for (unsigned i = 0; i < PAGE_WORDS; i++)
		decode_word(&p->uop[i], p->word[i], p->addr + i * 4, i);
	for (unsigned i = PAGE_WORDS; i-- > 0;)
		if (is_load(&p->uop[i]))
			p->uop[i].rs2 = load_distance(p, i);
	p->uop[PAGE_WORDS] = (struct uop){ .op = UOP_PAGE_END };
}

struct code_store {
	pthread_mutex_t lock; /* held for moments; nothing else is taken meanwhile */
	struct code_page *bucket[BUCKETS];
};

struct code_store *code_store_new(void)
{
	struct code_store *s = calloc(1, sizeof(*s));

	if (s)
		pthread_mutex_init(&s->lock, NULL);
	return s;
}

void code_store_free(struct code_store *s)
{
	if (!s)
		return;
	for (int i = 0; i < BUCKETS; i++)
		while (s->bucket[i]) {
			struct code_page *p = s->bucket[i];

			s->bucket[i] = p->next;
			free(p);
		}
	pthread_mutex_destroy(&s->lock);
	free(s);
}

static uint64_t hash_words(uint32_t addr, const uint32_t *words)
{
	uint64_t h = addr + 0x9E3779B97F4A7C15u;

	for (unsigned i = 0; i < PAGE_WORDS; i++)
		h = (h ^ words[i]) * 0x9FB21C651E98DF25u, h ^= h >> 32;
	return h;
}

struct code_page *code_store_get(struct code_store *s, uint32_t addr, const uint32_t *words)
{
	uint64_t hash = hash_words(addr, words);
	struct code_page **bucket = &s->bucket[hash % BUCKETS], *p;

	pthread_mutex_lock(&s->lock);
	for (p = *bucket; p; p = p->next)
		if (p->hash == hash && p->addr == addr && !memcmp(p->word, words, PAGE_BYTES))
			break;
	if (!p && (p = malloc(sizeof(*p)))) {
		p->addr = addr;
		p->hash = hash;
		p->refs = 0;
		memcpy(p->word, words, PAGE_BYTES);
		decode_page(p);
		p->next = *bucket;
		*bucket = p;
	}
	if (p)
		p->refs++;
	pthread_mutex_unlock(&s->lock);
	return p;
}

void code_store_put(struct code_store *s, struct code_page *p)
{
	pthread_mutex_lock(&s->lock);
	if (--p->refs == 0) {
		struct code_page **at = &s->bucket[p->hash % BUCKETS];

		while (*at != p)
			at = &(*at)->next;
		*at = p->next;
		free(p);
	}
	pthread_mutex_unlock(&s->lock);
}
