// SPDX-License-Identifier: Apache-2.0
/*
 * Modelled times against what is known of the chip (src/chip/wormhole.def).  Modelled cycles are exact, so these
 * are equalities, or the tolerance that the source has.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sim/machine.h"
#include "sim_traffic.h"
#include "ttp/tensix_macros.h"

static const struct tile A = { 1, 1 };

typedef void sequence(struct code *c);

static void quiet(struct code *c)
{
	for (int i = 0; i < 24; i++)
		nop(c);
}

/* Clock before and after; A2, A3 and A6 are prepared. */
static uint32_t cycles_with(sequence *s, enum risc r)
{
	struct port *p = chip_open(NULL);
	static struct code c;
	struct watch w = { A, 0x100, 1, 1 };
	uint32_t took;

	c.base = start_at[r];
	c.len = 0;
	for (uint32_t i = 0; i < 4; i++)
		chip_set(p, A, 0x1000 + 4 * i, 0x1000); /* points at itself */
	li(&c, A2, 0x1000);
	li(&c, A3, 0xFFB00000);
	sw(&c, A3, A3, 0);
	li(&c, A6, CLOCK_LOW);
	li(&c, S3, TTP_TENSIX_BASE);
	quiet(&c);
	lw(&c, A0, A6, 0);
	quiet(&c);
	if (s)
		s(&c);
	lw(&c, A1, A6, 0);
	quiet(&c);
	sub(&c, A1, A1, A0);
	li(&c, T0, 0x104);
	sw(&c, A1, T0, 0);
	poke(&c, 0x100, 1);
	stop(&c);
	chip_load(p, A, &c);
	chip_start(p, A, 1u << r);
	chip_wait(p, &w, 1, 1000000, WAIT_ALL);
	took = chip_word(p, A, 0x104);
	p->ops->close(p);
	return took;
}

static int cycles_of(sequence *s, enum risc r)
{
	return (int)cycles_with(s, r) - (int)cycles_with(NULL, r);
}

enum { TIMES = 16 };
#define SEQUENCE(name, ...)                       \
	static void name(struct code *c)          \
	{                                         \
		for (int i = 0; i < TIMES; i++) { \
			__VA_ARGS__;              \
		}                                 \
	}
SEQUENCE(adds, add(c, A2, A2, A2))
SEQUENCE(chained_l1_loads, lw(c, A2, A2, 0))
SEQUENCE(chained_local_loads, lw(c, A3, A3, 0))
SEQUENCE(products, mul(c, A4, A2, A2))
SEQUENCE(free_l1_loads, lw(c, (enum reg)(A4 + i % 2), A2, 0))
SEQUENCE(free_local_loads, lw(c, (enum reg)(A4 + i % 2), A3, 0))
SEQUENCE(l1_stores, sw(c, A2, A2, 0))
SEQUENCE(local_stores, sw(c, A3, A3, 4))
SEQUENCE(divisions_by_0, divu(c, A4, A2, ZERO))
/* Never taken, and guessed so from the start. */
SEQUENCE(guessed_branches, beq(c, A2, ZERO, here(c) + 1))
/* Taken for the first time. */
SEQUENCE(wrong_branches, bne(c, A2, ZERO, here(c) + 1))

static void instructions_take_the_documented_cycles(void **state)
{
	(void)state;
	assert_int_equal(cycles_of(adds, RISC_B), TIMES);
	/* nobody waits for the last one of a chain */
	assert_int_equal(cycles_of(chained_l1_loads, RISC_B), (TIMES - 1) * 8 + 1);
	assert_int_equal(cycles_of(chained_local_loads, RISC_B), (TIMES - 1) * 2 + 1);
	assert_int_equal(cycles_of(products, RISC_B), TIMES * 2);
	assert_int_equal(cycles_of(free_local_loads, RISC_B), TIMES);
	assert_int_equal(cycles_of(local_stores, RISC_B), TIMES);
	assert_int_equal(cycles_of(divisions_by_0, RISC_B), TIMES * 2);
	assert_int_equal(cycles_of(guessed_branches, RISC_B), TIMES);
	assert_int_equal(cycles_of(wrong_branches, RISC_B), TIMES * (1 + 2));
}

static void four_loads_are_under_way_in_seven_cycles(void **state)
{
	int took = cycles_of(free_l1_loads, RISC_B);

	(void)state;
	/* the last four are not waited for by the clock, which is itself a load */
	assert_in_range(took, TIMES / 4 * 7 - 3, TIMES / 4 * 7 + 3);
}

static void stores_to_l1_come_out_of_a_queue(void **state)
{
	(void)state;
	/* one in five cycles; the last one is in the queue behind three when the clock is read */
	assert_int_equal(cycles_of(l1_stores, RISC_B), (TIMES - 4) * 5 + 1);
}

