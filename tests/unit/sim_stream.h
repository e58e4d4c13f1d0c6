// SPDX-License-Identifier: Apache-2.0
/*
 * A workload for all workers and all five cores, for tests and benchmarks of the embedded chip:
 *
 *	B	reads pages of 2 KiB from DRAM over NoC 0 into a ring of two
 *	NC	writes them back to another place over NoC 1, then counts itself in at the first tile
 *	T0	unpacks each page as a bf16 tile, T1 doubles it, T2 packs it and stores a sum
 *	first tile, T2: when all have counted themselves in, multicasts a word that all T2s wait for
 *
 * Without compute, T cores only look on.
 *
 * Cores wait by polling words of L1.  Every core writes the clock down at each page.
 */
#ifndef TTP_TESTS_SIM_STREAM_H
#define TTP_TESTS_SIM_STREAM_H

#include "sim_chip.h"
#include "ttp/tensix_macros.h"

enum {
	STREAM_DONE = 0x200,     /* + 4 r: each core's */
	STREAM_PRODUCED = 0x240, /* pages that B has got */
	STREAM_WRITTEN = 0x250,  /* that NC is through with */
	STREAM_UNPACKED = 0x260,
	STREAM_GO = 0x270,
	STREAM_COUNT = 0x280, /* at the first tile */
	STREAM_OLD = 0x290,
	STREAM_ARGS = 0x300,
	STREAM_CLOCKS = 0x18000, /* + 0x1000 r + 4 i */
	STREAM_RING = 0x20000,
	STREAM_PACKED = 0x22000,
	STREAM_OUT = 0x1000000, /* where in DRAM the last copies are */
	STREAM_OUT_PAGES = 16,
};

static inline struct tile noc1(struct tile t)
{
	return (struct tile){ (uint8_t)(9 - t.x), (uint8_t)(11 - t.y) };
}

/* S0 counts pages.  Waits until the word at `addr` is more than S0 + less; uses T0, T1, T2. */
static inline void wait_for_page(struct code *c, uint32_t addr, int less)
{
	int loop;

	li(c, T0, addr);
	addi(c, T2, S0, less);
	loop = here(c);
	lw(c, T1, T0, 0);
	emit(c, enc_b(5, T2, T1, (loop - c->len) * 4)); /* bge t2, t1 */
}

static inline void note_clock(struct code *c, int risc)
{
	li(c, T0, CLOCK_LOW);
	lw(c, T1, T0, 0);
	li(c, T0, STREAM_CLOCKS + 0x1000u * (uint32_t)risc);
	andi(c, T2, S0, 511);
	slli(c, T2, T2, 2);
	add(c, T0, T0, T2);
	sw(c, T1, T0, 0);
}

/* Address of the ring's page for S0, in A0. */
static inline void ring_page(struct code *c, uint32_t ring)
{
	li(c, A0, ring);
	andi(c, T0, S0, 1);
	slli(c, T0, T0, 11);
	add(c, A0, A0, T0);
}

static inline void next_page(struct code *c, int pages, int loop)
{
	addi(c, S0, S0, 1);
	li(c, T0, (uint32_t)pages);
	blt(c, S0, T0, loop);
}

static inline void word_is_page(struct code *c, uint32_t addr)
{
	li(c, T0, addr);
	addi(c, T1, S0, 1);
	sw(c, T1, T0, 0);
}

/* Argument `i` of the tile; the code is the same for all, as that of real kernels is. */
static inline void arg(struct code *c, enum reg rd, int i)
{
	lw(c, rd, ZERO, STREAM_ARGS + 4 * i);
}

enum { ARG_ME, ARG_ME_1, ARG_DRAM, ARG_DRAM_1, ARG_FROM, ARG_FIRST, ARG_ALL_1, ARG_LEAD };

/* What is the same for all requests of an initiator; S2 is its base. */
static inline void request_frame(struct code *c, int targ_mid, int ret_mid, uint32_t ctrl,
				 uint32_t len)
{
	arg(c, T0, targ_mid);
	sw(c, T0, S2, 0x04);
	arg(c, T0, ret_mid);
	sw(c, T0, S2, 0x10);
	li(c, T0, ctrl);
	sw(c, T0, S2, 0x1C);
	li(c, T0, len);
	sw(c, T0, S2, 0x20);
}

/* Issues with TARG and RET from registers, when the last request is out. */
static inline void request(struct code *c, enum reg targ, enum reg ret)
{
	int busy = here(c);

	lw(c, T0, S2, 0x28);
	bne(c, T0, ZERO, busy);
	sw(c, targ, S2, 0x00);
	sw(c, ret, S2, 0x0C);
	addi(c, T0, ZERO, 1);
	sw(c, T0, S2, 0x28);
}

