// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/api/bank_space.h"

static void pieces_lie_side_by_side_and_aligned(void **state)
{
	struct bank_space r;
	uint64_t at;

	(void)state;
	bank_space_init(&r, 100, 1000, false);
	assert_true(bank_space_take(&r, 10, 32, &at));
	assert_int_equal(at, 128);
	assert_true(bank_space_take(&r, 33, 32, &at));
	assert_int_equal(at, 160);
	assert_true(bank_space_take(&r, 0, 32, &at));
	assert_int_equal(at, 224);
	assert_int_equal(bank_space_lowest(&r), 128);
	bank_space_release(&r);
}

static void from_the_end_they_go_down(void **state)
{
	struct bank_space r;
	uint64_t a, b;

	(void)state;
	bank_space_init(&r, 0, 1001, true);
	assert_true(bank_space_take(&r, 10, 16, &a));
	assert_int_equal(a, 976);
	assert_true(bank_space_take(&r, 16, 16, &b));
	assert_int_equal(b, 960);
	assert_int_equal(r.most_used, 1001 - 960);
	bank_space_give(&r, a);
	assert_true(bank_space_take(&r, 8, 16, &a));
	assert_int_equal(a, 992);
	bank_space_release(&r);
}

static void what_is_given_back_is_taken_again(void **state)
{
	struct bank_space r;
	uint64_t at[4];

	(void)state;
	bank_space_init(&r, 0, 128, false);
	for (int i = 0; i < 4; i++)
		assert_true(bank_space_take(&r, 32, 32, &at[i]));
	assert_false(bank_space_take(&r, 1, 32, &at[0]));
	bank_space_give(&r, 32);
	bank_space_give(&r, 64);
	bank_space_give(&r, 5); /* nobody's */
	assert_false(bank_space_take(&r, 65, 32, &at[0]));
	assert_true(bank_space_take(&r, 64, 32, &at[0]));
	assert_int_equal(at[0], 32);
	bank_space_release(&r);
}

static void sizes_without_end_do_not_fit(void **state)
{
	struct bank_space r;
	uint64_t at;

	(void)state;
	bank_space_init(&r, 32, 1 << 20, false);
	assert_false(bank_space_take(&r, UINT64_MAX, 32, &at));
	assert_false(bank_space_take(&r, UINT64_MAX - 64, 32, &at));
	assert_true(bank_space_take(&r, (1 << 20) - 32, 32, &at));
	bank_space_release(&r);
	bank_space_init(&r, 32, 1 << 20, true);
	assert_false(bank_space_take(&r, UINT64_MAX, 32, &at));
	bank_space_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pieces_lie_side_by_side_and_aligned),
		cmocka_unit_test(from_the_end_they_go_down),
		cmocka_unit_test(what_is_given_back_is_taken_again),
		cmocka_unit_test(sizes_without_end_do_not_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
