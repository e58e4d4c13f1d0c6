// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// clang-format off
#include <cmocka.h>
// clang-format on

#include "base/width.h"

static void widths_follow_unicode_not_the_locale(void **state)
{
	(void)state;
	assert_int_equal(width_text(STR("abc")), 3);
	assert_int_equal(width_text(STR("µs × …")), 6);
	assert_int_equal(width_text(STR("日本語")), 6);
	assert_int_equal(width_text(STR("e\u0301")), 1);
	assert_int_equal(width_text(STR("🚀")), 2);
	assert_int_equal(width_text(STR("█░─")), 3);
	assert_int_equal(width_text(STR("한")), 2);
	assert_int_equal(width_text(STR("\u200b")), 0);
	assert_int_equal(width_text(STR("")), 0);
}

static void the_ends_of_ranges_are_right(void **state)
{
	(void)state;
	assert_int_equal(width_char(0x2ff), 1);
	assert_int_equal(width_char(0x300), 0);
	assert_int_equal(width_char(0x36f), 0);
	assert_int_equal(width_char(0x370), 1);
	assert_int_equal(width_char(0x10ff), 1);
	assert_int_equal(width_char(0x1100), 2);
	assert_int_equal(width_char(0x20000), 2);
	assert_int_equal(width_char(0x10ffff), 1);
	assert_int_equal(width_char(0xff01), 2);
	assert_int_equal(width_char(0xad), 1);
}

static void escape_sequences_take_no_room(void **state)
{
	(void)state;
	assert_int_equal(width_text(STR("\033[1;31mred\033[0m")), 3);
	assert_int_equal(width_text(STR("\033[")), 1);
	assert_int_equal(width_text(STR("\033[31")), 3);
	assert_int_equal(width_text(STR("\033[3\xffm")), 4); /* not one: found by fuzzing */
}

static void bytes_that_are_no_utf8_count_as_one_each(void **state)
{
	(void)state;
	assert_int_equal(width_text(STR("\xff\xfe")), 2);
	assert_int_equal(width_text(STR("a\xe6\x97")), 3);
	assert_int_equal(width_text(STR("\xed\xa0\x80")), 3);
}

static void cuts_to(struct str s, size_t max, bool utf8, const char *expect)
{
	struct buf b = { 0 };

	width_cut(&b, s, max, utf8);
	assert_string_equal(b.at ? b.at : "", expect);
	assert_true(width_text(buf_view(&b)) <= max);
	buf_release(&b);
}

static void long_text_is_cut_with_a_mark(void **state)
{
	(void)state;
	cuts_to(STR("abcdef"), 6, true, "abcdef");
	cuts_to(STR("abcdef"), 5, true, "abcd…");
	cuts_to(STR("abcdef"), 5, false, "abcd.");
	cuts_to(STR("abcdef"), 1, true, "…");
	cuts_to(STR("abcdef"), 0, true, "");
}

static void name_cuts_to(struct str s, size_t max, const char *expect)
{
	struct buf b = { 0 };

	width_cut_name(&b, s, max, true);
	assert_string_equal(b.at, expect);
	assert_true(width_text(buf_view(&b)) <= max);
	buf_release(&b);
}

static void names_keep_their_shape_and_both_ends(void **state)
{
	struct buf b = { 0 };

	(void)state;
	name_cuts_to(STR("MorehLayerNormBackwardGammaBetaGrad 256 x 128"), 34,
		     "MorehLayerNo…mmaBetaGrad 256 x 128");
	name_cuts_to(STR("MorehLayerNormBackwardGammaBetaGrad 256 x 128"), 45,
		     "MorehLayerNormBackwardGammaBetaGrad 256 x 128");
	/* what a name is known by must stay */
	name_cuts_to(STR("Matmul 1024 x 1024 x 1024"), 20, "Matmul 1024 x 1024 …");
	name_cuts_to(STR("日本語日本語日本語"), 13, "日本語…日本語");
	name_cuts_to(STR("ae\u0301bcdefghijklmnopqrse\u0301t"), 12, "ae\u0301bcde…qrse\u0301t");
	width_cut_words(&b, STR("op abcdefghijkl  is "), 5, true);
	assert_string_equal(b.at, "op ab…kl  is ");
	buf_release(&b);
}

static void a_wide_character_is_never_halved(void **state)
{
	(void)state;
	cuts_to(STR("日本語"), 5, true, "日本…");
	cuts_to(STR("日本語"), 4, true, "日…");
	cuts_to(STR("日本語"), 1, true, "…");
}

static void cutting_keeps_marks_with_their_letter_and_ends_colours(void **state)
{
	(void)state;
	cuts_to(STR("e\u0301e\u0301e\u0301"), 2, true, "e\u0301…");
	cuts_to(STR("\033[31mabcdef\033[0m"), 3, true, "\033[31mab…\033[0m");
}

static void padding_goes_to_the_asked_side(void **state)
{
	struct buf b = { 0 };

	(void)state;
	width_pad(&b, STR("日"), 4, WIDTH_LEFT);
	buf_char(&b, '|');
	width_pad(&b, STR("日"), 4, WIDTH_RIGHT);
	buf_char(&b, '|');
	width_pad(&b, STR("long"), 2, WIDTH_RIGHT);
	assert_string_equal(b.at, "日  |  日|long");
	buf_release(&b);
}

static void cleaned_text_cannot_steer_the_terminal(void **state)
{
	struct buf b = { 0 };

	(void)state;
	width_clean(&b, STR("a\tb\nc\033[31md\xff\x7f\xc2\x9bµ"));
	assert_string_equal(b.at, "a b?c?[31md\xef\xbf\xbd??µ");
	buf_release(&b);
}

static void ascii_takes_the_nearest_likeness(void **state)
{
	struct buf b = { 0 };

	(void)state;
	width_ascii(&b, STR("12 µs × 3 … █░ 日 \033[1mx"));
	assert_string_equal(b.at, "12 us x 3 . #. ?? \033[1mx");
	buf_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(widths_follow_unicode_not_the_locale),
		cmocka_unit_test(the_ends_of_ranges_are_right),
		cmocka_unit_test(escape_sequences_take_no_room),
		cmocka_unit_test(bytes_that_are_no_utf8_count_as_one_each),
		cmocka_unit_test(long_text_is_cut_with_a_mark),
		cmocka_unit_test(names_keep_their_shape_and_both_ends),
		cmocka_unit_test(a_wide_character_is_never_halved),
		cmocka_unit_test(cutting_keeps_marks_with_their_letter_and_ends_colours),
		cmocka_unit_test(padding_goes_to_the_asked_side),
		cmocka_unit_test(cleaned_text_cannot_steer_the_terminal),
		cmocka_unit_test(ascii_takes_the_nearest_likeness),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
