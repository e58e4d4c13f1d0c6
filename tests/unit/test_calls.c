// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// clang-format off
#include <cmocka.h>
// clang-format on

#include "ops_csv.h"
#include "report/calls.h"

static struct ops_run run;
static struct calls calls;

static void make_files(struct call_options o, const struct op_rows *files, size_t n)
{
	ops_run_of_files(&run, files, n);
	calls_make(&calls, &run.table, &o);
}

static void make_with(struct call_options o, struct op_rows rows)
{
	make_files(o, &rows, 1);
}

#define MAKE(...) make_with((struct call_options){ 0 }, OPS(__VA_ARGS__))

static int release(void **state)
{
	(void)state;
	calls_release(&calls);
	ops_run_release(&run);
	return 0;
}

static void name_is(size_t call, const char *expect)
{
	struct str s = ops_text(&run.table, OPS_OP_CODE, calls.all.at[call].row);

	assert_true(call < calls.all.len);
	assert_int_equal(s.len, strlen(expect));
	assert_memory_equal(s.at, expect, s.len);
}

/* ---- order and signposts ---- */

static void the_run_is_ordered_by_host_time_and_numbers_stay(void **state)
{
	(void)state;
	MAKE({ .code = "C", .start = "300" }, { .code = "A", .start = "100" },
	     { .code = "B", .start = "200" }, { .code = "b" });
	assert_int_equal(calls.all.len, 4);
	name_is(0, "A");
	assert_int_equal(calls.all.at[0].id, 2);
	name_is(1, "B");
	name_is(2, "b"); /* without a start time: stays behind its predecessor */
	name_is(3, "C");
	assert_int_equal(calls.all.at[3].id, 1);
}

static void with_replays_the_order_of_the_file_stands(void **state)
{
	(void)state;
	MAKE({ .code = "C", .start = "300", .session = "1" },
	     { .code = "A", .start = "100", .session = "1" });
	name_is(0, "C");
	name_is(1, "A");
}

static void the_order_can_be_asked_for(void **state)
{
	(void)state;
	make_with((struct call_options){ .order = ORDER_FILE },
		  OPS({ .code = "C", .start = "300" }, { .code = "A", .start = "100" }));
	name_is(0, "C");
	release(NULL);
	make_with((struct call_options){ .order = ORDER_HOST },
		  OPS({ .code = "C", .start = "300", .session = "1" },
		      { .code = "A", .start = "100", .session = "1" }));
	name_is(0, "A");
}

#define SIGNPOST(name)                           \
	{                                        \
		.code = name, .type = "signpost" \
	}

static void the_last_signpost_with_ops_counts_also_when_its_name_is_older(void **state)
{
	(void)state;
	MAKE(SIGNPOST("run"), { .code = "A" }, SIGNPOST("run"), { .code = "B" }, SIGNPOST("run"),
	     { .code = "C" }, SIGNPOST("done"), SIGNPOST("end"));
	assert_int_equal(calls.all.len, 1);
	name_is(0, "C");
	assert_int_equal(calls.left_out_rows, 2);
	assert_true(str_eq(calls.start, STR("run")));
}

static void a_report_without_signposts_is_told_whole(void **state)
{
	(void)state;
	MAKE({ .code = "A" }, { .code = "B" });
	assert_int_equal(calls.all.len, 2);
	assert_int_equal(calls.start.len, 0);
	assert_int_equal(calls.left_out_rows, 0);
}

static void start_and_end_bound_the_part(void **state)
{
	(void)state;
	make_with((struct call_options){ .start_signpost = "from", .end_signpost = "to" },
		  OPS(SIGNPOST("to"), { .code = "A" }, SIGNPOST("from"), { .code = "B" },
		      SIGNPOST("between"), { .code = "C" }, SIGNPOST("to"), { .code = "D" }));
	assert_int_equal(calls.all.len, 2);
	name_is(0, "B");
	name_is(1, "C");
	assert_int_equal(calls.signpost_rows, 1);
	assert_int_equal(calls.sections.len, 2);
	assert_int_equal(calls.all.at[1].section, 1);
	assert_false(calls.start_missing || calls.end_missing);
	release(NULL);
	make_with((struct call_options){ .end_signpost = "to" },
		  OPS({ .code = "A" }, SIGNPOST("x"), { .code = "B" }, SIGNPOST("to"),
		      { .code = "C" }));
	assert_int_equal(calls.all.len, 2);
}

