// SPDX-License-Identifier: Apache-2.0
#include "base/account.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/input.h"

static void expect_summary(const struct account *a, const char *want)
{
	struct buf b = { 0 };

	account_summary(a, STR("ops"), &b);
	assert_string_equal(b.at, want);
	buf_release(&b);
}

static void expect_details(struct account *a, const char *want)
{
	struct buf b = { 0 };

	buf_text(&b, "");
	account_details(a, &b);
	assert_string_equal(b.at, want);
	buf_release(&b);
}

static struct account_place core(int device, int x, int y, const char *risc)
{
	return (struct account_place){ device, x, y, risc };
}

static void an_empty_account_has_seen_nothing(void **state)
{
	struct account a = { 0 };
	size_t n = 7;

	(void)state;
	expect_summary(&a, "0 of 0 ops timed, 0 dropped");
	expect_details(&a, "");
	assert_null(account_sorted(&a, &n));
	assert_int_equal(n, 0);
	account_release(&a);
}

static void a_complete_answer_says_so_in_one_line(void **state)
{
	struct account a = { 0 };

	(void)state;
	account_add(&a, ACCOUNT_SEEN, ACCOUNT_DEVICE(0), 100);
	account_add(&a, ACCOUNT_SEEN, ACCOUNT_DEVICE(1), 86);
	account_add(&a, ACCOUNT_TIMED, ACCOUNT_ANYWHERE, 186);
	account_add(&a, ACCOUNT_MALFORMED_ROW, ACCOUNT_ANYWHERE, 0);
	expect_summary(&a, "186 of 186 ops timed, 0 dropped");
	expect_details(&a, "");
	account_release(&a);
}

static void causes_count_into_their_totals(void **state)
{
	struct account a = { 0 };

	(void)state;
	account_add(&a, ACCOUNT_SEEN, ACCOUNT_ANYWHERE, 10);
	account_add(&a, ACCOUNT_TIMED, ACCOUNT_ANYWHERE, 6);
	account_add(&a, ACCOUNT_NO_DEVICE_TIME, ACCOUNT_ANYWHERE, 2);
	account_add(&a, ACCOUNT_PARTIAL, ACCOUNT_ANYWHERE, 1);
	account_add(&a, ACCOUNT_MALFORMED_ROW, ACCOUNT_ANYWHERE, 1);
	account_add(&a, ACCOUNT_MALFORMED_VALUE, ACCOUNT_ANYWHERE, 5);
	expect_summary(&a, "6 of 10 ops timed, 3 partial, 1 dropped");
	assert_int_equal(account_total(&a, ACCOUNT_TOTAL_DROPPED), 1);
	assert_int_equal(account_count(&a, ACCOUNT_MALFORMED_VALUE), 5);
	account_release(&a);
}

static void details_tell_cause_rows_and_hint(void **state)
{
	struct account a = { 0 };

	(void)state;
	account_add_row(&a, ACCOUNT_MALFORMED_ROW, ACCOUNT_ANYWHERE, 17);
	account_add_row(&a, ACCOUNT_NO_DEVICE_TIME, ACCOUNT_ANYWHERE, 204);
	account_add_row(&a, ACCOUNT_NO_DEVICE_TIME, ACCOUNT_ANYWHERE, 5);
	expect_details(&a, "2 rows without device time (rows 5, 204)\n"
			   "  hint: a host op, or its device was not profiled; collect with device "
			   "profiling on\n"
			   "1 malformed row skipped (line 17)\n"
			   "  hint: its fields don't match the header; look for a cut file or an "
			   "unquoted comma\n");
	account_release(&a);
}

static void the_first_eight_rows_are_kept_each_once(void **state)
{
	struct account a = { 0 };
	const struct account_rows *r;
	struct buf b = { 0 };

	(void)state;
	for (uint64_t row = 20; row > 0; row--) {
		account_add_row(&a, ACCOUNT_MALFORMED_VALUE, ACCOUNT_ANYWHERE, row);
		account_add_row(&a, ACCOUNT_MALFORMED_VALUE, ACCOUNT_ANYWHERE, row);
	}
	r = account_rows(&a, ACCOUNT_MALFORMED_VALUE);
	assert_int_equal(r->kept, ACCOUNT_ROWS_KEPT);
	for (unsigned i = 0; i < r->kept; i++)
		assert_int_equal(r->row[i], i + 1);
	account_details(&a, &b);
	assert_true(str_starts(buf_view(&b), STR("40 malformed values blanked "
						 "(rows 1, 2, 3, 4, 5, 6, 7, 8, ...)\n")));
	buf_release(&b);
	account_release(&a);
}

