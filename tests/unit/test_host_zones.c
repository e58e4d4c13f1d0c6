// SPDX-License-Identifier: Apache-2.0
#include "compare/host_zones.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static void add(struct host_zones *z, const char *stack, double self_ns)
{
	*vec_push(&z->all) = (struct host_zone){
		.stack = str_of(stack), .calls = 1, .total_ns = self_ns, .self_ns = self_ns
	};
}

static void zones_are_matched_by_stack(void **state)
{
	struct host_zones a[5] = { { { 0 } } }, b[5] = { { { 0 } } };
	const struct host_zones *const sides[] = { a, b };
	const size_t n[] = { 5, 5 };
	struct compare_ask ask = { .min_percent = 1, .min_ns = 100 };
	struct zone_lines z;

	(void)state;
	for (int i = 0; i < 5; i++) {
		add(&a[i], "read in step", 10000 + 10 * i);
		add(&a[i], "read in warm-up", 5000 + i);
		add(&a[i], "old", 70);
		add(&b[i], "read in warm-up", 5000 + i);
		add(&b[i], "read in step", 15000 - 10 * i);
		if (i == 3)
			add(&b[i], "new", 500);
	}
	zone_lines_make(&z, sides, n, &ask);
	assert_int_equal(z.all.len, 4);
	assert_true(str_eq(z.all.at[0].stack, STR("read in step")));
	assert_int_equal(z.all.at[0].self.verdict, COMPARE_SLOWER);
	assert_true(z.all.at[0].self_ns[BASE] == 10020 && z.all.at[0].self_ns[NEW] == 14980);
	/* in one run of five */
	assert_true(str_eq(z.all.at[1].stack, STR("new")) && z.all.at[1].self_ns[NEW] == 100);
	assert_true(!z.all.at[1].is_in[BASE] && z.all.at[1].is_in[NEW]);
	assert_true(str_eq(z.all.at[2].stack, STR("old")) && !z.all.at[2].is_in[NEW]);
	assert_int_equal(z.all.at[3].self.verdict, COMPARE_SAME);
	zone_lines_release(&z);
	for (int i = 0; i < 5; i++) {
		vec_release(&a[i].all);
		vec_release(&b[i].all);
	}
}

static void single_runs_have_no_verdict(void **state)
{
	struct host_zones a = { { 0 } }, b = { { 0 } };
	const struct host_zones *const sides[] = { &a, &b };
	const size_t n[] = { 1, 1 };
	struct compare_ask ask = { .min_percent = 1, .min_ns = 100 };
	struct zone_lines z;

	(void)state;
	add(&a, "x", 1000);
	add(&b, "x", 9000);
	zone_lines_make(&z, sides, n, &ask);
	assert_int_equal(z.all.at[0].self.verdict, COMPARE_UNSURE);
	zone_lines_release(&z);
	vec_release(&a.all);
	vec_release(&b.all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(zones_are_matched_by_stack),
		cmocka_unit_test(single_runs_have_no_verdict),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
