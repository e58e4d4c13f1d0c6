// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// clang-format off
#include <cmocka.h>
// clang-format on

#include "trace/trace.h"
#include "trace/zone_cover.h"

/* a[ b[ ] ] on one thread, c on another */
static void three_zones(struct zone_covers *c)
{
	zone_covers_enter(c, 0, 0, 'a');
	zone_covers_enter(c, 0, 20, 'b');
	zone_covers_leave(c, 0, 60);
	zone_covers_leave(c, 0, 100);
	zone_covers_enter(c, 1, 90, 'c');
	zone_covers_leave(c, 1, 200);
}

static void the_innermost_zone_with_most_of_it_covers_a_stretch(void **state)
{
	struct zone_stretch s[] = {
		{ .from_ns = 10, .to_ns = 70 },  { .from_ns = 50, .to_ns = 95 },
		{ .from_ns = 0, .to_ns = 200 },  { .from_ns = 300, .to_ns = 400 },
		{ .from_ns = 5, .to_ns = 5 },    { .from_ns = 190, .to_ns = 400 },
		{ .from_ns = -1000, .to_ns = 9 }
	};
	struct zone_covers c;

	(void)state;
	zone_covers_init(&c, s, sizeof(s) / sizeof(*s));
	three_zones(&c);
	zone_covers_finish(&c, NULL);
	assert_int_equal(s[0].loc, 'b');
	assert_true(s[0].ns == 40);
	assert_int_equal(s[1].loc, 'a'); /* 60..95 */
	assert_true(s[1].ns == 35);
	assert_int_equal(s[2].loc, 'c');
	assert_true(s[2].ns == 110);
	assert_int_equal(s[3].loc, TRACE_NONE);
	assert_int_equal(s[4].loc, TRACE_NONE);
	assert_int_equal(s[5].loc, TRACE_NONE); /* less than a tenth */
	assert_true(s[5].ns == 0);
	assert_int_equal(s[6].loc, TRACE_NONE);
}

/* Many stretches, short in long, found by halving: the same as one at a time. */
static void many_stretches_are_each_as_if_alone(void **state)
{
	enum { N = 200 };
	struct zone_stretch all[N], one;
	struct zone_covers c;
	uint32_t seed = 1;

	(void)state;
	for (int i = 0; i < N; i++) {
		seed = seed * 1664525u + 1013904223u;
		all[i] = (struct zone_stretch){ .from_ns = seed >> 24,
						.to_ns = (seed >> 24) + (seed >> 16 & 0xff) };
	}
	zone_covers_init(&c, all, N);
	three_zones(&c);
	zone_covers_finish(&c, NULL);
	for (int i = 0; i < N; i++) {
		one = (struct zone_stretch){ .from_ns = all[i].from_ns, .to_ns = all[i].to_ns };
		zone_covers_init(&c, &one, 1);
		three_zones(&c);
		zone_covers_finish(&c, NULL);
		assert_int_equal(one.loc, all[i].loc);
		assert_true(one.ns == all[i].ns);
	}
}

static void zones_that_never_end_or_never_began_are_harmless(void **state)
{
	struct zone_stretch s = { .from_ns = 0, .to_ns = 10 };
	struct zone_covers c;

	(void)state;
	zone_covers_init(&c, &s, 1);
	zone_covers_leave(&c, 3, 5);
	zone_covers_enter(&c, 0, 8, 'a');
	zone_covers_leave(&c, 0, TRACE_OPEN);
	zone_covers_finish(&c, NULL);
	assert_int_equal(s.loc, TRACE_NONE);
	zone_covers_leave(&c, 0, 5); /* behind the end nothing is taken */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_innermost_zone_with_most_of_it_covers_a_stretch),
		cmocka_unit_test(many_stretches_are_each_as_if_alone),
		cmocka_unit_test(zones_that_never_end_or_never_began_are_harmless),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
