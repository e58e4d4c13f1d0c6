// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// clang-format off
#include <cmocka.h>
// clang-format on

#include "ops_csv.h"
#include "report/groups.h"
#include "report/report.h"

static struct ops_run run;
static struct report report;
static struct report_options options;

static void make(struct report_options o, struct op_rows rows)
{
	options = o;
	options.term.width = 200;
	ops_run_of(&run, rows);
	report_make(&report, &run.table, &options);
}

#define MAKE(...)         make((struct report_options){ .each = true, .sort = FIELDS }, OPS(__VA_ARGS__))
#define MAKE_WITH(o, ...) make((struct report_options){ OPTIONS o }, OPS(__VA_ARGS__))
#define OPTIONS(...)      __VA_ARGS__

static int release(void **state)
{
	(void)state;
	report_release(&report);
	ops_run_release(&run);
	return 0;
}

static const struct call *line(size_t i)
{
	assert_true(i < report.shown.len);
	return &report.lines[report.shown.at[i]];
}

static double number(size_t i, enum field f)
{
	struct buf b = { 0 };
	double v = 0;

	assert_int_not_equal(field_info[f].decimals, FIELD_TEXT);
	assert_true(report_field(&report, line(i), f, &b, &v));
	buf_release(&b);
	return v;
}

static void text(size_t i, enum field f, const char *expect)
{
	struct buf b = { 0 };
	double v;

	assert_int_equal(report_field(&report, line(i), f, &b, &v), *expect != 0);
	assert_string_equal(b.at ? b.at : "", expect);
	buf_release(&b);
}

static void silent(size_t i, enum field f)
{
	struct buf b = { 0 };
	double v;

	assert_false(report_field(&report, line(i), f, &b, &v));
	buf_release(&b);
}

static void ids(const char *expect)
{
	struct buf b = { 0 };

	vec_each (n, &report.shown)
		buf_printf(&b, "%s%u", b.len ? " " : "", report.lines[*n].id);
	assert_string_equal(b.at ? b.at : "", expect);
	buf_release(&b);
}

/* 1024 x 1024 x 1024 at LoFi on 64 cores: 8192 ns at best, see test_roofline.c */
#define MATMUL                                                                                     \
	.code = "MatmulDeviceOperation", .fidelity = "LoFi", .in0 = "1x1x1024x1024 BFLOAT16 DRAM", \
	.in1 = "1x1x1024x1024 BFLOAT16 L1", .out0 = "1x1x1024x1024 BFLOAT16 L1"

/* ---- fields ---- */

static void every_field_can_be_found_and_has_a_word_to_say(void **state)
{
	(void)state;
	for (int i = 0; i < FIELDS; i++) {
		assert_int_equal(field_find(str_of(field_info[i].key)), i);
		assert_true(strlen(field_info[i].says) > 10);
	}
	assert_int_equal(field_find(STR("nothing")), FIELDS);
	assert_int_equal(field_find(STR("")), FIELDS);
}

static void a_matmul_in_numbers(void **state)
{
	(void)state;
	MAKE({ .ns = "1000" }, { MATMUL, .ns = "16384", .gap = "2616", .call = "5" });
	assert_near(number(0, FIELD_ID),
		    2); /* the slowest first, numbered as in the file, from 1 */
	text(0, FIELD_OP, "Matmul 1024 x 1024 x 1024");
	/* 16384 + 2616 of 20000 ns */
	assert_near(number(0, FIELD_TOTAL), 95);
	assert_near(number(1, FIELD_TOTAL), 5);
	text(0, FIELD_BOUND, "SLOW");
	assert_near(number(0, FIELD_ROOF), 50);
	assert_near(number(0, FIELD_FLOP_PERCENT), 50);
	assert_near(number(0, FIELD_FLOPS), 2147483648.0 / 16384 / 1000);
	/* one tensor of 2 MiB in DRAM, 288 GB/s */
	assert_near(number(0, FIELD_DRAM), 128);
	assert_near(number(0, FIELD_DRAM_PERCENT), 100 * 128 / 288.0);
	/* 4 MiB in over two NoCs of 32 bytes and 64 cores: 1024 ns */
	assert_near(number(0, FIELD_L1), 100 * 1024 / 16384.0);
	assert_near(number(0, FIELD_BYTES), 6.291456);
	assert_near(number(0, FIELD_WORK), 2.147483648);
	assert_near(number(0, FIELD_IDEAL), 8.192);
	assert_near(number(0, FIELD_SAVE), 16.384 - 10.24);
	assert_near(number(0, FIELD_TIME), 16.384);
	assert_near(number(0, FIELD_MEAN), 16.384);
	assert_near(number(0, FIELD_GAP), 2.616);
	assert_near(number(0, FIELD_CORES), 64);
	assert_near(number(0, FIELD_CALLS), 1);
	assert_near(number(0, FIELD_CALL_COUNT), 5);
	text(0, FIELD_TYPES, "LoFi BF16 x BF16");
	text(0, FIELD_FAMILY, "matmul");
	text(0, FIELD_CATEGORY, "compute");
	text(0, FIELD_MEMORY, "dram interleaved");
	text(0, FIELD_CODE, "MatmulDeviceOperation");
	text(0, FIELD_ADVICE, "");
	silent(0, FIELD_ETH);
	silent(0, FIELD_SKEW);
	silent(0, FIELD_WAIT);
	silent(0, FIELD_PM_IDEAL);
	text(0, FIELD_SECTION, "");
}

