// SPDX-License-Identifier: Apache-2.0
/*
 * Cores that sleep, wait, or run alone: each shortcut of the scheduler has a program here that goes wrong when
 * the question before it is not asked.  A core that never sleeps (`busy`) keeps slices apart, so its
 * presence must not show either.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "sim/tensix.h"
#include "sim_chip.h"

enum { WORDS = 0x1000, RESULTS = 0x2000, RESULT_WORDS = 64 };

#define MAILBOX(i) (0xFFEC0000u + 0x1000u * (uint32_t)(i))
enum { BOX_B, BOX_T0, BOX_T1 };

static const struct tile at = { 2, 2 };

static void begin(struct code *c, int risc)
{
	c->base = start_at[risc];
	c->len = 0;
	li(c, S3, WORDS);
	li(c, S7, RESULTS);
	li(c, S8, CLOCK_LOW);
}

/* What is known after `cycles`, exactly. */
struct outcome {
	uint32_t result[RESULT_WORDS];
	uint64_t now, instructions, parked;
};

static void pass(struct port *p, uint64_t cycles)
{
	uint64_t end = p->ops->now(p) + cycles;

	while (p->ops->now(p) < end)
		if (p->ops->wait(p, NULL, 0, end - p->ops->now(p)) == WAIT_IDLE)
			p->ops->pass(p, end - p->ops->now(p));
	if (p->ops->fault(p))
		fail_msg("%s", p->ops->fault(p)->what);
}

static struct outcome look(struct port *p)
{
	struct outcome o = { .now = p->ops->now(p) };
	struct sim_stats stats;
	struct ttp_err e;

	assert_int_equal(p->ops->read(p, at, RESULTS, o.result, sizeof(o.result), &e), 0);
	sim_stats(p, &stats);
	o.instructions = stats.instructions;
	o.parked = stats.parked;
	return o;
}

static void same(const struct outcome *a, const struct outcome *b, const char *how)
{
	for (int i = 0; i < RESULT_WORDS; i++)
		if (a->result[i] != b->result[i])
			fail_msg("%s: result %d is %u, and %u", how, i, a->result[i], b->result[i]);
	assert_int_equal(a->now, b->now);
}

static void add_busy(struct port *p)
{
	static struct code c;
	int loop;

	begin(&c, RISC_NC);
	loop = here(&c);
	addi(&c, A0, A0, 1);
	jump(&c, loop);
	chip_load(p, at, &c);
}

static void delay(struct code *c, int rounds)
{
	int loop;

	addi(c, T2, ZERO, rounds);
	loop = here(c);
	addi(c, T2, T2, -1);
	bne(c, T2, ZERO, loop);
}

/* Nine to twelve words: only the last one ever changes. */
static void a_loop_that_looks_at_too_much_is_not_parked(void **state)
{
	(void)state;
	for (int words = 7; words <= 12; words++) {
		static struct code c;
		struct port *p = chip_open(NULL);
		struct watch done = { at, RESULTS, 1, 1 };
		struct sim_stats stats;
		int loop;

		begin(&c, RISC_T0);
		loop = here(&c);
		for (int i = 0; i < words; i++)
			lw(&c, A0, S3, 4 * i);
		beq(&c, A0, ZERO, loop);
		poke(&c, RESULTS, 1);
		stop(&c);
		chip_load(p, at, &c);
		chip_start(p, at, 1u << RISC_T0);
		pass(p, 4096);
		sim_stats(p, &stats);
		assert_int_equal(stats.parked, words <= 8);
		chip_set(p, at, WORDS + 4 * (uint32_t)(words - 1), 1);
		chip_wait(p, &done, 1, 4096, WAIT_ALL);
		p->ops->close(p);
	}
}

/*
 * T0 answers each 1 that T1 writes by a 0, and counts: rounds that answer leave the same in the registers as
 * those that do not, but take longer.  T1 writes twice, ever further apart, so that some answers fall into
 * the round that decides about parking.
 */
