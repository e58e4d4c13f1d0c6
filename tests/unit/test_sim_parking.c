// SPDX-License-Identifier: Apache-2.0
/*
 * Parking must not show: programs by chance (sim_polls.h) give the same memory, registers and counts of
 * instructions at the same cycle with and without it, with any window, any number of threads.
 *
 * POLL_CASES and POLL_SEED run more cases than the tests of every day, from another one on.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim_polls.h"

enum { LOOKS = 8, TILES_MAX = 6 };

struct outcome {
	uint64_t memory[LOOKS], now[LOOKS], instructions[LOOKS], registers[LOOKS], parked;
};

static uint64_t mix(uint64_t h, const void *from, size_t bytes)
{
	const uint8_t *at = from;
	uint64_t word;

	for (size_t i = 0; i + 8 <= bytes; i += 8) {
		memcpy(&word, at + i, 8);
		h = (h ^ word) * 0x9FB21C651E98DF25u;
		h ^= h >> 29;
	}
	return h;
}

/* Exactly so long: what is idle goes on when any tile is touched, or when time is made to pass. */
static void pass(struct port *p, uint64_t cycles)
{
	uint64_t end = p->ops->now(p) + cycles;

	while (p->ops->now(p) < end) {
		enum wait_result w = p->ops->wait(p, NULL, 0, end - p->ops->now(p));
		const struct fault *f = p->ops->fault(p);

		if (f)
			fail_msg("%s at %d-%d core %d pc 0x%x", f->what, f->tile.x, f->tile.y,
				 f->risc, f->pc);
		if (w == WAIT_IDLE && cycles / 16 % 2)
			p->ops->idle(p, end - p->ops->now(p));
		else if (w == WAIT_IDLE)
			chip_set(p, (struct tile){ 1, 1 }, SOFT_RESET, HELD_ALL);
	}
}

static void look(struct port *p, const struct tile *tiles, int count, struct outcome *o, int i)
{
	static uint8_t l1[POLL_BYTES];
	struct sim_stats stats;
	struct ttp_err e;

	o->now[i] = p->ops->now(p);
	for (int k = 0; k < count; k++) {
		if (p->ops->read(p, tiles[k], 0, l1, sizeof(l1), &e))
			fail_msg("%s", e.msg);
		o->memory[i] = mix(o->memory[i] + 1, l1, sizeof(l1));
	}
	sim_stats(p, &stats);
	o->instructions[i] = stats.instructions;
	o->parked = stats.parked;
	for (int k = 0; k < count; k++)
		for (int r = 0; r < RISCS; r++) {
			uint32_t regs[34] = { 0 };

			if (sim_core(p, tiles[k], (enum risc)r, regs, &regs[32], &e))
				fail_msg("%s", e.msg);
			/* A parked core stands at the head of its loop, one that isn't, too. */
			o->registers[i] = mix(o->registers[i] + 1, regs, sizeof(regs));
		}
}

static struct outcome run(uint64_t seed, struct sim_config config)
{
	struct dice d = { seed * 0x9E3779B97F4A7C15u };
	static struct code c;
	struct tile tiles[TILES_MAX];
	struct outcome o = { 0 };
	struct port *p = chip_open(&config);
	int count = roll(&d, 2) ? 1 : 1 + (int)roll(&d, TILES_MAX);

	for (int i = 0; i < count; i++)
		tiles[i] = (struct tile){ (uint8_t)(2 + i % 3), (uint8_t)(2 + i / 3) };
	for (int i = 0; i < count; i++)
		for (int r = 0; r < RISCS; r++) {
			struct poll_program program = {
				.c = &c,
				.d = &d,
				.risc = r,
				.me = tiles[i],
				.dram = stream_dram[roll(&d, 6)],
				.tiles = tiles,
				.count = count,
			};

			poll_code(&program);
			chip_load(p, tiles[i], &c);
		}
	for (int i = 0; i < count; i++)
		chip_start(p, tiles[i],
			   roll(&d, 3)   ? 0x1F
			   : roll(&d, 2) ? 1u << roll(&d, RISCS)
					 : 1 + roll(&d, 31));
	for (int i = 0; i < LOOKS; i++) {
		struct tile t = tiles[roll(&d, (uint32_t)count)];
		uint32_t action = roll(&d, 10);

		pass(p, 16 * (1 + roll(&d, roll(&d, 2) ? 20 : 100)));
		look(p, tiles, count, &o, i);
		if (action == 0) /* a core, or two, are held or let go */
			chip_set(p, t, SOFT_RESET,
				 release_bit[roll(&d, RISCS)] & release_bit[roll(&d, RISCS)]);
		for (int k = 0; k < 4 && action; k++)
			chip_set(p, t, POLL_SHARED + (uint32_t)poll_word[roll(&d, POLL_WORDS)],
				 roll(&d, 4096));
	}
	p->ops->close(p);
	return o;
}

static void compare(uint64_t seed, const struct outcome *want, const struct outcome *got,
		    const char *how)
{
	for (int i = 0; i < LOOKS; i++) {
		const char *what = NULL;

		if (got->now[i] != want->now[i])
			what = "the time";
		else if (got->memory[i] != want->memory[i])
			what = "memory";
		else if (got->registers[i] != want->registers[i])
			what = "a register";
		else if (got->instructions[i] != want->instructions[i])
			what = "the count of instructions";
		if (what)
			fail_msg("case %llu, %s: at cycle %llu %s differs",
				 (unsigned long long)seed, how, (unsigned long long)want->now[i],
				 what);
	}
}

static uint64_t number(const char *name, uint64_t usual)
{
	const char *text = getenv(name);

	return text ? strtoull(text, NULL, 0) : usual;
}

