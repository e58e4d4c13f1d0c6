// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// clang-format off
#include <cmocka.h>
// clang-format on

#include "ops_csv.h"
#include "report/align.h"

/* Writes which call each row belongs to, a letter a row: "ABAB"; "-" for rows that are none. */
static void calls_are(struct ops_run *run, bool apart, unsigned devices, const char *expect)
{
	size_t n = run->table.rows;
	uint32_t *rows = mem_alloc(n, sizeof(*rows));
	char got[64] = "";
	struct alignment a;

	assert_true(n < sizeof(got));
	for (uint32_t i = 0; i < n; i++)
		rows[i] = i;
	align_devices(&a, &run->table, rows, n, apart);
	for (size_t i = 0; i < n; i++)
		got[i] = a.call_of_row[i] == ALIGN_NONE ? '-' : (char)('A' + a.call_of_row[i]);
	assert_string_equal(got, expect);
	assert_int_equal(a.devices, devices);
	alignment_release(&a);
	free(rows);
	ops_run_release(run);
}

/* call = program * 1024 + device */
static void call_counts_name_the_op_whatever_the_order_of_rows(void **state)
{
	struct ops_run run;

	(void)state;
	ops_run_of(&run, OPS({ .code = "X", .call = "1024", .device = "0" },
			     { .code = "X", .call = "2048", .device = "0" },
			     { .code = "X", .call = "2049", .device = "1" },
			     { .code = "X", .call = "1025", .device = "1" }));
	calls_are(&run, false, 2, "ABBA");
}

static void by_call_count_a_missing_first_row_costs_that_row_only(void **state)
{
	struct ops_run run;

	(void)state;
	/* the first op is missing on device 0: nothing after it is doubled */
	ops_run_of(&run, OPS({ .code = "A", .call = "1025", .device = "1" },
			     { .code = "B", .call = "2048", .device = "0" },
			     { .code = "B", .call = "2049", .device = "1" },
			     { .code = "C", .call = "3072", .device = "0" },
			     { .code = "C", .call = "3073", .device = "1" },
			     { .code = "B", .call = "4096", .device = "0" },
			     { .code = "B", .call = "4097", .device = "1" }));
	calls_are(&run, false, 2, "ABBCCDD");
}

static void chips_that_do_the_same_under_numbers_of_their_own_are_one_call(void **state)
{
	struct ops_run run;

	(void)state;
	ops_run_of(&run, OPS({ .code = "A", .call = "1024", .device = "0" },
			     { .code = "A", .call = "2049", .device = "1" },
			     { .code = "B", .call = "4097", .device = "1" },
			     { .code = "B", .call = "3072", .device = "0" },
			     { .code = "A", .call = "5120", .device = "0" },
			     { .code = "A", .call = "6145", .device = "1" }));
	calls_are(&run, false, 2, "AABBCC");
	/* stages of a pipeline are not: one after the other */
	ops_run_of(&run, OPS({ .code = "A", .call = "1024", .device = "0" },
			     { .code = "B", .call = "2048", .device = "0" },
			     { .code = "A", .call = "3073", .device = "1" },
			     { .code = "B", .call = "4097", .device = "1" }));
	calls_are(&run, false, 2, "ABCD");
	/* nor chips of which one ran something else */
	ops_run_of(&run, OPS({ .code = "A", .call = "1024", .device = "0" },
			     { .code = "A", .call = "2049", .device = "1" },
			     { .code = "B", .call = "3072", .device = "0" },
			     { .code = "C", .call = "4097", .device = "1" }));
	calls_are(&run, false, 2, "ABCD");
}

static void by_name_a_missing_first_row_costs_that_row_only(void **state)
{
	struct ops_run run;

	(void)state;
	ops_run_of(&run, OPS({ .code = "A", .device = "1" }, { .code = "B", .device = "0" },
			     { .code = "B", .device = "1" }, { .code = "C", .device = "0" },
			     { .code = "C", .device = "1" }, { .code = "B", .device = "0" },
			     { .code = "B", .device = "1" }));
	/* device 1 has most rows and is numbered first: A B C B */
	calls_are(&run, false, 2, "ABBCCDD");
}

static void by_name_a_row_may_be_missing_anywhere_on_any_device(void **state)
{
	static const char *const names[] = { "A", "B", "C", "B", "D" };

	(void)state;
	for (int device = 0; device < 3; device++)
		for (int lost = 0; lost < 5; lost++) {
			struct op_row rows[15];
			char expect[16] = "";
			struct ops_run run;
			size_t n = 0;

			for (int op = 0; op < 5; op++)
				for (int d = 0; d < 3; d++) {
					static const char *const devices[] = { "0", "1", "2" };

					if (op == lost && d == device)
						continue;
					expect[n] = (char)('A' + op);
					rows[n++] = (struct op_row){ .code = names[op],
								     .device = devices[d] };
				}
			ops_run_of(&run, (struct op_rows){ rows, n });
			calls_are(&run, false, 3, expect);
		}
}

static void by_name_every_device_may_lack_a_row(void **state)
{
	struct ops_run run;

	(void)state;
	/* 0: A C D E    1: A B C E    2: A B C D: all as long, so device 0 is numbered first */
	ops_run_of(&run, OPS({ .code = "A", .device = "0" }, { .code = "A", .device = "1" },
			     { .code = "A", .device = "2" }, { .code = "B", .device = "1" },
			     { .code = "B", .device = "2" }, { .code = "C", .device = "0" },
			     { .code = "C", .device = "1" }, { .code = "C", .device = "2" },
			     { .code = "D", .device = "0" }, { .code = "D", .device = "2" },
			     { .code = "E", .device = "0" }, { .code = "E", .device = "1" }));
	calls_are(&run, false, 3, "AAAEEBBBCCDD");
}

