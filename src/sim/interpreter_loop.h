// SPDX-License-Identifier: Apache-2.0
/*
 * The loop of interpreter.c, as a function RUN_NAME; with RUN_NOTES it notes loads and stops at the first check.
 * `t` is when the instruction at `u` begins.  x, t and the page are locals, all else is in *h.
 */

#define GO goto *label[u->op]
#define NEXT         \
	do {         \
		u++; \
		t++; \
		GO;  \
	} while (0)
#define STALL(cycles)                                 \
	do {                                          \
		uint64_t stall_ = (uint64_t)(cycles); \
		t += stall_;                          \
		h->stalled += stall_;                 \
	} while (0)
#define PC  (page_pc + (uint32_t)(u - base) * 4)
#define RD  x[u->rd]
#define RS1 x[u->rs1]
#define RS2 x[u->rs2]
#define IMM ((uint32_t)u->imm)

/* What functions outside may look at or change. */
#define SAVE                      \
	do {                      \
		h->pc = PC;       \
		h->t = t;         \
		h->check = check; \
	} while (0)

#define ALU(name, value) \
name:                    \
	RD = (value);    \
	NEXT;

/* A load that takes `latency` and whose result is used u->rs2 instructions on. */
#define LOAD_TIME(latency)                                                               \
	do {                                                                             \
		uint64_t credit_ = t < h->early_until ? h->early : 0, at_ = t - credit_; \
		uint64_t *slot_ = &h->load_slot[h->load_at];                             \
		uint64_t ready_, used_;                                                  \
		h->load_at = (h->load_at + 1) % LOAD_SLOTS;                              \
		if (UNLIKELY(*slot_ > at_)) {                                            \
			STALL(*slot_ - at_);                                             \
			at_ = *slot_;                                                    \
		}                                                                        \
		*slot_ = at_ + (uint64_t)(latency)-1;                                    \
		ready_ = at_ + (uint64_t)(latency);                                      \
		used_ = t + u->rs2;                                                      \
		h->early = credit_;                                                      \
		if (ready_ > used_) {                                                    \
			h->early += ready_ - used_;                                      \
			STALL(ready_ - used_);                                           \
			used_ = ready_;                                                  \
		}                                                                        \
		h->early_until = used_;                                                  \
	} while (0)

#define LOAD(name, type, bytes)                                                 \
name : {                                                                        \
	uint32_t addr = RS1 + IMM, got;                                         \
	type v;                                                                 \
	if (LIKELY(addr < l1_bytes && !(addr & ((bytes)-1)))) {                 \
		if (RUN_NOTES)                                                  \
			note_load(h, addr);                                     \
		LOAD_TIME(load_l1);                                             \
		memcpy(&v, l1 + addr, sizeof(v));                               \
		RD = (uint32_t)v;                                               \
		NEXT;                                                           \
	}                                                                       \
	if (LIKELY(addr - LOCAL_BASE < local_bytes && !(addr & ((bytes)-1)))) { \
		if (u->rs2 < load_local)                                        \
			STALL(load_local - u->rs2);                             \
		memcpy(&v, local + (addr - LOCAL_BASE), sizeof(v));             \
		RD = (uint32_t)v;                                               \
		NEXT;                                                           \
	}                                                                       \
	SAVE;                                                                   \
	if (hart_load(h, addr, bytes, &got) != ACCESS_OK)                       \
		return;                                                         \
	t = h->t;                                                               \
	if (RUN_NOTES)                                                          \
		note_load(h, addr);                                             \
	LOAD_TIME(addr >= 0xFFE00000u ? load_config : load_register);           \
	memcpy(&v, &got, sizeof(v));                                            \
	RD = (uint32_t)v;                                                       \
	NEXT;                                                                   \
}

#define STORE(name, type, bytes)                                                \
name : {                                                                        \
	uint32_t addr = RS1 + IMM;                                              \
	type v = (type)RS2;                                                     \
	h->dirty = true;                                                        \
	if (LIKELY(addr - LOCAL_BASE < local_bytes && !(addr & ((bytes)-1)))) { \
		memcpy(local + (addr - LOCAL_BASE), &v, sizeof(v));             \
		NEXT;                                                           \
	}                                                                       \
	if (LIKELY(addr < l1_bytes && !(addr & ((bytes)-1)))) {                 \
		uint64_t free_ = h->store_free > t ? h->store_free : t;         \
		free_ += store_l1;                                              \
		h->store_free = free_;                                          \
		if (free_ > t + store_ahead)                                    \
			STALL(free_ - t - store_ahead);                         \
		memcpy(l1 + addr, &v, sizeof(v));                               \
		if (UNLIKELY(n->watch_bits >> (addr >> 4 & 63) & 1)) {          \
			SAVE;                                                   \
			node_touch(n, addr, bytes);                             \
			hart_end_slice(h);                                      \
		}                                                               \
		NEXT;                                                           \
	}                                                                       \
	SAVE;                                                                   \
	if (hart_store(h, addr, bytes, RS2) != ACCESS_OK)                       \
		return;                                                         \
	t = h->t;                                                               \
	if (UNLIKELY(h->resync)) {                                              \
		h->resync = false;                                              \
		h->pc = PC + 4;                                                 \
		h->t = t + 1;                                                   \
		if (h->state != HART_RUN)                                       \
			return;                                                 \
		goto again;                                                     \
	}                                                                       \
	NEXT;                                                                   \
}

