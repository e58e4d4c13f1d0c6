// SPDX-License-Identifier: Apache-2.0
#include "base/decades.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/number.h"

static void powers_of_ten_are_exact_both_ways(void **state)
{
	(void)state;
	for (int n = -15; n <= 15; n++)
		assert_true(decades_of(ten_to(n)) == n);
	for (int n = -22; n <= 22; n++)
		assert_true(ten_to(n) == pow(10, n));
}

static void logarithms_are_those_of_libm(void **state)
{
	(void)state;
	for (double v = 5e-324; v < 1e300; v = v * 1.0307 + 5e-324)
		assert_true(fabs(decades_of(v) - log10(v)) <= 1e-13);
	for (double v = 0.5; v < 2; v += 1e-5)
		assert_true(fabs(decades_of(v) - log10(v)) <= 1e-15);
}

static void a_nan_is_not_the_least_nor_the_greatest(void **state)
{
	(void)state;
	assert_true(number_min(1, 2) == 1 && number_min(2, 1) == 1 && number_max(1, 2) == 2 &&
		    number_max(2, 1) == 2);
	assert_true(number_min(NAN, 2) == 2 && number_min(1, NAN) == 1 && number_max(NAN, 2) == 2 &&
		    number_max(1, NAN) == 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(powers_of_ten_are_exact_both_ways),
		cmocka_unit_test(logarithms_are_those_of_libm),
		cmocka_unit_test(a_nan_is_not_the_least_nor_the_greatest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