static struct outcome run_answers(bool no_parking)
{
	static struct code c;
	struct sim_config config = { .no_parking = no_parking };
	struct port *p = chip_open(&config);
	struct outcome o;
	int loop, skip;

	begin(&c, RISC_T0);
	loop = here(&c);
	lw(&c, A0, S3, 0);
	skip = here(&c);
	nop(&c); /* beq A0, ZERO, to the end of the round */
	sw(&c, ZERO, S3, 0);
	lw(&c, A1, S7, 0);
	addi(&c, A1, A1, 1);
	sw(&c, A1, S7, 0);
	addi(&c, A1, ZERO, 0);
	for (int i = 0; i < 5; i++)
		nop(&c);
	c.word[skip] = enc_b(0, A0, ZERO, 4 * (here(&c) - skip));
	addi(&c, A0, ZERO, 0);
	jump(&c, loop);
	chip_load(p, at, &c);

	begin(&c, RISC_T1);
	addi(&c, A2, ZERO, 1);
	for (int gap = 1; gap < 40; gap++) {
		delay(&c, 60 + gap % 7);
		for (int i = 0; i < 3; i++) {
			sw(&c, A2, S3, 0);
			for (int k = 0; k < gap; k++)
				nop(&c);
		}
	}
	stop(&c);
	chip_load(p, at, &c);
	chip_start(p, at, 1u << RISC_T0 | 1u << RISC_T1);
	pass(p, 32768);
	o = look(p);
	p->ops->close(p);
	return o;
}

static void a_round_that_stores_is_not_like_the_others(void **state)
{
	struct outcome off = run_answers(true), on = run_answers(false);

	(void)state;
	assert_true(on.parked > 20 && on.result[0] > 30);
	same(&off, &on, "parking");
	assert_int_equal(on.instructions, off.instructions);
}

/* T0 waits for compute, and counts; T1 looks at its count now and then, and else does nothing that anybody sees. */
static struct outcome run_compute(bool busy, int length)
{
	static struct code c;
	struct port *p = chip_open(NULL);
	struct outcome o;

	begin(&c, RISC_T0);
	li(&c, S2, TTP_TENSIX_BASE);
	for (int i = 0; i < 8; i++) {
		li(&c, T0, (uint32_t)(length + 7 * i));
		sw(&c, T0, S2, 0);
		addi(&c, T0, ZERO, TTP_TENSIX_DELAY);
		sw(&c, T0, S2, TTP_TENSIX_ISSUE - TTP_TENSIX_BASE);
		lw(&c, T0, S2, TTP_TENSIX_IDLE - TTP_TENSIX_BASE);
		lw(&c, A0, S8, 0);
		add(&c, A0, A0, T0);
		sub(&c, A0, A0, T0);
		sw(&c, A0, S7, 4 * i);
		addi(&c, A0, ZERO, i + 1);
		sw(&c, A0, S3, 0);
	}
	stop(&c);
	chip_load(p, at, &c);
	begin(&c, RISC_T1);
	for (int i = 0; i < 8; i++) {
		delay(&c, 150);
		lw(&c, A0, S8, 0);
		lw(&c, A1, S3, 0);
		sw(&c, A0, S7, 64 + 8 * i);
		sw(&c, A1, S7, 68 + 8 * i);
	}
	stop(&c);
	chip_load(p, at, &c);
	if (busy)
		add_busy(p);
	chip_start(p, at, 1u << RISC_T0 | 1u << RISC_T1 | (busy ? 1u << RISC_NC : 0));
	pass(p, 8192);
	o = look(p);
	p->ops->close(p);
	return o;
}

static void compute_goes_on_beside_a_core_alone(void **state)
{
	(void)state;
	for (int length = 20; length < 120; length += 9) {
		struct outcome alone = run_compute(false, length), with = run_compute(true, length);

		same(&alone, &with, "a busy core");
	}
}

