// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// clang-format off
#include <cmocka.h>
// clang-format on

#include "ops_csv.h"
#include "report/findings.h"

static struct ops_run run;
static struct calls calls;
static struct findings findings;

static void make(struct op_rows rows)
{
	ops_run_of(&run, rows);
	calls_make(&calls, &run.table, &(struct call_options){ 0 });
	findings_make(&findings, &calls);
}

#define MAKE(...) make(OPS(__VA_ARGS__))

static int release(void **state)
{
	(void)state;
	findings_release(&findings);
	calls_release(&calls);
	ops_run_release(&run);
	return 0;
}

static const struct finding *find(enum finding_what what)
{
	vec_each (f, &findings.all)
		if (f->what == what)
			return f;
	return NULL;
}

static void advice_is(size_t call, const char *expect)
{
	struct buf b = { 0 };

	advise_op(&b, &calls, &calls.all.at[call], "; ");
	assert_string_equal(b.at ? b.at : "", expect);
	buf_release(&b);
}

/* At best 8192 ns at LoFi on 64 cores of a Wormhole: see test_roofline.c. */
#define MATMUL(where)                                                            \
	.code = "MatmulDeviceOperation", .in0 = "1x1x1024x1024 BFLOAT16 " where, \
	.in1 = "1x1x1024x1024 BFLOAT16 " where, .out0 = "1x1x1024x1024 BFLOAT16 " where

/* ---- totals ---- */

static void device_time_and_gaps_are_summed_apart(void **state)
{
	(void)state;
	MAKE({ .ns = "1000", .gap = "77" }, { .ns = "2000", .gap = "500" },
	     { .ns = "3000", .gap = "-40" }, { .code = "x (torch)", .host_ns = "9000" });
	assert_near(findings.totals.device_ns, 6000);
	assert_near(findings.totals.gap_ns, 500); /* neither the first one's nor a negative one */
	assert_near(findings.totals.host_ns, 9000);
	assert_near(findings.totals.build_gap_ns, 0);
	assert_int_equal(verdict_of(&findings.totals), VERDICT_DEVICE);
}

static void building_programs_is_no_gap_that_tracing_would_save(void **state)
{
	(void)state;
	MAKE({ .code = "A", .ns = "10000" },
	     { .code = "B", .ns = "10000", .gap = "300000000", .hit = "False" },
	     { .code = "C", .ns = "10000", .gap = "200000000" },
	     { .code = "A", .ns = "10000", .gap = "10000", .hit = "True" },
	     { .code = "B", .ns = "10000", .gap = "3000", .hit = "False" });
	assert_near(findings.totals.build_gap_ns, 500003000);
	assert_int_equal(findings.totals.build_gaps, 3);
	assert_int_equal(findings.totals.cache_misses, 2);
	/* one gap of 10 us, 4 us longer than between ops of a trace */
	assert_int_equal(findings.totals.long_gaps, 1);
	assert_near(findings.totals.long_gap_ns, 4000);
	assert_near(find(FINDING_GAPS)->saves_ns, 4000);
	assert_near(find(FINDING_BUILD)->saves_ns, 500003000);
	assert_int_equal(find(FINDING_BUILD)->id, 2);
	assert_int_equal(verdict_of(&findings.totals), VERDICT_BUILD);
}

static void the_verdict_follows_the_shares(void **state)
{
	(void)state;
	assert_int_equal(verdict_of(&(struct totals){ 0 }), VERDICT_NOTHING);
	assert_int_equal(verdict_of(&(struct totals){ .device_ns = 67, .gap_ns = 33 }),
			 VERDICT_DEVICE);
	assert_int_equal(verdict_of(&(struct totals){ .device_ns = 66, .gap_ns = 34 }),
			 VERDICT_HOST);
	assert_int_equal(
		verdict_of(&(struct totals){ .device_ns = 60, .gap_ns = 80, .build_gap_ns = 70 }),
		VERDICT_DEVICE);
	assert_int_equal(
		verdict_of(&(struct totals){ .device_ns = 60, .gap_ns = 80, .build_gap_ns = 71 }),
		VERDICT_BUILD);
}

/* ---- findings ---- */

