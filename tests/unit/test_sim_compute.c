// SPDX-License-Identifier: Apache-2.0
/* Compute of the embedded chip: values, costs by fidelity and format, banks and halves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sim_chip.h"
#include "ttp/tensix_macros.h"

static const struct tile A = { 1, 1 };
enum { IN_A = 0x20000, IN_B = 0x22000, OUT = 0x24000, CLOCKS = 0x200 };

static struct code unpack, math, pack;

static void op(struct code *c, uint32_t code, int args, uint32_t a0, uint32_t a1, uint32_t a2,
	       uint32_t a3)
{
	uint32_t arg[] = { a0, a1, a2, a3 };

	li(c, S3, TTP_TENSIX_BASE);
	for (int i = 0; i < args; i++) {
		li(c, T0, arg[i]);
		sw(c, T0, S3, 4 * i);
	}
	addi(c, T0, ZERO, (int32_t)code);
	sw(c, T0, S3, TTP_TENSIX_ISSUE - TTP_TENSIX_BASE);
}

static void idle(struct code *c)
{
	li(c, S3, TTP_TENSIX_BASE);
	lw(c, T0, S3, TTP_TENSIX_IDLE - TTP_TENSIX_BASE);
	add(c, T0, T0, T0);
}

/* The clock to the i-th word of CLOCKS. */
static void note(struct code *c, int i)
{
	li(c, T0, CLOCK_LOW);
	lw(c, T1, T0, 0);
	li(c, T0, CLOCKS);
	sw(c, T1, T0, 4 * i);
}

static void start(void)
{
	unpack.len = math.len = pack.len = 0;
	unpack.base = start_at[RISC_T0];
	math.base = start_at[RISC_T1];
	pack.base = start_at[RISC_T2];
}

static struct port *load(void)
{
	struct port *p = chip_open(NULL);
	struct code *all[] = { &unpack, &math, &pack };

	for (int i = 0; i < 3; i++) {
		stop(all[i]);
		chip_load(p, A, all[i]);
	}
	return p;
}

static struct port *run(const void *a, const void *b, size_t bytes)
{
	struct port *p = load();
	struct watch w = { A, 0x100, 1, 1 };

	chip_write(p, A, IN_A, a, bytes);
	chip_write(p, A, IN_B, b, bytes);
	chip_start(p, A, 7 << RISC_T0);
	chip_wait(p, &w, 1, 1000000, WAIT_ALL);
	return p;
}

/* Where row r, column c is in memory. */
static int at(int r, int c)
{
	return (r / 16 * 2 + c / 16) * 256 + r % 16 * 16 + c % 16;
}

/* One tile of each, `math_op` between them; result in fp32. */
static void one(uint32_t math_op, int args, uint32_t a1, uint32_t a2, const float *a,
		const float *b, float *out)
{
	struct port *p;

	start();
	op(&unpack, TTP_TENSIX_UNPACK_AB, 4, IN_A, TTP_TILE_FP32, IN_B, TTP_TILE_FP32);
	op(&math, TTP_TENSIX_DST_ACQUIRE, 0, 0, 0, 0, 0);
	op(&math, math_op, args, 2, a1, a2, 0);
	op(&math, TTP_TENSIX_DST_COMMIT, 0, 0, 0, 0, 0);
	op(&pack, TTP_TENSIX_DST_WAIT, 0, 0, 0, 0, 0);
	op(&pack, TTP_TENSIX_PACK, 3, 2, OUT, TTP_TILE_FP32, 0);
	op(&pack, TTP_TENSIX_DST_RELEASE, 0, 0, 0, 0, 0);
	idle(&pack);
	poke(&pack, 0x100, 1);
	p = run(a, b, 4096);
	assert_int_equal(p->ops->read(p, A, OUT, out, 4096, NULL), TTP_OK);
	p->ops->close(p);
}