/*
 * B reads a word from DRAM, but waits for its mailbox at once.  T1, which then runs alone, must see the word
 * after some hundred cycles.
 */
static void what_was_sent_leaves_while_a_core_runs_alone(void **state)
{
	static struct code c;
	struct port *p = chip_open(NULL);
	struct watch done = { at, RESULTS + 4, 1, 1 };
	int loop;

	(void)state;
	begin(&c, RISC_B);
	li(&c, S0, MAILBOX(BOX_T1));
	loop = here(&c);
	lw(&c, A0, S3, 0);
	beq(&c, A0, ZERO, loop);
	noc_request(&c, 0, 0x1000, noc_mid((struct tile){ 0, 0 }), WORDS + 0x200, noc_mid(at), 0x10,
		    32);
	lw(&c, A0, S0, 0);
	stop(&c);
	chip_load(p, at, &c);
	begin(&c, RISC_T1);
	loop = here(&c);
	lw(&c, A0, S3, 0);
	beq(&c, A0, ZERO, loop);
	delay(&c, 300);
	for (int i = 0; i < 4; i++)
		nop(&c);
	lw(&c, A1, S3, 0x200);
	sw(&c, A1, S7, 0);
	addi(&c, A1, ZERO, 1);
	sw(&c, A1, S7, 4);
	stop(&c);
	chip_load(p, at, &c);
	chip_set(p, (struct tile){ 0, 0 }, 0x1000, 77);
	chip_start(p, at, 1u << RISC_B | 1u << RISC_T1);
	pass(p, 2048);
	chip_set(p, at, WORDS, 1);
	chip_wait(p, &done, 1, 4096, WAIT_ALL);
	assert_int_equal(chip_word(p, at, RESULTS), 77);
	p->ops->close(p);
}

/* Two cores that do nothing but wait for each other's words. */
static void mailboxes_wake_who_waits_for_a_word(void **state)
{
	static struct code c;
	struct port *p = chip_open(NULL);
	struct watch done = { at, RESULTS, 0xFF, 20 };
	int loop;

	(void)state;
	for (int r = 0; r < 2; r++) {
		begin(&c, r ? RISC_T0 : RISC_B);
		li(&c, S0, MAILBOX(r ? BOX_B : BOX_T0));
		addi(&c, A0, ZERO, 1);
		loop = here(&c);
		if (!r)
			sw(&c, A0, S0, 0);
		lw(&c, A1, S0, 0);
		addi(&c, A0, A1, 1);
		if (r)
			sw(&c, A1, S0, 0);
		else
			sw(&c, A1, S7, 0);
		addi(&c, T0, A0, -21);
		bne(&c, T0, ZERO, loop);
		stop(&c);
		chip_load(p, at, &c);
	}
	chip_start(p, at, 1u << RISC_B | 1u << RISC_T0);
	chip_wait(p, &done, 1, 20000, WAIT_ALL);
	p->ops->close(p);
}

/*
 * B writes five words where four fit.  T0 takes one out at a time that it notes, and then waits for what never
 * comes (or goes on alone for long): B goes on, and not before there was room.
 */
