// SPDX-License-Identifier: Apache-2.0
/* The same program, the same memory at the same cycle: whatever the threads, the window, parking. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sim_stream.h"

enum { PAGES = 6 };

struct outcome {
	uint64_t hash, now, instructions;
};

static struct outcome run(struct sim_config config)
{
	static struct watch w[128 * RISCS];
	struct port *p = chip_open(&config);
	size_t n = stream_start(p, PAGES, true, w);
	struct outcome o;
	struct sim_stats stats;

	chip_wait(p, w, n, 10000000, WAIT_ALL);
	sim_stats(p, &stats);
	o = (struct outcome){ sim_hash(p), p->ops->now(p), stats.instructions };
	if (config.no_parking)
		assert_true(stats.interpreted == stats.instructions);
	else
		assert_true(stats.interpreted < stats.instructions / 2);
	p->ops->close(p);
	return o;
}

static void nothing_depends_on_threads_windows_or_parking(void **state)
{
	struct outcome want = { 0 };

	(void)state;
	for (int i = 0; i < 8; i++) {
		struct outcome got = run((struct sim_config){
			.no_parking = i & 1,
			.threads = i & 2 ? 2 : 1,
			.window = i & 4 ? 16 : 32,
		});

		if (!i)
			want = got;
		if (got.hash != want.hash || got.now != want.now ||
		    got.instructions != want.instructions)
			fail_msg("parking %s, %d threads, window %d: differs", i & 1 ? "off" : "on",
				 i & 2 ? 2 : 1, i & 4 ? 16 : 32);
	}
}

/* Other times for each number (clocks that were stored are in the hash), whatever the threads. */
static void jitter_is_a_function_of_its_number(void **state)
{
	struct outcome exact = run((struct sim_config){ 0 }),
		       one = run((struct sim_config){ .jitter = 1 }), got;

	(void)state;
	assert_true(one.hash != exact.hash);
	got = run((struct sim_config){ .jitter = 2 });
	assert_true(got.hash != one.hash && got.hash != exact.hash);
	for (int i = 0; i < 8; i++) {
		got = run((struct sim_config){ .jitter = 1,
					       .no_parking = i & 1,
					       .threads = i & 2 ? 2 : 1,
					       .window = i & 4 ? 16 : 32 });
		if (got.hash != one.hash || got.now != one.now ||
		    got.instructions != one.instructions)
			fail_msg("parking %s, %d threads, window %d: differs", i & 1 ? "off" : "on",
				 i & 2 ? 2 : 1, i & 4 ? 16 : 32);
	}
}

static void a_second_chip_is_the_same_as_the_first(void **state)
{
	struct outcome a = run((struct sim_config){ 0 }), b = run((struct sim_config){ 0 });

	(void)state;
	assert_true(a.hash == b.hash && a.now == b.now);
}

/*
 * Polling of every sort: `loads` words a round, some of them registers, a branch inside, more loads under way
 * than the core can have.  BRISC writes near them all the time and to them at odd times.
 */
static void poll(struct code *c, int risc, int loads, int rounds)
{
	c->base = start_at[risc];
	c->len = 0;
	li(c, S2, 0x1000);
	li(c, S3, NIU(risc & 1));
	li(c, S4, 0x18000 + 0x1000u * (uint32_t)risc);
	li(c, S0, 0);
	for (int k = 1; k <= rounds; k++) {
		int loop = here(c);

		for (int i = 0; i < loads; i++)
			lw(c, (enum reg)(A0 + i), i % 3 == 2 ? S3 : S2,
			   i % 3 == 2 ? 0x200 : 16 * i);
		beq(c, S0, A1, here(c) + 2);
		addi(c, A7, ZERO, 5);
		addi(c, T2, ZERO, k);
		bne(c, A0, T2, loop);
		li(c, T0, CLOCK_LOW);
		lw(c, T1, T0, 0);
		sw(c, T1, S4, 0);
		addi(c, S4, S4, 4);
	}
	poke(c, STREAM_DONE + 4 * (uint32_t)risc, 1);
	stop(c);
}

static struct outcome run_polls(struct sim_config config)
{
	struct port *p = chip_open(&config);
	static struct code c;
	const struct tile t = { 3, 3 };
	struct watch w[RISCS];
	struct sim_stats stats;
	struct outcome o;
	enum { ROUNDS = 20 };
	int loop;

