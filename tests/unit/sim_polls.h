// SPDX-License-Identifier: Apache-2.0
/*
 * Programs for the embedded chip, by chance: cores that poll words of L1, streams, semaphores, counters
 * and mailboxes in loops of every shape, and meanwhile write what others poll, over the NoC, too.  They go
 * round for ever.  Whenever something was waited for, the clock goes into a sum in L1, so a cycle more or
 * less anywhere shows in memory.
 *
 * The same seed gives the same programs.
 */
#ifndef TTP_TESTS_SIM_POLLS_H
#define TTP_TESTS_SIM_POLLS_H

#include "sim_stream.h"

enum {
	POLL_WORDS = 8,
	POLL_SHARED = 0x1000,
	POLL_SCRATCH = 0x1800, /* + 0x100 r: what a core has seen last; its sum at 0xF0 */
	POLL_COPIES = 0x2000,  /* what is sent over the NoC, and comes from it */
	POLL_BYTES = 0x14000,  /* all that is used of L1, code included */
};

#define POLL_STREAM  0xFFB45000u
#define POLL_PCBUF   0xFFE80000u
#define POLL_MAILBOX 0xFFEC0000u
#define POLL_CONFIG  0xFFEF0000u
#define POLL_LOCAL   0xFFB00000u

/* Some in a block of 16 bytes, some whose blocks are the same modulo 64. */
static const int poll_word[POLL_WORDS] = { 0, 4, 16, 36, 64, 128, 1024, 1028 };

struct dice {
	uint64_t state;
};

static inline uint32_t roll(struct dice *d, uint32_t sides)
{
	uint64_t z = (d->state += 0x9E3779B97F4A7C15u);

	z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
	z = (z ^ z >> 27) * 0x94D049BB133111EBu;
	return (uint32_t)((z ^ z >> 31) >> 32) % sides;
}

struct poll_program {
	struct code *c;
	struct dice *d;
	int risc;
	struct tile me, dram;
	const struct tile *tiles;
	int count;
};

static inline bool is_t(int risc)
{
	return risc >= RISC_T0;
}

/* Bases that stay: S3 shared words, S4 counters, S5 stream, S7 scratch, S8 local memory; S1 is the sum. */
static inline void poll_bases(struct poll_program *p)
{
	struct code *c = p->c;

	li(c, S3, POLL_SHARED);
	li(c, S4, NIU(p->risc & 1) + 0x200);
	li(c, S5, POLL_STREAM);
	li(c, S7, POLL_SCRATCH + 0x100u * (uint32_t)p->risc);
	li(c, S8, POLL_LOCAL);
	li(c, RA, POLL_PCBUF);
	li(c, TP, POLL_CONFIG + 4 * 158);
	li(c, GP, POLL_MAILBOX + 0x1000 * roll(p->d, 4));
}

static inline void poll_clock(struct poll_program *p)
{
	struct code *c = p->c;

	li(c, T0, CLOCK_LOW);
	lw(c, T1, T0, 0);
	slli(c, T2, S1, 5);
	add(c, S1, S1, T2);
	add(c, S1, S1, T1);
	sw(c, S1, S7, 0xF0);
}

static inline void poll_load_word(struct poll_program *p, enum reg rd, int at)
{
	if (roll(p->d, 6))
		lw(p->c, rd, S3, poll_word[at]);
	else
		lhu(p->c, rd, S3, poll_word[at]);
}

/* Something else to look at in a loop. */
static inline void poll_load_any(struct poll_program *p, enum reg rd)
{
	struct code *c = p->c;

	switch (roll(p->d, 12)) {
	case 0:
	case 1:
		lw(c, rd, S4, 4 * (int)roll(p->d, 40));
		return;
	case 2:
		lw(c, rd, S5, 0x100);
		return;
	case 3:
		lw(c, rd, S8, 4 * (int)roll(p->d, 8));
		return;
	case 4:
		if (p->risc != RISC_NC)
			lw(c, rd, GP, 4);
		return;
	case 5:
		if (is_t(p->risc))
			lw(c, rd, RA, 0x20);
		return;
	case 6:
		if (p->risc != RISC_NC)
			lw(c, rd, TP, 0);
		return;
	default:
		poll_load_word(p, rd, (int)roll(p->d, POLL_WORDS));
		return;
	}
}

