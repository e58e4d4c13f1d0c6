// SPDX-License-Identifier: Apache-2.0
#include "history/change_points.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static uint64_t dice = 88172645463325252ull;

static double uniform(void)
{
	dice ^= dice << 13;
	dice ^= dice >> 7;
	dice ^= dice << 17;
	return (double)(dice >> 11) * 0x1p-53;
}

/* Box and Muller. */
static double normal(void)
{
	return sqrt(-2 * log(1 - uniform())) * cos(6.283185307179586 * uniform());
}

static double one_percent(const void *ctx, double before)
{
	(void)ctx;
	return before / 100;
}

/* How many changes there are in n values of 1000 with 1 % of noise, to which `by` comes from `from` to `to`; *at: the first. */
static size_t found(size_t n, size_t from, size_t to, double by, size_t *at)
{
	double v[200], none;
	change_points all = { 0 };
	size_t count;

	for (size_t i = 0; i < n; i++)
		v[i] = 1000 + 10 * normal() + (i >= from && i < to ? by : 0);
	change_points_find(v, n, one_percent, NULL, &all, &none);
	count = all.len;
	*at = count ? all.at[0].at : 0;
	assert_true(count ? none <= 0 : none > 0 && none <= 1);
	for (size_t i = 0; i < count; i++)
		assert_true(all.at[i].p < 0.05 && all.at[i].at >= CHANGE_PART_LEAST &&
			    all.at[i].at + CHANGE_PART_LEAST <= n);
	vec_release(&all);
	return count;
}

static void equal_runs_have_few_changes(void **state)
{
	int wrong = 0;
	size_t at;

	(void)state;
	for (int i = 0; i < 400; i++)
		wrong += found(10 + (size_t)i % 50, 0, 0, 0, &at) != 0;
	/* 5 % would be 20 */
	assert_true(wrong <= 20);
}

static void steps_are_found_where_they_are(void **state)
{
	int there = 0, near = 0, small = 0;
	size_t at;

	(void)state;
	for (int i = 0; i < 100; i++) {
		there += found(30, 18, 30, 50, &at) == 1;
		near += at >= 17 && at <= 19;
		small += found(30, 18, 30, 25, &at) != 0;
	}
	assert_true(there >= 95 && near >= 95 && small >= 90);
}

/* What is slow for a while is two changes. */
static void a_bump_is_found(void **state)
{
	int both = 0;
	size_t at;

	(void)state;
	for (int i = 0; i < 100; i++)
		both += found(24, 8, 16, 60, &at) == 2 && at == 8;
	assert_true(both >= 95);
}

static void the_newest_runs_are_seen(void **state)
{
	int two = 0;
	size_t at;

	(void)state;
	for (int i = 0; i < 100; i++)
		two += found(30, 28, 30, 100, &at) != 0 && at == 28;
	assert_true(two >= 95);
}

/* What is plain is found as soon as the rank test can tell it: from so many values on each side. */
static void few_runs_are_enough_for_a_large_step(void **state)
{
	static const size_t parts[][2] = { { 4, 4 }, { 5, 3 }, { 3, 5 }, { 5, 4 },
					   { 7, 3 }, { 8, 2 }, { 8, 3 } };

	(void)state;
	for (size_t k = 0; k < sizeof(parts) / sizeof(*parts); k++) {
		size_t before = parts[k][0], n = before + parts[k][1], at;
		int there = 0, by_chance = 0;

		for (int i = 0; i < 200; i++) {
			there += found(n, before, n, 300, &at) != 0 && at == before;
			by_chance += found(n, 0, 0, 0, &at) != 0;
		}
		assert_true(there >= 190);
		assert_true(by_chance <= 10);
	}
}

/* Values without noise, and few of them. */
static void odd_series_are_no_trouble(void **state)
{
	static const double step[] = { 5, 5, 5, 5, 5, 5, 7, 7, 7, 7, 7, 7 },
			    same[] = { 3, 3, 3, 3, 3, 3 };
	change_points all = { 0 };
	double none;

	(void)state;
	change_points_find(step, 12, one_percent, NULL, &all, &none);
	assert_true(all.len == 1 && all.at[0].at == 6 && all.at[0].p <= 0);
	all.len = 0;
	change_points_find(same, 6, one_percent, NULL, &all, &none);
	assert_true(!all.len && none >= 1);
	for (size_t n = 0; n < 4; n++)
		change_points_find(step, n, one_percent, NULL, &all, &none);
	assert_true(!all.len);
	vec_release(&all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_runs_have_few_changes),
		cmocka_unit_test(steps_are_found_where_they_are),
		cmocka_unit_test(a_bump_is_found),
		cmocka_unit_test(the_newest_runs_are_seen),
		cmocka_unit_test(few_runs_are_enough_for_a_large_step),
		cmocka_unit_test(odd_series_are_no_trouble),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
