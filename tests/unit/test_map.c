// SPDX-License-Identifier: Apache-2.0
#include "base/map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { MANY = 50000 };

static void ids_count_up_in_the_order_first_seen(void **state)
{
	struct intern in = { 0 };

	(void)state;
	assert_int_equal(intern_add(&in, STR("matmul")), 0);
	assert_int_equal(intern_add(&in, STR("add")), 1);
	assert_int_equal(intern_add(&in, STR("matmul")), 0);
	assert_int_equal(intern_add(&in, STR("softmax")), 2);
	assert_int_equal(intern_count(&in), 3);
	assert_true(str_eq(intern_get(&in, 1), STR("add")));
	intern_release(&in);
	assert_int_equal(intern_count(&in), 0);
}

static void texts_differ_by_every_byte_and_by_length(void **state)
{
	struct intern in = { 0 };

	(void)state;
	assert_int_equal(intern_add(&in, (struct str){ 0 }), 0);
	assert_int_equal(intern_add(&in, STR("")), 0);
	assert_int_equal(intern_add(&in, str_n("\0", 1)), 1);
	assert_int_equal(intern_add(&in, str_n("\0\0", 2)), 2);
	assert_int_equal(intern_add(&in, STR("a")), 3);
	assert_int_equal(intern_add(&in, str_n("a\0", 2)), 4);
	assert_int_equal(intern_add(&in, STR("A")), 5);
	intern_release(&in);
}

static void finding_adds_nothing(void **state)
{
	struct intern in = { 0 };

	(void)state;
	assert_int_equal(intern_find(&in, STR("x")), INTERN_NONE);
	intern_add(&in, STR("y"));
	assert_int_equal(intern_find(&in, STR("x")), INTERN_NONE);
	assert_int_equal(intern_find(&in, STR("y")), 0);
	assert_int_equal(intern_count(&in), 1);
	intern_release(&in);
}

static void added_bytes_are_borrowed_and_copied_bytes_are_not(void **state)
{
	struct intern in = { 0 };
	char text[] = "first", other[] = "other";

	(void)state;
	intern_add(&in, str_of(text));
	intern_copy(&in, str_of(other));
	assert_ptr_equal(intern_get(&in, 0).at, text);
	assert_ptr_not_equal(intern_get(&in, 1).at, other);
	memset(other, 'x', sizeof(other));
	assert_string_equal(intern_get(&in, 1).at, "other");
	assert_int_equal(intern_copy(&in, STR("first")), 0);
	assert_int_equal(intern_copy(&in, (struct str){ 0 }), 2);
	assert_string_equal(intern_get(&in, 2).at, "");
	intern_release(&in);
}

static void many_texts_keep_their_ids_while_the_table_grows(void **state)
{
	struct intern in = { 0 };
	char text[32];

	(void)state;
	for (int round = 0; round < 2; round++)
		for (uint32_t i = 0; i < MANY; i++) {
			snprintf(text, sizeof(text), "op_%u", i);
			assert_int_equal(intern_copy(&in, str_of(text)), i);
		}
	assert_int_equal(intern_count(&in), MANY);
	for (uint32_t i = 0; i < MANY; i += 7) {
		snprintf(text, sizeof(text), "op_%u", i);
		assert_true(str_eq(intern_get(&in, i), str_of(text)));
		assert_int_equal(intern_find(&in, str_of(text)), i);
	}
	intern_release(&in);
}

static void keys_are_found_again_with_their_last_value(void **state)
{
	struct u64map m = { 0 };
	uint32_t v = 7;

	(void)state;
	assert_false(u64map_get(&m, 0, &v));
	u64map_put(&m, 0, 10);
	u64map_put(&m, UINT64_MAX, 11);
	u64map_put(&m, 0, 12);
	assert_true(u64map_get(&m, 0, &v));
	assert_int_equal(v, 12);
	assert_true(u64map_get(&m, UINT64_MAX, &v));
	assert_int_equal(v, 11);
	assert_false(u64map_get(&m, 1, &v));
	assert_int_equal(v, 11);
	u64map_release(&m);
}

static void get_or_put_keeps_the_first_value(void **state)
{
	struct u64map m = { 0 };
	bool added;

	(void)state;
	assert_int_equal(u64map_get_or_put(&m, 5, 1, &added), 1);
	assert_true(added);
	assert_int_equal(u64map_get_or_put(&m, 5, 2, &added), 1);
	assert_false(added);
	assert_int_equal(u64map_get_or_put(&m, 6, 3, NULL), 3);
	u64map_release(&m);
}

static void entries_are_walked_in_the_order_of_first_put(void **state)
{
	struct u64map m = { 0 };
	uint64_t key = 1;
	uint32_t n = 0, v;

	(void)state;
	for (uint32_t i = 0; i < MANY; i++, key *= 6364136223846793005ull)
		u64map_put(&m, key, i);
	u64map_put(&m, 1, MANY);
	key = 1;
	vec_each (e, &m.entries) {
		assert_true(e->key == key);
		assert_int_equal(e->value, n ? n : MANY);
		assert_true(u64map_get(&m, key, &v) && v == e->value);
		n++;
		key *= 6364136223846793005ull;
	}
	assert_int_equal(n, MANY);
	u64map_release(&m);
}

static void keys_in_steps_of_a_power_of_two_do_not_pile_up(void **state)
{
	(void)state;
	for (int shift = 0; shift < 50; shift++) {
		struct u64map m = { 0 };
		size_t longest = 0, run = 0;

		for (uint64_t i = 0; i < 4096; i++)
			u64map_put(&m, i << shift, (uint32_t)i);
		for (size_t i = 0; i < m.table.slots; i++) {
			run = m.table.slot[i].number ? run + 1 : 0;
			longest = run > longest ? run : longest;
		}
		assert_true(longest < 200);
		u64map_release(&m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ids_count_up_in_the_order_first_seen),
		cmocka_unit_test(texts_differ_by_every_byte_and_by_length),
		cmocka_unit_test(finding_adds_nothing),
		cmocka_unit_test(added_bytes_are_borrowed_and_copied_bytes_are_not),
		cmocka_unit_test(many_texts_keep_their_ids_while_the_table_grows),
		cmocka_unit_test(keys_are_found_again_with_their_last_value),
		cmocka_unit_test(get_or_put_keeps_the_first_value),
		cmocka_unit_test(entries_are_walked_in_the_order_of_first_put),
		cmocka_unit_test(keys_in_steps_of_a_power_of_two_do_not_pile_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