/* Work that leaves the same in the registers in each round. */
static inline void poll_alu(struct poll_program *p)
{
	struct code *c = p->c;
	enum reg a = (enum reg)(A0 + roll(p->d, 8)), b = (enum reg)(A0 + roll(p->d, 8));

	switch (roll(p->d, 7)) {
	case 0:
		add(c, T1, a, b);
		break;
	case 1:
		mul(c, T1, a, b);
		break;
	case 2:
		divu(c, T1, a, b);
		break;
	case 3:
		beq(c, a, b, here(c) + 2);
		xor_(c, T2, a, b);
		break;
	case 4: /* taken in one round, not in the next: nothing to be parked */
		if (!roll(p->d, 8)) {
			addi(c, S0, S0, 1);
			andi(c, T1, S0, 1);
			beq(c, T1, ZERO, here(c) + 2);
		}
		nop(c);
		break;
	case 5: /* as above, in a register that is 0 again */
		xor_(c, T1, T1, T1);
		bltu(c, a, b, here(c) + 2);
		addi(c, T1, ZERO, 1);
		break;
	default:
		nop(c);
		break;
	}
}

/*
 * Something that only the first rounds do, as registers hand it on from round to round: then a branch goes
 * the other way for the first time, although the registers are as they will stay.
 */
static inline void poll_first_rounds(struct poll_program *p)
{
	struct code *c = p->c;

	beq(c, SP, ZERO, here(c) + 2);
	if (roll(p->d, 2))
		sw(c, A0, S7, 0xA0);
	else
		nop(c);
	addi(c, SP, S2, 0);
	addi(c, S2, ZERO, 0);
}

/* Where it is seen whether to go on, into `rd`; returns where in the scratch its last value is kept. */
static inline int poll_target(struct poll_program *p, enum reg rd, uint32_t kind, int at)
{
	struct code *c = p->c;

	if (kind == 0) {
		lw(c, rd, S5, 0x100);
		return 0x40;
	}
	if (kind == 1 && is_t(p->risc)) {
		lw(c, rd, RA, 0x20);
		return 0x44;
	}
	if (kind == 2 && p->risc != RISC_NC) {
		lw(c, rd, TP, 0);
		return 0x48;
	}
	lw(c, rd, S3, poll_word[at]);
	return 4 * at;
}

/* Goes round until something is not what it was. */
static inline void poll_step(struct poll_program *p)
{
	struct code *c = p->c;
	struct dice *d = p->d;
	int loads = 1 + (int)roll(d, roll(d, 4) ? 4 : 9), target = (int)roll(d, (uint32_t)loads);
	int at = (int)roll(d, POLL_WORDS), seen = here(c), loop, kept = 0;
	uint32_t kind = roll(d, 8), form = roll(d, 5);
	bool dense = roll(d, 2), dead = !roll(d, 4), line = !roll(d, 5);
	enum reg found = (enum reg)(A0 + target % 8);

	nop(c); /* lw S6, kept(S7) */
	if (!roll(d, 4))
		addi(c, S0, ZERO, 0);
	addi(c, SP, ZERO, (int)roll(d, 2));
	addi(c, S2, ZERO, (int)roll(d, 2));
	loop = here(c);
	for (int i = 0; i < loads; i++) {
		/* What is loaded over and not used is still under way when the next round begins. */
		enum reg rd = dead && i != target ? T1 : (enum reg)(A0 + i % 8);

		if (i == target)
			kept = poll_target(p, rd, kind, at);
		else if (rd != found)
			poll_load_any(p, rd);
		while (!dense && roll(d, 2))
			poll_alu(p);
	}
	if (dead)
		addi(c, T1, ZERO, 0);
	if (line)
		poll_first_rounds(p);
	if (form == 0 && !roll(d, 4)) { /* another way back */
		andi(c, T0, A0, 1);
		bne(c, T0, ZERO, loop);
	}
	if (form <= 1) {
		sub(c, T0, found, S6);
		andi(c, T0, T0, 2047);
		beq(c, T0, ZERO, loop);
	} else if (form == 2) {
		bne(c, found, S6, here(c) + 2);
		jump(c, loop);
	} else {
		beq(c, found, S6, loop);
	}
	c->word[seen] = enc_i(3, 2, S6, S7, kept);
	sw(c, found, S7, kept);
	poll_clock(p);
}