static void signposts_that_are_not_there_are_told_and_change_nothing(void **state)
{
	(void)state;
	make_with((struct call_options){ .start_signpost = "nowhere", .end_signpost = "never" },
		  OPS({ .code = "A" }, SIGNPOST("x"), { .code = "B" }));
	assert_true(calls.start_missing);
	assert_true(calls.end_missing);
	assert_int_equal(calls.all.len, 2);
}

static void signposts_can_be_ignored_and_may_be_named_like_ops(void **state)
{
	(void)state;
	make_with((struct call_options){ .whole_file = true },
		  OPS({ .code = "A", .ns = "10" }, SIGNPOST("MatmulDeviceOperation"),
		      SIGNPOST("Conv2d"), SIGNPOST("None"), { .code = "B", .ns = "10" }));
	assert_int_equal(calls.all.len, 2);
	assert_int_equal(calls.signpost_rows, 3);
}

/* ---- time ---- */

static void an_op_named_none_or_null_is_an_op(void **state)
{
	(void)state;
	MAKE({ .code = "None", .ns = "1" }, { .code = "NA", .ns = "2" },
	     { .code = "null", .ns = "3" }, { .code = "", .ns = "4" });
	assert_int_equal(calls.all.len, 4);
	name_is(0, "None");
	name_is(1, "NA");
	name_is(2, "null");
	assert_near(calls.all.at[3].time_ns, 4);
}

static void rows_without_time_are_counted_not_guessed(void **state)
{
	(void)state;
	MAKE({ .code = "A", .ns = "100" }, { .code = "B" }, { .code = "C", .fw = "50" },
	     { .code = "D", .ns = "0" }, { .code = "E", .ns = "abc" },
	     { .code = "F", .ns = "99999999999999999999999999" }, { .code = "G", .ns = "-5" });
	assert_near(calls.all.at[0].time_ns, 100);
	assert_true(calls.all.at[1].flags & CALL_UNTIMED);
	assert_near(calls.all.at[2].time_ns, 50);
	assert_true(calls.all.at[2].flags & CALL_PARTIAL);
	assert_near(calls.all.at[3].time_ns, 0);
	assert_false(calls.all.at[3].flags & CALL_UNTIMED);
	assert_true(calls.all.at[4].flags & CALL_UNTIMED);
	assert_true(calls.all.at[5].flags & CALL_UNTIMED);
	assert_true(calls.all.at[6].flags & CALL_UNTIMED);
	assert_int_equal(account_total(&calls.account, ACCOUNT_TOTAL_SEEN), 7);
	assert_int_equal(account_total(&calls.account, ACCOUNT_TOTAL_TIMED), 2);
	assert_int_equal(account_count(&calls.account, ACCOUNT_NO_TIME_HERE), 4);
	assert_int_equal(account_count(&calls.account, ACCOUNT_NO_DEVICE_TIME), 0);
	/* "abc"; the huge number is one, but no duration */
	assert_true(account_count(&calls.account, ACCOUNT_MALFORMED_VALUE) >= 1);
	assert_int_equal(account_rows(&calls.account, ACCOUNT_NO_TIME_HERE)->row[0], 2);
}

static void without_a_single_time_nothing_was_profiled(void **state)
{
	(void)state;
	MAKE({ .code = "A" }, { .code = "B" });
	assert_int_equal(account_count(&calls.account, ACCOUNT_NO_DEVICE_TIME), 2);
	assert_int_equal(account_count(&calls.account, ACCOUNT_NO_TIME_HERE), 0);
}

static void one_bad_value_spoils_no_other_row(void **state)
{
	(void)state;
	MAKE({ .code = "A", .ns = "123456789012345678901234567890" }, { .code = "B", .ns = "7" });
	assert_near(calls.all.at[1].time_ns, 7);
}

