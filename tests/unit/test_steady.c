// SPDX-License-Identifier: Apache-2.0
/* Which part of a run is reported without being asked for. */
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

static void make(struct op_rows rows)
{
	ops_run_of(&run, rows);
	calls_make(&calls, &run.table, &(struct call_options){ 0 });
}

#define MAKE(...) make(OPS(__VA_ARGS__))

static int release(void **state)
{
	(void)state;
	calls_release(&calls);
	ops_run_release(&run);
	return 0;
}

#define OP(name, gap_ns)                                  \
	{                                                 \
		.code = name, .ns = "9000", .gap = gap_ns \
	}
#define COLD(name) OP(name, "400000000")
#define WARM(name) OP(name, "900")
#define REPLAY(name)                                                     \
	{                                                                \
		.code = name, .ns = "9000", .gap = "900", .session = "1" \
	}
#define SIGNPOST(name)                           \
	{                                        \
		.code = name, .type = "signpost" \
	}

static void the_first_time_is_the_warm_up(void **state)
{
	(void)state;
	MAKE(COLD("A"), COLD("B"), COLD("C"), OP("A", "320000000"), WARM("B"), WARM("C"), WARM("A"),
	     WARM("B"), WARM("C"));
	assert_true(calls.is_steady);
	assert_int_equal(calls.steady.repeats, 2);
	assert_int_equal(calls.steady.period, 3);
	assert_int_equal(calls.all.len, 6);
	assert_int_equal(calls.all.at[0].id, 4);
	assert_near(calls.all.at[0].gap_ns, 0); /* the pause before it is not of this part */
	assert_int_equal(calls.left_out_rows, 3);
	/* the first op's gap is nobody's */
	assert_near(calls.steady.warm_up_ns, 3 * 9000 + 2 * 400000000.0 + 320000000);
}

static void a_run_that_was_warm_is_reported_whole(void **state)
{
	(void)state;
	MAKE(WARM("A"), WARM("B"), WARM("A"), WARM("B"), WARM("A"), WARM("B"));
	assert_false(calls.is_steady);
	assert_int_equal(calls.all.len, 6);
}

static void what_never_repeats_is_reported_whole(void **state)
{
	(void)state;
	MAKE(COLD("A"), COLD("B"), COLD("C"), COLD("D"), WARM("E"), WARM("A"));
	assert_false(calls.is_steady);
	assert_int_equal(calls.all.len, 6);
}

/* Layers repeat inside of a pass that comes twice: the pass is what counts. */
static void the_period_is_that_of_most_of_the_run(void **state)
{
	(void)state;
	MAKE(COLD("in"), COLD("L"), COLD("M"), WARM("L"), WARM("M"), WARM("L"), WARM("M"),
	     COLD("out"), WARM("in"), WARM("L"), WARM("M"), WARM("L"), WARM("M"), WARM("L"),
	     WARM("M"), WARM("out"));
	assert_true(calls.is_steady);
	assert_int_equal(calls.steady.period, 8);
	assert_int_equal(calls.steady.repeats, 1);
	assert_int_equal(calls.all.len, 8);
}

static void replays_are_steady(void **state)
{
	(void)state;
	MAKE(COLD("W"), COLD("A"), COLD("B"), REPLAY("A"), REPLAY("B"), REPLAY("A"), REPLAY("B"));
	assert_true(calls.is_steady);
	assert_int_equal(calls.steady.repeats, 0);
	assert_int_equal(calls.all.len, 4);
}

static void long_gaps_all_over_are_how_the_run_goes(void **state)
{
	(void)state;
	MAKE(COLD("A"), COLD("B"), OP("A", "90000000"), OP("B", "90000000"), OP("A", "90000000"),
	     OP("B", "90000000"));
	assert_false(calls.is_steady);
}

static void a_last_signpost_with_next_to_nothing_behind_it_is_not_what_is_meant(void **state)
{
	(void)state;
	MAKE(SIGNPOST("net started"), { .code = "A", .ns = "900000" },
	     { .code = "B", .ns = "900000" }, SIGNPOST("slicing started"),
	     { .code = "C", .ns = "9000" });
	assert_true(calls.small_last);
	assert_int_equal(calls.all.len, 3);
	assert_int_equal(calls.start.len, 0);
	release(NULL);
	/* whoever asks gets it */
	ops_run_of(&run, OPS(SIGNPOST("net started"), { .code = "A", .ns = "900000" },
			     SIGNPOST("slicing started"), { .code = "C", .ns = "9000" }));
	calls_make(&calls, &run.table,
		   &(struct call_options){ .start_signpost = "slicing started" });
	assert_false(calls.small_last);
	assert_int_equal(calls.all.len, 1);
}

static void a_part_between_a_name_and_its_end_is_meant_however_small(void **state)
{
	(void)state;
	MAKE({ .code = "A", .ns = "900000" }, SIGNPOST("DECODE"), { .code = "C", .ns = "9000" },
	     SIGNPOST("DECODE_END"));
	assert_false(calls.small_last);
	assert_int_equal(calls.all.len, 1);
}

#define T(name) cmocka_unit_test_teardown(name, release)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(the_first_time_is_the_warm_up),
		T(a_run_that_was_warm_is_reported_whole),
		T(what_never_repeats_is_reported_whole),
		T(the_period_is_that_of_most_of_the_run),
		T(replays_are_steady),
		T(long_gaps_all_over_are_how_the_run_goes),
		T(a_last_signpost_with_next_to_nothing_behind_it_is_not_what_is_meant),
		T(a_part_between_a_name_and_its_end_is_meant_however_small),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
