// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim_chip.h"

static const struct tile A = { 1, 1 }, B = { 4, 7 }, DRAM0 = { 0, 0 };

static void done(struct code *c, uint32_t value)
{
	poke(c, 0x100, value);
	stop(c);
}

static void a_core_runs_from_address_0(void **state)
{
	struct port *p = chip_open(NULL);
	static struct code c = { .base = 0x4000 };
	struct watch w = { A, 0x100, UINT32_MAX, 7 };

	(void)state;
	done(&c, 7);
	chip_load(p, A, &c);
	chip_wait(p, &w, 1, 100000, WAIT_IDLE); /* held in reset */
	chip_start(p, A, 1 << RISC_B);
	chip_wait(p, &w, 1, 100000, WAIT_ALL);
	chip_wait(p, NULL, 0, 100000, WAIT_IDLE); /* j . */
	p->ops->close(p);
}

static void dram_is_read_and_written_by_the_noc(void **state)
{
	struct port *p = chip_open(NULL);
	static struct code c = { .base = 0x4000 };
	struct watch w = { A, 0x100, UINT32_MAX, 1 };
	uint32_t in[512], out[512];

	(void)state;
	for (uint32_t i = 0; i < 512; i++)
		in[i] = i * 0x01010101u;
	chip_write(p, DRAM0, 0x10000, in, sizeof(in));
	noc_request(&c, 0, 0x10000, noc_mid(DRAM0), 0x20000, noc_mid(A), 0x10, 2048);
	noc_barrier(&c, 0, 2, 1);
	/* NoC 1 counts from the other corner */
	noc_request(&c, 1, 0x20000, noc_mid((struct tile){ 8, 10 }), 0x40000,
		    noc_mid((struct tile){ 9, 11 }), 0x12, 2048);
	noc_barrier(&c, 1, 1, 1);
	done(&c, 1);
	chip_load(p, A, &c);
	chip_start(p, A, 1 << RISC_B);
	chip_wait(p, &w, 1, 100000, WAIT_ALL);
	assert_int_equal(p->ops->read(p, (struct tile){ 0, 11 }, 0x40000, out, sizeof(out), NULL),
			 TTP_OK);
	assert_memory_equal(in, out, sizeof(in));
	p->ops->close(p);
}

static void a_fault_says_where_and_the_chip_can_be_read(void **state)
{
	struct port *p = chip_open(NULL);
	static struct code c = { .base = 0x4000 };
	const struct fault *f;

	(void)state;
	poke(&c, 0x100, 5);
	li(&c, T0, 0xFFB90000);
	lw(&c, T1, T0, 0);
	chip_load(p, B, &c);
	chip_start(p, B, 1 << RISC_B);
	chip_wait(p, NULL, 0, 100000, WAIT_FAULT);
	f = p->ops->fault(p);
	assert_int_equal(f->tile.x, B.x);
	assert_int_equal(f->tile.y, B.y);
	assert_int_equal(f->risc, RISC_B);
	assert_int_equal(f->pc, 0x4000 + 4 * (c.len - 1));
	assert_string_equal(f->what, "load of 4 bytes at 0xffb90000: nothing is there");
	assert_int_equal(chip_word(p, B, 0x100), 5);
	chip_wait(p, NULL, 0, 100000, WAIT_FAULT);
	p->ops->close(p);
}

/* Runs `c` on BRISC of A until the word at 0x100 is 1. */
static struct port *run_alone(const struct sim_config *config, struct code *c)
{
	struct port *p = chip_open(config);
	struct watch w = { A, 0x100, UINT32_MAX, 1 };

	chip_load(p, A, c);
	chip_start(p, A, 1 << RISC_B);
	chip_wait(p, &w, 1, 1000000, WAIT_ALL);
	return p;
}

static void faults_with(const struct code *c, enum risc r, const char *what)
{
	struct port *p = chip_open(NULL);

	chip_load(p, A, c);
	chip_start(p, A, 1u << r);
	chip_wait(p, NULL, 0, 100000, WAIT_FAULT);
	if (!strstr(p->ops->fault(p)->what, what))
		fail_msg("\"%s\" does not say \"%s\"", p->ops->fault(p)->what, what);
	assert_int_equal(p->ops->fault(p)->risc, r);
	p->ops->close(p);
}