static void mailboxes_wake_who_waits_for_room(void **state)
{
	(void)state;
	for (int goes_on = 0; goes_on < 2; goes_on++) {
		static struct code c;
		struct port *p = chip_open(NULL);
		struct watch done = { at, RESULTS + 8, 1, 1 };
		uint32_t taken, gone_on;

		begin(&c, RISC_B);
		li(&c, S0, MAILBOX(BOX_T0));
		for (int i = 0; i < 5; i++)
			sw(&c, S0, S0, 0);
		lw(&c, A0, S8, 0);
		sw(&c, A0, S7, 4);
		poke(&c, RESULTS + 8, 1);
		stop(&c);
		chip_load(p, at, &c);
		begin(&c, RISC_T0);
		li(&c, S0, MAILBOX(BOX_B));
		delay(&c, 100);
		lw(&c, A0, S8, 0);
		lw(&c, A1, S0, 0);
		sw(&c, A0, S7, 0);
		if (goes_on) {
			delay(&c, 200);
			lw(&c, A0, S7, 8);
			sw(&c, A0, S7, 12);
		}
		li(&c, S0, MAILBOX(BOX_T1));
		lw(&c, A1, S0, 0);
		stop(&c);
		chip_load(p, at, &c);
		chip_start(p, at, 1u << RISC_B | 1u << RISC_T0);
		chip_wait(p, &done, 1, 20000, WAIT_ALL);
		taken = chip_word(p, at, RESULTS);
		gone_on = chip_word(p, at, RESULTS + 4);
		if (gone_on <= taken || gone_on > taken + 40)
			fail_msg("there was room at %u, and it was used at %u", taken, gone_on);
		pass(p, 2048);
		assert_int_equal(chip_word(p, at, RESULTS + 12), goes_on);
		p->ops->close(p);
	}
}

/* A core that asks whether there is a word, and sleeps over it. */
static void mailboxes_wake_who_asks_for_a_word(void **state)
{
	static struct code c;
	struct port *p = chip_open(NULL);
	struct watch done = { at, RESULTS, 1, 1 };
	int loop;

	(void)state;
	begin(&c, RISC_T0);
	li(&c, S0, MAILBOX(BOX_B));
	loop = here(&c);
	lw(&c, A0, S0, 4);
	beq(&c, A0, ZERO, loop);
	poke(&c, RESULTS, 1);
	stop(&c);
	chip_load(p, at, &c);
	begin(&c, RISC_B);
	li(&c, S0, MAILBOX(BOX_T0));
	loop = here(&c);
	lw(&c, A0, S3, 0);
	beq(&c, A0, ZERO, loop);
	sw(&c, S0, S0, 0);
	stop(&c);
	chip_load(p, at, &c);
	chip_start(p, at, 1u << RISC_B | 1u << RISC_T0);
	chip_wait(p, NULL, 0, 20000, WAIT_IDLE);
	chip_set(p, at, WORDS, 1);
	chip_wait(p, &done, 1, 20000, WAIT_ALL);
	p->ops->close(p);
}

/* Taking words out leaves nothing in the registers, and is no polling. */
static void a_loop_that_takes_words_is_not_parked(void **state)
{
	static struct code c;
	struct port *p = chip_open(NULL);
	struct watch done = { at, RESULTS, 1, 1 };
	int loop;

	(void)state;
	begin(&c, RISC_B);
	li(&c, S0, MAILBOX(BOX_T0));
	addi(&c, S1, ZERO, 60);
	loop = here(&c);
	sw(&c, S1, S0, 0);
	addi(&c, S1, S1, -1);
	bne(&c, S1, ZERO, loop);
	poke(&c, RESULTS, 1);
	stop(&c);
	chip_load(p, at, &c);
	begin(&c, RISC_T0);
	li(&c, S0, MAILBOX(BOX_B));
	loop = here(&c);
	lw(&c, A0, S0, 0);
	addi(&c, A0, ZERO, 0);
	jump(&c, loop);
	chip_load(p, at, &c);
	chip_start(p, at, 1u << RISC_B | 1u << RISC_T0);
	chip_wait(p, &done, 1, 20000, WAIT_ALL);
	p->ops->close(p);
}