static void places_are_told_in_a_fixed_order(void **state)
{
	static const char want[] =
		"15 markers dropped, their buffers were full\n"
		"  elsewhere: 1\n"
		"  BRISC: 9\n"
		"  device 0 core 1,2 BRISC: 2\n"
		"  device 0 core 1,2 NCRISC: 1\n"
		"  device 2: 2\n"
		"  hint: record fewer zones per kernel, or read the profiler more often\n";
	struct account a = { 0 };

	(void)state;
	account_add(&a, ACCOUNT_MARKER_BUFFER_FULL, ACCOUNT_DEVICE(2), 2);
	account_add(&a, ACCOUNT_MARKER_BUFFER_FULL, core(0, 1, 2, "NCRISC"), 1);
	account_add(&a, ACCOUNT_MARKER_BUFFER_FULL, core(0, 1, 2, "BRISC"), 1);
	account_add(&a, ACCOUNT_MARKER_BUFFER_FULL, core(-1, -1, -1, "BRISC"), 9);
	account_add(&a, ACCOUNT_MARKER_BUFFER_FULL, ACCOUNT_ANYWHERE, 1);
	account_add(&a, ACCOUNT_MARKER_BUFFER_FULL, core(0, 1, 2, "BRISC"), 1);
	expect_details(&a, want);
	expect_details(&a, want);
	account_release(&a);
}

static void adding_goes_on_after_sorting(void **state)
{
	struct account a = { 0 };
	const struct account_entry *e;
	size_t n;

	(void)state;
	account_add(&a, ACCOUNT_SEEN, ACCOUNT_DEVICE(3), 1);
	account_add(&a, ACCOUNT_SEEN, ACCOUNT_DEVICE(1), 1);
	account_sorted(&a, &n);
	account_add(&a, ACCOUNT_SEEN, ACCOUNT_DEVICE(3), 10);
	account_add(&a, ACCOUNT_SEEN, ACCOUNT_DEVICE(2), 5);
	e = account_sorted(&a, &n);
	assert_int_equal(n, 3);
	assert_int_equal(e[0].place.device, 1);
	assert_int_equal(e[0].count, 1);
	assert_int_equal(e[1].count, 5);
	assert_int_equal(e[2].place.device, 3);
	assert_int_equal(e[2].count, 11);
	account_release(&a);
}

static void many_places_are_cut_short(void **state)
{
	struct account a = { 0 };
	struct buf b = { 0 };

	(void)state;
	for (int x = 0; x < 12; x++)
		account_add(&a, ACCOUNT_MARKER_BUFFER_FULL, core(0, x, 0, "TRISC_0"), 1);
	account_details(&a, &b);
	assert_true(
		str_has(buf_view(&b), STR("device 0 core 7,0 TRISC_0: 1\n  and 4 more places\n")));
	buf_release(&b);
	account_release(&a);
}

static void places_that_cannot_be_count_as_unknown(void **state)
{
	struct account a = { 0 };
	const struct account_entry *e;
	size_t n;

	(void)state;
	account_add(&a, ACCOUNT_SEEN, core(INT32_MAX, 5000, -7, NULL), 1);
	account_add(&a, ACCOUNT_SEEN, ACCOUNT_ANYWHERE, 1);
	e = account_sorted(&a, &n);
	assert_int_equal(n, 1);
	assert_int_equal(e[0].place.device, -1);
	assert_int_equal(e[0].count, 2);
	account_release(&a);
}

static void counts_of_several_writers_add_up_in_a_file(void **state)
{
	char path[] = "/tmp/test_account.XXXXXX";
	struct account one = { 0 }, other = { 0 }, read = { 0 };
	struct ttp_err e;
	struct input in;

	(void)state;
	assert_true(close(mkstemp(path)) == 0);
	account_add(&one, ACCOUNT_MARKER_BUFFER_FULL, core(0, 1, 2, "BRISC"), 37);
	account_add(&one, ACCOUNT_OP_UNTIMED, ACCOUNT_DEVICE(0),
		    5); /* whoever reads the logs counts ops */
	account_add(&other, ACCOUNT_MARKER_BUFFER_FULL, core(0, 1, 2, "BRISC"), 3);
	account_add(&other, ACCOUNT_MARKER_DRAM_LOST, core(11, 1, 2, "TRISC_0"), UINT64_MAX);
	account_add(&other, ACCOUNT_CLIENT_DROPPED, ACCOUNT_ANYWHERE, 4);
	assert_int_equal(account_csv_append(path, &read, &e), TTP_OK);
	assert_int_equal(account_csv_append(path, &one, &e), TTP_OK);
	assert_int_equal(account_csv_append(path, &other, &e), TTP_OK);
	account_release(&one);
	account_release(&other);
	assert_int_equal(input_open_file(&in, path, &e), TTP_OK);
	assert_true(str_starts(in.data, STR("cause,device,core_x,core_y,RISC,count\n"
					    "marker_buffer_full,0,1,2,BRISC,37\n")));
	assert_int_equal(account_csv_read(in.data, &read), 0);
	input_close(&in);
	(void)unlink(path);
	expect_summary(&read, "0 of 0 ops timed, 0 dropped");
	expect_details(
		&read,
		"40 markers dropped, their buffers were full\n"
		"  device 0 core 1,2 BRISC: 40\n"
		"  hint: record fewer zones per kernel, or read the profiler more often\n"
		"18446744073709551615 markers that found the profiler's DRAM full\n"
		"  device 11 core 1,2 TRISC_0: 18446744073709551615\n"
		"  hint: read the profiler more often, or raise TT_METAL_PROFILER_PROGRAM_SUPPORT_COUNT\n"
		"4 events of the host dropped by their clients\n"
		"  hint: the buffer of libttp was full: raise TTP_BUFFER, or set TTP_FULL=block\n");
	account_release(&read);
}