static void one_is_said_as_one(void **state)
{
	(void)state;
	MAKE({ .code = "A", .ns = "10" }, { .code = "B", .ns = "10", .gap = "2000000" },
	     { .code = "A", .ns = "10", .gap = "7000" }, { .code = "x (torch)", .host_ns = "5" });
	assert_string_equal(find(FINDING_GAPS)->text,
			    "1 gap of more than 6.5 µs: the device waits for the host");
	assert_string_equal(find(FINDING_BUILD)->text,
			    "1 first call after a long gap: the host was building its program");
	assert_string_equal(find(FINDING_FALLBACK)->text, "1 op runs on the host");
	assert_string_equal(find(FINDING_FALLBACK)->advice, "move it to the device");
	release(NULL);
	MAKE({ .code = "A", .ns = "10", .hit = "True" },
	     { .code = "B", .ns = "10", .gap = "2000000", .hit = "False" },
	     { .code = "x (torch)", .host_ns = "5" }, { .code = "x (torch)", .host_ns = "5" });
	assert_string_equal(find(FINDING_BUILD)->text,
			    "1 program-cache miss: the host was building a program");
	assert_string_equal(find(FINDING_FALLBACK)->text, "2 ops run on the host");
}

static void misses_and_first_calls_are_told_apart(void **state)
{
	(void)state;
	MAKE({ .code = "A", .ns = "10", .hit = "True" },
	     { .code = "B", .ns = "10", .gap = "2000000", .hit = "False" },
	     { .code = "C", .ns = "10", .gap = "2000000" },
	     { .code = "D", .ns = "10", .gap = "2000000" });
	assert_string_equal(
		find(FINDING_BUILD)->text,
		"1 program-cache miss and 2 first calls after long gaps: the host was building programs");
}

static void all_misses_are_counted_and_those_after_a_gap(void **state)
{
	(void)state;
	MAKE({ .code = "A", .ns = "10", .hit = "False" },
	     { .code = "B", .ns = "10", .gap = "2000000", .hit = "False" },
	     { .code = "C", .ns = "10", .gap = "2000000" },
	     { .code = "A", .ns = "10", .gap = "5", .hit = "True" });
	assert_string_equal(
		find(FINDING_BUILD)->text,
		"2 program-cache misses, 1 of them after a gap, and 1 first call after a "
		"long gap: the host was building programs");
}

static void the_largest_saving_comes_first(void **state)
{
	(void)state;
	MAKE({ MATMUL("L1"), .fidelity = "LoFi", .ns = "81920" },
	     { .code = "x", .ns = "10", .gap = "500000" });
	assert_int_equal(findings.all.len, 2);
	assert_int_equal(findings.all.at[0].what, FINDING_GAPS);
	assert_int_equal(findings.all.at[1].what, FINDING_OP);
	/* 80 % of the roof is 10240 ns */
	assert_near(findings.all.at[1].saves_ns, 81920 - 10240);
	assert_string_equal(findings.all.at[1].text,
			    "Matmul 1024 x 1024 x 1024 at 10 % of its FLOP roof on 64 of 64 cores");
}

static void like_ops_are_one_finding(void **state)
{
	(void)state;
	MAKE({ MATMUL("L1"), .fidelity = "LoFi", .ns = "81920" },
	     { MATMUL("L1"), .fidelity = "LoFi", .ns = "90112", .attributes = "{'x': '1'}" });
	assert_int_equal(findings.all.len, 1);
	assert_int_equal(findings.all.at[0].calls, 2);
	assert_near(findings.all.at[0].time_ns, 172032);
	assert_int_equal(findings.all.at[0].id, 2); /* the slower one */
	assert_string_equal(
		findings.all.at[0].text,
		"Matmul 1024 x 1024 x 1024 (2 calls) at 10 % of its FLOP roof on 64 of 64 cores");
}

static void an_op_faster_than_its_roof_saves_nothing_and_is_counted(void **state)
{
	(void)state;
	/* on one core it would take 64 * 8192 ns: 300000 can't be */
	MAKE({ MATMUL("L1"), .fidelity = "LoFi", .cores = "1", .ns = "300000" });
	assert_int_equal(findings.totals.over_roof, 1);
	assert_near(call_saving(&calls, &calls.all.at[0]), 0);
	assert_int_equal(findings.all.len, 0);
}

static void waiting_in_collectives_is_a_finding(void **state)
{
	(void)state;
	MAKE({ .code = "AllGatherAsync", .call = "1024", .device = "0", .ns = "1000" },
	     { .code = "AllGatherAsync", .call = "1025", .device = "1", .ns = "3000" });
	assert_near(find(FINDING_WAIT)->saves_ns, 1000);
	assert_int_equal(find(FINDING_WAIT)->id, 1);
}

