// SPDX-License-Identifier: Apache-2.0
/* What gaps before ops are made of: the facts of public reports, in few rows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// clang-format off
#include <cmocka.h>
// clang-format on

#include "ops_csv.h"
#include "report/findings.h"
#include "report/headline.h"

static struct ops_run run;
static struct report_options options = { .each = true, .sort = FIELD_ID };
static struct report report;

static void make(struct op_rows rows)
{
	ops_run_of(&run, rows);
	report_make(&report, &run.table, &options);
}

#define MAKE(...) make(OPS(__VA_ARGS__))

static int release(void **state)
{
	(void)state;
	report_release(&report);
	ops_run_release(&run);
	return 0;
}

static const struct totals *totals(void)
{
	return &report.findings.totals;
}

static void headline_is(const char *expect)
{
	struct buf b = { 0 };

	headline_add(&b, &report);
	assert_string_equal(b.at, expect);
	buf_release(&b);
}

static const struct finding *find(enum finding_what what)
{
	vec_each (f, &report.findings.all)
		if (f->what == what)
			return f;
	return NULL;
}

/* ---- building ---- */

/* tt-metal repeats the text of a program's first call: a cached model says False in each row. */
static void misses_in_every_row_are_no_evidence(void **state)
{
	(void)state;
	MAKE({ .code = "A", .ns = "9000", .hit = "False" },
	     { .code = "B", .ns = "9000", .gap = "9000", .hit = "False" },
	     { .code = "A", .ns = "9000", .gap = "9000", .hit = "False" },
	     { .code = "B", .ns = "9000", .gap = "9000", .hit = "False" });
	assert_false(report.calls.tells_cache);
	assert_near(totals()->build_gap_ns, 0);
	assert_near(totals_gap(totals()), 27000);
	assert_null(find(FINDING_BUILD));
	headline_is("host-bound: the device waits");
}

static void nothing_is_built_for_replays(void **state)
{
	(void)state;
	MAKE({ .code = "A", .ns = "9000", .hit = "False", .session = "1" },
	     { .code = "B", .ns = "9000", .gap = "9000000", .hit = "False", .session = "1" },
	     { .code = "C", .ns = "9000", .gap = "900", .hit = "True" });
	assert_false(report.calls.tells_cache);
	assert_near(totals()->build_gap_ns, 0);
}

static void where_both_values_occur_a_miss_is_one(void **state)
{
	(void)state;
	MAKE({ .code = "A", .ns = "9000", .hit = "True" },
	     { .code = "B", .ns = "9000", .gap = "8000", .hit = "False" },
	     { .code = "B", .ns = "9000", .gap = "7000", .hit = "True" });
	assert_true(report.calls.tells_cache);
	assert_near(totals()->build_gap_ns, 8000);
	assert_near(totals_gap(totals()), 7000);
}

/* 26 ops of which each ran once, after a gap of seconds: a run that was cold. */
static void first_calls_of_programs_are_found_by_their_gaps(void **state)
{
	(void)state;
	MAKE({ .code = "A", .ns = "60000", .hash = "1", .hit = "False" },
	     { .code = "B", .ns = "60000", .gap = "3600000000", .hash = "2", .hit = "False" },
	     { .code = "C", .ns = "60000", .gap = "3700000000", .hash = "3", .hit = "False" },
	     { .code = "D", .ns = "60000", .gap = "5000000000", .hash = "4", .hit = "False" });
	assert_int_equal(totals()->build_gaps, 3);
	assert_near(totals()->build_gap_ns, 12300000000.0);
	assert_int_equal(verdict_of(totals()), VERDICT_BUILD);
	headline_is(
		"programs were being built: 3 ops waited 12.3 s for theirs, so this is no steady run; the "
		"ops themselves take 240 µs");
}

static void a_gap_like_those_of_later_calls_is_no_building(void **state)
{
	(void)state;
	MAKE({ .code = "A", .ns = "9000" }, { .code = "B", .ns = "9000", .gap = "2100000" },
	     { .code = "B", .ns = "9000", .gap = "2000000" },
	     { .code = "B", .ns = "9000", .gap = "1900000" });
	assert_near(totals()->build_gap_ns, 0);
	assert_int_equal(verdict_of(totals()), VERDICT_HOST);
}