static void by_name_an_op_that_only_one_device_has_is_a_call_of_its_own(void **state)
{
	struct ops_run run;

	(void)state;
	/* 0: A B C    1: A X C */
	ops_run_of(&run, OPS({ .code = "A", .device = "0" }, { .code = "A", .device = "1" },
			     { .code = "B", .device = "0" }, { .code = "X", .device = "1" },
			     { .code = "C", .device = "0" }, { .code = "C", .device = "1" }));
	calls_are(&run, false, 2, "AABDCC");
}

static void devices_that_have_nothing_in_common_are_not_paired(void **state)
{
	struct ops_run run;

	(void)state;
	ops_run_of(&run, OPS({ .code = "A", .device = "0" }, { .code = "X", .device = "1" },
			     { .code = "B", .device = "0" }, { .code = "Y", .device = "1" }));
	calls_are(&run, false, 2, "ACBD");
}

static void replays_of_a_trace_are_calls_of_their_own(void **state)
{
	struct ops_run run;

	(void)state;
	ops_run_of(&run, OPS({ .call = "1024", .device = "0", .trace = "0", .session = "1" },
			     { .call = "1025", .device = "1", .trace = "0", .session = "1" },
			     { .call = "1024", .device = "0", .trace = "0", .session = "2" },
			     { .call = "1025", .device = "1", .trace = "0", .session = "2" }));
	calls_are(&run, false, 2, "AABB");
}

static void a_call_has_no_two_rows_of_one_device(void **state)
{
	struct ops_run run;

	(void)state;
	/* replays, in a report that doesn't number them */
	ops_run_of(&run, OPS({ .call = "1024", .device = "0" }, { .call = "1025", .device = "1" },
			     { .call = "1024", .device = "0" }, { .call = "1025", .device = "1" },
			     { .call = "1025", .device = "1" }));
	calls_are(&run, false, 2, "AABBC");
}

static void counts_that_do_not_hold_the_device_are_not_trusted(void **state)
{
	struct ops_run run;

	(void)state;
	/* numbered over all devices, as reports of 2023 do */
	ops_run_of(&run, OPS({ .code = "A", .call = "1", .device = "0" },
			     { .code = "A", .call = "2", .device = "1" },
			     { .code = "B", .call = "3", .device = "0" },
			     { .code = "B", .call = "4", .device = "1" }));
	calls_are(&run, false, 2, "AABB");
	ops_run_of(&run, OPS({ .code = "A", .call = "5001", .device = "0" },
			     { .code = "A", .call = "5002", .device = "1" },
			     { .code = "X", .call = "5003", .device = "1" },
			     { .code = "B", .call = "5004", .device = "0" },
			     { .code = "B", .call = "5005", .device = "1" }));
	calls_are(&run, false, 2, "AABCC");
}

static void kept_apart_every_row_is_a_call(void **state)
{
	struct ops_run run;

	(void)state;
	ops_run_of(&run, OPS({ .call = "1024", .device = "0" }, { .call = "1025", .device = "1" }));
	calls_are(&run, true, 2, "AB");
}

static void signposts_and_host_ops_belong_to_no_call(void **state)
{
	struct ops_run run;

	(void)state;
	ops_run_of(&run, OPS({ .code = "Matmul start", .type = "signpost" }, { .code = "A" },
			     { .code = "linear (torch)", .type = "python_fallback" },
			     { .code = "Y", .type = "tt_dnn_cpu" }, { .code = "B" }));
	calls_are(&run, false, 1, "-A--B");
}

static void a_row_without_device_is_taken_for_the_first(void **state)
{
	struct ops_run run;

	(void)state;
	ops_run_of(&run, OPS({ .code = "A" }, { .code = "B", .device = "" }, { .code = "C" }));
	calls_are(&run, false, 1, "ABC");
}

static void files_of_several_hosts_have_devices_of_their_own(void **state)
{
	struct op_rows files[] = {
		OPS({ .code = "A", .call = "1024", .device = "0" },
		    { .code = "B", .call = "2048", .device = "0" }),
		OPS({ .code = "A", .call = "1024", .device = "0" },
		    { .code = "B", .call = "2048", .device = "0" }),
	};
	struct ops_run run;

	(void)state;
	ops_run_of_files(&run, files, 2);
	calls_are(&run, false, 2, "ABAB");
	ops_run_of_files(&run, files, 2);
	calls_are(&run, true, 2, "ABCD");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(call_counts_name_the_op_whatever_the_order_of_rows),
		cmocka_unit_test(by_call_count_a_missing_first_row_costs_that_row_only),
		cmocka_unit_test(chips_that_do_the_same_under_numbers_of_their_own_are_one_call),
		cmocka_unit_test(by_name_a_missing_first_row_costs_that_row_only),
		cmocka_unit_test(by_name_a_row_may_be_missing_anywhere_on_any_device),
		cmocka_unit_test(by_name_every_device_may_lack_a_row),
		cmocka_unit_test(by_name_an_op_that_only_one_device_has_is_a_call_of_its_own),
		cmocka_unit_test(devices_that_have_nothing_in_common_are_not_paired),
		cmocka_unit_test(replays_of_a_trace_are_calls_of_their_own),
		cmocka_unit_test(a_call_has_no_two_rows_of_one_device),
		cmocka_unit_test(counts_that_do_not_hold_the_device_are_not_trusted),
		cmocka_unit_test(kept_apart_every_row_is_a_call),
		cmocka_unit_test(signposts_and_host_ops_belong_to_no_call),
		cmocka_unit_test(a_row_without_device_is_taken_for_the_first),
		cmocka_unit_test(files_of_several_hosts_have_devices_of_their_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
