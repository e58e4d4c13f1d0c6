// SPDX-License-Identifier: Apache-2.0
#include "base/str.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static const struct str nothing;

static void slices_compare_by_bytes(void **state)
{
	(void)state;
	assert_true(str_eq(STR("abc"), str_of("abc")));
	assert_true(str_eq(nothing, STR("")));
	assert_false(str_eq(STR("abc"), STR("abd")));
	assert_false(str_eq(STR("abc"), STR("ab")));
	assert_true(str_eq(str_n("a\0b", 3), STR("a\0b")));
	assert_false(str_eq(str_n("a\0b", 3), str_n("a\0c", 3)));
	assert_int_equal(str_of(NULL).len, 0);
}

static void heads_and_tails_are_found(void **state)
{
	(void)state;
	assert_true(str_starts(STR("matmul"), STR("mat")));
	assert_true(str_starts(STR("matmul"), STR("")));
	assert_true(str_starts(nothing, nothing));
	assert_false(str_starts(STR("ma"), STR("mat")));
	assert_true(str_ends(STR("matmul"), STR("mul")));
	assert_true(str_ends(STR("matmul"), nothing));
	assert_true(str_ends(nothing, nothing));
	assert_false(str_ends(STR("ul"), STR("mul")));
}

static void pieces_of_a_slice_stay_inside_it(void **state)
{
	struct str s = STR("abcdef");

	(void)state;
	assert_true(str_eq(str_from(s, 4), STR("ef")));
	assert_int_equal(str_from(s, 6).len, 0);
	assert_int_equal(str_from(s, 100).len, 0);
	assert_ptr_equal(str_from(s, 100).at, s.at + 6);
	assert_int_equal(str_from(nothing, 1).len, 0);
	assert_true(str_eq(str_head(s, 2), STR("ab")));
	assert_true(str_eq(str_head(s, 100), s));
}

static void needles_are_found_at_their_first_place(void **state)
{
	(void)state;
	assert_int_equal(str_find(STR("abcabc"), STR("ca")), 2);
	assert_int_equal(str_find(STR("abc"), STR("")), 0);
	assert_int_equal(str_find(nothing, STR("")), 0);
	assert_int_equal(str_find(nothing, STR("a")), STR_NONE);
	assert_int_equal(str_find(STR("ab"), STR("abc")), STR_NONE);
	assert_int_equal(str_find_char(STR("a,b,c"), ','), 1);
	assert_int_equal(str_rfind_char(STR("a,b,c"), ','), 3);
	assert_int_equal(str_find_char(STR("abc"), ','), STR_NONE);
	assert_int_equal(str_rfind_char(nothing, ','), STR_NONE);
	assert_int_equal(str_find_char(nothing, ','), STR_NONE);
	assert_true(str_has(STR("softmax"), STR("max")));
	assert_false(str_has(STR("softmax"), STR("min")));
}

static void order_is_that_of_unsigned_bytes(void **state)
{
	(void)state;
	assert_true(str_cmp(STR("a"), STR("b")) < 0);
	assert_true(str_cmp(STR("b"), STR("a")) > 0);
	assert_int_equal(str_cmp(STR("a"), STR("a")), 0);
	assert_true(str_cmp(STR("a"), STR("aa")) < 0);
	assert_true(str_cmp(STR("z"), STR("é")) < 0);
	assert_int_equal(str_cmp(nothing, STR("")), 0);
	assert_true(str_cmp(nothing, STR("a")) < 0);
}

static void blanks_are_trimmed_at_both_ends(void **state)
{
	(void)state;
	assert_true(str_eq(str_trim(STR(" \t\n\v\f\ra b \r\n")), STR("a b")));
	assert_int_equal(str_trim(STR(" \t ")).len, 0);
	assert_int_equal(str_trim(nothing).len, 0);
	assert_true(str_eq(str_trim(STR("\xA0x")), STR("\xA0x")));
}

static void splitting_gives_every_piece_also_empty_ones(void **state)
{
	struct str rest = STR("a,,b,"), piece;
	const char *want[] = { "a", "", "b", "" };
	size_t n = 0;

	(void)state;
	while (str_split(&rest, ',', &piece)) {
		assert_true(n < 4);
		assert_true(str_eq(piece, str_of(want[n++])));
	}
	assert_int_equal(n, 4);
	rest = STR("");
	assert_true(str_split(&rest, ',', &piece));
	assert_int_equal(piece.len, 0);
	assert_false(str_split(&rest, ',', &piece));
	rest = nothing;
	assert_false(str_split(&rest, ',', &piece));
}

static void case_is_ignored_for_ascii_letters_only(void **state)
{
	(void)state;
	assert_true(str_eq_nocase(STR("NaN-1"), STR("nAn-1")));
	assert_false(str_eq_nocase(STR("["), STR("{")));
	assert_false(str_eq_nocase(STR("É"), STR("é")));
	assert_false(str_eq_nocase(STR("a"), STR("ab")));
	assert_true(str_eq_nocase(nothing, STR("")));
}

static void hashes_depend_on_every_byte_and_on_nothing_else(void **state)
{
	char text[40];

	(void)state;
	memset(text, 'a', sizeof(text));
	for (size_t len = 1; len < sizeof(text); len++) {
		/* An exact block, so that reading outside is seen by the sanitizer. */
		char *copy = malloc(len);
		uint64_t h = str_hash(str_n(text, len));

		memcpy(copy, text, len);
		assert_true(str_hash(str_n(copy, len)) == h);
		assert_true(str_hash(str_n(text, len - 1)) != h);
		for (size_t i = 0; i < len; i++) {
			copy[i] ^= 1;
			assert_true(str_hash(str_n(copy, len)) != h);
			copy[i] ^= 1;
		}
		free(copy);
	}
	assert_true(str_hash(nothing) == str_hash(STR("")));
}