static void a_lost_time_says_nothing_and_zero_says_zero(void **state)
{
	(void)state;
	MAKE({ MATMUL }, { MATMUL, .ns = "0" });
	silent(1, FIELD_TIME);
	silent(1, FIELD_MEAN);
	silent(1, FIELD_ROOF);
	silent(1, FIELD_DRAM);
	assert_near(number(0, FIELD_TIME), 0);
	silent(0, FIELD_FLOPS);
	silent(0, FIELD_TOTAL); /* of nothing */
}

static void a_host_op_has_a_time_and_no_share(void **state)
{
	(void)state;
	MAKE({ .code = "A", .ns = "100" },
	     { .code = "linear (torch)", .type = "python_fallback", .host_ns = "5000" });
	text(0, FIELD_CODE, "linear (torch)");
	assert_near(number(0, FIELD_TIME), 5);
	silent(0, FIELD_TOTAL);
	silent(0, FIELD_DEVICES);
	text(0, FIELD_BOUND, "HOST");
	text(0, FIELD_CATEGORY, "host");
	assert_near(number(1, FIELD_TOTAL), 100);
}

static void gaps_of_building_are_in_no_share(void **state)
{
	(void)state;
	MAKE({ .code = "A", .ns = "1000", .hit = "True" },
	     { .code = "B", .ns = "1000", .gap = "3000", .hit = "False" },
	     { .code = "C", .ns = "1000", .gap = "5000000" },
	     { .code = "D", .ns = "1000", .gap = "1000" });
	/* 4000 ns of device time and the gap of D */
	assert_near(report.total_ns, 5000);
	assert_near(number(1, FIELD_TOTAL), 20);
	assert_near(number(1, FIELD_GAP), 3);
	assert_near(number(2, FIELD_GAP), 5000);
	assert_near(number(3, FIELD_TOTAL), 40);
	assert_near(report.findings.totals.gap_ns - report.findings.totals.build_gap_ns, 1000);
	assert_near(report.chosen_gap_ns, 1000);
}

static void what_the_report_estimates_itself_is_shown(void **state)
{
	(void)state;
	options = (struct report_options){ .each = true, .sort = FIELDS };
	ops_run_of_text(&run, "OP CODE,DEVICE KERNEL DURATION [ns],PM IDEAL [ns],PM FPU UTIL (%)\n"
			      "A,10,2500,12.5\nB,9,,x\n");
	report_make(&report, &run.table, &options);
	assert_near(number(0, FIELD_PM_IDEAL), 2.5);
	assert_near(number(0, FIELD_PM_FPU), 12.5);
	silent(1, FIELD_PM_IDEAL);
	silent(1, FIELD_PM_FPU);
}

/* ---- which, in which order ---- */

#define FOUR                                                                   \
	{ .code = "B", .ns = "20", .cores = "" }, { .code = "A", .ns = "40" }, \
		{ .code = "C", .ns = "20" },                                   \
	{                                                                      \
		.code = "D", .ns = "30"                                        \
	}

static void equal_values_keep_the_order_of_the_run(void **state)
{
	(void)state;
	MAKE(FOUR);
	ids("2 4 1 3");
	release(NULL);
	MAKE_WITH((.each = true, .sort = FIELD_OP), FOUR);
	ids("2 1 3 4");
	release(NULL);
	MAKE_WITH((.each = true, .sort = FIELD_ID), FOUR);
	ids("1 2 3 4");
}

