// SPDX-License-Identifier: Apache-2.0
/*
 * The numbers are worked out here, not copied from what the code says.  Per chip:
 *
 *	n150  4096 FLOP per clock and core at 1 GHz      =  4096 FLOP/ns per core at LoFi   DRAM 288 bytes/ns
 *	p150  4096 FLOP per clock and core at 1.35 GHz   = 5529.6 FLOP/ns                   DRAM 512 bytes/ns
 *	NoC   two of 32 bytes (Wormhole) or 64 bytes (Blackhole) per clock and core
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// clang-format off
#include <cmocka.h>
// clang-format on

#include "ops_csv.h"
#include "report/roofline.h"

static struct roofline roof_on(enum chip_id chip, double workers, struct op_row row)
{
	struct roof_chip on = { &chips[chip], workers };
	struct ops_run run;
	struct roofline r;

	ops_run_of(&run, OPS(row));
	roofline_of(&run.table, 0, &on, &r);
	ops_run_release(&run);
	return r;
}

#define WORMHOLE(...)  roof_on(CHIP_n150, 64, (struct op_row){ __VA_ARGS__ })
#define BLACKHOLE(...) roof_on(CHIP_p150, 130, (struct op_row){ __VA_ARGS__ })

/* 1024 x 1024 x 1024: 2^31 FLOP, three tensors of 2^21 bytes */
#define SQUARE                                                                 \
	.code = "MatmulDeviceOperation", .in0 = "1x1x1024x1024 BFLOAT16 DRAM", \
	.in1 = "1x1x1024x1024 BFLOAT16 DRAM", .out0 = "1x1x1024x1024 BFLOAT16 DRAM"

static void wormhole_does_4096_flop_per_ns_and_core_at_lofi(void **state)
{
	struct roofline r = WORMHOLE(SQUARE, .fidelity = "LoFi");

	(void)state;
	assert_near(r.shape.flop, 2147483648.0);
	assert_near(r.ns[ROOF_FLOP], 8192); /* 2^31 / (4096 * 64) */
	assert_int_equal(r.passes, 1);
}

static void fidelities_take_their_number_of_passes_hifi3_too(void **state)
{
	(void)state;
	assert_near(WORMHOLE(SQUARE, .fidelity = "HiFi2").ns[ROOF_FLOP], 2 * 8192);
	assert_near(WORMHOLE(SQUARE, .fidelity = "HiFi3").ns[ROOF_FLOP], 3 * 8192);
	assert_near(WORMHOLE(SQUARE, .fidelity = "HiFi4").ns[ROOF_FLOP], 4 * 8192);
	assert_near(BLACKHOLE(SQUARE, .fidelity = "LoFi").ns[ROOF_FLOP], 8192 / 1.35);
	assert_near(BLACKHOLE(SQUARE, .fidelity = "HiFi2").ns[ROOF_FLOP], 2 * 8192 / 1.35);
	assert_near(BLACKHOLE(SQUARE, .fidelity = "HiFi3").ns[ROOF_FLOP], 3 * 8192 / 1.35);
	assert_near(BLACKHOLE(SQUARE, .fidelity = "HiFi4").ns[ROOF_FLOP], 4 * 8192 / 1.35);
}

static void without_a_fidelity_the_matrix_roof_is_lofis(void **state)
{
	struct roofline r = WORMHOLE(SQUARE);

	(void)state;
	assert_int_equal(r.passes, 0);
	assert_near(r.ns[ROOF_FLOP], 8192);
	assert_near(r.ns[ROOF_DRAM], 3 * 2097152 / 288.0);
	assert_int_equal(r.roof, ROOF_DRAM);
	assert_near(WORMHOLE(SQUARE, .fidelity = "HiFi9").ns[ROOF_FLOP], 8192);
}

static void every_tensor_in_dram_is_moved_once_at_the_chips_bandwidth(void **state)
{
	(void)state;
	/* 3 * 1024 * 1024 * 2 bytes */
	assert_near(WORMHOLE(SQUARE).shape.dram_bytes, 6291456);
	assert_near(WORMHOLE(SQUARE).ns[ROOF_DRAM], 6291456 / 288.0);
	assert_near(BLACKHOLE(SQUARE).ns[ROOF_DRAM], 12288);
	/* p100a has 7 of 8 banks: 448 GB/s */
	assert_near(roof_on(CHIP_p100a, 110, (struct op_row){ SQUARE }).ns[ROOF_DRAM],
		    6291456 / 448.0);
}

