// SPDX-License-Identifier: Apache-2.0
#include "compat/tt_perf_report/pandas.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static enum cell_kind kind_of(const char *text)
{
	union cell v;

	return pandas_classify(str_of(text), &v);
}

static void the_names_of_nothing_are_missing(void **state)
{
	static const char *const missing[] = {
		"",     "#N/A",   "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN",
		"-nan", "1.#IND", "<NA>",     "N/A", "1.#QNAN", "NA",       "NULL",
		"NaN",  "None",   "n/a",      "nan", "null",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(missing) / sizeof(missing[0]); i++)
		assert_int_equal(kind_of(missing[i]), CELL_NONE);
	assert_int_equal(kind_of("none"), CELL_TEXT);
	assert_int_equal(kind_of("NAN"), CELL_TEXT);
	assert_int_equal(kind_of(" nan"), CELL_TEXT);
	assert_int_equal(kind_of("-"), CELL_TEXT);
}

static void cells_have_the_kinds_of_pandas(void **state)
{
	(void)state;
	assert_int_equal(kind_of("64"), CELL_INT);
	assert_int_equal(kind_of(" +64\t"), CELL_INT);
	assert_int_equal(kind_of("-9223372036854775808"), CELL_INT);
	assert_int_equal(kind_of("9223372036854775808"), CELL_UINT);
	assert_int_equal(kind_of("18446744073709551615"), CELL_UINT);
	assert_int_equal(kind_of("18446744073709551616"), CELL_HUGE);
	assert_int_equal(kind_of("-9223372036854775809"), CELL_HUGE);
	assert_int_equal(kind_of("64.0"), CELL_REAL);
	assert_int_equal(kind_of(".5"), CELL_REAL);
	assert_int_equal(kind_of("5."), CELL_REAL);
	assert_int_equal(kind_of("-1e5 "), CELL_REAL);
	assert_int_equal(kind_of("-Infinity"), CELL_REAL);
	assert_int_equal(kind_of("INF"), CELL_REAL);
	assert_int_equal(kind_of("1e400"), CELL_HUGE);
	assert_int_equal(kind_of("1e"), CELL_TEXT);
	assert_int_equal(kind_of("."), CELL_TEXT);
	assert_int_equal(kind_of("1 2"), CELL_TEXT);
	assert_int_equal(kind_of("1_000"), CELL_TEXT);
	assert_int_equal(kind_of("0x10"), CELL_TEXT);
	assert_int_equal(kind_of("True"), CELL_TEXT);
}

static void expect_float(const char *text, double want)
{
	double v;

	assert_true(pandas_float(str_of(text), &v));
	if (memcmp(&v, &want, sizeof(v)))
		fail_msg("%s: %a, not %a", text, v, want);
}

static void floats_are_made_of_17_digits_and_one_division(void **state)
{
	(void)state;
	expect_float("0.1", 0.1);
	expect_float("-12.5", -12.5);
	expect_float("1e3", 1000);
	expect_float("12345678901234567", 12345678901234568.0);
	/* digits beyond 17 only raise the exponent: 12345678901234567 * 10 */
	expect_float("123456789012345678", 12345678901234567.0 * 10);
	/* 17 decimals, the rest is dropped; leading zeros count */
	expect_float("0.1234567890123456789", 1234567890123456.0 / 1e16);
	/* not what strtod gives */
	expect_float("1.7976931348623157e308", 17976931348623157.0 * 1e292);
	expect_float("5e-324", 5.0 / 1e16 / 1e308);
	expect_float("1e-400", 1.0 / 1e92 / 1e308);
	expect_float("-0", -0.0);
}

/* A file of one column behind an OP CODE; its kind. */
static enum pandas_kind kind_of_column(const char *cells)
{
	static const enum ops_col cols[] = { OPS_CORE_COUNT };
	static const struct ops_want want = { cols, 1, 0, 0 };
	char path[] = "/tmp/test_pandas.XXXXXX";
	const char *paths[] = { path };
	struct ops_table t;
	struct ttp_err e;
	enum pandas_kind kind;
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	dprintf(fd, "OP CODE,CORE COUNT\n");
	for (struct str rest = str_of(cells), cell; str_split(&rest, '|', &cell);)
		dprintf(fd, "x,%.*s\n", STR_ARG(cell));
	close(fd);
	assert_int_equal(ops_table_read(&t, paths, 1, &want, &pandas_rules, &e), TTP_OK);
	kind = pandas_kind(&t, &t.files.at[0], OPS_CORE_COUNT);
	ops_table_release(&t);
	unlink(path);
	return kind;
}

static void a_column_is_what_all_its_cells_are(void **state)
{
	(void)state;
	assert_int_equal(kind_of_column("64|12"), PANDAS_INT);
	assert_int_equal(kind_of_column("64||12"), PANDAS_FLOAT);
	assert_int_equal(kind_of_column("|"), PANDAS_FLOAT);
	assert_int_equal(kind_of_column("64|1.5"), PANDAS_FLOAT);
	assert_int_equal(kind_of_column("64|many"), PANDAS_TEXT);
	assert_int_equal(kind_of_column("64|18446744073709551615"), PANDAS_UINT);
	assert_int_equal(kind_of_column("-1|18446744073709551615"), PANDAS_TEXT);
	assert_int_equal(kind_of_column("|18446744073709551615"), PANDAS_TEXT);
	assert_int_equal(kind_of_column("1|99999999999999999999"), PANDAS_TEXT);
	assert_int_equal(kind_of_column("1.5|1e400"), PANDAS_TEXT);
	/* integers are tried first: digits beyond 64 bits decide only if no float stood before */
	assert_int_equal(kind_of_column("1.5|99999999999999999999"), PANDAS_FLOAT);
	assert_int_equal(kind_of_column("99999999999999999999|1.5"), PANDAS_TEXT);
}

static void expect_text(enum pandas_kind kind, const char *cell, const char *want)
{
	struct buf b = { 0 };

	pandas_text(&b, kind, str_of(cell));
	assert_string_equal(b.at, want);
	buf_release(&b);
}

static void a_cell_prints_as_its_column_is(void **state)
{
	(void)state;
	expect_text(PANDAS_INT, "064", "64");
	expect_text(PANDAS_FLOAT, "64", "64.0");
	expect_text(PANDAS_TEXT, "064", "064");
	expect_text(PANDAS_FLOAT, "1e300", "1e+300");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_names_of_nothing_are_missing),
		cmocka_unit_test(cells_have_the_kinds_of_pandas),
		cmocka_unit_test(floats_are_made_of_17_digits_and_one_division),
		cmocka_unit_test(a_column_is_what_all_its_cells_are),
		cmocka_unit_test(a_cell_prints_as_its_column_is),
	};

	return cmocka_run_group_tests_name("pandas", tests, NULL, NULL);
}