static void turned_round_what_is_missing_stays_last(void **state)
{
	(void)state;
	MAKE_WITH((.each = true, .sort = FIELD_TIME, .ascending = true), FOUR, { .code = "lost" });
	ids("1 3 4 2 5");
	release(NULL);
	MAKE_WITH((.each = true, .sort = FIELD_CORES), FOUR);
	ids("2 3 4 1");
	release(NULL);
	MAKE_WITH((.each = true, .sort = FIELD_CORES, .ascending = true), FOUR);
	ids("2 3 4 1");
	release(NULL);
	MAKE_WITH((.each = true, .sort = FIELD_ID, .ascending = true), FOUR);
	ids("4 3 2 1");
	release(NULL);
	MAKE_WITH((.each = true, .sort = FIELD_OP, .ascending = true), FOUR);
	ids("4 3 1 2");
}

static void the_top_and_what_is_hidden_are_counted(void **state)
{
	(void)state;
	MAKE_WITH((.each = true, .sort = FIELDS, .top = 2), FOUR);
	ids("2 4");
	assert_int_equal(report.chosen, 4);
	assert_near(report.chosen_ns, 110);
	assert_near(report.shown_ns, 70);
	release(NULL);
	/* 20 of 110 are 18.2 % */
	MAKE_WITH((.each = true, .sort = FIELDS, .min_percent = 20), FOUR,
		  { .code = "x (torch)", .host_ns = "1" });
	ids("2 4 5");
	assert_int_equal(report.hidden_small, 2);
}

static void ranges_choose_by_number_and_sums_follow(void **state)
{
	(void)state;
	MAKE_WITH((.each = true, .sort = FIELD_ID, .id_from = 2, .id_to = 3), FOUR);
	ids("2 3");
	assert_int_equal(report.chosen, 2);
	assert_near(report.chosen_ns, 60);
	release(NULL);
	MAKE_WITH((.each = true, .sort = FIELD_ID, .id_from = 4), FOUR);
	ids("4");
	release(NULL);
	MAKE_WITH((.each = true, .sort = FIELD_ID, .no_host_ops = true),
		  { .code = "x (torch)", .host_ns = "1" }, { .code = "A", .ns = "1" });
	ids("2");
	assert_int_equal(report.chosen, 1);
}

/* ---- like ops in one line ---- */

static void like_ops_are_folded_into_one_line(void **state)
{
	(void)state;
	MAKE_WITH((.sort = FIELDS), { .code = "A", .ns = "10" }, { .code = "B", .ns = "25" },
		  { .code = "A", .ns = "30", .gap = "6", .attributes = "{'x': '1'}" },
		  { .code = "A", .ns = "20", .gap = "3" },
		  { .code = "A", .ns = "5", .cores = "8" });
	ids("3 2 5"); /* the slowest stands for all */
	assert_near(number(0, FIELD_CALLS), 3);
	assert_near(number(0, FIELD_TIME), 0.060);
	assert_near(number(0, FIELD_MEAN), 0.020);
	assert_near(number(0, FIELD_GAP), 0.009);
	/* 60 + 9 of 90 + 9 */
	assert_near(number(0, FIELD_TOTAL), 100 * 69 / 99.0);
	assert_int_equal(report.chosen, 5);
	assert_int_equal(report.chosen_lines, 3);
}

static void lost_ops_have_a_line_of_their_own(void **state)
{
	(void)state;
	MAKE_WITH((.sort = FIELDS), { .code = "A" }, { .code = "A", .ns = "10" }, { .code = "A" },
		  { .code = "A", .ns = "30" });
	ids("4 1");
	assert_near(number(0, FIELD_CALLS), 2);
	assert_near(number(0, FIELD_MEAN), 0.020);
	assert_near(number(1, FIELD_CALLS), 2);
	silent(1, FIELD_TIME);
}

/* ---- groups ---- */

static void group_is(const struct groups *g, size_t i, const char *name, uint32_t calls, double ns)
{
	assert_true(i < g->all.len);
	assert_int_equal(g->all.at[i].name.len, strlen(name));
	assert_memory_equal(g->all.at[i].name.at, name, strlen(name));
	assert_int_equal(g->all.at[i].calls, calls);
	assert_near(g->all.at[i].time_ns, ns);
}