static void cores_start_where_they_are_told(void **state)
{
	struct port *p = chip_open(NULL);
	static struct code c = { .base = 0x4000 }, t1 = { .base = 0x30000 },
			   nc = { .base = 0x12000 };
	struct watch w[] = { { A, 0x104, 1, 1 }, { A, 0x108, 1, 1 } };

	(void)state;
	poke(&t1, 0x104, 1);
	stop(&t1);
	poke(&nc, 0x108, 1);
	stop(&nc);
	poke(&c, 0xFFEF0000 + 4 * 159, t1.base); /* T1's address, and that it counts */
	poke(&c, 0xFFEF0000 + 4 * 161, 1 << 1);
	poke(&c, SOFT_RESET, HELD_ALL & ~(0x800u | 0x2000u | 0x40000u));
	stop(&c);
	chip_load(p, A, &c);
	chip_load(p, A, &t1);
	chip_load(p, A, &nc);
	assert_int_equal(chip_word(p, A, SOFT_RESET), HELD_ALL);
	chip_start(p, A, 1 << RISC_B);
	chip_wait(p, w, 2, 100000, WAIT_ALL);
	p->ops->close(p);
}

static void ncrisc_runs_from_its_own_memory(void **state)
{
	struct port *p = chip_open(NULL);
	static struct code c = { .base = 0x4000 }, nc = { .base = 0x30000 };
	struct watch w = { A, 0x104, UINT32_MAX, 9 };

	(void)state;
	poke(&nc, 0x104, 9);
	stop(&nc);
	poke(&c, 0xFFB11000, nc.base / 16);
	poke(&c, 0xFFB11004, 0x4000);
	poke(&c, 0xFFB11008, 2);
	poke(&c, 0xFFB1100C, 1);
	poke(&c, 0xFFB11010, 0x40);
	poke(&c, 0xFFEF0000 + 4 * 162, 0xFFC00000);
	poke(&c, 0xFFEF0000 + 4 * 163, 1);
	poke(&c, SOFT_RESET, HELD_ALL & ~(0x800u | 0x40000u));
	stop(&c);
	chip_load(p, A, &c);
	chip_load(p, A, &nc);
	chip_start(p, A, 1 << RISC_B);
	chip_wait(p, &w, 1, 100000, WAIT_ALL);
	p->ops->close(p);
}

static void code_that_the_host_replaces_is_decoded_again(void **state)
{
	struct port *p = chip_open(NULL);
	static struct code c = { .base = 0x4000 };
	struct watch w = { A, 0x100, UINT32_MAX, 1 };

	(void)state;
	for (uint32_t i = 1; i <= 3; i++) {
		c.len = 0;
		done(&c, i);
		w.value = i;
		chip_load(p, A, &c);
		chip_start(p, A, 1 << RISC_B);
		chip_wait(p, &w, 1, 100000, WAIT_ALL);
		chip_start(p, A, 0);
	}
	p->ops->close(p);
}

static void the_low_word_of_the_clock_holds_the_high_one(void **state)
{
	/* so that the low word is about to wrap */
	struct sim_config config = { .clock_start = 0x5FFFFFFF0ull };
	static struct code c = { .base = 0x4000 };
	struct port *p;

	(void)state;
	li(&c, A6, CLOCK_LOW);
	lw(&c, A0, A6, 0);
	for (int i = 0; i < 32; i++)
		nop(&c);
	lw(&c, A1, A6, 4); /* goes on */
	lw(&c, A2, A6, 8); /* as it was when the low word was read */
	lw(&c, A3, A6, 0);
	lw(&c, A4, A6, 8);
	li(&c, T0, 0x104);
	for (int i = 0; i < 5; i++)
		sw(&c, (enum reg)(A0 + i), T0, 4 * i);
	done(&c, 1);
	p = run_alone(&config, &c);
	assert_true(chip_word(p, A, 0x104) >= 0xFFFFFFF0u);
	assert_int_equal(chip_word(p, A, 0x108), 6);
	assert_int_equal(chip_word(p, A, 0x10C), 5);
	assert_true(chip_word(p, A, 0x110) < 100);
	assert_int_equal(chip_word(p, A, 0x114), 6);
	p->ops->close(p);
}