static void rows_of_a_file_that_mean_nothing_are_skipped(void **state)
{
	struct account a = { 0 };
	struct buf b = { 0 };

	(void)state;
	assert_int_equal(account_csv_read(STR(""), &a), 0);
	assert_int_equal(account_csv_read(STR("no table"), &a), 1);
	assert_int_equal(account_csv_read(STR("cause,device\n"), &a), 1);
	/* it may have been 700 */
	assert_int_equal(account_csv_read(STR("cause,count\nclient_dropped,7"), &a), 1);
	assert_int_equal(account_csv_read(STR("count,cause,RISC\n"
					      "5,client_dropped\n"
					      "x,client_dropped\n"
					      "9,of_another_version\n"
					      "9,seen\n"
					      "9,op_untimed\n"),
					  &a),
			 4);
	assert_int_equal(a.entries.len, 1);
	assert_int_equal(account_count(&a, ACCOUNT_CLIENT_DROPPED), 5);
	/* more RISCs than any chip: those that are too many have no name */
	buf_text(&b, "cause,RISC,count\n");
	for (int i = 0; i < 1000; i++)
		buf_printf(&b, "marker_damaged,R%d,1\n", i);
	assert_int_equal(account_csv_read(buf_view(&b), &a), 0);
	assert_int_equal(account_count(&a, ACCOUNT_MARKER_DAMAGED), 1000);
	/* more than a number can hold stays the largest */
	account_add(&a, ACCOUNT_MARKER_DAMAGED, ACCOUNT_ANYWHERE, UINT64_MAX - 1);
	assert_true(account_count(&a, ACCOUNT_MARKER_DAMAGED) == UINT64_MAX);
	assert_true(a.entries.len < 300);
	buf_release(&b);
	account_release(&a);
}

static void shards_merge_alike_in_any_order(void **state)
{
	struct account shard[3] = { 0 }, one = { 0 }, other = { 0 };
	struct buf x = { 0 }, y = { 0 };

	(void)state;
	for (int i = 0; i < 3; i++)
		for (uint64_t row = 1; row < 12; row++) {
			account_add(&shard[i], ACCOUNT_SEEN, ACCOUNT_DEVICE(i), row);
			account_add_row(&shard[i], ACCOUNT_MALFORMED_ROW,
					core(2 - i, 1, 1, "BRISC"), row * 10 + (uint64_t)i);
		}
	for (int i = 0; i < 3; i++) {
		account_merge(&one, &shard[i]);
		account_merge(&other, &shard[2 - i]);
	}
	account_summary(&one, STR("rows"), &x);
	account_summary(&other, STR("rows"), &y);
	account_details(&one, &x);
	account_details(&other, &y);
	assert_string_equal(x.at, y.at);
	assert_true(str_has(buf_view(&x), STR("lines 10, 11, 12, 20, 21, 22, 30, 31, ...")));
	buf_release(&x);
	buf_release(&y);
	account_release(&one);
	account_release(&other);
	for (int i = 0; i < 3; i++)
		account_release(&shard[i]);
}

static void every_cause_has_texts_and_a_hint(void **state)
{
	(void)state;
	for (int w = ACCOUNT_FIRST_CAUSE; w < ACCOUNT_WHATS; w++) {
		assert_non_null(account_text((enum account_what)w, 1));
		assert_string_not_equal(account_text((enum account_what)w, 1),
					account_text((enum account_what)w, 2));
		assert_non_null(account_hint((enum account_what)w));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_account_has_seen_nothing),
		cmocka_unit_test(a_complete_answer_says_so_in_one_line),
		cmocka_unit_test(causes_count_into_their_totals),
		cmocka_unit_test(details_tell_cause_rows_and_hint),
		cmocka_unit_test(the_first_eight_rows_are_kept_each_once),
		cmocka_unit_test(places_are_told_in_a_fixed_order),
		cmocka_unit_test(adding_goes_on_after_sorting),
		cmocka_unit_test(many_places_are_cut_short),
		cmocka_unit_test(places_that_cannot_be_count_as_unknown),
		cmocka_unit_test(counts_of_several_writers_add_up_in_a_file),
		cmocka_unit_test(rows_of_a_file_that_mean_nothing_are_skipped),
		cmocka_unit_test(shards_merge_alike_in_any_order),
		cmocka_unit_test(every_cause_has_texts_and_a_hint),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