static void values_are_those_of_the_operation(void **state)
{
	static float a[1024], b[1024], out[1024];

	(void)state;
	for (int r = 0; r < 32; r++)
		for (int c = 0; c < 32; c++) {
			a[at(r, c)] = (float)(r - 2 * c);
			b[at(r, c)] = (float)(3 * r + c);
		}
	one(TTP_TENSIX_MATMUL, 2, 4, 0, a, b, out);
	for (int r = 0; r < 32; r++)
		for (int c = 0; c < 32; c++) {
			float sum = 0;

			for (int k = 0; k < 32; k++)
				sum += a[at(r, k)] * b[at(k, c)];
			assert_true(out[at(r, c)] == sum);
		}
	one(TTP_TENSIX_MATMUL, 3, 4, 1, a, b, out);
	for (int r = 0; r < 32; r++)
		for (int c = 0; c < 32; c++) {
			float sum = 0;

			for (int k = 0; k < 32; k++)
				sum += a[at(r, k)] * b[at(c, k)];
			assert_true(out[at(r, c)] == sum);
		}
	one(TTP_TENSIX_SUB, 1, 0, 0, a, b, out);
	assert_true(out[at(3, 17)] == a[at(3, 17)] - b[at(3, 17)]);
	one(TTP_TENSIX_BCAST_ADD_ROW, 1, 0, 0, a, b, out);
	assert_true(out[at(20, 7)] == a[at(20, 7)] + b[at(0, 7)]);
	one(TTP_TENSIX_BCAST_MUL_COL, 2, 1, 0, a, b, out);
	assert_true(out[at(20, 7)] == a[at(20, 7)] * b[at(20, 0)]);
	b[0] = 2;
	one(TTP_TENSIX_REDUCE_SUM_ROW, 1, 0, 0, a, b, out);
	assert_true(out[at(5, 0)] == 2 * (32 * 5 - 2 * 31 * 16));
	one(TTP_TENSIX_REDUCE_SUM_COL, 1, 0, 0, a, b, out);
	assert_true(out[at(0, 5)] == 2 * (31 * 16 - 2 * 5 * 32));
	one(TTP_TENSIX_TRANSPOSE, 1, 0, 0, a, b, out);
	assert_true(out[at(5, 9)] == a[at(9, 5)]);
}

static void bf16_is_rounded_to_the_nearest(void **state)
{
	static uint16_t in[1024], out[1024];
	struct port *p;

	(void)state;
	for (int i = 0; i < 1024; i++)
		in[i] = (uint16_t)(0x3F80 + i % 128); /* 1 .. 2 */
	start();
	op(&unpack, TTP_TENSIX_UNPACK_AB, 4, IN_A, TTP_TILE_BF16, IN_B, TTP_TILE_BF16);
	op(&math, TTP_TENSIX_DST_ACQUIRE, 0, 0, 0, 0, 0);
	op(&math, TTP_TENSIX_MUL, 2, 0, 4, 0, 0);
	op(&math, TTP_TENSIX_DST_COMMIT, 0, 0, 0, 0, 0);
	op(&pack, TTP_TENSIX_DST_WAIT, 0, 0, 0, 0, 0);
	op(&pack, TTP_TENSIX_PACK, 3, 0, OUT, TTP_TILE_BF16, 0);
	idle(&pack);
	poke(&pack, 0x100, 1);
	p = run(in, in, 2048);
	assert_int_equal(p->ops->read(p, A, OUT, out, 2048, NULL), TTP_OK);
	for (int i = 0; i < 128; i++) {
		int m = 128 + i, square = m * m; /* (m / 128)^2, 14 or 15 bits */
		int shift = square >= 1 << 15 ? 8 : 7, half = 1 << (shift - 1);
		int even = (square + half - 1 + (square >> shift & 1)) >> shift;

		assert_int_equal(out[i], 0x3F80 + (shift == 8 ? 0x80 : 0) + even - 128);
	}
	p->ops->close(p);
}

/* Cycles that math is busy with one operation, banks full before. */
static int math_cycles(uint32_t code, int args, uint32_t a1, uint32_t a2)
{
	static float zero[1024];
	struct port *p;
	int took;

	start();
	op(&unpack, TTP_TENSIX_UNPACK_AB, 4, IN_A, TTP_TILE_FP32, IN_B, TTP_TILE_FP32);
	for (int i = 0; i < 500; i++)
		nop(&math);
	op(&math, TTP_TENSIX_DST_ACQUIRE, 0, 0, 0, 0, 0);
	idle(&math);
	note(&math, 0);
	op(&math, code, args, 0, a1, a2, 0);
	idle(&math);
	note(&math, 1);
	poke(&math, 0x100, 1);
	p = run(zero, zero, 4096);
	took = (int)(chip_word(p, A, CLOCKS + 4) - chip_word(p, A, CLOCKS));
	p->ops->close(p);
	return took;
}