static void a_bias_and_further_outputs_are_moved_too(void **state)
{
	struct roofline r = WORMHOLE(SQUARE, .in2 = "1x1x32x1024 BFLOAT16 DRAM",
				     .out1 = "1x1x32x32 FLOAT32 DRAM");

	(void)state;
	assert_near(r.shape.dram_bytes, 6291456 + 32 * 1024 * 2 + 32 * 32 * 4);
	assert_near(r.shape.in_bytes, 2 * 2097152 + 65536);
	assert_near(r.shape.out_bytes, 2097152 + 4096);
}

static void block_floats_carry_their_exponents(void **state)
{
	(void)state;
	/* a tile of 1024 elements: 1024 + 64 bytes, 512 + 64 bytes */
	assert_near(datatype_bytes(STR("BFLOAT8_B")) * 1024, 1088);
	assert_near(datatype_bytes(STR("BFLOAT4_B")) * 1024, 576);
	assert_near(datatype_bytes(STR("BFLOAT16")), 2);
	assert_near(datatype_bytes(STR("FLOAT32")), 4);
	assert_near(datatype_bytes(STR("UINT16")), 2);
	assert_near(datatype_bytes(STR("UINT8")), 1);
	assert_near(datatype_bytes(STR("FLOAT128")), 0);
	/* 2^20 elements each */
	assert_near(WORMHOLE(.code = "Matmul", .in0 = "1x1x1024x1024 BFLOAT8_B DRAM",
			     .in1 = "1x1x1024x1024 BFLOAT4_B DRAM",
			     .out0 = "1x1x1024x1024 BFLOAT16 DRAM")
			    .shape.dram_bytes,
		    1114112 + 589824 + 2097152);
}

static void a_transposed_operand_swaps_its_sizes(void **state)
{
	struct roofline r =
		WORMHOLE(.code = "Matmul", .fidelity = "LoFi",
			 .attributes = "{'transpose_a': 'false'; 'transpose_b': 'true'}",
			 .in0 = "1x1x64x128 BFLOAT16 DRAM", .in1 = "1x1x256x128 BFLOAT16 DRAM");

	(void)state;
	assert_int_equal(r.shape.m, 64);
	assert_int_equal(r.shape.k, 128);
	assert_int_equal(r.shape.n, 256);
	r = WORMHOLE(.code = "Matmul",
		     .attributes = "{'transpose_a': 'true'; 'transpose_b': 'false'}",
		     .in0 = "1x1x128x64 BFLOAT16 DRAM", .in1 = "1x1x128x256 BFLOAT16 DRAM");
	assert_int_equal(r.shape.m, 64);
	assert_int_equal(r.shape.k, 128);
	assert_int_equal(r.shape.n, 256);
	assert_near(r.shape.flop, 2.0 * 64 * 128 * 256);
}

static void batches_multiply_and_weights_are_shared(void **state)
{
	struct roofline r = WORMHOLE(.code = "Matmul", .in0 = "2x8x32x64 BFLOAT16 DRAM",
				     .in1 = "1x1x64x96 BFLOAT16 DRAM");

	(void)state;
	assert_int_equal(r.shape.batch, 16);
	assert_near(r.shape.flop, 2.0 * 16 * 32 * 64 * 96);
	/* the weights are read once, not 16 times */
	assert_near(r.shape.in_bytes, 16 * 32 * 64 * 2 + 64 * 96 * 2);
}

static void padding_counts_as_work_and_is_known(void **state)
{
	struct roofline r = WORMHOLE(.code = "Matmul", .in0 = "1x1x32[1]x64 BFLOAT16 DRAM",
				     .in1 = "1x1x64x96 BFLOAT16 DRAM");

	(void)state;
	assert_int_equal(r.shape.m, 32);
	assert_near(r.shape.padded, 32 * 64 + 64 * 96);
	assert_near(r.shape.logical, 64 + 64 * 96);
}

