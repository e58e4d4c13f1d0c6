// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/input.h"
#include "base/str.h"

static uint64_t limit_of(uint64_t packed, bool is_kept)
{
	struct unpack u;
	struct ttp_err e;

	assert_int_equal(unpack_begin(&u, packed, is_kept, &e), TTP_OK);
	return u.most_bytes;
}

static void small_files_may_have_something_large_ones_a_ratio(void **state)
{
	(void)state;
	unsetenv("TTP_UNPACK_LIMIT");
	assert_int_equal(limit_of(0, true), UNPACK_FREE_BYTES);
	assert_int_equal(limit_of(55756, true), UNPACK_FREE_BYTES);
	assert_int_equal(limit_of(2 << 20, true), (2 << 20) * UNPACK_RATIO);
	assert_int_equal(limit_of(1 << 30, true), UNPACK_MOST_BYTES);
	assert_int_equal(limit_of(1 << 30, false), (1 << 30) * UNPACK_RATIO);
	assert_true(limit_of(UINT64_MAX / 2, false) == UINT64_MAX);
}

static void a_variable_raises_and_lowers_it(void **state)
{
	static const struct {
		const char *text;
		uint64_t bytes;
	} good[] = { { "1000", 1000 },        { "64K", 64 << 10 },      { "3m", 3 << 20 },
		     { "16G", 16ull << 30 },  { "2T", 2ull << 40 },     { "0", 0 },
		     { "4096g", 4ull << 40 }, { "", UNPACK_FREE_BYTES } };
	static const char *const bad[] = { "G",           "many", "1.5G",
					   "-1",          "1GB",  "99999999999999999999",
					   "99999999999T" };

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		setenv("TTP_UNPACK_LIMIT", good[i].text, 1);
		assert_true(limit_of(1, true) == good[i].bytes);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct unpack u;
		struct ttp_err e;

		setenv("TTP_UNPACK_LIMIT", bad[i], 1);
		assert_int_equal(unpack_begin(&u, 1, true, &e), TTP_USAGE);
		assert_true(str_has(str_of(e.msg), STR("TTP_UNPACK_LIMIT")));
	}
	unsetenv("TTP_UNPACK_LIMIT");
}

static void what_is_beyond_it_is_an_error_that_names_the_variable(void **state)
{
	struct unpack u;
	struct ttp_err e;

	(void)state;
	setenv("TTP_UNPACK_LIMIT", "10", 1);
	assert_int_equal(unpack_begin(&u, 1, true, &e), TTP_OK);
	assert_int_equal(unpack_more(&u, 4, &e), TTP_OK);
	assert_int_equal(unpack_more(&u, 6, &e), TTP_OK);
	assert_int_equal(unpack_more(&u, 0, &e), TTP_OK);
	assert_int_equal(unpack_more(&u, 1, &e), TTP_LIMIT);
	assert_true(str_has(str_of(e.msg), STR("set TTP_UNPACK_LIMIT")));
	assert_int_equal(unpack_more(&u, UINT64_MAX, &e), TTP_LIMIT);
	unsetenv("TTP_UNPACK_LIMIT");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(small_files_may_have_something_large_ones_a_ratio),
		cmocka_unit_test(a_variable_raises_and_lowers_it),
		cmocka_unit_test(what_is_beyond_it_is_an_error_that_names_the_variable),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
