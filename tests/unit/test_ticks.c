// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "client/record/ticks.h"

static const double scale = 0.5; /* ns per tick */

/* Both clocks `s` seconds later, ticks ahead by `ahead_ns`. */
static struct ticks_pair at(double s, int64_t ahead_ns)
{
	return (struct ticks_pair){
		.ticks = (int64_t)((s * 1e9 + (double)ahead_ns) / scale),
		.mono_ns = 1000 + (int64_t)(s * 1e9),
	};
}

static int64_t look(struct ticks_watch *w, double s, int64_t ahead_ns)
{
	struct ticks_pair now = at(s, ahead_ns);

	return ticks_jumped(w, &now, scale);
}

static void clocks_that_agree_do_not_jump(void **state)
{
	struct ticks_watch w = { 0 };

	(void)state;
	for (int i = 0; i < 100; i++)
		assert_int_equal(look(&w, 1 + i * 1.1, i * 1000),
				 0); /* a drift of 1 in a million */
}

static void a_jump_is_noticed_once_and_by_how_much(void **state)
{
	struct ticks_watch w = { 0 };

	(void)state;
	assert_int_equal(look(&w, 1, 0), 0);
	assert_int_equal(look(&w, 2.1, 0), 0);
	assert_in_range(look(&w, 3.2, 50000000), 49999000, 50001000);
	assert_int_equal(look(&w, 4.3, 50000000), 0);
	/* and one back, as after a migration to a machine that was started later */
	assert_in_range(-look(&w, 5.4, -70000000), 119999000, 120001000);
	assert_int_equal(look(&w, 6.5, -70000000), 0);
}

static void looks_too_soon_after_another_see_nothing(void **state)
{
	struct ticks_watch w = { 0 };

	(void)state;
	assert_int_equal(look(&w, 1, 0), 0);
	assert_int_equal(look(&w, 1.5, 50000000), 0);
	assert_in_range(look(&w, 2.5, 50000000), 49999000, 50001000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(clocks_that_agree_do_not_jump),
		cmocka_unit_test(a_jump_is_noticed_once_and_by_how_much),
		cmocka_unit_test(looks_too_soon_after_another_see_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