static void tiles_have_clocks_of_their_own(void **state)
{
	static int64_t offset[PORT_GRID_MAX][PORT_GRID_MAX];
	struct sim_config config = { .clock_start = 1000000, .clock_offset = offset };
	struct port *p;

	(void)state;
	offset[A.y][A.x] = 500;
	offset[B.y][B.x] = -500;
	p = chip_open(&config);
	assert_int_equal(chip_word(p, A, CLOCK_LOW), 1000500);
	assert_int_equal(chip_word(p, B, CLOCK_LOW), 999500);
	assert_int_equal(p->ops->now(p), 0);
	p->ops->close(p);
}

static void coordinates_are_translated_around_harvested_rows(void **state)
{
	struct sim_config config = { .harvest = 1 << 2 | 1 << 8, .harvest_given = true };
	struct port *p = chip_open(&config);
	struct tile row3 = { 1, 3 }, last = { 9, 11 };
	int workers = 0;

	(void)state;
	for (int y = 0; y < p->info.height; y++)
		for (int x = 0; x < p->info.width; x++)
			workers += p->info.kind[y][x] == TILE_WORKER;
	assert_int_equal(workers, 64);
	assert_int_equal(p->info.kind[2][1], TILE_HARVESTED);
	assert_int_equal(chip_word(p, A, NIU(0) + 0x138), 18 | 18 << 6);
	assert_int_equal(chip_word(p, row3, NIU(0) + 0x138), 18 | 19 << 6); /* row 2 is not there */
	assert_int_equal(chip_word(p, last, NIU(1) + 0x138), 25 | 25 << 6);
	assert_int_equal(chip_word(p, last, NIU(0) + 0x2C) & 0xFFF, 9 | 11 << 6);
	assert_int_equal(chip_word(p, last, NIU(1) + 0x2C) & 0xFFF, 0);
	/* the host cannot reach what is harvested */
	assert_int_equal(p->ops->write32(p, (struct tile){ 1, 2 }, 0, 1, NULL), TTP_USAGE);
	p->ops->close(p);
}

/* All in one program: a write by translated coordinates, a read back, an atomic, an inline write. */
static void requests_of_all_kinds_arrive(void **state)
{
	static struct code c = { .base = 0x4000 };
	struct port *p;
	struct tile there = { 21, 23 }; /* B: column 4, row 7 */

	(void)state;
	poke(&c, 0x1000, 0x12345678);
	noc_request(&c, 1, 0x1000, noc_mid((struct tile){ 8, 10 }), 0x2000, noc_mid(there), 0x12,
		    16);
	noc_barrier(&c, 1, 1, 1);
	noc_request(&c, 0, 0x2000, noc_mid(there), 0x3000, noc_mid(A), 0x10, 16);
	noc_barrier(&c, 0, 2, 1);
	li(&c, S2, NIU(0));
	addi(&c, T0, ZERO, 5);
	sw(&c, T0, S2, 0x24);
	noc_request(&c, 0, 0x2000, noc_mid(there), 0x3100, noc_mid(A), 0x11, 0x107C);
	noc_barrier(&c, 0, 0, 1);
	noc_request(&c, 0, 0x2100, noc_mid(there), 0, noc_mid(A), 0x1A, 0xF);
	noc_barrier(&c, 0, 1, 1);
	done(&c, 1);
	p = run_alone(NULL, &c);
	assert_int_equal(chip_word(p, B, 0x2000), 0x12345678 + 5);
	assert_int_equal(chip_word(p, A, 0x3000), 0x12345678);
	assert_int_equal(chip_word(p, A, 0x3100), 0x12345678); /* what it was */
	assert_int_equal(chip_word(p, B, 0x2100), 5);
	assert_int_equal(chip_word(p, A, NIU(1) + 0x228), 1); /* a write was sent, */
	assert_int_equal(chip_word(p, A, NIU(1) + 0x240), 0); /* and nothing is outstanding */
	p->ops->close(p);
}

