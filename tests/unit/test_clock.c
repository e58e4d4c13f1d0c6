// SPDX-License-Identifier: Apache-2.0
#include "base/clock.h"

#include <pthread.h>
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

static void *burn(void *arg)
{
	int64_t *used = arg, start = clock_thread_cpu_ns();

	while (clock_thread_cpu_ns() - start < 5000000)
		;
	*used = clock_thread_cpu_ns() - start;
	return NULL;
}

static void processor_time_is_counted_by_thread_and_by_process(void **state)
{
	int64_t process = clock_process_cpu_ns(), thread = clock_thread_cpu_ns(), used = 0;
	pthread_t t;

	(void)state;
	assert_int_equal(pthread_create(&t, NULL, burn, &used), 0);
	pthread_join(t, NULL);
	assert_true(used >= 5000000);
	assert_true(clock_process_cpu_ns() - process >= used);
	assert_true(clock_thread_cpu_ns() - thread < clock_process_cpu_ns() - process);
}

static void sleeping_uses_no_processor_time(void **state)
{
	int64_t cpu = clock_thread_cpu_ns(), mono = clock_mono_ns();
	struct timespec nap = { .tv_nsec = 30000000 };

	(void)state;
	nanosleep(&nap, NULL);
	assert_true(clock_mono_ns() - mono >= 30000000);
	assert_true(clock_thread_cpu_ns() - cpu < 30000000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(monotonic_time_never_goes_back),
		cmocka_unit_test(wall_time_is_the_time_of_day),
		cmocka_unit_test(processor_time_is_counted_by_thread_and_by_process),
		cmocka_unit_test(sleeping_uses_no_processor_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
