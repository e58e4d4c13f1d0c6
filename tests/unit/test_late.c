// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/late.h"

#define MATH_LIST(X) X(, cos) X(, sin)
LATE_LIBRARY(math, MATH_LIST)

static void functions_of_a_library_are_found(void **state)
{
	struct ttp_err e;

	(void)state;
	assert_int_equal(LATE_LOAD(math, "libm.so.6", "libc6", &e), TTP_OK);
	assert_true(math.cos(0) == 1 && math.sin(0) == 0);
	/* it is there already */
	assert_int_equal(LATE_LOAD(math, "none.so", "none", &e), TTP_OK);
}

static void what_is_missing_is_an_error_that_names_the_package(void **state)
{
	static const char *const names[] = { "cos", "no_such_function" };
	void *to[2] = { NULL };
	struct ttp_err e;

	(void)state;
	assert_int_equal(late_load("libnone.so.7", "libnone7", names, to, 2, &e), TTP_SYS);
	assert_non_null(strstr(e.msg, "libnone.so.7"));
	assert_non_null(strstr(e.msg, "install libnone7"));
	assert_int_equal(late_load("libm.so.6", "libc6", names, to, 2, &e), TTP_VERSION);
	assert_non_null(strstr(e.msg, "no_such_function"));
	assert_null(to[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_of_a_library_are_found),
		cmocka_unit_test(what_is_missing_is_an_error_that_names_the_package),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