static void host_ops_have_host_time(void **state)
{
	(void)state;
	MAKE({ .code = "A", .ns = "100" },
	     { .code = "linear (torch)", .type = "python_fallback", .host_ns = "5000" },
	     { .code = "x", .type = "tt_dnn_cpu", .host_ns = "inf" });
	assert_int_equal(calls.all.len, 3);
	assert_true(calls.all.at[1].flags & CALL_HOST);
	assert_near(calls.all.at[1].time_ns, 5000);
	assert_near(calls.all.at[2].time_ns, 0);
	assert_int_equal(calls.host_rows, 2);
	assert_int_equal(calls.device_rows, 1);
	assert_string_equal(call_bound(&calls, &calls.all.at[1]), "HOST");
	assert_near(call_roof_percent(&calls, &calls.all.at[1]), 0);
}

/* ---- gaps ---- */

static void the_gap_of_the_first_op_is_not_of_this_part(void **state)
{
	(void)state;
	MAKE({ .code = "W", .ns = "1" }, SIGNPOST("go"),
	     { .code = "A", .ns = "1", .gap = "9000000" },
	     { .code = "B", .ns = "1", .gap = "700" });
	assert_near(calls.all.at[0].gap_ns, 0);
	assert_int_equal(calls.all.at[0].flags & CALL_BUILT, 0);
	assert_near(calls.all.at[1].gap_ns, 700);
}

static void the_first_gap_of_every_device_is_left_out(void **state)
{
	(void)state;
	/* A ran on device 1 only: B is the first of device 0 */
	MAKE({ .code = "A", .call = "1025", .device = "1", .ns = "1", .gap = "900000000" },
	     { .code = "B", .call = "2048", .device = "0", .ns = "1", .gap = "800000000" },
	     { .code = "B", .call = "2049", .device = "1", .ns = "1", .gap = "500" },
	     { .code = "C", .call = "3072", .device = "0", .ns = "1", .gap = "300" },
	     { .code = "C", .call = "3073", .device = "1", .ns = "1", .gap = "500" });
	assert_int_equal(calls.all.len, 3);
	assert_near(calls.all.at[0].gap_ns, 0);
	assert_near(calls.all.at[1].gap_ns, 500);
	assert_int_equal(calls.all.at[1].flags & CALL_BUILT, 0);
	assert_near(calls.all.at[2].gap_ns, 400);
	release(NULL);
	make_with((struct call_options){ .keep_devices_apart = true },
		  OPS({ .code = "A", .device = "0", .ns = "1", .gap = "900000000" },
		      { .code = "A", .device = "1", .ns = "1", .gap = "900000000" },
		      { .code = "B", .device = "1", .ns = "1", .gap = "20" }));
	assert_near(calls.all.at[1].gap_ns, 0);
	assert_near(calls.all.at[2].gap_ns, 20);
}

static void programs_that_were_built_are_marked(void **state)
{
	(void)state;
	MAKE({ .code = "A", .ns = "1", .gap = "1", .hit = "True" },
	     { .code = "B", .ns = "1", .gap = "200000", .hit = "False" },
	     { .code = "C", .ns = "1", .gap = "1000000" }, /* first of its kind: built */
	     { .code = "D", .ns = "1", .gap = "999999" },  /* under a millisecond: not for sure */
	     { .code = "C", .ns = "1", .gap = "5000000" }, /* built before: the host was slow */
	     { .code = "C", .ns = "1", .gap = "5000" });
	assert_int_equal(calls.all.at[0].flags, CALL_CACHE_HIT);
	assert_int_equal(calls.all.at[1].flags, CALL_CACHE_MISS | CALL_OPENS);
	assert_int_equal(calls.all.at[2].flags, CALL_BUILT | CALL_OPENS);
	assert_int_equal(calls.all.at[3].flags, CALL_OPENS);
	assert_int_equal(calls.all.at[4].flags, 0);
	release(NULL);
	/* where the report knows that the program was there, it was not built */
	MAKE({ .code = "A", .ns = "1" },
	     { .code = "B", .ns = "1", .gap = "5000000", .hit = "True" });
	assert_int_equal(calls.all.at[1].flags, CALL_CACHE_HIT);
}

/* ---- several devices ---- */