static void utf8_is_told_from_other_bytes(void **state)
{
	static const char *const good[] = { "",
					    "abc",
					    "é",
					    "→",
					    "😀",
					    "\xEF\xBF\xBF",
					    "\xF4\x8F\xBF\xBF",
					    "\xED\x9F\xBF",
					    "\xEE\x80\x80",
					    "\xC2\x80",
					    "\xE0\xA0\x80" };
	static const char *const bad[] = {
		"\x80",             /* a tail alone */
		"\xC3",             /* cut */
		"\xE2\x86",         /* cut */
		"\xF0\x9F\x98",     /* cut */
		"\xC0\x80",         /* overlong */
		"\xC1\xBF",         /* overlong */
		"\xE0\x9F\xBF",     /* overlong */
		"\xF0\x8F\xBF\xBF", /* overlong */
		"\xED\xA0\x80",     /* surrogate */
		"\xF4\x90\x80\x80", /* above U+10FFFF */
		"\xF5\x80\x80\x80",
		"\xFF",
		"\xC3(",
		"\xE2(\x86",
		"\xE2\x86(",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		assert_true(str_is_utf8(str_of(good[i])));
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(str_is_utf8(str_of(bad[i])));
	assert_true(str_is_utf8(nothing));
	assert_true(str_is_utf8(str_n("\0", 1)));
}

static void a_buf_is_terminated_after_each_addition(void **state)
{
	struct buf b = { 0 };

	(void)state;
	assert_int_equal(buf_view(&b).len, 0);
	assert_non_null(buf_view(&b).at);
	buf_clear(&b);
	buf_text(&b, "");
	assert_string_equal(b.at, "");
	buf_char(&b, 'a');
	assert_string_equal(b.at, "a");
	buf_str(&b, STR("bc"));
	buf_str(&b, nothing);
	buf_add(&b, "defg", 2);
	buf_fill(&b, '-', 3);
	buf_fill(&b, '-', 0);
	assert_string_equal(b.at, "abcde---");
	assert_int_equal(b.len, 8);
	buf_clear(&b);
	assert_string_equal(b.at, "");
	buf_release(&b);
	assert_null(b.at);
}

static void a_buf_grows_as_needed(void **state)
{
	struct buf b = { 0 };

	(void)state;
	for (int i = 0; i < 100000; i++)
		buf_char(&b, (char)('a' + i % 26));
	assert_int_equal(b.len, 100000);
	assert_int_equal(b.at[99999], 'a' + 99999 % 26);
	assert_int_equal(strlen(b.at), 100000);
	buf_reserve(&b, 1000000);
	assert_true(b.cap > 1100000);
	buf_release(&b);
}

static void formatted_text_may_be_of_any_length(void **state)
{
	struct buf b = { 0 };

	(void)state;
	buf_printf(&b, "%d+", 7);
	buf_printf(&b, "%0500d", 1);
	assert_int_equal(b.len, 502);
	assert_int_equal(strlen(b.at), 502);
	buf_printf(&b, "%s", "");
	assert_int_equal(b.len, 502);
	buf_clear(&b);
	for (int n = 0; n < 200; n++) {
		buf_release(&b);
		buf_printf(&b, "%*s", n, "");
		assert_int_equal(b.len, n);
		assert_int_equal(strlen(b.at), n);
	}
	buf_release(&b);
}

static void integers_are_added_in_full(void **state)
{
	struct buf b = { 0 };

	(void)state;
	buf_add_u64(&b, 0);
	buf_char(&b, ' ');
	buf_add_u64(&b, UINT64_MAX);
	buf_char(&b, ' ');
	buf_add_i64(&b, INT64_MIN);
	buf_char(&b, ' ');
	buf_add_i64(&b, INT64_MAX);
	buf_char(&b, ' ');
	buf_add_i64(&b, -1);
	assert_string_equal(b.at,
			    "0 18446744073709551615 -9223372036854775808 9223372036854775807 -1");
	buf_release(&b);
}

static void wrong_bytes_are_replaced_one_by_one(void **state)
{
	struct buf b = { 0 };

	(void)state;
	buf_add_utf8(&b, STR("a\xFF\xFE→\xE2\x86"));
	assert_string_equal(b.at, "a\xEF\xBF\xBD\xEF\xBF\xBD→\xEF\xBF\xBD\xEF\xBF\xBD");
	buf_release(&b);
	buf_add_utf8(&b, nothing);
	assert_int_equal(b.len, 0);
	buf_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slices_compare_by_bytes),
		cmocka_unit_test(heads_and_tails_are_found),
		cmocka_unit_test(pieces_of_a_slice_stay_inside_it),
		cmocka_unit_test(needles_are_found_at_their_first_place),
		cmocka_unit_test(order_is_that_of_unsigned_bytes),
		cmocka_unit_test(blanks_are_trimmed_at_both_ends),
		cmocka_unit_test(splitting_gives_every_piece_also_empty_ones),
		cmocka_unit_test(case_is_ignored_for_ascii_letters_only),
		cmocka_unit_test(hashes_depend_on_every_byte_and_on_nothing_else),
		cmocka_unit_test(utf8_is_told_from_other_bytes),
		cmocka_unit_test(a_buf_is_terminated_after_each_addition),
		cmocka_unit_test(a_buf_grows_as_needed),
		cmocka_unit_test(formatted_text_may_be_of_any_length),
		cmocka_unit_test(integers_are_added_in_full),
		cmocka_unit_test(wrong_bytes_are_replaced_one_by_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