/* Which call is the first is a matter of the run, not of the part. */
static void what_ran_before_the_part_was_built_before_it(void **state)
{
	(void)state;
	MAKE({ .code = "A", .ns = "9000" }, { .code = "B", .ns = "9000", .gap = "300000000" },
	     { .code = "go", .type = "signpost" }, { .code = "A", .ns = "9000", .gap = "5000" },
	     { .code = "B", .ns = "9000", .gap = "2000000" });
	assert_near(totals()->build_gap_ns, 0);
	assert_near(totals_gap(totals()), 2000000);
}

/* Until 2025 the host's zone of an op had the compiler in it. */
static void a_call_that_takes_the_host_far_longer_than_others_is_building(void **state)
{
	(void)state;
	MAKE({ .code = "A", .ns = "9000", .host_ns = "1000000" },
	     { .code = "A", .ns = "9000", .host_ns = "1000000", .gap = "90000" },
	     { .code = "A", .ns = "9000", .host_ns = "1000000", .gap = "90000" },
	     { .code = "A", .ns = "9000", .host_ns = "450000000", .gap = "500000000" },
	     { .code = "A", .ns = "9000", .host_ns = "1000000", .gap = "90000" },
	     { .code = "A", .ns = "9000", .host_ns = "1000000", .gap = "90000" },
	     { .code = "A", .ns = "9000", .host_ns = "1000000", .gap = "90000" },
	     { .code = "A", .ns = "9000", .host_ns = "1000000", .gap = "90000" });
	assert_near(totals()->build_gap_ns, 450000000);
}

/* The same with a trace, in which the compiler has zones, and none in that gap. */
static void a_trace_that_shows_building_is_believed(void **state)
{
	uint32_t of_row[8] = { HOST_GAP_NONE, 0, 1, 1, 1, 1, 1, 1 };
	struct host_gaps host = { .of_row = of_row, .known = true, .shows_building = true };

	(void)state;
	*vec_push(&host.all) = (struct host_gap){
		.to_ns = 90000, .zone = HOST_GAP_NONE, .own_zone = HOST_GAP_NONE, .build_ns = 20000
	};
	*vec_push(&host.all) = (struct host_gap){ .to_ns = 90000,
						  .zone = HOST_GAP_NONE,
						  .own_zone = HOST_GAP_NONE };
	options.calls.host = &host;
	MAKE({ .code = "A", .ns = "9000", .host_ns = "1000000" },
	     { .code = "A", .ns = "9000", .host_ns = "1000000", .gap = "90000" },
	     { .code = "A", .ns = "9000", .host_ns = "1000000", .gap = "90000" },
	     { .code = "A", .ns = "9000", .host_ns = "450000000", .gap = "500000000" },
	     { .code = "A", .ns = "9000", .host_ns = "1000000", .gap = "90000" },
	     { .code = "A", .ns = "9000", .host_ns = "1000000", .gap = "90000" },
	     { .code = "A", .ns = "9000", .host_ns = "1000000", .gap = "90000" },
	     { .code = "A", .ns = "9000", .host_ns = "1000000", .gap = "90000" });
	options.calls.host = NULL;
	assert_near(totals()->build_gap_ns,
		    0); /* 20 µs in the compiler are a look into its cache */
	vec_release(&host.all);
}

/* Rows of devices alone. */
static void without_names_no_call_is_the_first_of_its_kind(void **state)
{
	(void)state;
	MAKE({ .code = "", .ns = "9000" }, { .code = "", .ns = "9000", .gap = "300000000" });
	assert_near(totals()->build_gap_ns, 0);
}

/* ---- the profiler's own ops ---- */

static void markers_are_no_ops_of_the_model(void **state)
{
	(void)state;
	MAKE({ .code = "A", .ns = "9000" },
	     { .code = "ProfilerNoopOperation",
	       .ns = "75",
	       .gap = "4000",
	       .attributes = "{'identifier': 'iteration_1'}" },
	     { .code = "A", .ns = "9000", .gap = "1000" });
	assert_int_equal(report_ops(&report), 2);
	assert_int_equal(totals()->markers, 1);
	assert_near(totals()->device_ns, 18000);
	assert_near(totals_profiler(totals()), 4075);
	assert_near(totals_gap(totals()), 1000);
	assert_near(report.total_ns, 19000);
	assert_null(find(FINDING_GAPS));
}