/* Until counter `i` is S0 + 1. */
static inline void request_barrier(struct code *c, int i)
{
	int wait;

	addi(c, T1, S0, 1);
	wait = here(c);
	lw(c, T0, S2, 0x200 + 4 * i);
	bne(c, T0, T1, wait);
}

static inline void stream_b(struct code *c, int pages)
{
	int loop;

	li(c, S0, 0);
	arg(c, S1, ARG_FROM);
	li(c, S2, NIU(0));
	li(c, S3, 2048);
	request_frame(c, ARG_DRAM, ARG_ME, 0x10, 2048);
	loop = here(c);
	wait_for_page(c, STREAM_WRITTEN, -2);
	wait_for_page(c, STREAM_UNPACKED, -2);
	ring_page(c, STREAM_RING);
	request(c, S1, A0);
	request_barrier(c, 2);
	word_is_page(c, STREAM_PRODUCED);
	note_clock(c, RISC_B);
	add(c, S1, S1, S3);
	next_page(c, pages, loop);
	poke(c, STREAM_DONE + 4 * RISC_B, 1);
	stop(c);
}

static inline void stream_nc(struct code *c, int pages)
{
	int loop;

	li(c, S0, 0);
	arg(c, S1, ARG_FROM);
	li(c, T0, STREAM_OUT);
	add(c, S1, S1, T0);
	li(c, S2, NIU(1));
	request_frame(c, ARG_ME_1, ARG_DRAM_1, 0x12, 2048);
	loop = here(c);
	wait_for_page(c, STREAM_PRODUCED, 0);
	ring_page(c, STREAM_RING);
	andi(c, A1, S0, STREAM_OUT_PAGES - 1);
	slli(c, A1, A1, 11);
	add(c, A1, A1, S1);
	request(c, A0, A1);
	request_barrier(c, 1);
	word_is_page(c, STREAM_WRITTEN);
	note_clock(c, RISC_NC);
	next_page(c, pages, loop);
	li(c, S2, NIU(0) + 0x800); /* initiator 2: adds 1 */
	request_frame(c, ARG_FIRST, ARG_ME, 0x11, 0x107C);
	addi(c, T0, ZERO, 1);
	sw(c, T0, S2, 0x24);
	li(c, A0, STREAM_COUNT);
	li(c, A1, STREAM_OLD);
	request(c, A0, A1);
	noc_barrier(c, 0, 0, 1);
	poke(c, STREAM_DONE + 4 * RISC_NC, 1);
	stop(c);
}

/* An operation of compute with constant arguments; S3 is the base. */
static inline void compute(struct code *c, uint32_t op, int args, uint32_t a0, uint32_t a1,
			   uint32_t a2)
{
	uint32_t arg[3] = { a0, a1, a2 };

	for (int i = 0; i < args; i++) {
		li(c, T0, arg[i]);
		sw(c, T0, S3, 4 * i);
	}
	addi(c, T0, ZERO, (int32_t)op);
	sw(c, T0, S3, TTP_TENSIX_ISSUE - TTP_TENSIX_BASE);
}

static inline void stream_t0(struct code *c, int pages)
{
	int loop;

	li(c, S0, 0);
	li(c, S3, TTP_TENSIX_BASE);
	loop = here(c);
	wait_for_page(c, STREAM_PRODUCED, 0);
	ring_page(c, STREAM_RING);
	sw(c, A0, S3, 0);
	sw(c, ZERO, S3, 4);
	addi(c, T0, ZERO, TTP_TENSIX_UNPACK_A);
	sw(c, T0, S3, TTP_TENSIX_ISSUE - TTP_TENSIX_BASE);
	lw(c, T0, S3, TTP_TENSIX_IDLE - TTP_TENSIX_BASE);
	word_is_page(c, STREAM_UNPACKED);
	note_clock(c, RISC_T0);
	next_page(c, pages, loop);
	poke(c, STREAM_DONE + 4 * RISC_T0, 1);
	stop(c);
}

static inline void stream_t1(struct code *c, int pages)
{
	int loop;

	li(c, S0, 0);
	li(c, S3, TTP_TENSIX_BASE);
	loop = here(c);
	compute(c, TTP_TENSIX_DST_ACQUIRE, 0, 0, 0, 0);
	compute(c, TTP_TENSIX_COPY, 1, 3, 0, 0);
	compute(c, TTP_TENSIX_SFPU, 3, 3, TTP_SFPU_MUL_SCALAR, 0x40000000);
	compute(c, TTP_TENSIX_DST_COMMIT, 0, 0, 0, 0);
	note_clock(c, RISC_T1);
	next_page(c, pages, loop);
	lw(c, T0, S3, TTP_TENSIX_IDLE - TTP_TENSIX_BASE);
	poke(c, STREAM_DONE + 4 * RISC_T1, 1);
	stop(c);
}

