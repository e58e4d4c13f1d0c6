// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "runs/clock_map.h"

enum { MHZ = 1000, LAUNCHES = 400 };

/* What a device and a host saw of one launch. */
static void see(struct clock_map *m, uint64_t run_id, int64_t host_ns)
{
	clock_map_sight(
		m, &(struct device_sight){
			   .device = 3, .x = 1, .y = 2, .run_id = run_id, .start_ns = host_ns });
}

static void count(const struct marker_sink *sink, uint64_t run_id, uint64_t cycles)
{
	struct marker k = { .device = 3, .x = 1, .y = 2, .run_id = run_id, .time_cycles = cycles };
	struct fold_moment at = { .marker = &k };

	sink->outermost(sink->ctx, NULL, &at);
}

static void fit_at(struct clock_map *m, uint64_t first_cycles, int64_t mhz)
{
	struct fold_device d = { .id = 3, .first_cycles = first_cycles };
	struct marker_fold f = { 0 };

	f.devices.at = &d;
	f.devices.len = 1;
	clock_map_fit(m, &f, mhz);
}

static void fit(struct clock_map *m, uint64_t first_cycles)
{
	fit_at(m, first_cycles, MHZ);
}

/* Pairs by a function of the launch's number; the map is to be fitted. */
static void make(struct clock_map *m, int64_t (*host)(int64_t cycles))
{
	struct marker_sink sink;

	for (int64_t i = 0; i < LAUNCHES; i++)
		see(m, (uint64_t)i + 1, host(i * 100000));
	sink = clock_map_sink(m);
	for (int64_t i = LAUNCHES; i-- > 0;) /* logs are core by core, not by time */
		count(&sink, (uint64_t)i + 1, (uint64_t)(5000000 + i * 100000));
	fit(m, 5000000);
}

static int64_t off_by(struct clock_map *m, int64_t (*host)(int64_t cycles))
{
	const struct device_clock *c = clock_map_device(m, 3);
	int64_t most = 0;

	for (int64_t i = 0; i < LAUNCHES * 100000; i += 33333) {
		int64_t off = llabs(clock_ns(c, (uint64_t)(5000000 + i)) - host(i));

		most = off > most ? off : most;
	}
	return most;
}

static int64_t drifting(int64_t cycles)
{
	return 700000 + cycles + cycles / 100000; /* 10 millionths */
}

static void drift_is_followed(void **state)
{
	struct clock_map m = { 0 };

	(void)state;
	make(&m, drifting);
	assert_true(clock_map_device(&m, 3)->known);
	assert_int_equal(clock_map_device(&m, 3)->pairs, LAUNCHES);
	assert_in_range(off_by(&m, drifting), 0, 20);
	assert_in_range(clock_map_device(&m, 3)->error_ns, 0, 20);
	clock_map_release(&m);
}

/* The second half at 800 MHz, though the log says 1000. */
static int64_t slower(int64_t cycles)
{
	int64_t half = LAUNCHES * 100000 / 2;

	return cycles < half ? cycles : half + (cycles - half) * 10 / 8;
}

static void a_clock_that_changes_its_rate_is_followed(void **state)
{
	struct clock_map m = { 0 };

	(void)state;
	make(&m, slower);
	/* the one stretch in which it changes is off by at most a quarter of half its length */
	assert_in_range(off_by(&m, slower), 0, LAUNCHES * 100000 / CLOCK_KNOTS_MAX / 8);
	assert_in_range(clock_map_device(&m, 3)->error_ns, 0,
			LAUNCHES * 100000 / CLOCK_KNOTS_MAX / 8);
	clock_map_release(&m);
}

/* One in ten is late by a millisecond. */
static int64_t late(int64_t cycles)
{
	return cycles + (cycles / 100000 % 10 == 3 ? 1000000 : 0);
}

static int64_t exact(int64_t cycles)
{
	return cycles;
}