static inline void poll_delay(struct poll_program *p)
{
	struct code *c = p->c;
	int loop;

	if (roll(p->d, 2)) {
		for (uint32_t i = roll(p->d, 70); i > 0; i--)
			nop(c);
		return;
	}
	addi(c, S0, ZERO, 1 + (int)roll(p->d, 100));
	loop = here(c);
	if (!roll(p->d, 3))
		sw(c, S0, S7, 0x80 + 4 * (int)roll(p->d, 8));
	if (!roll(p->d, 3))
		sw(c, S0, S8, 4 * (int)roll(p->d, 8));
	addi(c, S0, S0, -1);
	bne(c, S0, ZERO, loop);
}

/* Writes what others may look at. */
static inline void poll_bump(struct poll_program *p)
{
	struct code *c = p->c;
	int at = poll_word[roll(p->d, POLL_WORDS)];

	switch (roll(p->d, 10)) {
	case 0:
		addi(c, T0, ZERO, 64);
		sw(c, T0, S5, 0x88);
		return;
	case 1:
		if (is_t(p->risc)) {
			addi(c, T0, ZERO, (int)roll(p->d, 2));
			sw(c, T0, RA, 0x20);
		}
		return;
	case 2:
		if (p->risc != RISC_NC) {
			lw(c, T0, TP, 0);
			addi(c, T0, T0, 1);
			sw(c, T0, TP, 0);
		}
		return;
	case 3:
		addi(c, T0, S1, 0);
		sb(c, T0, S3, at);
		return;
	default:
		lw(c, T0, S3, at);
		addi(c, T0, T0, 1);
		sw(c, T0, S3, at);
		return;
	}
}

/* Each core has an initiator, and an id, of its own. */
static inline void poll_noc(struct poll_program *p)
{
	struct code *c = p->c;
	struct dice *d = p->d;
	int noc = p->risc & 1, loop;
	struct tile to = p->tiles[roll(d, (uint32_t)p->count)], me = noc ? noc1(p->me) : p->me;
	uint32_t far = noc_mid(noc ? noc1(to) : to), here_mid = noc_mid(me);
	uint32_t at = (uint32_t)poll_word[roll(d, POLL_WORDS)], word = POLL_SHARED + at;
	uint32_t targ = word, targ_mid = far, ret = POLL_COPIES + 0x800, ret_mid = here_mid;
	uint32_t ctrl = 0x10, len = 16, kind = roll(d, 5);
	const uint32_t offset[] = { 0x00, 0x04, 0x0C, 0x10, 0x18, 0x1C, 0x20, 0x24 };

	if (kind == 0) { /* a word to a stream */
		targ = POLL_STREAM + 0x88;
		ctrl = roll(d, 2) ? 0x1A : 0x0A;
		len = 15;
	} else if (kind == 1) { /* one more */
		ctrl = roll(d, 2) ? 0x11 : 0x01;
		len = 0x107C | at / 4 % 4;
		targ = word & ~15u;
	} else if (kind == 2) { /* a word that was counted here */
		lw(c, T0, S3, (int)at);
		addi(c, T0, T0, 1);
		li(c, T1, POLL_COPIES + at);
		sw(c, T0, T1, 0);
		targ = POLL_COPIES + at;
		targ_mid = here_mid;
		ret = word;
		ret_mid = far;
		ctrl = roll(d, 2) ? 0x12 : 0x02;
		len = 4;
	} else if (kind == 3) { /* from another tile, to what is looked at here */
		targ = word & ~15u;
		ret = targ;
	} else { /* from DRAM */
		targ = 0x1000 + 0x20 * roll(d, 8);
		targ_mid = noc_mid(noc ? noc1(p->dram) : p->dram);
		ret = POLL_COPIES + 0x800;
		len = 32 + roll(d, 4) * 100;
	}
	const uint32_t value[] = {
		targ, targ_mid, ret, ret_mid, (uint32_t)p->risc << 10, ctrl, len, kind ? 1 : 64,
	};

	li(c, S2, NIU(noc) + 0x400u * (uint32_t)(p->risc / 2));
	loop = here(c);
	lw(c, T0, S2, 0x28);
	bne(c, T0, ZERO, loop);
	for (int i = 0; i < 8; i++) {
		li(c, T0, value[i]);
		sw(c, T0, S2, (int32_t)offset[i]);
	}
	addi(c, T0, ZERO, 1);
	sw(c, T0, S2, 0x28);
	for (uint32_t i = roll(d, 12); i > 0; i--)
		nop(c);
	if (roll(d, 3)) { /* until none is outstanding, or going out */
		loop = here(c);
		lw(c, T0, S4, 4 * ((roll(d, 3) ? 16 : 32) + p->risc));
		bne(c, T0, ZERO, loop);
		poll_clock(p);
	}
}