static void nothing_at_all_finds_nothing(void **state)
{
	(void)state;
	MAKE({ .code = "A" }); /* untimed */
	assert_int_equal(findings.all.len, 0);
	assert_int_equal(verdict_of(&findings.totals), VERDICT_NOTHING);
}

/* ---- advice ---- */

static void a_slow_matmul_in_l1_gets_advice(void **state)
{
	(void)state;
	MAKE({ MATMUL("L1"), .fidelity = "LoFi", .cores = "16", .ns = "327680",
	       .attributes = "{'program_config': 'std::nullopt'}" });
	assert_string_equal(call_bound(&calls, &calls.all.at[0]), "SLOW");
	advice_is(0, "use more cores (16 of 64); give it a program config");
}

static void cores_are_compared_with_the_chips_not_with_64(void **state)
{
	(void)state;
	MAKE({ MATMUL("L1"), .fidelity = "LoFi", .arch = "blackhole", .workers = "110",
	       .cores = "64", .ns = "100000" },
	     { MATMUL("L1"), .fidelity = "LoFi", .arch = "blackhole", .workers = "110",
	       .cores = "100", .ns = "100000" });
	advice_is(0, "use more cores (64 of 110)");
	advice_is(1, "");
}

static void more_cores_are_advised_where_there_are_tiles_for_them(void **state)
{
	(void)state;
	MAKE({ .code = "MatmulDeviceOperation",
	       .in0 = "1x1x256x512 BFLOAT16 L1",
	       .in1 = "1x1x512x128 BFLOAT16 L1",
	       .out0 = "1x1x256x128 BFLOAT16 L1",
	       .fidelity = "LoFi",
	       .cores = "32",
	       .ns = "100000" },
	     { .code = "MatmulDeviceOperation",
	       .in0 = "1x1x256x512 BFLOAT16 L1",
	       .in1 = "1x1x512x128 BFLOAT16 L1",
	       .out0 = "1x1x256x128 BFLOAT16 L1",
	       .fidelity = "LoFi",
	       .cores = "16",
	       .ns = "100000" });
	advice_is(0, "only 32 tiles: work on more at once");
	advice_is(1, "use more cores (16 of 64)");
}

static void fewer_passes_are_advised_where_the_bits_allow(void **state)
{
	(void)state;
	MAKE({ .code = "Matmul",
	       .fidelity = "HiFi4",
	       .ns = "40960",
	       .in0 = "1x1x1024x1024 BFLOAT16 L1",
	       .in1 = "1x1x1024x1024 BFLOAT8_B L1" },
	     { .code = "Matmul",
	       .fidelity = "HiFi3",
	       .ns = "30720",
	       .in0 = "1x1x1024x1024 BFLOAT16 L1",
	       .in1 = "1x1x1024x1024 BFLOAT4_B L1" },
	     { .code = "Matmul",
	       .fidelity = "HiFi4",
	       .ns = "40960",
	       .in0 = "1x1x1024x1024 BFLOAT16 L1",
	       .in1 = "1x1x1024x1024 BFLOAT16 L1" },
	     { .code = "Matmul",
	       .fidelity = "HiFi3",
	       .ns = "30720",
	       .in0 = "1x1x1024x1024 BFLOAT16 L1",
	       .in1 = "1x1x1024x1024 BFLOAT8_B L1" });
	advice_is(0, "HiFi2 is enough for BFP8 weights: twice the rate of HiFi4");
	advice_is(1, "LoFi is enough for BFP4 weights: 3 times the rate");
	advice_is(2, "try HiFi2: it drops the lowest bit of BF16 and has twice the rate");
	advice_is(3, "HiFi2 is enough for BFP8 weights: 1.5 times the rate of HiFi3");
}

static void reading_weights_is_told_from_computing(void **state)
{
	(void)state;
	/* 32 rows: 2 MiB of weights take 7.3 us from DRAM, the product 0.3 us */
	MAKE({ .code = "MatmulDeviceOperation",
	       .fidelity = "LoFi",
	       .ns = "40000",
	       .in0 = "1x1x32x1024 BFLOAT16 L1",
	       .in1 = "1x1x1024x1024 BFLOAT16 DRAM",
	       .out0 = "1x1x32x1024 BFLOAT16 L1" },
	     { .code = "MinimalMatmulDeviceOperation",
	       .fidelity = "LoFi",
	       .ns = "40000",
	       .in0 = "1x1x32x1024 BFLOAT16 L1",
	       .in1 = "1x1x1024x1024 BFLOAT16 DRAM",
	       .out0 = "1x1x32x1024 BFLOAT16 L1" });
	advice_is(0, "try a DRAM-sharded program config: its time is reading the weights");
	/* which has no program config */
	advice_is(
		1,
		"try ttnn.matmul with a DRAM-sharded program config: its time is reading the weights");
}