static void a_call_takes_as_long_as_its_slowest_device(void **state)
{
	(void)state;
	MAKE({ .code = "A", .call = "1024", .device = "0", .ns = "100" },
	     { .code = "A", .call = "1025", .device = "1", .ns = "160" },
	     { .code = "B", .call = "2048", .device = "0", .ns = "30", .gap = "10" },
	     { .code = "B", .call = "2049", .device = "1", .ns = "20", .gap = "30" });
	assert_int_equal(calls.devices, 2);
	assert_int_equal(calls.all.len, 2);
	assert_near(calls.all.at[0].time_ns, 160);
	assert_near((double)calls.all.at[0].skew_ns, 60);
	assert_int_equal(calls.all.at[0].row, 1); /* the slowest one's */
	assert_int_equal(calls.all.at[0].id, 1);  /* the first one's */
	assert_near((double)calls.all.at[0].wait_ns, 0);
	assert_near(calls.all.at[1].gap_ns, 20); /* mean of the devices, not the slowest one's */
}

static void collectives_take_the_mean_and_say_what_was_waited(void **state)
{
	(void)state;
	/* 100, 160, 220: the mean is 160; the last to come waits least, so 100 is the transfer itself */
	MAKE({ .code = "AllGatherAsync", .call = "1024", .device = "0", .ns = "100" },
	     { .code = "AllGatherAsync", .call = "1025", .device = "1", .ns = "160" },
	     { .code = "AllGatherAsync", .call = "1026", .device = "2", .ns = "220" });
	assert_near(calls.all.at[0].time_ns, 160);
	assert_near((double)calls.all.at[0].skew_ns, 120);
	assert_near((double)calls.all.at[0].wait_ns, 60);
}

static void a_device_that_lacks_an_op_is_told(void **state)
{
	(void)state;
	MAKE({ .code = "A", .call = "1025", .device = "1", .ns = "5" },
	     { .code = "B", .call = "2048", .device = "0", .ns = "7" },
	     { .code = "B", .call = "2049", .device = "1", .ns = "5" },
	     { .code = "C", .call = "3072", .device = "0", .ns = "1" },
	     { .code = "C", .call = "3073", .device = "1", .ns = "1" });
	assert_int_equal(calls.all.len, 3); /* not 5 */
	assert_true(calls.all.at[0].flags & CALL_PARTIAL);
	assert_false(calls.all.at[1].flags & CALL_PARTIAL);
	assert_int_equal(account_count(&calls.account, ACCOUNT_MERGE_DEVICE_MISSING), 1);
	assert_int_equal(account_rows(&calls.account, ACCOUNT_MERGE_DEVICE_MISSING)->row[0], 1);
	assert_near(calls.all.at[0].time_ns + calls.all.at[1].time_ns + calls.all.at[2].time_ns,
		    13);
}

static void several_files_are_several_hosts_each_cut_at_its_own_signpost(void **state)
{
	struct op_rows files[] = {
		OPS({ .code = "W", .call = "1024", .ns = "9" }, SIGNPOST("go"),
		    { .code = "A", .call = "2048", .ns = "10" }),
		OPS({ .code = "W", .call = "1024", .ns = "9" }, SIGNPOST("go"),
		    { .code = "A", .call = "2048", .ns = "30" }),
	};

	(void)state;
	make_files((struct call_options){ 0 }, files, 2);
	assert_int_equal(calls.devices, 2);
	assert_int_equal(calls.all.len, 1);
	name_is(0, "A");
	assert_near(calls.all.at[0].time_ns, 30);
	assert_near((double)calls.all.at[0].skew_ns, 20);
	assert_int_equal(calls.left_out_rows, 2);
	release(NULL);
	make_files((struct call_options){ .start_signpost = "go" }, files, 2);
	assert_int_equal(calls.all.len, 1);
	release(NULL);
	make_files((struct call_options){ .end_signpost = "go" }, files, 2);
	assert_int_equal(calls.all.len, 1);
	name_is(0, "W");
	assert_int_equal(calls.all.at[0].devices, 2);
}

/* ---- the chip ---- */

static void the_chip_is_told_from_arch_and_cores(void **state)
{
	(void)state;
	MAKE({ .arch = "wormhole_b0", .workers = "64", .ns = "1" });
	assert_string_equal(calls.on.chip->arch, "wormhole");
	assert_true(calls.chip_sure); /* n150 and n300 have the same figures */
	assert_near(calls.on.workers, 64);
	release(NULL);
	MAKE({ .arch = "blackhole", .workers = "110", .ns = "1" });
	assert_string_equal(calls.on.chip->arch, "blackhole");
	assert_false(calls.chip_sure); /* p100a or p150 */
	release(NULL);
	make_with((struct call_options){ .chip = &chips[CHIP_p100a] },
		  OPS({ .arch = "blackhole", .workers = "110", .ns = "1" }));
	assert_string_equal(calls.on.chip->id, "p100a");
	assert_true(calls.chip_sure);
}

