// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/harmless.h"

static void expect(struct str s, enum harmless_escapes escapes, const char *want)
{
	struct buf b = { 0 };

	assert_int_equal(harmless_gate(&b, s, escapes, true), s.len);
	assert_string_equal(b.at ? b.at : "", want);
	/* the same, whichever way it is cut: what is not taken comes again with the rest */
	for (size_t cut = 0; cut <= s.len; cut++) {
		size_t took;

		buf_clear(&b);
		took = harmless_gate(&b, str_head(s, cut), escapes, false);
		assert_true(took <= cut);
		(void)harmless_gate(&b, str_from(s, took), escapes, true);
		assert_string_equal(b.at ? b.at : "", want);
	}
	buf_release(&b);
}

static void text_passes_as_it_is(void **state)
{
	(void)state;
	expect(STR(""), HARMLESS_COLOURS, "");
	expect(STR("a\tb\nµs → 日本 é\xF0\x9F\xAA\xA7\n"), HARMLESS_COLOURS,
	       "a\tb\nµs → 日本 é\xF0\x9F\xAA\xA7\n");
}

static void controls_and_marks_of_direction_do_not(void **state)
{
	(void)state;
	expect(STR("\a\b\r\v\f\x7f"), HARMLESS_COLOURS, "??????");
	expect(STR("\033]0;title\a\033[2J\033c\033"), HARMLESS_PROGRESS, "?]0;title??[2J?c?");
	expect(STR("\xC2\x9B"
		   "31m\xC2\x85"),
	       HARMLESS_COLOURS, "?31m?");
	expect(STR("\xE2\x80\xAE\xE2\x81\xA6\xE2\x80\x8F\xD8\x9C\xE2\x80\xA8\xEF\xBB\xBF"),
	       HARMLESS_COLOURS, "??????");
}

static void bytes_that_are_no_utf8_are_replaced(void **state)
{
	(void)state;
	expect(STR("a\xFF"
		   "b\x9B\xE2\x80"),
	       HARMLESS_COLOURS,
	       "a\xEF\xBF\xBD"
	       "b\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
	expect(STR("\xEF\xBF\xBD"), HARMLESS_COLOURS, "\xEF\xBF\xBD");
}

static void escapes_pass_where_they_are_ours(void **state)
{
	(void)state;
	expect(STR("\033[31mred\033[0m \033[1;33mx\033[m"), HARMLESS_COLOURS,
	       "\033[31mred\033[0m \033[1;33mx\033[m");
	expect(STR("\033[48;5;231;38;5;16m7\033[90m"), HARMLESS_COLOURS,
	       "\033[48;5;231;38;5;16m7\033[90m");
	expect(STR("\033[31mred"), HARMLESS_NO_ESCAPES, "?[31mred");
	expect(STR("\r\033[Kline\033[0m"), HARMLESS_PROGRESS, "\r\033[Kline\033[0m");
	expect(STR("\r\033[Kline"), HARMLESS_COLOURS, "??[Kline");
	expect(STR("\rline"), HARMLESS_PROGRESS, "?line");
}

static void escapes_that_hide_text_do_not_pass(void **state)
{
	(void)state;
	expect(STR("\033[8mx\033[5m\033[7m\033[38;2;0;0;0m\033[38;5m"), HARMLESS_COLOURS,
	       "?[8mx?[5m?[7m?[38;2;0;0;0m?[38;5m");
	expect(STR("\033[1;8mx\033[0000000001mx"), HARMLESS_COLOURS, "?[1;8mx?[0000000001mx");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_passes_as_it_is),
		cmocka_unit_test(controls_and_marks_of_direction_do_not),
		cmocka_unit_test(bytes_that_are_no_utf8_are_replaced),
		cmocka_unit_test(escapes_pass_where_they_are_ours),
		cmocka_unit_test(escapes_that_hide_text_do_not_pass),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
