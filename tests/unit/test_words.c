// SPDX-License-Identifier: Apache-2.0
#include "record/command_words.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/str.h"

/* `want` has a '|' after each word. */
static void splits(const char *text, const char *want)
{
	struct buf got = { 0 };
	struct words w;
	struct ttp_err e;

	assert_int_equal(words_split(&w, text, &e), TTP_OK);
	assert_false(w.shell);
	for (size_t i = 0; i < w.at.len; i++) {
		buf_printf(&got, "%s|", w.at.at[i]);
	}
	assert_string_equal(got.at, want);
	buf_release(&got);
	assert_null(w.at.at[w.at.len]);
	words_release(&w);
}

static void words_are_split_as_a_shell_does(void **state)
{
	(void)state;
	splits("a b  c", "a|b|c|");
	splits("  a\tb ", "a|b|");
	splits("a 'b c' \"d e\"", "a|b c|d e|");
	splits("a'b'\"c\"d", "abcd|");
	splits("'' \"\"", "||");
	splits("a\\ b \\'", "a b|'|");
	splits("\"a\\\"b\\\\c\\d\"", "a\"b\\c\\d|");
	splits("'a\\b$c'", "a\\b$c|");
	splits("pytest -svv t.py::test[full-eval]", "pytest|-svv|t.py::test[full-eval]|");
	splits("env A=1 b", "env|A=1|b|");
}

static void what_needs_a_shell_gets_one(void **state)
{
	static const char *const texts[] = {
		"a | b", "a && b", "a > b", "A=1 b", "a $HOME", "a *",
		"a; b",  "\"$x\"", "`a`",   "a # b", "a [x]",   "~/a"
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct words w;
		struct ttp_err e;

		assert_int_equal(words_split(&w, texts[i], &e), TTP_OK);
		assert_true(w.shell);
		assert_int_equal(w.at.len, 3);
		assert_string_equal(w.at.at[0], "sh");
		assert_string_equal(w.at.at[2], texts[i]);
		words_release(&w);
	}
}

static void what_makes_no_sense_is_refused(void **state)
{
	static const char *const texts[] = { "", "  ", "a 'b", "a \"b" };

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct words w;
		struct ttp_err e;

		assert_int_equal(words_split(&w, texts[i], &e), TTP_USAGE);
		words_release(&w);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_are_split_as_a_shell_does),
		cmocka_unit_test(what_needs_a_shell_gets_one),
		cmocka_unit_test(what_makes_no_sense_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