static void an_unknown_arch_gives_no_figures_but_a_report(void **state)
{
	static const char *const archs[] = { "quasar", "grayskull", "frobnicator" };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		MAKE({ .code = "Matmul",
		       .arch = archs[i],
		       .workers = "32",
		       .fidelity = "HiFi2",
		       .ns = "1000",
		       .in0 = "1x1x32x32 BFLOAT16 L1",
		       .in1 = "1x1x32x32 BFLOAT16 L1" });
		assert_int_equal(calls.all.len, 1);
		assert_near(calls.all.at[0].time_ns, 1000);
		assert_near(call_percent_of(&calls, &calls.all.at[0], ROOF_FLOP), 0);
		if (i < 2)
			release(NULL);
	}
	assert_near(call_roof_percent(&calls, &calls.all.at[0]), 0);
	assert_string_equal(call_bound(&calls, &calls.all.at[0]), "");
}

static void worker_counts_that_cannot_be_are_no_crash(void **state)
{
	(void)state;
	MAKE({ .workers = "1e300", .ns = "1" }, { .workers = "56", .ns = "1" });
	assert_near(calls.on.workers, 56);
}

/* ---- bounds ---- */

/* 8192 ns at best on 64 cores of a Wormhole, see test_roofline.c */
#define IN_L1                                                                                    \
	.code = "MatmulDeviceOperation", .fidelity = "LoFi", .in0 = "1x1x1024x1024 BFLOAT16 L1", \
	.in1 = "1x1x1024x1024 BFLOAT16 L1", .out0 = "1x1x1024x1024 BFLOAT16 L1"

static void the_bound_names_the_roof_that_an_op_comes_near(void **state)
{
	(void)state;
	MAKE({ IN_L1, .ns = "81920" }, { IN_L1, .ns = "10240" }, { IN_L1, .ns = "12604" },
	     { IN_L1, .ns = "7000" }, { IN_L1, .ns = "0" }, { .code = "X", .ns = "5" });
	assert_near(call_roof_percent(&calls, &calls.all.at[0]), 10);
	assert_string_equal(call_bound(&calls, &calls.all.at[0]), "SLOW"); /* not "optimized" */
	assert_near(call_roof_percent(&calls, &calls.all.at[1]), 80);
	assert_string_equal(call_bound(&calls, &calls.all.at[1]), "FLOP");
	assert_string_equal(call_bound(&calls, &calls.all.at[2]), "SLOW"); /* 64.995 % */
	assert_string_equal(call_bound(&calls, &calls.all.at[3]), "?");    /* 117 % of the roof */
	assert_string_equal(call_bound(&calls, &calls.all.at[4]), "");
	assert_string_equal(call_bound(&calls, &calls.all.at[5]), "");
	assert_int_equal(calls.all.at[0].kind, calls.all.at[3].kind);
}

static void both_roofs_can_be_near(void **state)
{
	(void)state;
	/* 8192 * 4 = 32768 ns of arithmetic at HiFi4; 6 MiB from DRAM at 288 bytes/ns are 21845 ns */
	MAKE({ .code = "Matmul",
	       .fidelity = "HiFi4",
	       .ns = "33000",
	       .in0 = "1x1x1024x1024 BFLOAT16 DRAM",
	       .in1 = "1x1x1024x1024 BFLOAT16 DRAM",
	       .out0 = "1x1x1024x1024 BFLOAT16 DRAM" });
	assert_near(call_percent_of(&calls, &calls.all.at[0], ROOF_FLOP), 100 * 32768 / 33000.0);
	assert_near(call_percent_of(&calls, &calls.all.at[0], ROOF_DRAM),
		    100 * 6291456 / 288.0 / 33000);
	assert_string_equal(call_bound(&calls, &calls.all.at[0]), "BOTH");
}