/* ---- one outlier ---- */

#define SHORT                                            \
	{                                                \
		.code = "A", .ns = "90000", .gap = "800" \
	}

static void one_pause_is_one_finding_and_decides_nothing(void **state)
{
	(void)state;
	MAKE(SHORT, SHORT, SHORT, SHORT, SHORT, SHORT, SHORT, SHORT, SHORT,
	     { .code = "A", .ns = "90000", .gap = "320600000" }, SHORT, SHORT);
	assert_int_equal(verdict_of(totals()), VERDICT_DEVICE);
	assert_near(totals()->pause_ns, 320600000);
	assert_near(totals_gap(totals()), 8000);
	assert_int_equal(report.findings.all.at[0].what, FINDING_PAUSE);
	assert_int_equal(report.findings.all.at[0].id, 10);
	assert_string_equal(report.findings.all.at[0].text,
			    "one pause of 321 ms, apart from all other gaps, which take 8.00 µs");
	assert_null(find(FINDING_GAPS));
	assert_near(report_share(&report, &report.calls.all.at[9]), 100.0 * 90000 / 1088000);
}

static void gaps_of_all_sizes_have_no_pause(void **state)
{
	(void)state;
	MAKE({ .code = "A", .ns = "9000" }, { .code = "A", .ns = "9000", .gap = "1000" },
	     { .code = "A", .ns = "9000", .gap = "5000" },
	     { .code = "A", .ns = "9000", .gap = "20000" },
	     { .code = "A", .ns = "9000", .gap = "90000" },
	     { .code = "A", .ns = "9000", .gap = "400000" },
	     { .code = "A", .ns = "9000", .gap = "900000" },
	     { .code = "A", .ns = "9000", .gap = "1000000" },
	     { .code = "A", .ns = "9000", .gap = "4000000" },
	     { .code = "A", .ns = "9000", .gap = "9000000" });
	assert_int_equal(totals()->pauses, 0);
	assert_int_equal(verdict_of(totals()), VERDICT_HOST);
}

/* Weights were read from a disk before one of the first calls. */
static void a_pause_among_first_calls_is_no_building(void **state)
{
	(void)state;
	MAKE({ .code = "A", .ns = "9000" }, { .code = "B", .ns = "9000", .gap = "80000000" },
	     { .code = "C", .ns = "9000", .gap = "70000000" },
	     { .code = "D", .ns = "9000", .gap = "60000000" },
	     { .code = "E", .ns = "9000", .gap = "2821000000" },
	     { .code = "F", .ns = "9000", .gap = "50000000" },
	     { .code = "G", .ns = "9000", .gap = "40000000" },
	     { .code = "H", .ns = "9000", .gap = "30000000" },
	     { .code = "I", .ns = "9000", .gap = "20000000" });
	assert_near(totals()->pause_ns, 2821000000.0);
	assert_near(totals()->build_gap_ns, 350000000);
}

static void without_gaps_nobody_says_device_bound(void **state)
{
	(void)state;
	MAKE({ .code = "A", .ns = "9000" }, { .code = "B", .ns = "9000" });
	headline_is("gaps were not measured; of device time alone: make ops faster");
	release(NULL);
	MAKE({ .code = "A", .ns = "9000" });
	headline_is("device-bound: make ops faster");
}

#define T(name) cmocka_unit_test_teardown(name, release)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(misses_in_every_row_are_no_evidence),
		T(nothing_is_built_for_replays),
		T(where_both_values_occur_a_miss_is_one),
		T(first_calls_of_programs_are_found_by_their_gaps),
		T(a_gap_like_those_of_later_calls_is_no_building),
		T(what_ran_before_the_part_was_built_before_it),
		T(a_call_that_takes_the_host_far_longer_than_others_is_building),
		T(a_trace_that_shows_building_is_believed),
		T(without_names_no_call_is_the_first_of_its_kind),
		T(markers_are_no_ops_of_the_model),
		T(one_pause_is_one_finding_and_decides_nothing),
		T(gaps_of_all_sizes_have_no_pause),
		T(a_pause_among_first_calls_is_no_building),
		T(without_gaps_nobody_says_device_bound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