/* Waits for compute; a core that is blocked is not one that polls. */
static inline void poll_compute(struct poll_program *p)
{
	struct code *c = p->c;
	uint32_t ops = roll(p->d, 12) ? 1 + roll(p->d, 3) : 30;

	li(c, S2, TTP_TENSIX_BASE);
	li(c, T0, roll(p->d, 150));
	sw(c, T0, S2, 0);
	addi(c, T0, ZERO, TTP_TENSIX_DELAY);
	while (ops--)
		sw(c, T0, S2, TTP_TENSIX_ISSUE - TTP_TENSIX_BASE);
	if (roll(p->d, 3)) {
		lw(c, T0, S2, TTP_TENSIX_IDLE - TTP_TENSIX_BASE);
		poll_clock(p);
	}
}

/* Words go to the next core but NC, in a ring. */
static inline void poll_mailbox(struct poll_program *p)
{
	struct code *c = p->c;
	uint32_t me = p->risc == RISC_B ? 0 : (uint32_t)p->risc - 1;
	int loop;

	if (roll(p->d, 2)) {
		li(c, T0, POLL_MAILBOX + 0x1000 * ((me + 1) % 4));
		sw(c, S1, T0, 0);
		return;
	}
	li(c, T0, POLL_MAILBOX + 0x1000 * ((me + 3) % 4));
	if (roll(p->d, 2)) {
		loop = here(c);
		lw(c, T1, T0, 4);
		beq(c, T1, ZERO, loop);
	}
	lw(c, T1, T0, 0);
	poll_clock(p);
}

/* BRISC holds another core, and lets it go. */
static inline void poll_hold(struct poll_program *p)
{
	struct code *c = p->c;

	li(c, S2, SOFT_RESET);
	li(c, T0, release_bit[1 + roll(p->d, 4)]);
	sw(c, T0, S2, 0);
	poll_delay(p);
	sw(c, ZERO, S2, 0);
}

static inline void poll_invalidate(struct poll_program *p)
{
	li(p->c, T0, POLL_CONFIG + 4 * 157);
	li(p->c, T1, 31);
	sw(p->c, T1, T0, 0);
}

static inline void poll_code(struct poll_program *p)
{
	struct code *c = p->c;
	int steps = 2 + (int)roll(p->d, 8), start;
	bool t = is_t(p->risc), compute = t && roll(p->d, 2), mail = roll(p->d, 3) == 0;

	c->base = start_at[p->risc];
	c->len = 0;
	poll_bases(p);
	start = here(c);
	for (int i = 0; i < steps; i++) {
		uint32_t kind = roll(p->d, 20);

		if (kind < 7)
			poll_step(p);
		else if (kind < 10)
			poll_bump(p);
		else if (kind < 13)
			poll_delay(p);
		else if (kind < 16)
			poll_noc(p);
		else if (kind < 18 && compute)
			poll_compute(p);
		else if (kind == 18 && mail && p->risc != RISC_NC)
			poll_mailbox(p);
		else if (kind == 19 && p->risc == RISC_B && !roll(p->d, 3))
			poll_hold(p);
		else if (kind == 19 && p->risc != RISC_NC && !roll(p->d, 3))
			poll_invalidate(p);
		else
			poll_bump(p);
	}
	jump(c, start);
}

#endif /* TTP_TESTS_SIM_POLLS_H */