static void calls_are_of_one_kind_when_all_but_their_time_is_equal(void **state)
{
	(void)state;
	MAKE({ .code = "A", .ns = "1" }, { .code = "A", .ns = "2" },
	     { .code = "A", .ns = "1", .cores = "8" }, { .code = "A", .fidelity = "LoFi" },
	     { .code = "A", .attributes = "{'x': '1'}" },
	     { .code = "A", .in0 = "1x1x1x1 UINT8 L1" });
	assert_int_equal(calls.kinds.len, 5);
	assert_int_equal(calls.kinds.at[0].calls, 2);
	assert_near(calls.kinds.at[0].time_ns, 3);
}

/* ---- files ---- */

static void optional_columns_may_be_missing(void **state)
{
	(void)state;
	ops_run_of_text(&run, "OP CODE,DEVICE KERNEL DURATION [ns]\nMatmul,5\nConv2d,6\n");
	calls_make(&calls, &run.table, &(struct call_options){ 0 });
	assert_int_equal(calls.all.len, 2);
	assert_near(calls.all.at[1].time_ns, 6);
	assert_false(calls.chip_sure);
}

static void short_and_long_rows_cost_themselves_only(void **state)
{
	(void)state;
	ops_run_of_text(&run, "OP CODE,OP TYPE,DEVICE KERNEL DURATION [ns],X\n"
			      "A,tt_dnn_device,5,\n"
			      "B,tt_dnn_device\n"
			      "C,tt_dnn_device,5,,,9\n"
			      "\n"
			      "D,tt_dnn_device,7,\n");
	calls_make(&calls, &run.table, &(struct call_options){ 0 });
	assert_int_equal(calls.all.len, 3);
	assert_true(calls.all.at[1].flags & CALL_UNTIMED);
	assert_near(calls.all.at[2].time_ns, 7);
	assert_int_equal(calls.all.at[2].id, 4); /* the row that was left out has its number, too */
	assert_int_equal(account_rows(&calls.account, ACCOUNT_SHORT_ROW)->row[0], 3);
	assert_int_equal(account_count(&calls.account, ACCOUNT_MALFORMED_ROW), 1);
	assert_int_equal(account_rows(&calls.account, ACCOUNT_MALFORMED_ROW)->row[0], 4);
}

static void a_report_without_rows_has_no_calls(void **state)
{
	(void)state;
	ops_run_of_text(&run, "OP CODE,OP TYPE\n");
	calls_make(&calls, &run.table, &(struct call_options){ 0 });
	assert_int_equal(calls.all.len, 0);
	assert_int_equal(calls.devices, 0);
}

#define T(name) cmocka_unit_test_teardown(name, release)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(the_run_is_ordered_by_host_time_and_numbers_stay),
		T(with_replays_the_order_of_the_file_stands),
		T(the_order_can_be_asked_for),
		T(the_last_signpost_with_ops_counts_also_when_its_name_is_older),
		T(a_report_without_signposts_is_told_whole),
		T(start_and_end_bound_the_part),
		T(signposts_that_are_not_there_are_told_and_change_nothing),
		T(signposts_can_be_ignored_and_may_be_named_like_ops),
		T(an_op_named_none_or_null_is_an_op),
		T(rows_without_time_are_counted_not_guessed),
		T(without_a_single_time_nothing_was_profiled),
		T(one_bad_value_spoils_no_other_row),
		T(host_ops_have_host_time),
		T(the_gap_of_the_first_op_is_not_of_this_part),
		T(the_first_gap_of_every_device_is_left_out),
		T(programs_that_were_built_are_marked),
		T(a_call_takes_as_long_as_its_slowest_device),
		T(collectives_take_the_mean_and_say_what_was_waited),
		T(a_device_that_lacks_an_op_is_told),
		T(several_files_are_several_hosts_each_cut_at_its_own_signpost),
		T(the_chip_is_told_from_arch_and_cores),
		T(an_unknown_arch_gives_no_figures_but_a_report),
		T(worker_counts_that_cannot_be_are_no_crash),
		T(the_bound_names_the_roof_that_an_op_comes_near),
		T(both_roofs_can_be_near),
		T(calls_are_of_one_kind_when_all_but_their_time_is_equal),
		T(optional_columns_may_be_missing),
		T(short_and_long_rows_cost_themselves_only),
		T(a_report_without_rows_has_no_calls),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
