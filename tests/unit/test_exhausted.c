// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/exhausted.h"
#include "base/vec.h"

/* Sizes that nobody has are asked for: as without a sanitizer, malloc() is to return NULL. */
__attribute__((visibility("default"))) const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "allocator_may_return_null=1";
}

static char order[8];
static size_t orders;

static void note(void *name)
{
	order[orders++] = *(const char *)name;
}

static void a_call_without_memory_comes_back_and_can_be_repeated(void **state)
{
	struct exhausted_point point;
	VEC(uint64_t) v = { 0 };
	volatile int times = 0;

	(void)state;
	*vec_push(&v) = 5;
	if (exhausted_catch(&point)) {
		times++;
		assert_int_equal(v.len, 1);
		assert_int_equal(v.at[0], 5);
	} else {
		vec_reserve(&v, SIZE_MAX / 16);
		fail();
	}
	if (exhausted_catch(&point)) {
		times++;
	} else {
		(void)mem_alloc(SIZE_MAX, 8);
		fail();
	}
	assert_int_equal(times, 2);
	vec_release(&v);
}

static void what_was_begun_is_undone_last_first_and_once(void **state)
{
	static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
	struct exhausted_point outer, inner;
	static char a = 'a', b = 'b', c = 'c';

	(void)state;
	orders = 0;
	if (!exhausted_catch(&outer)) {
		exhausted_undo(note, &a);
		if (!exhausted_catch(&inner)) {
			exhausted_undo(note, &b);
			held_lock(&m);
			exhausted_undo(note, &c);
			exhausted_done(note, &c);
			exhausted(1);
		}
		/* only what the inner call had begun */
		assert_int_equal(orders, 1);
		assert_int_equal(pthread_mutex_trylock(&m), 0);
		pthread_mutex_unlock(&m);
		exhausted(1);
	}
	assert_int_equal(orders, 2);
	assert_memory_equal(order, "ba", 2);
}

static void a_call_that_ended_is_not_come_back_to(void **state)
{
	struct exhausted_point outer, inner;
	volatile bool came = false;

	(void)state;
	if (exhausted_catch(&outer)) {
		came = true;
	} else {
		if (exhausted_catch(&inner))
			fail();
		exhausted_end(&inner);
		exhausted(0);
	}
	assert_true(came);
}

static int status_of(void (*what)(void), char *said, size_t size)
{
	int line[2], status;
	size_t len = 0;
	ssize_t n;
	pid_t pid;

	assert_int_equal(pipe(line), 0);
	pid = fork();
	if (!pid) {
		(void)dup2(line[1], STDERR_FILENO);
		(void)signal(SIGABRT, SIG_DFL);
		what();
		_exit(0);
	}
	close(line[1]);
	while (len < size - 1 && (n = read(line[0], said + len, size - 1 - len)) > 0)
		len += (size_t)n;
	said[len] = 0;
	close(line[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

static void as_ttprof(void)
{
	exhausted_exits("ttprof report");
	exhausted(4096);
}

static char undone[] = "undone\n";

static void say(void *ctx)
{
	(void)!write(STDERR_FILENO, ctx, strlen(ctx));
}

static void with_something_to_undo(void)
{
	exhausted_exits_after(say, undone);
	as_ttprof();
}

static void in_a_child_of_its(void)
{
	pid_t pid;

	exhausted_exits_after(say, undone);
	pid = fork();
	if (!pid)
		as_ttprof();
	(void)waitpid(pid, NULL, 0);
}

static void as_another(void)
{
	exhausted(0);
}

static void ttprof_ends_with_a_line_and_a_status_of_its_own(void **state)
{
	char said[200];
	int status = status_of(as_ttprof, said, sizeof(said));

	(void)state;
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), EXHAUSTED_STATUS);
	assert_string_equal(said, "ttprof report: error: out of memory (4096 bytes)\n");
	status = status_of(as_another, said, sizeof(said));
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
	assert_string_equal(said, "ttprof: error: out of memory\n");
}

/* What a child has is its parent's, who still needs it. */
static void what_is_to_be_undone_is_undone_by_who_made_it(void **state)
{
	char said[200];
	int status = status_of(with_something_to_undo, said, sizeof(said));

	(void)state;
	assert_int_equal(WEXITSTATUS(status), EXHAUSTED_STATUS);
	assert_non_null(strstr(said, "undone\n"));
	status = status_of(in_a_child_of_its, said, sizeof(said));
	assert_true(WIFEXITED(status) && !WEXITSTATUS(status));
	assert_non_null(strstr(said, "out of memory"));
	assert_null(strstr(said, "undone"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_call_without_memory_comes_back_and_can_be_repeated),
		cmocka_unit_test(what_was_begun_is_undone_last_first_and_once),
		cmocka_unit_test(a_call_that_ended_is_not_come_back_to),
		cmocka_unit_test(ttprof_ends_with_a_line_and_a_status_of_its_own),
		cmocka_unit_test(what_is_to_be_undone_is_undone_by_who_made_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
