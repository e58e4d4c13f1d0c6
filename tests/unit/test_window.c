// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "draw/window.h"

static int places(double from, double to, double *last)
{
	struct axis a = axis_of(from, to, 10);
	double at, before = from;
	int n = 0;

	while (axis_at(&a, n, to, &at)) {
		assert_true(at >= before && at <= to);
		before = at;
		n++;
	}
	*last = before;
	return n;
}

static void an_axis_has_round_places_and_no_more_than_asked_for(void **state)
{
	double last;

	(void)state;
	assert_int_equal(places(0, 1000, &last), 11);
	assert_true(last == 1000);
	assert_int_equal(places(13, 57, &last), 9);
	assert_true(last == 55);
	assert_int_equal(places(5, 5, &last), 1);
}

/* There a step of 1 ns changes no number: adding steps up would never end. */
static void an_axis_far_from_its_zero_ends(void **state)
{
	double last;

	(void)state;
	assert_true(places(8e18, 8e18 + 4096, &last) <= 1000);
	assert_true(places(9.2e18, 9.2e18, &last) <= 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_axis_has_round_places_and_no_more_than_asked_for),
		cmocka_unit_test(an_axis_far_from_its_zero_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
