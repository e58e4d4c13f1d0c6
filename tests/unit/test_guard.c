// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "client/record/signal_guard.h"

static struct guard guard;
static long sum;

static void *add(void *unused)
{
	for (int i = 0; i < 20000; i++) {
		if (!guard_take(&guard))
			return &guard;
		sum++;
		guard_give(&guard);
	}
	return unused;
}

static void one_thread_at_a_time_has_it(void **state)
{
	pthread_t t[3];
	void *failed;

	(void)state;
	for (int i = 0; i < 3; i++)
		assert_int_equal(pthread_create(&t[i], NULL, add, NULL), 0);
	for (int i = 0; i < 3; i++) {
		pthread_join(t[i], &failed);
		assert_null(failed);
	}
	assert_int_equal(sum, 60000);
}

/* What a handler does that interrupts its thread in the middle. */
static void forks_inside_leave_it_with_its_owner(void **state)
{
	(void)state;
	assert_true(guard_take(&guard));
	assert_false(guard_take(&guard));
	guard_before_fork(&guard);
	guard_after_fork(&guard);
	assert_false(guard_take(&guard));
	guard_give(&guard);
	assert_true(guard_take(&guard));
	guard_give(&guard);
}

static void a_fork_inside_of_a_fork_leaves_it_open(void **state)
{
	(void)state;
	guard_before_fork(&guard);
	guard_before_fork(&guard);
	guard_after_fork(&guard);
	assert_false(guard_take(&guard));
	guard_after_fork(&guard);
	assert_true(guard_take(&guard));
	guard_give(&guard);
}

static void a_child_is_its_owner_too(void **state)
{
	pid_t child;
	int status;

	(void)state;
	assert_true(guard_take(&guard));
	guard_before_fork(&guard);
	child = fork();
	guard_after_fork(&guard);
	if (!child) {
		bool still = !guard_take(&guard);

		guard_give(&guard);
		_exit(still && guard_take(&guard) ? 0 : 1);
	}
	waitpid(child, &status, 0);
	assert_int_equal(status, 0);
	guard_give(&guard);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_thread_at_a_time_has_it),
		cmocka_unit_test(forks_inside_leave_it_with_its_owner),
		cmocka_unit_test(a_fork_inside_of_a_fork_leaves_it_open),
		cmocka_unit_test(a_child_is_its_owner_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