static void shape_changes_and_moves_are_best_avoided(void **state)
{
	(void)state;
	MAKE({ .code = "Tilize", .ns = "100000", .in0 = "1x1x32x1024 BFLOAT16 L1" },
	     { .code = "Reshard", .ns = "100000", .in0 = "1x1x32x1024 BFLOAT16 L1" },
	     { .code = "BinaryNg", .ns = "1000", .in0 = "1x1x32[1]x1024 BFLOAT16 DRAM" },
	     { .code = "BinaryNg", .ns = "100000", .in0 = "1x1x32[1]x1024 BFLOAT16 DRAM" });
	advice_is(0, "avoid it: keep the tensor in the layout that the next op wants");
	advice_is(1, "avoid it: keep the tensor where the next op reads it");
	advice_is(
		2,
		"keep its inputs in L1, or fuse it with the op before; 97 % of its data is padding");
	/* so slow that DRAM is not what it waits for */
	advice_is(3, "97 % of its data is padding");
}

static void host_ops_and_lost_ones(void **state)
{
	(void)state;
	MAKE({ .code = "x (torch)", .host_ns = "5" }, { MATMUL("DRAM") });
	advice_is(0, "run it on the device");
	advice_is(1, "");
}

static void nobody_is_told_of_calls_that_are_gone(void **state)
{
	static const char *const codes[] = { "MatmulDeviceOperation", "Conv2d", "Tilize",
					     "AllGatherAsync", "LayerNorm" };
	struct buf b = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		MAKE({ .code = codes[i],
		       .fidelity = "HiFi4",
		       .ns = "900000",
		       .cores = "1",
		       .in0 = "1x1x1024x1024 BFLOAT16 DRAM",
		       .in1 = "1x1x1024x1024 BFLOAT16 DRAM",
		       .out0 = "1x1x1024x1024 BFLOAT16 DRAM" },
		     { .code = "x", .gap = "900000", .ns = "1" });
		advise_op(&b, &calls, &calls.all.at[0], "; ");
		vec_each (f, &findings.all) {
			buf_text(&b, f->text);
			buf_text(&b, f->advice);
		}
		if (i + 1 < sizeof(codes) / sizeof(codes[0]))
			release(NULL);
	}
	assert_null(strstr(b.at, "enable_async"));
	assert_null(strstr(b.at, "ptimized"));
	buf_release(&b);
}

static void unequal_devices_are_told(void **state)
{
	(void)state;
	MAKE({ .code = "BinaryNg",
	       .call = "1024",
	       .device = "0",
	       .ns = "100000",
	       .in0 = "1x1x32x32 BFLOAT16 L1" },
	     { .code = "BinaryNg",
	       .call = "1025",
	       .device = "1",
	       .ns = "200000",
	       .in0 = "1x1x32x32 BFLOAT16 L1" });
	advice_is(0, "the slowest device takes 2.0 times as long as the fastest: balance them");
}

#define T(name) cmocka_unit_test_teardown(name, release)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(device_time_and_gaps_are_summed_apart),
		T(building_programs_is_no_gap_that_tracing_would_save),
		cmocka_unit_test(the_verdict_follows_the_shares),
		T(one_is_said_as_one),
		T(misses_and_first_calls_are_told_apart),
		T(all_misses_are_counted_and_those_after_a_gap),
		T(the_largest_saving_comes_first),
		T(like_ops_are_one_finding),
		T(an_op_faster_than_its_roof_saves_nothing_and_is_counted),
		T(waiting_in_collectives_is_a_finding),
		T(nothing_at_all_finds_nothing),
		T(a_slow_matmul_in_l1_gets_advice),
		T(cores_are_compared_with_the_chips_not_with_64),
		T(more_cores_are_advised_where_there_are_tiles_for_them),
		T(fewer_passes_are_advised_where_the_bits_allow),
		T(reading_weights_is_told_from_computing),
		T(shape_changes_and_moves_are_best_avoided),
		T(host_ops_and_lost_ones),
		T(nobody_is_told_of_calls_that_are_gone),
		T(unequal_devices_are_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