#define CONV                                                                                    \
	.code = "Conv2dDeviceOperation", .fidelity = "LoFi", .in0 = "1x1x4096x128 BFLOAT16 L1", \
	.in1 = "1x1x1152x64 BFLOAT8_B DRAM", .out0 = "1x1x4096x64 BFLOAT16 L1"

static void a_conv_is_a_product_over_its_window(void **state)
{
	struct roofline r = WORMHOLE(CONV, .attributes = "{'groups': '1'; 'window_hw': '(3; 3)'}");

	(void)state;
	assert_int_equal(r.shape.m, 4096);
	assert_int_equal(r.shape.k, 128 * 9);
	assert_int_equal(r.shape.n, 64);
	/* 2 * 4096 * 1152 * 64 = 603979776 on the op's 64 cores, as a matmul's */
	assert_near(r.ns[ROOF_FLOP], 603979776 / (4096.0 * 64));
	assert_near(WORMHOLE(CONV, .cores = "16",
			     .attributes = "{'groups': '1'; 'window_hw': '(3; 3)'}")
			    .ns[ROOF_FLOP],
		    603979776 / (4096.0 * 16));
	/* as the sliding window prints itself */
	r = WORMHOLE(CONV, .attributes = "{'sliding_window_config': 'window_hw=(5;1); groups=1'}");
	assert_int_equal(r.shape.k, 128 * 5);
}

static void groups_of_a_conv_see_their_channels_only(void **state)
{
	struct roofline r =
		WORMHOLE(CONV, .attributes = "{'groups': '128'; 'window_hw': '(3; 3)'}");

	(void)state;
	assert_int_equal(r.shape.k, 9);
	assert_near(r.shape.flop, 2.0 * 4096 * 9 * 64);
}

static void a_conv_without_window_has_bytes_but_no_arithmetic(void **state)
{
	struct roofline r = WORMHOLE(CONV, .attributes = "{'kernel_size': '(3; 3)'}");

	(void)state;
	assert_near(r.shape.flop, 0);
	assert_true(r.ideal_ns > 0);
	assert_int_equal(WORMHOLE(CONV, .attributes = "window_hw").shape.m, 0);
	assert_int_equal(WORMHOLE(CONV, .attributes = "{'window_hw': '(0; 3)'}").shape.m, 0);
}

#define ATTENTION                                                                                  \
	.fidelity = "HiFi2", .in0 = "1x8x256x64 BFLOAT16 DRAM", .in1 = "1x8x512x64 BFLOAT16 DRAM", \
	.in2 = "1x8x512x64 BFLOAT16 DRAM", .out0 = "1x8x256x64 BFLOAT16 DRAM"

static void attention_is_two_products_and_a_causal_mask_halves_them(void **state)
{
	/* 8 heads, 256 queries, 512 keys, 64 + 64: 2 * 8 * 256 * 512 * 128 */
	double flop = 268435456;

	(void)state;
	assert_near(
		WORMHOLE(ATTENTION, .code = "SDPAOperation", .attributes = "{'is_causal': 'false'}")
			.shape.flop,
		flop);
	assert_near(
		WORMHOLE(ATTENTION, .code = "SDPAOperation", .attributes = "{'is_causal': 'true'}")
			.shape.flop,
		flop / 2);
	assert_near(
		WORMHOLE(ATTENTION, .code = "SDPAOperation", .attributes = "{'is_causal': 'true'}")
			.ns[ROOF_FLOP],
		flop / 2 * 2 / (4096.0 * 64));
}

static void decoding_attention_has_no_matrix_roof(void **state)
{
	(void)state;
	assert_near(WORMHOLE(ATTENTION, .code = "ScaledDotProductAttentionDecode").shape.flop, 0);
	assert_near(WORMHOLE(.code = "SDPAOperation", .in0 = "1x8x256x64 BFLOAT16 DRAM").shape.flop,
		    0);
}