static void programs_by_chance_do_not_see_parking(void **state)
{
	uint64_t first = number("POLL_SEED", 1), cases = number("POLL_CASES", 150), parked = 0;

	(void)state;
	for (uint64_t seed = first; seed < first + cases; seed++) {
		struct outcome want = run(seed, (struct sim_config){ .no_parking = true });

		for (int i = 0; i < 8; i++) {
			struct sim_config config = {
				.no_parking = i & 4,
				.threads = i & 1 ? 2 : 1,
				.window = i & 2 ? 16 : 32,
			};
			struct outcome got;
			char how[80];

			if (i == 4)
				continue; /* it is `want` */
			got = run(seed, config);
			snprintf(how, sizeof(how), "parking %s, %d threads, window %d",
				 config.no_parking ? "off" : "on", config.threads, config.window);
			compare(seed, &want, &got, how);
			parked += got.parked;
		}
	}
	assert_true(parked > cases * 20);
	if (getenv("POLL_CASES"))
		printf("%llu cases, parked %llu times\n", (unsigned long long)cases,
		       (unsigned long long)parked);
}

/*
 * A core alone in a loop: `used` loads that count, `dead` ones that are loaded over and still under way when
 * the next round begins.  With `line`, a branch goes one way in the first two rounds, the other way from
 * then on.  The host ends it at odd times; then it begins anew.
 */
static struct outcome run_alone(bool no_parking, int used, int dead, bool line, int rounds)
{
	static struct code c;
	const struct tile t = { 2, 2 };
	struct sim_config config = { .no_parking = no_parking };
	struct port *p = chip_open(&config);
	struct poll_program program = { .c = &c, .risc = RISC_T0 };
	struct dice d = { 7 };
	struct outcome o = { 0 };
	int start, loop;

	program.d = &d;
	c.base = start_at[RISC_T0];
	c.len = 0;
	poll_bases(&program);
	start = here(&c);
	addi(&c, S6, A0, 0);
	addi(&c, SP, ZERO, 1);
	addi(&c, S2, ZERO, 1);
	loop = here(&c);
	for (int i = 0; i < used; i++)
		lw(&c, (enum reg)(A0 + i), S3, 16 * i);
	for (int i = 0; i < dead; i++)
		lw(&c, T1, i % 2 ? S4 : S3, i % 2 ? 4 * i : 64 + 64 * i);
	if (dead)
		addi(&c, T1, ZERO, 0);
	if (line) {
		beq(&c, SP, ZERO, here(&c) + 2);
		nop(&c);
		addi(&c, SP, S2, 0);
		addi(&c, S2, ZERO, 0);
	}
	beq(&c, A0, S6, loop);
	poll_clock(&program);
	jump(&c, start);
	chip_load(p, t, &c);
	chip_start(p, t, 1u << RISC_T0);
	for (int i = 0; i < rounds; i++) {
		pass(p, 16 * (10 + roll(&d, 10)));
		chip_set(p, t, POLL_SHARED, (uint32_t)i + 1);
	}
	pass(p, 1024);
	look(p, &t, 1, &o, 0);
	p->ops->close(p);
	return o;
}

static void loops_are_parked_to_the_cycle(bool line)
{
	for (int used = 1; used <= 4; used++)
		for (int dead = 0; dead <= 8; dead++) {
			struct outcome off = run_alone(true, used, dead, line, 12);
			struct outcome on = run_alone(false, used, dead, line, 12);

			if (on.memory[0] != off.memory[0] || on.now[0] != off.now[0] ||
			    on.instructions[0] != off.instructions[0])
				fail_msg("%d loads, %d dead ones: differs", used, dead);
			/* What is paid too early may add up from round to round: no two alike. */
			if (!dead && on.parked < 12)
				fail_msg("%d loads, %d dead ones: parked %d times", used, dead,
					 (int)on.parked);
		}
}

static void loads_under_way_are_as_they_would_be(void **state)
{
	(void)state;
	loops_are_parked_to_the_cycle(false);
}

static void a_round_that_mispredicts_is_not_like_the_others(void **state)
{
	(void)state;
	loops_are_parked_to_the_cycle(true);
}

/* The host takes the jump out of a loop that a core sleeps in. */
static void code_that_changes_wakes_who_sleeps_in_it(void **state)
{
	static struct code c;
	const struct tile t = { 2, 2 };
	struct port *p = chip_open(NULL);
	struct watch done = { t, POLL_COPIES, 1, 1 };
	struct sim_stats stats;
	int loop, back;

	(void)state;
	c.base = start_at[RISC_T0];
	c.len = 0;
	li(&c, S3, POLL_SHARED);
	loop = here(&c);
	lw(&c, A0, S3, 0);
	back = beq(&c, A0, ZERO, loop);
	poke(&c, POLL_COPIES, 1);
	stop(&c);
	chip_load(p, t, &c);
	chip_start(p, t, 1u << RISC_T0);
	chip_wait(p, NULL, 0, 10000, WAIT_IDLE);
	sim_stats(p, &stats);
	assert_int_equal(stats.parked, 1);
	chip_set(p, t, c.base + 4 * (uint32_t)back, 0x13); /* nop */
	chip_wait(p, &done, 1, 10000, WAIT_ALL);
	p->ops->close(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(programs_by_chance_do_not_see_parking),
		cmocka_unit_test(loads_under_way_are_as_they_would_be),
		cmocka_unit_test(code_that_changes_wakes_who_sleeps_in_it),
		cmocka_unit_test(a_round_that_mispredicts_is_not_like_the_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
