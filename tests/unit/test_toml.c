// SPDX-License-Identifier: Apache-2.0
#include "base/toml.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void fails_with(const char *text, const char *message)
{
	struct ttp_err e;
	struct toml t;

	if (!toml_read(&t, str_of(text), &e))
		fail_msg("accepted: %s", text);
	if (strcmp(e.msg, message))
		fail_msg("%s\ngives    %s\nexpected %s", text, e.msg, message);
}

static void tables_keys_and_values_are_read_in_order(void **state)
{
	static const char text[] = "# a comment\r\n"
				   "top = 1_000 # another\n"
				   "\n"
				   "[one]\n"
				   "'a b' = \"x\\t\\u00e9\\U0001F600\\\"\"\n"
				   "lit = 'C:\\x'\n"
				   "[[many]]\n"
				   "yes = true\n"
				   "f = -2.5e+3\n"
				   "[ [many] ]\n";
	static const char good[] =
		"top=1_000\n[one]\n'a b' = \"x\\t\\u00e9\\U0001F600\\\"\"\nlit = 'C:\\x'\n"
		"[[many]]\nyes = true\nf = -2.5e+3\n[[ many ]]\n";
	struct ttp_err e;
	struct toml t;

	(void)state;
	fails_with(text, "line 10, column 3: expected a key, a [table] or a comment");
	assert_int_equal(toml_read(&t, str_of(good), &e), TTP_OK);
	assert_int_equal(t.tables.len, 4);
	assert_true(str_eq(t.tables.at[0].values.at[0].key, STR("top")));
	assert_true(t.tables.at[0].values.at[0].number == 1000);
	assert_int_equal(t.tables.at[0].values.at[0].type, TOML_INTEGER);
	assert_true(str_eq(t.tables.at[1].values.at[0].key, STR("a b")));
	assert_true(str_eq(t.tables.at[1].values.at[0].text, STR("x\t\u00e9\U0001F600\"")));
	assert_true(str_eq(t.tables.at[1].values.at[1].text, STR("C:\\x")));
	assert_true(t.tables.at[2].of_array && t.tables.at[3].of_array);
	assert_true(t.tables.at[2].values.at[0].truth);
	assert_true(t.tables.at[2].values.at[1].number == -2500);
	assert_int_equal(t.tables.at[2].values.at[1].at.line, 7);
	assert_int_equal(t.tables.at[2].values.at[1].at.column, 5);
	assert_int_equal(t.tables.at[3].values.len, 0);
	toml_release(&t);
	assert_int_equal(toml_read(&t, STR(""), &e), TTP_OK);
	assert_int_equal(t.tables.len, 1);
	toml_release(&t);
}

static void what_is_not_read_is_named_with_line_and_column(void **state)
{
	static const struct {
		const char *text, *message;
	} bad[] = {
		{ "a\n", "line 1, column 2: expected = after the key" },
		{ "\na = \n", "line 2, column 5: expected a value after =" },
		{ "a = x",
		  "line 1, column 5: expected a string in quotes, a decimal number, true or false" },
		{ "a = 0x10",
		  "line 1, column 5: expected a string in quotes, a decimal number, true or false" },
		{ "a = 01",
		  "line 1, column 5: expected a string in quotes, a decimal number, true or false" },
		{ "a = 1__0",
		  "line 1, column 5: expected a string in quotes, a decimal number, true or false" },
		{ "a = 1_",
		  "line 1, column 5: expected a string in quotes, a decimal number, true or false" },
		{ "a = .5",
		  "line 1, column 5: expected a string in quotes, a decimal number, true or false" },
		{ "a = 5.",
		  "line 1, column 5: expected a string in quotes, a decimal number, true or false" },
		{ "a = inf",
		  "line 1, column 5: expected a string in quotes, a decimal number, true or false" },
		{ "a = 1979-05-27",
		  "line 1, column 5: expected a string in quotes, a decimal number, true or false" },
		{ "a = 1e999", "line 1, column 5: the number is too large" },
		{ "a = [1]", "line 1, column 5: arrays are not read here" },
		{ "a = {}", "line 1, column 5: inline tables are not read here" },
		{ "a.b = 1", "line 1, column 2: dotted names are not read here" },
		{ "[a.b]", "line 1, column 3: dotted names are not read here" },
		{ "a = \"\"\"x\"\"\"",
		  "line 1, column 5: strings of several lines are not read here" },
		{ "a = \"x\nb = 1", "line 1, column 5: the string has no closing \" on its line" },
		{ "a = \"\\q\"",
		  "line 1, column 6: expected one of \\b \\t \\n \\f \\r \\\" \\\\ \\uXXXX \\UXXXXXXXX; '…' has no escapes" },
		{ "a = \"\\ud800\"", "line 1, column 6: not a character of Unicode" },
		{ "a = \"\\u12\"", "line 1, column 6: expected 4 hexadecimal digits" },
		{ "a = 'x\x01'", "line 1, column 7: a control character in a string" },
		{ "# x\x01", "line 1, column 4: a control character in a comment" },
		{ "a = 1 b = 2", "line 1, column 7: expected the end of the line after the value" },
		{ "[t", "line 1, column 3: expected ] after the table's name" },
		{ "[[t]", "line 1, column 5: expected ]] after the table's name" },
		{ "[t] x",
		  "line 1, column 5: expected the end of the line after the table's name" },
		{ "a = 1\n  a = 2", "line 2, column 3: a was given in line 1 already" },
		{ "[t]\n[t]", "line 2, column 1: the table t is in line 1 already" },
		{ "[t]\n[[t]]", "line 2, column 1: the table t is in line 1 already" },
		{ "t = 1\n[t]", "line 2, column 1: t is a value in line 1, not a table" },
		{ "= 1", "line 1, column 1: expected a key, a [table] or a comment" },
		{ "a = 1\rb = 2",
		  "line 1, column 5: expected a string in quotes, a decimal number, true or false" },
		{ "a = \"\xff\"", "it is not UTF-8 text" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		fails_with(bad[i].text, bad[i].message);
}

static void every_prefix_ends_without_a_crash(void **state)
{
	static const char text[] = "a = \"\\u00e9\"\n[[r]]\nb = -1.5e3 # c\r\n[t]\n'q' = false\n";
	struct ttp_err e;
	struct toml t;

	(void)state;
	for (size_t n = 0; n < sizeof(text); n++) {
		char *copy = malloc(n ? n : 1);

		memcpy(copy, text, n);
		if (!toml_read(&t, str_n(copy, n), &e))
			toml_release(&t);
		free(copy);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tables_keys_and_values_are_read_in_order),
		cmocka_unit_test(what_is_not_read_is_named_with_line_and_column),
		cmocka_unit_test(every_prefix_ends_without_a_crash),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
