// SPDX-License-Identifier: Apache-2.0
#include "base/clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <time.h>

#include <cmocka.h>

static void monotonic_time_never_goes_back(void **state)
{
	int64_t last = clock_mono_ns();

	(void)state;
	for (int i = 0; i < 10000; i++) {
		int64_t now = clock_mono_ns();

		assert_true(now >= last);
		last = now;
	}
}

static void wall_time_is_the_time_of_day(void **state)
{
	int64_t before = time(NULL), wall = clock_wall_ns() / 1000000000, after = time(NULL);

	(void)state;
	/* time() may read a coarser clock, up to a tick behind. */
	assert_true(wall >= before && wall <= after + 1);
}

static void processor_time_is_counted(void **state)
{
	int64_t start = clock_process_cpu_ns();

	(void)state;
	while (clock_process_cpu_ns() - start < 5000000)
		;
	assert_true(clock_process_cpu_ns() > start);
}

static void sleeping_uses_no_processor_time(void **state)
{
	int64_t cpu = clock_process_cpu_ns(), mono = clock_mono_ns();
	struct timespec nap = { .tv_nsec = 30000000 };

	(void)state;
	nanosleep(&nap, NULL);
	assert_true(clock_mono_ns() - mono >= 30000000);
	assert_true(clock_process_cpu_ns() - cpu < 30000000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(monotonic_time_never_goes_back),
		cmocka_unit_test(wall_time_is_the_time_of_day),
		cmocka_unit_test(processor_time_is_counted),
		cmocka_unit_test(sleeping_uses_no_processor_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