static void pairs_that_are_far_off_don_t_count(void **state)
{
	struct clock_map m = { 0 };

	(void)state;
	make(&m, late);
	assert_in_range(off_by(&m, exact), 0, 0);
	assert_int_equal(clock_map_device(&m, 3)->error_ns, 1000000); /* of the pairs, and said */
	clock_map_release(&m);
}

static void few_pairs_give_the_offset_alone(void **state)
{
	struct clock_map m = { 0 };
	struct marker_sink sink;

	(void)state;
	see(&m, 7, 1000);
	see(&m, 8, 2010);
	see(&m, 9, 3000);
	sink = clock_map_sink(&m);
	count(&sink, 7, 50000);
	count(&sink, 8, 51000);
	count(&sink, 9, 52000);
	count(&sink, 9, 99000); /* the same launch again is not another pair */
	count(&sink, 11, 99000);
	fit(&m, 50000);
	assert_int_equal(clock_map_device(&m, 3)->pairs, 3);
	assert_int_equal(clock_ns(clock_map_device(&m, 3), 51500), 2500);
	assert_true(fabs(clock_ns_since(clock_map_device(&m, 3), 51500, 2000) - 500) < 1e-9);
	clock_map_release(&m);
}

static void without_pairs_the_first_zone_ties_the_first_marker(void **state)
{
	struct clock_map m = { 0 };
	struct marker_sink sink;

	(void)state;
	see(&m, 0, 9000);
	see(&m, 0, 8000);
	sink = clock_map_sink(&m);
	count(&sink, 5, 50000);
	fit(&m, 40000);
	assert_true(clock_map_device(&m, 3)->known);
	assert_int_equal(clock_map_device(&m, 3)->error_ns, -1);
	assert_int_equal(clock_ns(clock_map_device(&m, 3), 40100), 8100);
	clock_map_release(&m);
}

static void a_device_that_the_trace_lacks_begins_at_0(void **state)
{
	struct clock_map m = { 0 };

	(void)state;
	(void)clock_map_sink(&m);
	fit(&m, 40000);
	assert_false(clock_map_device(&m, 3)->known);
	assert_int_equal(clock_ns(clock_map_device(&m, 3), 40100), 100);
	assert_true(clock_ns(clock_map_device(&m, 3), 0) == -40000);
	clock_map_release(&m);
}

static void cycles_and_times_of_damaged_files_are_no_overflow(void **state)
{
	static const uint64_t cycles[] = { 0, UINT64_MAX, 1ull << 63, 5, (1ull << 63) - 1 };
	static const int64_t ns[] = { INT64_MIN, INT64_MAX, 0, -1, INT64_MIN + 1 };
	struct clock_map m = { 0 };
	struct marker_sink sink;

	(void)state;
	for (uint64_t i = 0; i < 50; i++)
		see(&m, i + 1, ns[i * 7 % 5]);
	sink = clock_map_sink(&m);
	for (uint64_t i = 0; i < 50; i++)
		count(&sink, i + 1, cycles[i * 3 % 5]);
	fit_at(&m, 0, 1);
	assert_true(clock_map_device(&m, 3)->knots >= 1);
	assert_true(clock_map_device(&m, 3)->error_ns >= 0);
	for (size_t i = 0; i < 5; i++)
		(void)clock_ns(clock_map_device(&m, 3), cycles[i]);
	clock_map_release(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(drift_is_followed),
		cmocka_unit_test(a_clock_that_changes_its_rate_is_followed),
		cmocka_unit_test(pairs_that_are_far_off_don_t_count),
		cmocka_unit_test(few_pairs_give_the_offset_alone),
		cmocka_unit_test(without_pairs_the_first_zone_ties_the_first_marker),
		cmocka_unit_test(a_device_that_the_trace_lacks_begins_at_0),
		cmocka_unit_test(cycles_and_times_of_damaged_files_are_no_overflow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
