// SPDX-License-Identifier: Apache-2.0
#include "base/err.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void a_failure_has_a_code_and_a_sentence(void **state)
{
	struct ttp_err e = { .sys_errno = 5 };

	(void)state;
	assert_int_equal(ttp_fail(&e, TTP_LIMIT, "%d markers, at most %d", 9, 8), TTP_LIMIT);
	assert_int_equal(e.rc, TTP_LIMIT);
	assert_int_equal(e.sys_errno, 0);
	assert_string_equal(e.msg, "9 markers, at most 8");
}

static void frames_are_added_in_front(void **state)
{
	struct ttp_err e;

	(void)state;
	ttp_fail(&e, TTP_FORMAT, "not a number: \"%s\"", "abc");
	assert_int_equal(ttp_wrap(&e, TTP_FORMAT, "line %d", 3), TTP_FORMAT);
	assert_int_equal(ttp_wrap(&e, TTP_FORMAT, "run7"), TTP_FORMAT);
	assert_string_equal(e.msg, "run7: line 3: not a number: \"abc\"");
}

static void a_system_error_tells_errno(void **state)
{
	struct ttp_err e;

	(void)state;
	errno = ENOENT;
	assert_int_equal(ttp_fail_errno(&e, "open %s", "x"), TTP_SYS);
	assert_int_equal(e.sys_errno, ENOENT);
	assert_string_equal(e.msg, "open x: No such file or directory");
}

static void without_an_err_only_the_code_comes_back(void **state)
{
	(void)state;
	assert_int_equal(ttp_fail(NULL, TTP_GONE, "x"), TTP_GONE);
	assert_int_equal(ttp_fail_errno(NULL, "x"), TTP_SYS);
	assert_int_equal(ttp_wrap(NULL, TTP_USAGE, "x"), TTP_USAGE);
}

static void long_messages_are_cut_and_stay_terminated(void **state)
{
	char longer[2000];
	struct ttp_err e;

	(void)state;
	memset(longer, 'x', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = 0;
	ttp_fail(&e, TTP_FORMAT, "%s", longer);
	assert_int_equal(strlen(e.msg), sizeof(e.msg) - 1);
	ttp_wrap(&e, TTP_FORMAT, "frame");
	assert_true(strlen(e.msg) < sizeof(e.msg));
	assert_memory_equal(e.msg, "frame: xxx", 10);
	ttp_wrap(&e, TTP_FORMAT, "%s", longer);
	assert_true(strlen(e.msg) < sizeof(e.msg));
	errno = EIO;
	ttp_fail_errno(&e, "%s", longer);
	assert_true(strlen(e.msg) < sizeof(e.msg));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_failure_has_a_code_and_a_sentence),
		cmocka_unit_test(frames_are_added_in_front),
		cmocka_unit_test(a_system_error_tells_errno),
		cmocka_unit_test(without_an_err_only_the_code_comes_back),
		cmocka_unit_test(long_messages_are_cut_and_stay_terminated),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
