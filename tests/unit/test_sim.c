// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
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
	struct code c = { .base = 0x4000 };
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
	struct code c = { .base = 0x4000 };
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
	struct code c = { .base = 0x4000 };
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_core_runs_from_address_0),
		cmocka_unit_test(dram_is_read_and_written_by_the_noc),
		cmocka_unit_test(a_fault_says_where_and_the_chip_can_be_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