static void a_multicast_reaches_workers_and_nothing_else(void **state)
{
	static struct code c = { .base = 0x4000 };
	struct tile last = { 6, 7 };
	struct port *p;
	int got = 0;

	(void)state;
	poke(&c, 0x1000, 77);
	noc_request(&c, 0, 0x1000, noc_mid(A), 0x2000, noc_mid(last) | noc_mid(A) << 12, 0x132, 16);
	noc_barrier(&c, 0, 1, 5 * 6 - 1); /* columns 1-4 and 6, rows 1-5 and 7; not itself */
	done(&c, 1);
	p = run_alone(NULL, &c);
	for (int y = 0; y < p->info.height; y++)
		for (int x = 0; x < p->info.width; x++)
			if (p->info.kind[y][x] == TILE_WORKER)
				got += chip_word(p, (struct tile){ (uint8_t)x, (uint8_t)y },
						 0x2000) == 77;
	assert_int_equal(got, 5 * 6 - 1);
	assert_int_equal(chip_word(p, A, 0x2000), 0);
	p->ops->close(p);
}

/* T0 sends four words to B, which takes its time; the fifth has to wait. */
static void mailboxes_block_when_they_are_empty_or_full(void **state)
{
	struct port *p = chip_open(NULL);
	static struct code b = { .base = 0x4000 }, t = { .base = 0x6000 };
	struct watch w = { A, 0x100, UINT32_MAX, 1 };

	(void)state;
	li(&b, S2, 0xFFEC1000); /* from T0 */
	li(&b, S3, 0x200);
	for (int i = 0; i < 6; i++) {
		lw(&b, A0, S2, 0);
		sw(&b, A0, S3, 4 * i);
	}
	done(&b, 1);
	for (int i = 0; i < 300; i++)
		nop(&t);
	li(&t, S2, 0xFFEC0000); /* to B */
	for (int i = 0; i < 6; i++) {
		addi(&t, T0, ZERO, 10 + i);
		sw(&t, T0, S2, 0);
	}
	stop(&t);
	chip_load(p, A, &b);
	chip_load(p, A, &t);
	chip_start(p, A, 1 << RISC_B | 1 << RISC_T0);
	chip_wait(p, &w, 1, 100000, WAIT_ALL);
	for (int i = 0; i < 6; i++)
		assert_int_equal(chip_word(p, A, 0x200 + 4 * (unsigned)i), 10 + i);
	chip_wait(p, NULL, 0, 100000, WAIT_IDLE);
	p->ops->close(p);
}

static void a_core_that_waits_for_nothing_leaves_the_chip_idle(void **state)
{
	struct port *p = chip_open(NULL);
	static struct code c = { .base = 0x4000 };
	struct watch w = { A, 0x100, UINT32_MAX, 1 };
	int loop;

	(void)state;
	li(&c, S2, 0x104);
	loop = here(&c);
	lw(&c, T0, S2, 0);
	beq(&c, T0, ZERO, loop);
	done(&c, 1);
	chip_load(p, A, &c);
	chip_start(p, A, 1 << RISC_B);
	chip_wait(p, &w, 1, 1ull << 40, WAIT_IDLE);
	chip_set(p, A, 0x104, 1); /* now it can go on */
	chip_wait(p, &w, 1, 100000, WAIT_ALL);
	p->ops->close(p);
}

static void an_endless_loop_is_a_timeout(void **state)
{
	struct port *p = chip_open(NULL);
	static struct code c = { .base = 0x4000 };
	int loop = here(&c);

	(void)state;
	addi(&c, A0, A0, 1);
	jump(&c, loop);
	chip_load(p, A, &c);
	chip_start(p, A, 1 << RISC_B);
	chip_wait(p, NULL, 0, 100000, WAIT_TIMEOUT);
	assert_true(p->ops->now(p) >= 100000 && p->ops->now(p) < 101000);
	p->ops->close(p);
}

