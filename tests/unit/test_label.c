// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// clang-format off
#include <cmocka.h>
// clang-format on

#include "ops_csv.h"
#include "report/label.h"

typedef void labeller(struct buf *b, const struct ops_table *t, const struct kind *k);

static void reads(labeller *label, struct op_row row, const char *expect)
{
	struct roof_chip on = { &chips[CHIP_n150], 64 };
	struct buf b = { 0 };
	struct kind k = { 0 };
	struct ops_run run;

	ops_run_of(&run, OPS(row));
	roofline_of(&run.table, 0, &on, &k.roof);
	label(&b, &run.table, &k);
	assert_string_equal(b.at ? b.at : "", expect);
	buf_release(&b);
	ops_run_release(&run);
}

#define READS(label, expect, ...) reads(label, (struct op_row){ __VA_ARGS__ }, expect)
#define MATMUL                                                             \
	.code = "MatmulDeviceOperation", .in0 = "1x1x32x64 BFLOAT16 DRAM", \
	.in1 = "1x1x64x96 BFLOAT8_B DRAM", .out0 = "1x1x32x96 BFLOAT16 L1"

static void products_are_named_by_their_sizes(void **state)
{
	(void)state;
	READS(label_op, "Matmul 32 x 64 x 96", MATMUL);
	READS(label_op, "Matmul 8 x 32 x 64 x 96", .code = "Matmul",
	      .in0 = "1x8x32x64 BFLOAT16 DRAM", .in1 = "1x1x64x96 BFLOAT16 DRAM");
	READS(label_op, "Conv2d 128 x 288 x 64", .code = "Conv2dDeviceOperation",
	      .attributes = "{'window_hw': '(3; 3)'}", .in0 = "1x1x128x32 BFLOAT16 L1",
	      .in1 = "1x1x288x64 BFLOAT16 DRAM", .out0 = "1x1x128x64 BFLOAT16 L1");
}

static void others_are_named_by_their_first_tensor_without_leading_ones(void **state)
{
	(void)state;
	READS(label_op, "LayerNorm 32 x 64", .code = "LayerNorm", .in0 = "1x1x32x64 BFLOAT16 L1");
	READS(label_op, "Permute 48 x 1 x 160 x 256", .code = "Permute",
	      .in0 = "48x1x160x256 BFLOAT16 L1");
	READS(label_op, "Fill 1 x 1", .code = "Fill", .out0 = "1x1x1x1 BFLOAT16 L1");
	READS(label_op, "Fill 32 x 64", .code = "Fill", .in0 = "1x1x32[30]x64[1] BFLOAT16 L1");
}

static void a_name_without_tensors_stands_alone(void **state)
{
	(void)state;
	READS(label_op, "Halo", .code = "HaloDeviceOperation");
	READS(label_op, "None", .code = "None");
	READS(label_op, "(no name)", .code = "");
	/* sizes that can't be read */
	READS(label_op, "Halo", .code = "HaloDeviceOperation", .in0 = "axbxcxd BFLOAT16 L1");
}

static void types_name_what_is_multiplied_and_what_comes_out(void **state)
{
	(void)state;
	READS(label_types, "HiFi2 BF16 x BFP8", MATMUL, .fidelity = "HiFi2");
	READS(label_types, "HiFi3 BF16 x BFP4 > FP32", .code = "Matmul", .fidelity = "HiFi3",
	      .in0 = "1x1x32x64 BFLOAT16 L1", .in1 = "1x1x64x96 BFLOAT4_B L1",
	      .out0 = "1x1x32x96 FLOAT32 L1");
	READS(label_types, "BFP8 > BF16", .code = "Typecast", .in0 = "1x1x32x64 BFLOAT8_B L1",
	      .out0 = "1x1x32x64 BFLOAT16 L1");
	READS(label_types, "UINT32", .code = "Move", .in0 = "1x1x32x64 UINT32 L1");
	READS(label_types, "HiFi4", .code = "Move", .fidelity = "HiFi4");
	READS(label_types, "", .code = "Move");
	READS(label_types, "BF16", .code = "Fill", .out0 = "1x1x32x64 BFLOAT16 L1");
}

static void memory_is_in_words(void **state)
{
	(void)state;
	READS(label_memory, "dram interleaved", MATMUL);
	READS(label_memory, "l1 height sharded", .in0 = "1x1x32x64 BFLOAT16 L1_HEIGHT_SHARDED");
	READS(label_memory, "", .code = "X");
}

static void alike_is_name_shape_types_and_cores(void **state)
{
	(void)state;
	READS(label_alike, "Matmul 32 x 64 x 96 HiFi2 BF16 x BFP8 24", MATMUL, .fidelity = "HiFi2",
	      .cores = "24");
}

static void a_tensor_is_told_in_full(void **state)
{
	struct ops_run run;
	struct buf b = { 0 };

	(void)state;
	ops_run_of(&run, OPS({ .in0 = "1x1x32[30]x64[64] BFLOAT16 L1_BLOCK_SHARDED" }));
	label_tensor(&b, &run.table,
		     ops_tensor(&run.table, ops_tensor_slot(&run.table, false, 0), 0));
	assert_string_equal(b.at, "1 x 1 x 32[30] x 64 BFLOAT16 TILE L1_BLOCK_SHARDED");
	buf_release(&b);
	ops_run_release(&run);
}

static void ns_are(double ns, const char *expect)
{
	struct buf b = { 0 };

	label_ns(&b, ns);
	assert_string_equal(b.at, expect);
	buf_release(&b);
}

static void times_have_three_digits_and_a_fitting_unit(void **state)
{
	(void)state;
	ns_are(0, "0 ns");
	ns_are(412, "412 ns");
	ns_are(999, "999 ns");
	ns_are(999.6, "1.00 µs");
	ns_are(1000, "1.00 µs");
	ns_are(9994, "9.99 µs");
	ns_are(9996, "10.0 µs");
	ns_are(41200, "41.2 µs");
	ns_are(99949, "99.9 µs");
	ns_are(99960, "100 µs");
	ns_are(999400, "999 µs");
	ns_are(999600, "1.00 ms");
	ns_are(8400000, "8.40 ms");
	ns_are(2310000000.0, "2.31 s");
	ns_are(123456000000.0, "123 s");
	ns_are(-41200, "-41.2 µs");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(products_are_named_by_their_sizes),
		cmocka_unit_test(others_are_named_by_their_first_tensor_without_leading_ones),
		cmocka_unit_test(a_name_without_tensors_stands_alone),
		cmocka_unit_test(types_name_what_is_multiplied_and_what_comes_out),
		cmocka_unit_test(memory_is_in_words),
		cmocka_unit_test(alike_is_name_shape_types_and_cores),
		cmocka_unit_test(a_tensor_is_told_in_full),
		cmocka_unit_test(times_have_three_digits_and_a_fitting_unit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