	for (int r = RISC_NC; r < RISCS; r++) {
		poll(&c, r, 2 * r, ROUNDS);
		chip_load(p, t, &c);
	}
	c.base = start_at[RISC_B];
	c.len = 0;
	li(&c, S2, 0x1000);
	for (int k = 1; k <= ROUNDS; k++) {
		addi(&c, T0, ZERO, k);
		li(&c, S0, (uint32_t)(120 + k * 11 % 50));
		loop = here(&c);
		sw(&c, T0, S2, 16 * (k % 8) + 4); /* beside what they look at */
		addi(&c, S0, S0, -1);
		bne(&c, S0, ZERO, loop);
		for (int i = 0; i < k; i++)
			nop(&c);
		sw(&c, T0, S2, 0);
	}
	poke(&c, STREAM_DONE, 1);
	stop(&c);
	chip_load(p, t, &c);
	chip_start(p, t, 0x1F);
	for (unsigned r = 0; r < RISCS; r++)
		w[r] = (struct watch){ t, STREAM_DONE + 4 * r, 1, 1 };
	chip_wait(p, w, RISCS, 1000000, WAIT_ALL);
	sim_stats(p, &stats);
	o = (struct outcome){ sim_hash(p), p->ops->now(p), stats.instructions };
	if (!config.no_parking)
		assert_in_range(stats.parked, 4 * ROUNDS, UINT32_MAX);
	p->ops->close(p);
	return o;
}

static void loops_with_many_loads_are_parked_to_the_cycle(void **state)
{
	struct outcome on = run_polls((struct sim_config){ 0 });
	struct outcome off = run_polls((struct sim_config){ .no_parking = true });

	(void)state;
	assert_true(on.hash == off.hash);
	assert_true(on.now == off.now);
	assert_int_equal(on.instructions, off.instructions);
}

/* Whether the hash sees a single bit, wherever it is. */
static void the_hash_sees_every_memory(void **state)
{
	struct port *p = chip_open(NULL);
	uint64_t h0 = sim_hash(p), h1, h2;

	(void)state;
	chip_set(p, (struct tile){ 9, 9 }, 1464 * 1024 - 4, 0x80000000);
	h1 = sim_hash(p);
	chip_set(p, (struct tile){ 5, 7 }, 0x7FFFFFFC, 1);
	h2 = sim_hash(p);
	assert_true(h0 != h1 && h1 != h2 && h0 != h2);
	chip_set(p, (struct tile){ 5, 7 }, 0x7FFFFFFC, 0);
	chip_set(p, (struct tile){ 5, 3 }, 0x1000, 0);
	assert_true(sim_hash(p) == h1); /* as it was */
	p->ops->close(p);
}

static void pages_are_copied_and_doubled(void **state)
{
	static struct watch w[128 * RISCS];
	struct port *p = chip_open(NULL);
	size_t n = stream_start(p, PAGES, true, w);
	uint16_t in[1024], out[1024];
	uint32_t word;

	(void)state;
	chip_wait(p, w, n, 10000000, WAIT_ALL);
	for (int i = 0; i < (int)n / RISCS; i++) {
		struct tile d = stream_dram[i % 6];
		uint32_t from = (uint32_t)(i / 6) * 0x100000u;

		for (int k = 0; k < PAGES; k++) {
			assert_int_equal(
				p->ops->read(p, d, from + 2048u * (unsigned)k, in, 2048, NULL), 0);
			assert_int_equal(p->ops->read(p, d, STREAM_OUT + from + 2048u * (unsigned)k,
						      out, 2048, NULL),
					 0);
			assert_memory_equal(in, out, 2048);
		}
		/* the last one is left packed */
		assert_int_equal(p->ops->read(p, w[i * RISCS].tile, STREAM_PACKED, out, 2048, NULL),
				 0);
		for (int j = 0; j < 1024; j++)
			if (out[j] != in[j] + 0x80) /* twice: one more in the exponent */
				fail_msg("tile %d value %d: 0x%x from 0x%x", i, j, out[j], in[j]);
	}
	word = chip_word(p, w[0].tile, STREAM_COUNT);
	assert_int_equal(word, n / RISCS);
	p->ops->close(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_depends_on_threads_windows_or_parking),
		cmocka_unit_test(jitter_is_a_function_of_its_number),
		cmocka_unit_test(a_second_chip_is_the_same_as_the_first),
		cmocka_unit_test(loops_with_many_loads_are_parked_to_the_cycle),
		cmocka_unit_test(the_hash_sees_every_memory),
		cmocka_unit_test(pages_are_copied_and_doubled),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
