// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// clang-format off
#include <cmocka.h>
// clang-format on

#include <stdlib.h>

#include "tui/keys.h"
#include "tui/text_page.h"

static void takes(const char *bytes, enum key_name name, size_t length)
{
	struct key key;

	assert_int_equal(key_decode(str_of(bytes), false, &key), length);
	if (length)
		assert_int_equal(key.name, name);
}

static void sequences_of_terminals(void **state)
{
	(void)state;
	takes("\033[A", KEY_UP, 3);
	takes("\033OB", KEY_DOWN, 3);
	takes("\033[1;5C", KEY_RIGHT, 6);
	takes("\033[5~", KEY_PAGE_UP, 4);
	takes("\033[6~x", KEY_PAGE_DOWN, 4);
	takes("\033[1~", KEY_HOME, 4);
	takes("\033[F", KEY_END, 3);
	takes("\033[Z", KEY_BACK_TAB, 3);
	takes("\r", KEY_ENTER, 1);
	takes("\177", KEY_BACKSPACE, 1);
	takes("\t", KEY_TAB, 1);
	takes("\033[200~", KEY_NONE, 6); /* pasted text begins */
	takes("\033x", KEY_NONE, 2);
}

/* An Escape is a key by itself if nothing follows. */
static void the_start_of_a_sequence_waits_for_the_rest(void **state)
{
	struct key key;

	(void)state;
	takes("\033", KEY_ESCAPE, 0);
	takes("\033[", KEY_NONE, 0);
	takes("\033[1;", KEY_NONE, 0);
	takes("\033O", KEY_NONE, 0);
	takes("\303", KEY_CHAR, 0);
	assert_int_equal(key_decode(STR("\033"), true, &key), 1);
	assert_int_equal(key.name, KEY_ESCAPE);
	assert_int_equal(key_decode(STR("\033[1"), true, &key), 3);
	assert_int_equal(key.name, KEY_NONE);
	takes("\033\033[A", KEY_ESCAPE, 1);
}

static void characters_are_utf8(void **state)
{
	struct key key;

	(void)state;
	assert_int_equal(key_decode(STR("\303\251x"), false, &key), 2);
	assert_int_equal(key.name, KEY_CHAR);
	assert_int_equal(key.code_point, 0xe9);
	assert_int_equal(key.text.len, 2);
	takes("\003", KEY_CHAR, 1);
	assert_int_equal(key_decode(STR("\377\377"), true, &key), 1); /* no UTF-8 */
}

/* Whatever comes, every byte is taken some time. */
static void any_bytes_end(void **state)
{
	unsigned seed = 1;

	(void)state;
	for (int round = 0; round < 20000; round++) {
		char bytes[40];
		struct str rest = str_n(bytes, 1 + (size_t)round % sizeof(bytes));
		struct key key;

		for (size_t i = 0; i < rest.len; i++) {
			seed = seed * 1103515245 + 12345;
			bytes[i] = i % 5 ? (char)(seed >> 16) : '\033';
		}
		while (rest.len) {
			size_t took = key_decode(rest, true, &key);

			assert_in_range(took, 1, rest.len);
			rest = str_from(rest, took);
		}
	}
}

static struct key of_char(char c)
{
	return (struct key){ .name = KEY_CHAR, .code_point = (unsigned char)c };
}

static void scrolling_stays_within_its_lines(void **state)
{
	size_t at = 5;

	(void)state;
	assert_true(scroll_key((struct key){ .name = KEY_PAGE_DOWN }, 8, 5, &at));
	assert_int_equal(at, 7);
	assert_true(scroll_key((struct key){ .name = KEY_PAGE_UP }, 8, 5, &at));
	assert_int_equal(at, 3);
	assert_true(scroll_key(of_char('g'), 8, 5, &at));
	assert_true(scroll_key((struct key){ .name = KEY_UP }, 8, 5, &at));
	assert_int_equal(at, 0);
	assert_true(scroll_key(of_char('G'), 8, 5, &at));
	assert_int_equal(at, 7);
	assert_true(scroll_key(of_char('j'), 0, 5, &at));
	assert_int_equal(at, 0);
	assert_false(scroll_key(of_char('x'), 8, 5, &at));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sequences_of_terminals),
		cmocka_unit_test(the_start_of_a_sequence_waits_for_the_rest),
		cmocka_unit_test(characters_are_utf8),
		cmocka_unit_test(any_bytes_end),
		cmocka_unit_test(scrolling_stays_within_its_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