/* The clock goes on by itself, whatever is left in the registers. */
static void who_waits_for_the_clock_is_not_parked(void **state)
{
	static struct code c;
	struct port *p = chip_open(NULL);
	struct watch done = { at, RESULTS, 1, 1 };
	struct sim_stats stats;
	int loop;

	(void)state;
	begin(&c, RISC_T0);
	li(&c, S2, 3000);
	loop = here(&c);
	lw(&c, A0, S8, 0);
	emit(&c, enc_r(0, 3, A1, A0, S2)); /* sltu */
	addi(&c, A0, ZERO, 0);
	bne(&c, A1, ZERO, loop);
	poke(&c, RESULTS, 1);
	stop(&c);
	chip_load(p, at, &c);
	chip_start(p, at, 1u << RISC_T0);
	chip_wait(p, &done, 1, 8000, WAIT_ALL);
	sim_stats(p, &stats);
	assert_true(p->ops->now(p) >= 3000 && stats.parked <= 1);
	p->ops->close(p);
}

/* A core that sleeps is put into reset by another, again and again: its rounds are counted up to there. */
static struct outcome run_hold(bool no_parking)
{
	static struct code c;
	struct sim_config config = { .no_parking = no_parking };
	struct port *p = chip_open(&config);
	struct outcome o;
	int loop;

	for (int r = RISC_B; r < RISC_T2; r++) {
		begin(&c, r);
		loop = here(&c);
		lw(&c, A0, S3, 0);
		beq(&c, A0, ZERO, loop);
		stop(&c);
		chip_load(p, at, &c);
	}
	begin(&c, RISC_T2);
	li(&c, S2, SOFT_RESET);
	for (int i = 0; i < 24; i++) {
		li(&c, T0, release_bit[i % 4]);
		sw(&c, T0, S2, 0);
		delay(&c, 20 + i);
		sw(&c, ZERO, S2, 0);
		delay(&c, 100 + 3 * i);
	}
	stop(&c);
	chip_load(p, at, &c);
	chip_start(p, at, 0x1F);
	pass(p, 12288);
	o = look(p);
	p->ops->close(p);
	return o;
}

static void rounds_of_a_core_that_is_held_are_counted(void **state)
{
	struct outcome off = run_hold(true), on = run_hold(false);

	(void)state;
	assert_true(on.parked > 24);
	assert_int_equal(on.instructions, off.instructions);
}

/* B takes the jump out of T0's loop, over the NoC: T0, asleep in it, goes on. */
static void code_that_comes_over_the_noc_is_seen(void **state)
{
	static struct code c;
	struct port *p = chip_open(NULL);
	struct watch done = { at, RESULTS, 1, 1 };
	uint32_t back;
	int loop;

	(void)state;
	begin(&c, RISC_T0);
	loop = here(&c);
	lw(&c, A0, S3, 0);
	back = c.base + 4 * (uint32_t)beq(&c, A0, ZERO, loop);
	poke(&c, RESULTS, 1);
	stop(&c);
	chip_load(p, at, &c);
	begin(&c, RISC_B);
	poke(&c, WORDS + 0x100 + back % 16, 0x13); /* nop */
	delay(&c, 200);
	noc_request(&c, 0, WORDS + 0x100 + back % 16, noc_mid(at), back, noc_mid(at), 0x12, 4);
	stop(&c);
	chip_load(p, at, &c);
	chip_start(p, at, 1u << RISC_B | 1u << RISC_T0);
	chip_wait(p, &done, 1, 20000, WAIT_ALL);
	p->ops->close(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_loop_that_looks_at_too_much_is_not_parked),
		cmocka_unit_test(a_round_that_stores_is_not_like_the_others),
		cmocka_unit_test(compute_goes_on_beside_a_core_alone),
		cmocka_unit_test(what_was_sent_leaves_while_a_core_runs_alone),
		cmocka_unit_test(mailboxes_wake_who_waits_for_a_word),
		cmocka_unit_test(mailboxes_wake_who_waits_for_room),
		cmocka_unit_test(mailboxes_wake_who_asks_for_a_word),
		cmocka_unit_test(a_loop_that_takes_words_is_not_parked),
		cmocka_unit_test(who_waits_for_the_clock_is_not_parked),
		cmocka_unit_test(rounds_of_a_core_that_is_held_are_counted),
		cmocka_unit_test(code_that_comes_over_the_noc_is_seen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