static void what_a_card_would_not_do_is_a_fault(void **state)
{
	static struct code c = { .base = 0x4000 };

	(void)state;
#define FAULTS(what, ...) \
	c.len = 0;        \
	__VA_ARGS__;      \
	stop(&c);         \
	faults_with(&c, RISC_B, what)
	FAULTS("not RV32IM", emit(&c, 0xFFFFFFFF));
	FAULTS("not RV32IM", emit(&c, 0x0000100F)); /* fence.i */
	FAULTS("ebreak", emit(&c, 0x00100073));
	/* a card rounds the address down, and what the program meant is not done */
	FAULTS("load of 4 bytes at 0x00001002: not aligned", li(&c, T0, 0x1002); lw(&c, T1, T0, 0));
	FAULTS("load of 2 bytes at 0x00001001: not aligned", li(&c, T0, 0x1001);
	       lhu(&c, T1, T0, 0));
	FAULTS("store of 4 bytes at 0x00001001: not aligned", li(&c, T0, 0x1000);
	       sw(&c, T1, T0, 1));
	FAULTS("load of 4 bytes at 0xffb00006: not aligned", li(&c, T0, 0xFFB00006);
	       lw(&c, T1, T0, 0));
	FAULTS("store of 4 bytes at 0xffb00003: not aligned", li(&c, T0, 0xFFB00003);
	       sw(&c, T1, T0, 0));
	FAULTS("store of 4 bytes at 0xffb12002: not aligned", li(&c, T0, 0xFFB12002);
	       sw(&c, T1, T0, 0));
	FAULTS("32 bits", li(&c, T0, CLOCK_LOW); lhu(&c, T1, T0, 0));
	FAULTS("local memory", li(&c, T0, 0xFFB01000); sw(&c, T0, T0, 0));
	FAULTS("no code can be there", li(&c, T0, 0xFFB00000); jalr(&c, ZERO, T0, 0));
	FAULTS("not a multiple of 4", li(&c, T0, 0x4002); jalr(&c, ZERO, T0, 0));
	FAULTS("no worker or DRAM",
	       noc_request(&c, 0, 0, noc_mid((struct tile){ 0, 3 }), 0, noc_mid(A), 0x10, 32));
	FAULTS("no worker or DRAM",
	       noc_request(&c, 0, 0, noc_mid((struct tile){ 60, 60 }), 0, noc_mid(A), 0x10, 32));
	FAULTS("behind a channel",
	       noc_request(&c, 0, 0x80000000, noc_mid(DRAM0), 0, noc_mid(A), 0x10, 32));
	FAULTS("longer than a packet",
	       noc_request(&c, 0, 0, noc_mid(DRAM0), 0, noc_mid(A), 0x10, 8193));
	FAULTS("differ modulo 32", noc_request(&c, 0, 16, noc_mid(DRAM0), 0, noc_mid(A), 0x10, 32));
	FAULTS("not in L1",
	       noc_request(&c, 0, 0, noc_mid(DRAM0), 1464 * 1024 - 16, noc_mid(A), 0x10, 32));
	FAULTS("names another tile",
	       noc_request(&c, 0, 0, noc_mid(DRAM0), 0, noc_mid(B), 0x10, 32));
	FAULTS("no worker is in the rectangle",
	       noc_request(&c, 0, 0, noc_mid(A), 0, noc_mid(A) | noc_mid(A) << 12, 0x132, 16));
	FAULTS("no memory is there",
	       noc_request(&c, 0, 0, noc_mid(A), 1464 * 1024, noc_mid(B), 0x12, 16));
#undef FAULTS
	c.base = start_at[RISC_T1];
	c.len = 0;
	emit(&c, 0x12345678 & ~3u);
	faults_with(&c, RISC_T1, "Tensix instruction");
}

