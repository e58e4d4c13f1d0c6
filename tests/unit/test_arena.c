// SPDX-License-Identifier: Apache-2.0
#include "base/arena.h"

#include <setjmp.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void memory_is_zeroed_and_aligned_and_apart(void **state)
{
	struct arena a = { 0 };
	unsigned char *last = NULL;

	(void)state;
	for (size_t n = 0; n < 3000; n += 7) {
		unsigned char *p = arena_alloc(&a, n, 1);

		assert_int_equal((uintptr_t)p % alignof(max_align_t), 0);
		for (size_t i = 0; i < n; i++)
			assert_int_equal(p[i], 0);
		memset(p, 0xFF, n);
		if (last)
			assert_ptr_not_equal(p, last);
		last = n ? p : NULL;
	}
	arena_release(&a);
}

static void blocks_larger_than_usual_are_served(void **state)
{
	struct arena a = { 0 };
	char *big = arena_alloc(&a, 1 << 20, 3), *small = arena_alloc(&a, 1, 1);

	(void)state;
	big[(3 << 20) - 1] = 1;
	*small = 1;
	assert_true(a.total >= (3 << 20) + 1);
	arena_release(&a);
}

static void copies_are_terminated(void **state)
{
	struct arena a = { 0 };
	char *p = arena_dup(&a, "abcdef", 3);

	(void)state;
	assert_string_equal(p, "abc");
	assert_string_equal(arena_dup(&a, NULL, 0), "");
	arena_release(&a);
}

static void a_released_arena_can_be_used_again(void **state)
{
	struct arena a = { 0 };

	(void)state;
	arena_release(&a);
	arena_alloc(&a, 10, 10);
	arena_release(&a);
	assert_null(a.head);
	assert_int_equal(a.total, 0);
	assert_string_equal(arena_dup(&a, "x", 1), "x");
	arena_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_is_zeroed_and_aligned_and_apart),
		cmocka_unit_test(blocks_larger_than_usual_are_served),
		cmocka_unit_test(copies_are_terminated),
		cmocka_unit_test(a_released_arena_can_be_used_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