static void slices_and_look_ups_read_no_more_than_they_write(void **state)
{
	/* 32 of 65536 rows */
	struct roofline r =
		WORMHOLE(.code = "SliceDeviceOperation", .in0 = "1x1x65536x64 BFLOAT16 DRAM",
			 .out0 = "1x1x32x64 BFLOAT16 DRAM");

	(void)state;
	assert_near(r.shape.dram_bytes, 2 * 4096);
	/* 32 indices of 4 bytes, 32 rows of a table, written again */
	r = WORMHOLE(.code = "EmbeddingsDeviceOperation", .in0 = "1x1x1x32 UINT32 DRAM",
		     .in1 = "1x1x50304x64 BFLOAT16 DRAM", .out0 = "1x1x32x64 BFLOAT16 DRAM");
	assert_near(r.shape.dram_bytes, 128 + 4096 + 4096);
	/* each in its own type */
	r = WORMHOLE(.code = "EmbeddingsDeviceOperation", .in0 = "1x1x1x32 UINT32 DRAM",
		     .in1 = "1x1x50304x64 BFLOAT8_B DRAM", .out0 = "1x1x32x64 FLOAT32 DRAM");
	assert_near(r.shape.dram_bytes, 128 + 2048 * 1.0625 + 8192);
}

static void a_cache_is_touched_where_it_is_updated(void **state)
{
	/* the new entries are read, and written into the cache; the rest of the cache isn't touched */
	struct roofline r =
		WORMHOLE(.code = "UpdateKVCacheOperation", .in0 = "1x8x2048x64 BFLOAT8_B DRAM",
			 .in1 = "1x8x32x64 BFLOAT16 L1", .out0 = "1x8x2048x64 BFLOAT8_B DRAM");

	(void)state;
	assert_near(r.shape.l1_bytes, 8 * 32 * 64 * 2);
	assert_near(r.shape.dram_bytes, 8 * 32 * 64 * 1.0625);
}

static void a_collective_is_bound_by_its_links(void **state)
{
	/* 4 devices gather 4 MiB: 3/4 of it comes in over 2 links from both sides, 50 GB/s each */
	struct roofline r = BLACKHOLE(.code = "AllGatherAsync",
				      .attributes = "{'num_links': '2'; 'ring_size': '4'}",
				      .in0 = "1x1x512x1024 BFLOAT16 DRAM",
				      .out0 = "1x1x2048x1024 BFLOAT16 DRAM");

	(void)state;
	assert_near(r.ns[ROOF_ETH], 4194304 * 0.75 / (2 * 2 * 50));
	assert_int_equal(r.roof, ROOF_ETH);
	/* a scatter sends what it has: the input counts */
	r = BLACKHOLE(.code = "ReduceScatterMinimalAsync",
		      .attributes = "{'num_links': '1'; 'ring_size': '8'}",
		      .in0 = "1x1x2048x1024 BFLOAT16 DRAM", .out0 = "1x1x256x1024 BFLOAT16 DRAM");
	assert_near(r.ns[ROOF_ETH], 4194304 * 0.875 / (2 * 1 * 50));
	/* no links, or a ring of one: nothing is known */
	r = BLACKHOLE(.code = "AllGatherAsync", .attributes = "{'ring_size': '4'}",
		      .in0 = "1x1x512x1024 BFLOAT16 DRAM", .out0 = "1x1x2048x1024 BFLOAT16 DRAM");
	assert_near(r.ns[ROOF_ETH], 0);
	r = BLACKHOLE(.code = "AllGatherAsync",
		      .attributes = "{'num_links': '1'; 'ring_size': '1'}",
		      .in0 = "1x1x512x1024 BFLOAT16 DRAM", .out0 = "1x1x512x1024 BFLOAT16 DRAM");
	assert_near(r.ns[ROOF_ETH], 0);
}

#define DRAM_SHARDED                               \
	SQUARE, .fidelity = "LoFi", .cores = "32", \
		.attributes =                      \
			"{'program_config': 'MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig(in0_block_w=2;per_core_M=1)'}"

static void dram_sharded_matmuls_compute_on_as_many_cores_as_there_are_banks(void **state)
{
	struct roofline r = WORMHOLE(DRAM_SHARDED);

	(void)state;
	assert_true(r.dram_sharded);
	assert_int_equal(r.block_w, 2);
	assert_near(r.ns[ROOF_FLOP], 2147483648.0 / (4096 * 12));
	assert_near(BLACKHOLE(DRAM_SHARDED).ns[ROOF_FLOP], 2147483648.0 / (5529.6 * 8));
	assert_near(roof_on(CHIP_p100a, 110, (struct op_row){ DRAM_SHARDED }).ns[ROOF_FLOP],
		    2147483648.0 / (5529.6 * 7));
}

