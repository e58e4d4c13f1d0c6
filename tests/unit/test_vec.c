// SPDX-License-Identifier: Apache-2.0
#include "base/vec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef VEC(int) int_vec;

static void pushing_keeps_order_and_values(void **state)
{
	int_vec v = { 0 };
	int n = 0;

	(void)state;
	for (int i = 0; i < 100000; i++)
		*vec_push(&v) = i;
	assert_int_equal(v.len, 100000);
	vec_each (p, &v)
		assert_int_equal(*p, n++);
	assert_int_equal(n, 100000);
	vec_release(&v);
	assert_null(v.at);
	assert_int_equal(v.len, 0);
	assert_int_equal(v.cap, 0);
}

static void an_empty_vec_is_walked_without_a_step(void **state)
{
	const int_vec v = { 0 };
	int steps = 0;

	(void)state;
	vec_each (p, &v)
		steps += *p;
	assert_int_equal(steps, 0);
}

static void reserving_makes_room_once(void **state)
{
	int_vec v = { 0 };
	int *block;

	(void)state;
	vec_reserve(&v, 1000);
	assert_true(v.cap >= 1000);
	block = v.at;
	for (int i = 0; i < 1000; i++)
		*vec_push(&v) = i;
	assert_ptr_equal(v.at, block);
	vec_reserve(&v, 10);
	assert_ptr_equal(v.at, block);
	vec_release(&v);
}

static void large_vecs_grow_by_a_quarter(void **state)
{
	size_t cap = 1000000;
	void *p = vec_grow(NULL, &cap, cap + 1, 8);

	(void)state;
	assert_int_equal(cap, 1250000);
	free(p);
	cap = 100;
	p = vec_grow(NULL, &cap, 101, 8);
	assert_int_equal(cap, 200);
	free(p);
	cap = 0;
	p = vec_grow(NULL, &cap, 1, 1);
	assert_true(cap == 16 || cap == 1); /* 1: a sanitizer sees each push move the block (vec.h) */
	free(p);
}

static void trimming_gives_the_rest_back(void **state)
{
	int_vec v = { 0 };

	(void)state;
	for (int i = 0; i < 5; i++)
		*vec_push(&v) = i;
	vec_trim(&v);
	assert_int_equal(v.cap, 5);
	assert_int_equal(v.at[4], 4);
	vec_clear(&v);
	assert_int_equal(v.len, 0);
	assert_int_equal(v.cap, 5);
	vec_trim(&v);
	assert_null(v.at);
	assert_int_equal(v.cap, 0);
	*vec_push(&v) = 1;
	assert_int_equal(v.len, 1);
	vec_release(&v);
}

static void plain_blocks_are_never_null(void **state)
{
	unsigned char *zero = mem_zero(3, 7), *none = mem_zero(0, 8), *some = mem_alloc(0, 0);

	(void)state;
	assert_non_null(none);
	assert_non_null(some);
	for (int i = 0; i < 21; i++)
		assert_int_equal(zero[i], 0);
	free(zero);
	free(none);
	free(some);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pushing_keeps_order_and_values),
		cmocka_unit_test(an_empty_vec_is_walked_without_a_step),
		cmocka_unit_test(reserving_makes_room_once),
		cmocka_unit_test(large_vecs_grow_by_a_quarter),
		cmocka_unit_test(trimming_gives_the_rest_back),
		cmocka_unit_test(plain_blocks_are_never_null),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
