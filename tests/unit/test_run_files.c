// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// clang-format off
#include <cmocka.h>
// clang-format on

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runs/run_files.h"

static char root[64];

static int set_up(void **state)
{
	(void)state;
	snprintf(root, sizeof(root), "/tmp/ttprof-run-files.XXXXXX");
	return mkdtemp(root) ? 0 : -1;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *where)
{
	(void)st;
	(void)type;
	(void)where;
	return remove(path);
}

static int tear_down(void **state)
{
	(void)state;
	return nftw(root, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void folder(const char *name)
{
	char path[200];

	snprintf(path, sizeof(path), "%s/%s", root, name);
	assert_int_equal(mkdir(path, 0700), 0);
}

static void file(const char *name)
{
	char path[200];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", root, name);
	f = fopen(path, "w");
	assert_non_null(f);
	fclose(f);
}

/* `expect` is below the root; NULL: nothing is found. */
static void finds(const char *run, const char *expect)
{
	struct buf path = { 0 };
	struct ttp_err e = { 0 };
	char asked[200], want[200];
	enum ttp_rc rc;

	snprintf(asked, sizeof(asked), "%s%s", root, run);
	rc = run_ops_file(asked, &path, &e);
	if (!expect) {
		assert_int_equal(rc, TTP_USAGE);
	} else {
		assert_int_equal(rc, TTP_OK);
		snprintf(want, sizeof(want), "%s/%s", root, expect);
		assert_string_equal(path.at, want);
	}
	buf_release(&path);
}

static void what_is_no_folder_is_taken_as_it_is(void **state)
{
	struct buf path = { 0 };
	struct ttp_err e = { 0 };

	(void)state;
	file("anything.txt");
	finds("/anything.txt", "anything.txt");
	finds("/not/there", "not/there");
	assert_int_equal(run_ops_file("-", &path, &e), TTP_OK);
	assert_string_equal(path.at, "-");
	buf_release(&path);
}

static void the_last_name_is_the_newest(void **state)
{
	(void)state;
	file("ops_perf_results_2026_11_14_09_00_00.csv");
	file("ops_perf_results_2026_11_15_21_40_17.csv");
	file("ops_perf_results_2026_11_15_08_00_00.csv");
	finds("", "ops_perf_results_2026_11_15_21_40_17.csv");
	finds("///", "ops_perf_results_2026_11_15_21_40_17.csv");
}

/* As cp -r and tar -m leave them: the times of files say when they were copied. */
static void times_of_files_don_t_outdo_names(void **state)
{
	const struct timespec later[2] = { { .tv_sec = 2000000000 }, { .tv_sec = 2000000000 } };
	char path[200];

	(void)state;
	folder("reports");
	folder("reports/a");
	folder("reports/2026_11_14_09_00_00");
	file("reports/2026_11_14_09_00_00/ops_perf_results_2026_11_14_09_00_00.csv");
	file("reports/a/ops_perf_results_a_2026_11_15_09_00_00.csv");
	snprintf(path, sizeof(path),
		 "%s/reports/2026_11_14_09_00_00/ops_perf_results_2026_11_14_09_00_00.csv", root);
	assert_int_equal(utimensat(AT_FDCWD, path, later, 0), 0);
	finds("", "reports/a/ops_perf_results_a_2026_11_15_09_00_00.csv");
	/* a report without a time in its name is of its folder's, or of the file's */
	folder("reports/2026_11_16_09_00_00");
	file("reports/2026_11_16_09_00_00/ops_perf_results.csv");
	finds("", "reports/2026_11_16_09_00_00/ops_perf_results.csv");
	file("ops_perf_results_mine.csv");
	snprintf(path, sizeof(path), "%s/ops_perf_results_mine.csv", root);
	assert_int_equal(utimensat(AT_FDCWD, path, later, 0), 0);
	finds("", "ops_perf_results_mine.csv");
}

static void packed_reports_are_reports_and_others_are_not(void **state)
{
	(void)state;
	file("ops_perf_results_1.csv.gz");
	file("ops_perf_results_2.csv.zst");
	file("ops_perf_results_3.txt");
	file("ops_perf_results_4.csv.bak");
	file("profile_log_device.csv");
	file(".ops_perf_results_9.csv");
	finds("", "ops_perf_results_2.csv.zst");
}

static void folders_of_a_profiler_are_searched_newest_first(void **state)
{
	(void)state;
	folder("reports");
	folder("reports/2026_11_14");
	file("reports/2026_11_14/ops_perf_results_2026_11_14.csv");
	folder("reports/2026_11_15");
	file("reports/2026_11_15/ops_perf_results_2026_11_15.csv");
	folder("reports/2026_11_16"); /* a run that wrote none */
	finds("", "reports/2026_11_15/ops_perf_results_2026_11_15.csv");
	finds("/reports", "reports/2026_11_15/ops_perf_results_2026_11_15.csv");
	finds("/reports/2026_11_14", "reports/2026_11_14/ops_perf_results_2026_11_14.csv");
	finds("/reports/2026_11_16", NULL);
	/* a report beside the folders wins */
	file("ops_perf_results_0.csv");
	finds("", "ops_perf_results_0.csv");
}

static void a_folder_named_like_a_report_is_a_folder(void **state)
{
	(void)state;
	folder("ops_perf_results_x.csv");
	finds("", NULL);
	file("ops_perf_results_x.csv/ops_perf_results_y.csv");
	finds("", "ops_perf_results_x.csv/ops_perf_results_y.csv");
}

static void the_search_ends_after_three_folders(void **state)
{
	(void)state;
	folder("a");
	folder("a/b");
	folder("a/b/c");
	file("a/b/c/ops_perf_results_deep.csv");
	finds("", NULL);
	finds("/a", "a/b/c/ops_perf_results_deep.csv");
}

static void an_empty_folder_is_an_error_that_says_what_was_sought(void **state)
{
	struct buf path = { 0 };
	struct ttp_err e = { 0 };

	(void)state;
	assert_int_equal(run_ops_file(root, &path, &e), TTP_USAGE);
	assert_non_null(strstr(e.msg, "no ops_perf_results*.csv"));
	buf_release(&path);
}

#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(what_is_no_folder_is_taken_as_it_is),
		T(the_last_name_is_the_newest),
		T(times_of_files_don_t_outdo_names),
		T(packed_reports_are_reports_and_others_are_not),
		T(folders_of_a_profiler_are_searched_newest_first),
		T(a_folder_named_like_a_report_is_a_folder),
		T(the_search_ends_after_three_folders),
		T(an_empty_folder_is_an_error_that_says_what_was_sought),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