static void ops_in_l1_have_a_roof_as_well(void **state)
{
	/* everything sharded in L1: 2^21 bytes in, past the unpackers with 64 bytes a clock and core */
	struct roofline r = WORMHOLE(.code = "BinaryNgDeviceOperation",
				     .in0 = "1x1x1024x512 BFLOAT16 L1_HEIGHT_SHARDED",
				     .in1 = "1x1x1024x512 BFLOAT16 L1_HEIGHT_SHARDED",
				     .out0 = "1x1x1024x512 BFLOAT16 L1_HEIGHT_SHARDED");

	(void)state;
	assert_true(r.shape.local);
	assert_near(r.shape.l1_bytes, 3 * 1048576);
	assert_near(r.ns[ROOF_DRAM], 0);
	assert_near(r.ns[ROOF_L1], 2097152 / (64.0 * 64));
	assert_int_equal(r.roof, ROOF_L1);
	/* interleaved: over two NoCs of 64 bytes on Blackhole */
	r = BLACKHOLE(.code = "BinaryNgDeviceOperation", .in0 = "1x1x1024x512 BFLOAT16 L1",
		      .in1 = "1x1x1024x512 BFLOAT16 L1", .out0 = "1x1x1024x512 BFLOAT16 L1");
	assert_false(r.shape.local);
	assert_near(r.ns[ROOF_L1], 2097152 / (2 * 64 * 64 * 1.35));
	/* a matmul in L1 alone is bound by the matrix engine */
	r = WORMHOLE(.code = "Matmul", .fidelity = "LoFi", .in0 = "1x1x1024x1024 BFLOAT16 L1",
		     .in1 = "1x1x1024x1024 BFLOAT16 L1", .out0 = "1x1x1024x1024 BFLOAT16 L1");
	assert_near(r.ideal_ns, 8192);
	assert_int_equal(r.roof, ROOF_FLOP);
}

static void all_the_workers_would_be_faster_than_some(void **state)
{
	struct roofline r =
		WORMHOLE(.code = "Matmul", .fidelity = "LoFi", .cores = "16",
			 .in0 = "1x1x1024x1024 BFLOAT16 L1", .in1 = "1x1x1024x1024 BFLOAT16 L1",
			 .out0 = "1x1x1024x1024 BFLOAT16 L1");

	(void)state;
	assert_near(r.ideal_ns, 4 * 8192);
	assert_near(r.full_ns, 8192);
}

static void a_chip_without_figures_gives_none(void **state)
{
	struct roofline r = roof_on(CHIP_quasar, 0, (struct op_row){ SQUARE, .fidelity = "HiFi2" });

	(void)state;
	assert_near(r.ideal_ns, 0);
	assert_near(r.full_ns, 0);
	assert_near(r.shape.flop, 2147483648.0);
}

static void missing_parts_of_tensors_leave_the_op_without_figures(void **state)
{
	struct roof_chip on = { &chips[CHIP_n150], 64 };
	struct ops_run run;
	struct roofline r;

	(void)state;
	ops_run_of_text(&run,
			"OP CODE,CORE COUNT,INPUT_0_W,INPUT_0_Z,INPUT_0_Y,INPUT_0_X,INPUT_0_LAYOUT,"
			"INPUT_0_DATATYPE,INPUT_0_MEMORY,MATH FIDELITY\n"
			"Matmul,64,1,1,,64,TILE,BFLOAT16,DEV_0_DRAM_INTERLEAVED,HiFi2\n"
			"Matmul,64,1,1,32,64,TILE,BFLOAT16,,HiFi2\n"
			"Matmul,64,1,1,-32,64,TILE,BFLOAT16,DEV_0_DRAM_INTERLEAVED,HiFi2\n"
			"Matmul,64,9223372036854775807,9223372036854775807,9223372036854775807,"
			"9223372036854775807,TILE,BFLOAT16,DEV_0_DRAM_INTERLEAVED,HiFi2\n");
	roofline_of(&run.table, 0, &on, &r);
	assert_false(r.shape.tensors);
	assert_near(r.ideal_ns, 0);
	roofline_of(&run.table, 1, &on, &r);
	assert_true(r.shape.tensors);
	assert_near(r.shape.dram_bytes, 0);
	assert_near(r.shape.host_bytes, 4096);
	roofline_of(&run.table, 2, &on, &r);
	assert_false(r.shape.tensors);
	roofline_of(&run.table, 3, &on, &r);
	assert_false(r.shape.tensors);
	ops_run_release(&run);
}