static void fidelity_and_operation_decide_what_math_costs(void **state)
{
	int lofi = math_cycles(TTP_TENSIX_MATMUL, 2, 1, 0);

	(void)state;
	for (uint32_t f = 1; f <= 4; f++) /* LoFi 16 .. HiFi4 64 */
		assert_int_equal(math_cycles(TTP_TENSIX_MATMUL, 2, f, 0) - lofi, 16 * ((int)f - 1));
	assert_int_equal(math_cycles(TTP_TENSIX_MUL, 2, 1, 0) - lofi, 8 - 16);
	assert_int_equal(math_cycles(TTP_TENSIX_MUL, 2, 4, 0) - lofi, 32 - 16);
	/* 32 passes of load, 12 instructions, store; one argument more to write: li, li, sw */
	assert_int_equal(math_cycles(TTP_TENSIX_SFPU, 3, TTP_SFPU_EXP, 0) - lofi, 32 * 14 - 16 + 2);
}

/* Unpack runs ahead by two banks and no further; pack lags behind by two halves. */
static void units_wait_for_each_other(void **state)
{
	static float zero[1024];
	struct port *p;
	uint32_t c[4];

	(void)state;
	start();
	for (int i = 0; i < 3; i++)
		op(&unpack, TTP_TENSIX_UNPACK_A, 2, IN_A, TTP_TILE_BF16, 0, 0);
	idle(&unpack);
	note(&unpack, 0);
	for (int i = 0; i < 2000; i++)
		nop(&math);
	note(&math, 1);
	for (int i = 0; i < 3; i++) {
		op(&math, TTP_TENSIX_DST_ACQUIRE, 0, 0, 0, 0, 0);
		op(&math, TTP_TENSIX_COPY, 1, 0, 0, 0, 0);
		op(&math, TTP_TENSIX_DST_COMMIT, 0, 0, 0, 0, 0);
	}
	idle(&math);
	note(&math, 2);
	for (int i = 0; i < 4000; i++)
		nop(&pack);
	note(&pack, 3);
	op(&pack, TTP_TENSIX_DST_WAIT, 0, 0, 0, 0, 0);
	op(&pack, TTP_TENSIX_DST_RELEASE, 0, 0, 0, 0, 0);
	idle(&pack);
	for (int i = 0; i < 300; i++)
		nop(&pack);
	poke(&pack, 0x100, 1);
	p = run(zero, zero, 4096);
	for (unsigned i = 0; i < 4; i++)
		c[i] = chip_word(p, A, CLOCKS + 4 * i);
	assert_true(c[0] > c[1]); /* the third tile had to wait until math took the first */
	assert_true(c[2] > c[3]); /* math had to wait until pack released a half */
	assert_true(c[2] < c[3] + 100);
	p->ops->close(p);
}

static void misuse_is_a_fault(void **state)
{
	struct port *p;

	(void)state;
	start();
	op(&math, TTP_TENSIX_ZERO, 1, 0, 0, 0, 0);
	p = load();
	chip_start(p, A, 1 << RISC_T1);
	chip_wait(p, NULL, 0, 10000, WAIT_FAULT);
	assert_non_null(strstr(p->ops->fault(p)->what, "DST_ACQUIRE comes first"));
	assert_int_equal(p->ops->fault(p)->risc, RISC_T1);
	p->ops->close(p);
	start();
	op(&pack, TTP_TENSIX_MATMUL, 2, 0, 1, 0, 0);
	p = load();
	chip_start(p, A, 1 << RISC_T2);
	chip_wait(p, NULL, 0, 10000, WAIT_FAULT);
	assert_non_null(strstr(p->ops->fault(p)->what, "TRISC2 has no such"));
	p->ops->close(p);
	start();
	op(&unpack, TTP_TENSIX_UNPACK_A, 2, 1464 * 1024 - 1024, TTP_TILE_BF16, 0, 0);
	p = load();
	chip_start(p, A, 1 << RISC_T0);
	chip_wait(p, NULL, 0, 10000, WAIT_FAULT);
	assert_non_null(strstr(p->ops->fault(p)->what, "make no sense"));
	p->ops->close(p);
}

/* A pack that waits for math that never comes: nothing will ever happen. */
static void a_deadlock_is_seen(void **state)
{
	struct port *p;

	(void)state;
	start();
	op(&pack, TTP_TENSIX_DST_WAIT, 0, 0, 0, 0, 0);
	idle(&pack);
	p = load();
	chip_start(p, A, 1 << RISC_T2);
	chip_wait(p, NULL, 0, 1ull << 40, WAIT_IDLE);
	p->ops->close(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_those_of_the_operation),
		cmocka_unit_test(bf16_is_rounded_to_the_nearest),
		cmocka_unit_test(fidelity_and_operation_decide_what_math_costs),
		cmocka_unit_test(units_wait_for_each_other),
		cmocka_unit_test(misuse_is_a_fault),
		cmocka_unit_test(a_deadlock_is_seen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