static inline void stream_t2(struct code *c, int pages, int tiles)
{
	int loop, wait, skip;

	li(c, S0, 0);
	li(c, S3, TTP_TENSIX_BASE);
	loop = here(c);
	compute(c, TTP_TENSIX_DST_WAIT, 0, 0, 0, 0);
	compute(c, TTP_TENSIX_PACK, 3, 3, STREAM_PACKED, TTP_TILE_BF16);
	compute(c, TTP_TENSIX_DST_RELEASE, 0, 0, 0, 0);
	lw(c, T0, S3, TTP_TENSIX_IDLE - TTP_TENSIX_BASE);
	note_clock(c, RISC_T2);
	next_page(c, pages, loop);
	arg(c, T0, ARG_LEAD);
	skip = here(c);
	nop(c); /* a branch over the lead's part */
	li(c, T0, STREAM_COUNT);
	li(c, T2, (uint32_t)tiles);
	wait = here(c);
	lw(c, T1, T0, 0);
	bne(c, T1, T2, wait);
	poke(c, STREAM_GO + 0x40, 1);
	li(c, S2, NIU(1) + 0x400); /* initiator 1 */
	request_frame(c, ARG_ME_1, ARG_ALL_1, 0x20132, 4);
	li(c, A0, STREAM_GO + 0x40);
	li(c, A1, STREAM_GO);
	request(c, A0, A1);
	c->word[skip] = enc_b(0, T0, ZERO, (here(c) - skip) * 4);
	li(c, T0, STREAM_GO);
	wait = here(c);
	lw(c, T1, T0, 0);
	beq(c, T1, ZERO, wait);
	note_clock(c, RISC_T2);
	poke(c, STREAM_DONE + 4 * RISC_T2, 1);
	stop(c);
}

/* T cores without compute, which only the embedded chip has: T0 counts pages off, the others look on. */
static inline void stream_plain(struct code *c, int risc, int pages)
{
	int loop;

	li(c, S0, 0);
	loop = here(c);
	wait_for_page(c, STREAM_PRODUCED, 0);
	if (risc == RISC_T0)
		word_is_page(c, STREAM_UNPACKED);
	next_page(c, pages, loop);
	poke(c, STREAM_DONE + 4 * (uint32_t)risc, 1);
	stop(c);
}

static const struct tile stream_dram[6] = { { 0, 0 }, { 0, 5 }, { 5, 0 },
					    { 5, 2 }, { 5, 3 }, { 5, 5 } };

/* Loads and starts all workers; returns the watches (5 a tile) and how many there are. */
static inline size_t stream_start(struct port *p, int pages, bool with_compute, struct watch *w)
{
	struct tile tiles[128];
	static struct code c;
	uint32_t page[512];
	int n = 0;
	size_t watches = 0;

	for (int y = 0; y < p->info.height; y++)
		for (int x = 0; x < p->info.width; x++)
			if (p->info.kind[y][x] == TILE_WORKER)
				tiles[n++] = (struct tile){ (uint8_t)x, (uint8_t)y };
	for (int i = 0; i < n; i++) {
		struct tile d = stream_dram[i % 6];
		uint32_t from = (uint32_t)(i / 6) * 0x100000u;

		for (int k = 0; k < pages; k++) {
			for (uint32_t j = 0; j < 512; j++) /* two bf16 near 1 */
				page[j] = 0x3F803F80u + (uint32_t)(i + k) * 0x10001u + j % 16;
			chip_write(p, d, from + 2048 * (uint32_t)k, page, sizeof(page));
		}
		const uint32_t args[] = {
			noc_mid(tiles[i]),
			noc_mid(noc1(tiles[i])),
			noc_mid(d),
			noc_mid(noc1(d)),
			from,
			noc_mid(tiles[0]),
			noc_mid(noc1(tiles[0])) | noc_mid(noc1(tiles[n - 1])) << 12,
			i == 0,
		};

		chip_write(p, tiles[i], STREAM_ARGS, args, sizeof(args));
		for (int r = 0; r < RISCS; r++) {
			c.base = start_at[r];
			c.len = 0;
			if (r == RISC_B)
				stream_b(&c, pages);
			else if (r == RISC_NC)
				stream_nc(&c, pages);
			else if (!with_compute)
				stream_plain(&c, r, pages);
			else if (r == RISC_T0)
				stream_t0(&c, pages);
			else if (r == RISC_T1)
				stream_t1(&c, pages);
			else
				stream_t2(&c, pages, n);
			chip_load(p, tiles[i], &c);
			w[watches++] =
				(struct watch){ tiles[i], STREAM_DONE + 4 * (unsigned)r, 1, 1 };
		}
	}
	for (int i = 0; i < n; i++)
		chip_start(p, tiles[i], 0x1F);
	return watches;
}

#endif /* TTP_TESTS_SIM_STREAM_H */