static void absurd_sizes_and_counts_are_no_crash(void **state)
{
	struct roofline r =
		WORMHOLE(.code = "Matmul", .fidelity = "LoFi", .cores = "inf",
			 .in0 = "4000000000x4000000000x4000000000x4000000000 BFLOAT16 DRAM",
			 .in1 = "4000000000x4000000000x4000000000x4000000000 BFLOAT16 DRAM");

	(void)state;
	assert_near(r.cores, 0);
	assert_near(r.shape.flop, 0);
}

static void finds(const char *attributes, const char *key, const char *expect)
{
	struct str value = { 0 };
	bool found = attribute(str_of(attributes), str_of(key), &value);

	if (!expect) {
		assert_false(found);
		return;
	}
	assert_true(found);
	assert_int_equal(value.len, strlen(expect));
	assert_memory_equal(value.at, expect, value.len);
}

static void attributes_are_found_by_their_whole_key(void **state)
{
	(void)state;
	finds("{'num_links': '2'; 'ring_size': '4'}", "ring_size", "4");
	finds("{'my_num_links': '7'; 'num_links': '2'}", "num_links", "2");
	finds("{'xgroups': '7'}", "groups", NULL);
	finds("{'groups_x': '7'}", "groups", NULL);
	finds("Config(in0_block_w=2;out_subblock_h=1)", "in0_block_w", "2");
	finds("Config(in0_block_w=2;out_subblock_h=1)", "out_subblock_h", "1");
	finds("{in0_block_w=3;out_subblock_h=1}", "in0_block_w", "3");
	finds("", "groups", NULL);
	finds("groups", "groups", NULL);
	finds("groups=", "groups", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(wormhole_does_4096_flop_per_ns_and_core_at_lofi),
		cmocka_unit_test(fidelities_take_their_number_of_passes_hifi3_too),
		cmocka_unit_test(without_a_fidelity_the_matrix_roof_is_lofis),
		cmocka_unit_test(every_tensor_in_dram_is_moved_once_at_the_chips_bandwidth),
		cmocka_unit_test(a_bias_and_further_outputs_are_moved_too),
		cmocka_unit_test(block_floats_carry_their_exponents),
		cmocka_unit_test(a_transposed_operand_swaps_its_sizes),
		cmocka_unit_test(batches_multiply_and_weights_are_shared),
		cmocka_unit_test(padding_counts_as_work_and_is_known),
		cmocka_unit_test(a_conv_is_a_product_over_its_window),
		cmocka_unit_test(groups_of_a_conv_see_their_channels_only),
		cmocka_unit_test(a_conv_without_window_has_bytes_but_no_arithmetic),
		cmocka_unit_test(attention_is_two_products_and_a_causal_mask_halves_them),
		cmocka_unit_test(decoding_attention_has_no_matrix_roof),
		cmocka_unit_test(slices_and_look_ups_read_no_more_than_they_write),
		cmocka_unit_test(a_cache_is_touched_where_it_is_updated),
		cmocka_unit_test(a_collective_is_bound_by_its_links),
		cmocka_unit_test(dram_sharded_matmuls_compute_on_as_many_cores_as_there_are_banks),
		cmocka_unit_test(ops_in_l1_have_a_roof_as_well),
		cmocka_unit_test(all_the_workers_would_be_faster_than_some),
		cmocka_unit_test(a_chip_without_figures_gives_none),
		cmocka_unit_test(missing_parts_of_tensors_leave_the_op_without_figures),
		cmocka_unit_test(absurd_sizes_and_counts_are_no_crash),
		cmocka_unit_test(attributes_are_found_by_their_whole_key),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
