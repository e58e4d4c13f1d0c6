// SPDX-License-Identifier: Apache-2.0
#include "base/cursor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void numbers_are_read_little_endian_at_any_alignment(void **state)
{
	static const uint8_t bytes[] = {
		0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A, 0x0B,
		0x0C, 0x0D, 0x0E, 0x0F, 0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
		0xFF, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xF8, 0x3F,
	};
	struct cursor c = cursor_of(bytes, sizeof(bytes));

	(void)state;
	assert_int_equal(cursor_u8(&c), 0x01);
	assert_int_equal(cursor_u16(&c), 0x0302);
	assert_int_equal(cursor_u32(&c), 0x07060504);
	assert_true(cursor_u64(&c) == 0x0F0E0D0C0B0A0908ull);
	assert_true(cursor_i64(&c) == -2);
	assert_true(cursor_f64(&c) == 1.5);
	assert_false(c.bad);
	assert_int_equal(cursor_left(&c), 0);
}

static void after_a_short_read_everything_is_zero_and_bad(void **state)
{
	static const uint8_t bytes[] = { 1, 2, 3, 4, 5 };
	struct cursor c = cursor_of(bytes, sizeof(bytes));

	(void)state;
	assert_int_equal(cursor_u32(&c), 0x04030201);
	assert_int_equal(cursor_u16(&c), 0);
	assert_true(c.bad);
	assert_int_equal(cursor_u8(&c), 0);
	assert_true(cursor_f64(&c) == 0);
	assert_null(cursor_take(&c, 0));
	assert_int_equal(cursor_str(&c, 1).len, 0);
}

static void an_empty_cursor_gives_nothing(void **state)
{
	struct cursor c = cursor_of(NULL, 0);

	(void)state;
	assert_int_equal(cursor_left(&c), 0);
	assert_int_equal(cursor_u64(&c), 0);
	assert_true(c.bad);
}

static void a_huge_length_is_bad_and_not_an_overrun(void **state)
{
	static const uint8_t bytes[] = { 1, 2 };
	struct cursor c = cursor_of(bytes, sizeof(bytes));

	(void)state;
	assert_null(cursor_take(&c, SIZE_MAX));
	assert_true(c.bad);
}

static void text_is_borrowed(void **state)
{
	static const char bytes[] = "abcde";
	struct cursor c = cursor_of(bytes, 5);
	struct str s = cursor_str(&c, 3);

	(void)state;
	assert_ptr_equal(s.at, bytes);
	assert_true(str_eq(s, STR("abc")));
	assert_int_equal(cursor_str(&c, 0).len, 0);
	assert_false(c.bad);
	assert_int_equal(cursor_str(&c, 3).len, 0);
	assert_true(c.bad);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_read_little_endian_at_any_alignment),
		cmocka_unit_test(after_a_short_read_everything_is_zero_and_bad),
		cmocka_unit_test(an_empty_cursor_gives_nothing),
		cmocka_unit_test(a_huge_length_is_bad_and_not_an_overrun),
		cmocka_unit_test(text_is_borrowed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