#define MIXED                                                                              \
	{ MATMUL, .ns = "16384" }, { .code = "one", .type = "signpost" },                  \
		{ MATMUL, .ns = "12000", .gap = "100" }, { .code = "Tilize", .ns = "10" }, \
		{ .code = "x (torch)", .host_ns = "90000" },                               \
		{ .code = "two", .type = "signpost" }, { .code = "Tilize", .ns = "20" },   \
	{                                                                                  \
		.code = "Tilize"                                                           \
	}

static void groups_by(enum group_by by, struct groups *g, double min_percent, size_t top)
{
	MAKE_WITH((.each = true, .sort = FIELD_ID, .group = by, .calls = { .whole_file = true },
		   .min_percent = min_percent, .top = top),
		  MIXED);
	groups_make(g, &report, by);
}

static void ops_are_grouped_by_name_and_category(void **state)
{
	struct groups g;

	(void)state;
	groups_by(GROUP_OP, &g, 0, 0);
	assert_int_equal(g.all.len, 3);
	group_is(&g, 0, "x (torch)", 1, 90000);
	group_is(&g, 1, "Matmul", 2, 28384);
	assert_near(g.all.at[1].min_ns, 12000);
	assert_near(g.all.at[1].max_ns, 16384);
	assert_near(g.all.at[1].gap_ns, 100);
	assert_near(g.all.at[1].ideal_ns, 16384);
	/* 16384 - 10240 + 12000 - 10240 */
	assert_near(g.all.at[1].saves_ns, 7904);
	group_is(&g, 2, "Tilize", 3, 30);
	assert_int_equal(g.all.at[2].timed, 2);
	/* what the host did is no part of device time */
	assert_near(g.all.at[0].share_ns, 0);
	assert_near(g.all.at[1].share_ns + g.all.at[2].share_ns, report.total_ns);
	groups_release(&g);
	release(NULL);
	groups_by(GROUP_CATEGORY, &g, 0, 0);
	group_is(&g, 0, "host", 1, 90000);
	group_is(&g, 1, "compute", 2, 28384);
	group_is(&g, 2, "TM", 3, 30);
	groups_release(&g);
}

static void signposts_stay_in_order_and_count_the_device(void **state)
{
	struct groups g;

	(void)state;
	groups_by(GROUP_SIGNPOST, &g, 0, 0);
	assert_int_equal(g.all.len, 3);
	group_is(&g, 0, "(before the first signpost)", 1, 16384);
	group_is(&g, 1, "one", 3, 12010); /* without the host's 90 us */
	group_is(&g, 2, "two", 2, 20);
	groups_release(&g);
}

static void groups_can_be_few_or_large(void **state)
{
	struct groups g;

	(void)state;
	groups_by(GROUP_OP, &g, 0, 2);
	assert_int_equal(g.all.len, 2);
	groups_release(&g);
	release(NULL);
	/* Tilize has 0.1 %; the host's share is none, but it is never small */
	groups_by(GROUP_OP, &g, 5, 0);
	assert_int_equal(g.all.len, 2);
	group_is(&g, 1, "Matmul", 2, 28384);
	groups_release(&g);
	release(NULL);
	groups_by(GROUP_SIGNPOST, &g, 0, 1);
	assert_int_equal(g.all.len, 1);
	group_is(&g, 0, "(before the first signpost)", 1, 16384);
	groups_release(&g);
}

#define T(name) cmocka_unit_test_teardown(name, release)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_field_can_be_found_and_has_a_word_to_say),
		T(a_matmul_in_numbers),
		T(a_lost_time_says_nothing_and_zero_says_zero),
		T(a_host_op_has_a_time_and_no_share),
		T(gaps_of_building_are_in_no_share),
		T(what_the_report_estimates_itself_is_shown),
		T(equal_values_keep_the_order_of_the_run),
		T(turned_round_what_is_missing_stays_last),
		T(the_top_and_what_is_hidden_are_counted),
		T(ranges_choose_by_number_and_sums_follow),
		T(like_ops_are_folded_into_one_line),
		T(lost_ops_have_a_line_of_their_own),
		T(ops_are_grouped_by_name_and_category),
		T(signposts_stay_in_order_and_count_the_device),
		T(groups_can_be_few_or_large),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