SEQUENCE(four_loads_and_uses, for (int k = 0; k < 4; k++) lw(c, (enum reg)(S4 + k), A2, 4 * k);
	 for (int k = 0; k < 4; k++) add(c, A5, A5, (enum reg)(S4 + k)))

static void latency_is_paid_once_for_loads_side_by_side(void **state)
{
	(void)state;
	/* 4 loads, the first use at 8, three more: 12, and the next four begin behind them */
	assert_int_equal(cycles_of(four_loads_and_uses, RISC_B), TIMES * 12);
}

/* From the store that issues a request to the arrival of the answer (of a write: of the data). */
static int noc_cycles(struct tile from, struct tile to, bool write)
{
	struct port *p = chip_open(NULL);
	struct sim *s = (struct sim *)p;
	const struct node *here_n = s->place[from.y * 10 + from.x].node,
			  *there = s->place[to.y * 10 + to.x].node;
	const struct node *n = write ? there : here_n;
	static struct code c;
	int took = -1;

	c.base = start_at[RISC_B];
	c.len = 0;
	noc_request(&c, 0, 0x8000, noc_mid(write ? from : to), 0x9000, noc_mid(write ? to : from),
		    write ? 0x12 : 0x10, 32);
	stop(&c);
	chip_load(p, from, &c);
	chip_start(p, from, 1);
	for (int i = 0; i < 100 && took < 0; i++) {
		p->ops->wait(p, NULL, 0, 16);
		for (size_t k = 0; k < n->inbox.len; k++)
			if (n->inbox.at[k].p->kind == (write ? PACKET_WRITE : PACKET_DATA))
				took = (int)(n->inbox.at[k].p->t -
					     here_n->niu[0].initiator[0].busy_until);
	}
	p->ops->close(p);
	return took;
}

static void reads_take_what_was_measured_on_cards(void **state)
{
	static const struct {
		struct tile to;
		int cycles;
	} known[] = { { { 1, 1 }, 70 }, { { 1, 9 }, 154 }, { { 8, 1 }, 170 }, { { 4, 7 }, 270 } };

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		int took = noc_cycles(A, known[i].to, false);

		if (took < known[i].cycles * 9 / 10 || took > known[i].cycles * 11 / 10)
			fail_msg("read of %d-%d: %d cycles, known are %d", known[i].to.x,
				 known[i].to.y, took, known[i].cycles);
	}
}

static void writes_take_what_was_measured_on_cards(void **state)
{
	static const struct {
		struct tile to;
		int hops;
	} known[] = { { { 1, 1 }, 0 }, { { 2, 1 }, 1 }, { { 8, 1 }, 7 } };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		int took = noc_cycles(A, known[i].to, true), fit = 40 + 10 * known[i].hops;

		if (took < fit * 9 / 10 || took > fit * 11 / 10)
			fail_msg("write to %d-%d: %d cycles, known are %d", known[i].to.x,
				 known[i].to.y, took, fit);
	}
}

/* `tiles` workers read, or write, `packets` of 8 KiB each at one DRAM channel; bytes per 1000 cycles. */
static int channel_rate(int tiles, int packets, bool write)
{
	struct port *p = chip_open(NULL);
	struct flow f[64];
	int n = 0, rate;

	for (int y = 0; y < 12; y++)
		for (int x = 0; x < 10; x++)
			if (n < tiles && p->info.kind[y][x] == TILE_WORKER) {
				f[n] = (struct flow){ { (uint8_t)x, (uint8_t)y },
						      { 0, 0 },
						      (uint32_t)n * 0x200000u };
				n++;
			}
	rate = traffic_rate(p, f, n, packets, 0, write);
	p->ops->close(p);
	return rate;
}

static void a_dram_channel_gives_22_gigabytes_a_second(void **state)
{
	static const int tiles[] = { 1, 12, 48 }, packets[] = { 128, 32, 16 };

	(void)state;
	for (int i = 0; i < 3; i++) {
		int got = channel_rate(tiles[i], packets[i], false);

		if (got < 22200 * 95 / 100 || got > 22200 * 105 / 100)
			fail_msg("%d tiles read %d.%03d GB/s", tiles[i], got / 1000, got % 1000);
		got = channel_rate(tiles[i], packets[i], true);
		if (got < 22000 * 95 / 100 || got > 22000 * 105 / 100)
			fail_msg("%d tiles write %d.%03d GB/s", tiles[i], got / 1000, got % 1000);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(instructions_take_the_documented_cycles),
		cmocka_unit_test(four_loads_are_under_way_in_seven_cycles),
		cmocka_unit_test(stores_to_l1_come_out_of_a_queue),
		cmocka_unit_test(latency_is_paid_once_for_loads_side_by_side),
		cmocka_unit_test(reads_take_what_was_measured_on_cards),
		cmocka_unit_test(writes_take_what_was_measured_on_cards),
		cmocka_unit_test(a_dram_channel_gives_22_gigabytes_a_second),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