#define PREDICT(taken_)                                      \
	do {                                                 \
		uint8_t *bit_ = &h->taken[(u - base) & 255]; \
		if (UNLIKELY(*bit_ != (taken_))) {           \
			*bit_ = (taken_);                    \
			STALL(mispredict);                   \
			h->mispredicted = true;              \
		}                                            \
	} while (0)

#define BRANCH(name, condition)           \
	name##_F:                         \
	{                                 \
		bool taken = (condition); \
		PREDICT(taken);           \
		t++;                      \
		u += taken ? u->imm : 1;  \
		GO;                       \
	}                                 \
	name##_B:                         \
	{                                 \
		bool taken = (condition); \
		PREDICT(taken);           \
		if (taken)                \
			goto back;        \
		NEXT;                     \
	}                                 \
	name##_A:                         \
	{                                 \
		bool taken = (condition); \
		PREDICT(taken);           \
		if (taken)                \
			goto away;        \
		NEXT;                     \
	}

void RUN_NAME(struct hart *h)
{
	static const void *const label[UOP_COUNT] = {
#define X(name) &&name,
		UOPS(X)
#undef X
	};
	struct node *const n = h->node;
	const struct soc *const soc = n->sim->soc;
	uint32_t *const x = h->x;
	uint8_t *const l1 = n->l1, *const local = h->local;
	const uint32_t l1_bytes = n->l1_bytes, local_bytes = h->local_bytes;
	const uint64_t store_l1 = (uint64_t)soc->store_l1;
	const uint64_t store_ahead = store_l1 * (uint64_t)soc->store_queue;
	const int load_l1 = soc->load_l1, load_local = soc->load_local;
	const int load_register = soc->load_register, load_config = soc->load_config;
	const int mispredict = soc->mispredict;
	const struct code_page *page;
	const struct uop *base, *u;
	uint32_t page_pc;
	uint64_t t, check = h->check;

	if (!RUN_NOTES && h->polls) {
poll:
		h->polls = false;
		consider_parking(h);
		if (h->state != HART_RUN || h->t >= h->until)
			return;
		check = h->t;
	}
	/* From h->pc and h->t on, which is no check. */
again:
	page = !(h->pc & 3) && h->pc < l1_bytes ? n->page[h->pc / PAGE_BYTES] : NULL;
	if (UNLIKELY(!page)) {
		page = page_of(h, h->pc);
		if (!page)
			return;
	}
	t = h->t;
	base = page->uop;
	page_pc = h->pc & ~(PAGE_BYTES - 1);
	u = base + (h->pc / 4 & (PAGE_WORDS - 1));
	GO;

PAGE_END:
	h->pc = page_pc + PAGE_BYTES;
	h->t = t;
	h->check = check = t;
	if (RUN_NOTES || t >= h->until)
		return;
	goto again;

	/* A taken jump backward in the page, at u. */
back : {
	const struct uop *jump = u;

	u += u->imm;
	t++;
	check = t;
	if (RUN_NOTES) {
		SAVE;
		return;
	}
	if (h->loop == jump && !h->dirty) {
		SAVE;
		h->polls = true;
		if (t >= h->until)
			return; /* a round may be longer than a slice: considered at the next turn */
		goto poll;
	}
	if (h->loop != jump) {
		h->loop = jump;
		h->loop_skip = 0;
		h->loop_backoff = 1;
	}
	h->dirty = n->sim->config.no_parking;
	if (UNLIKELY(t >= h->until)) {
		SAVE;
		return;
	}
	GO;
}

	/* A taken jump to another page, at u. */
away:
	h->pc = PC + IMM;
	h->t = ++t;
	h->check = check = t;
	h->loop = NULL;
	if (RUN_NOTES || t >= h->until)
		return;
	goto again;

LUI:
	RD = IMM;
	NEXT;
JAL_F:
	RD = PC + 4;
	t++;
	u += u->imm;
	GO;
JAL_B:
	RD = PC + 4;
	goto back;
JAL_A:
	RD = PC + 4;
	goto away;
JALR : {
	uint32_t from = PC, to = (RS1 + IMM) & ~1u;
	uint32_t *guess = &h->target[from / 4 % 64];

	RD = from + 4;
	if (*guess != to) {
		*guess = to;
		STALL(mispredict);
		h->mispredicted = true;
	}
	h->pc = to;
	h->t = ++t;
	h->check = check = t;
	h->loop = NULL;
	if (RUN_NOTES || t >= h->until)
		return;
	goto again;
}

	BRANCH(BEQ, RS1 == RS2)
	BRANCH(BNE, RS1 != RS2)
	BRANCH(BLT, (int32_t)RS1 < (int32_t)RS2)
	BRANCH(BGE, (int32_t)RS1 >= (int32_t)RS2)
	BRANCH(BLTU, RS1 < RS2)
	BRANCH(BGEU, RS1 >= RS2)

	LOAD(LB, int8_t, 1)
	LOAD(LH, int16_t, 2)
	LOAD(LW, uint32_t, 4)
	LOAD(LBU, uint8_t, 1)
	LOAD(LHU, uint16_t, 2)
	STORE(SB, uint8_t, 1)
	STORE(SH, uint16_t, 2)
	STORE(SW, uint32_t, 4)

	ALU(ADDI, RS1 + IMM)
	ALU(SLTI, (int32_t)RS1 < u->imm)
	ALU(SLTIU, RS1 < IMM)
	ALU(XORI, RS1 ^ IMM)
	ALU(ORI, RS1 | IMM)
	ALU(ANDI, RS1 & IMM)
	ALU(SLLI, RS1 << u->imm)
	ALU(SRLI, RS1 >> u->imm)
	ALU(SRAI, (uint32_t)((int32_t)RS1 >> u->imm))
	ALU(ADD, RS1 + RS2)
	ALU(SUB, RS1 - RS2)
	ALU(SLL, RS1 << (RS2 & 31))
	ALU(SLT, (int32_t)RS1 < (int32_t)RS2)
	ALU(SLTU, RS1 < RS2)
	ALU(XOR, RS1 ^ RS2)
	ALU(SRL, RS1 >> (RS2 & 31))
	ALU(SRA, (uint32_t)((int32_t)RS1 >> (RS2 & 31)))
	ALU(OR, RS1 | RS2)
	ALU(AND, RS1 & RS2)

#define PRODUCT(name, value)      \
name:                             \
	RD = (uint32_t)(value);   \
	STALL(soc->multiply - 1); \
	NEXT;
	PRODUCT(MUL, RS1 * RS2)
	PRODUCT(MULH, (uint64_t)((int64_t)(int32_t)RS1 * (int32_t)RS2) >> 32)
	PRODUCT(MULHSU, (uint64_t)((int64_t)(int32_t)RS1 * (int64_t)RS2) >> 32)
	PRODUCT(MULHU, (uint64_t)RS1 * RS2 >> 32)
#undef PRODUCT

#define QUOTIENT(name, value, magnitude, overflow)                 \
name : {                                                           \
	uint32_t a = RS1, b = RS2;                                 \
	RD = (value);                                              \
	STALL(divide_cycles(soc, (magnitude), b, (overflow)) - 1); \
	NEXT;                                                      \
}
	QUOTIENT(DIV, divide(a, b), signed_magnitude(a), a == 0x80000000u && b == UINT32_MAX)
	QUOTIENT(DIVU, b ? a / b : UINT32_MAX, a, false)
	QUOTIENT(REM, remainder_of(a, b), signed_magnitude(a), a == 0x80000000u && b == UINT32_MAX)
	QUOTIENT(REMU, b ? a % b : a, a, false)
#undef QUOTIENT

NOP:
	NEXT;
ECALL:
	SAVE;
	hart_fault(h, "ecall: the kernel gave up");
	return;
EBREAK:
	SAVE;
	hart_fault(h, "ebreak: the kernel gave up");
	return;
TENSIX:
	SAVE;
	if (h->id < RISC_T0)
		hart_fault(h, "instruction 0x%08x: not RV32IM", page->word[u - base]);
	else
		hart_fault(h,
			   "Tensix instruction 0x%08x: not modelled, only <ttp/tensix_macros.h> is",
			   page->word[u - base]);
	return;
ILLEGAL:
	SAVE;
	hart_fault(h, "instruction 0x%08x: not RV32IM", page->word[u - base]);
	return;
}

#undef GO
#undef NEXT
#undef STALL
#undef PC
#undef RD
#undef RS1
#undef RS2
#undef IMM
#undef SAVE
#undef ALU
#undef LOAD_TIME
#undef LOAD
#undef STORE
#undef PREDICT
#undef BRANCH