static void what_the_host_asks_for_is_checked(void **state)
{
	struct port *p = chip_open(NULL);
	struct ttp_err e = { 0 };
	uint8_t bytes[64] = { 0 };
	uint32_t v;

	(void)state;
	assert_int_equal(p->ops->read(p, A, 1464 * 1024 - 32, bytes, 64, &e), TTP_USAGE);
	assert_non_null(strstr(e.msg, "tile 1-1"));
	assert_int_equal(p->ops->write(p, A, UINT64_MAX - 3, bytes, 64, &e), TTP_USAGE);
	assert_int_equal(p->ops->read(p, (struct tile){ 0, 3 }, 0, bytes, 4, &e), TTP_USAGE);
	assert_int_equal(p->ops->read(p, (struct tile){ 200, 200 }, 0, bytes, 4, &e), TTP_USAGE);
	assert_int_equal(p->ops->read(p, DRAM0, (2ull << 30) - 4, bytes, 4, &e), TTP_OK);
	assert_int_equal(p->ops->read(p, DRAM0, (2ull << 30) - 2, bytes, 4, &e), TTP_USAGE);
	assert_int_equal(p->ops->read32(p, A, 2, &v, &e), TTP_USAGE);
	assert_int_equal(p->ops->read32(p, A, 0xFFEF0000, &v, &e), TTP_USAGE); /* cores only */
	assert_int_equal(p->ops->write32(p, A, 0xFFB20028, 1, &e), TTP_USAGE);
	p->ops->close(p);
}

static void variables_are_read_and_checked(void **state)
{
	struct sim_config c = { 0 };
	struct ttp_err e = { 0 };

	(void)state;
	setenv("TTP_SIM_HARVEST", "0x3", 1);
	setenv("TTP_SIM_THREADS", "2", 1);
	setenv("TTP_SIM_PARK", "0", 1);
	setenv("TTP_SIM_CLOCK", "0xFFFFFFFF0", 1);
	assert_int_equal(sim_config_from_env(&c, &e), TTP_OK);
	assert_true(c.harvest_given && c.harvest == 3 && c.threads == 2 && c.no_parking);
	assert_true(c.clock_start == 0xFFFFFFFF0ull);
	setenv("TTP_SIM_THREADS", "many", 1);
	assert_int_equal(sim_config_from_env(&c, &e), TTP_USAGE);
	assert_non_null(strstr(e.msg, "TTP_SIM_THREADS=many"));
	unsetenv("TTP_SIM_HARVEST");
	unsetenv("TTP_SIM_THREADS");
	unsetenv("TTP_SIM_PARK");
	unsetenv("TTP_SIM_CLOCK");
	c = (struct sim_config){ .window = 17 };
	assert_int_equal(sim_open(&c, &(struct port *){ NULL }, &e), TTP_USAGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_core_runs_from_address_0),
		cmocka_unit_test(dram_is_read_and_written_by_the_noc),
		cmocka_unit_test(a_fault_says_where_and_the_chip_can_be_read),
		cmocka_unit_test(cores_start_where_they_are_told),
		cmocka_unit_test(ncrisc_runs_from_its_own_memory),
		cmocka_unit_test(code_that_the_host_replaces_is_decoded_again),
		cmocka_unit_test(the_low_word_of_the_clock_holds_the_high_one),
		cmocka_unit_test(tiles_have_clocks_of_their_own),
		cmocka_unit_test(coordinates_are_translated_around_harvested_rows),
		cmocka_unit_test(requests_of_all_kinds_arrive),
		cmocka_unit_test(a_multicast_reaches_workers_and_nothing_else),
		cmocka_unit_test(mailboxes_block_when_they_are_empty_or_full),
		cmocka_unit_test(a_core_that_waits_for_nothing_leaves_the_chip_idle),
		cmocka_unit_test(an_endless_loop_is_a_timeout),
		cmocka_unit_test(what_a_card_would_not_do_is_a_fault),
		cmocka_unit_test(what_the_host_asks_for_is_checked),
		cmocka_unit_test(variables_are_read_and_checked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
