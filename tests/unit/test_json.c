// SPDX-License-Identifier: Apache-2.0
#include "base/json.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void write_sample(struct json_writer *w)
{
	json_open_object(w);
	json_write_key(w, STR("a"));
	json_write_i64(w, INT64_MIN);
	json_write_key(w, STR("b"));
	json_open_array(w);
	json_write_u64(w, UINT64_MAX);
	json_write_double(w, 0.1);
	json_write_double(w, 2);
	json_open_object(w);
	json_close_object(w);
	json_open_array(w);
	json_close_array(w);
	json_close_array(w);
	json_write_key(w, STR("c"));
	json_write_bool(w, true);
	json_write_key(w, STR("d"));
	json_write_null(w);
	json_write_key(w, STR("e"));
	json_write_raw(w, STR("1.50"));
	json_close_object(w);
	assert_true(w->done);
}

static void compact_text_has_no_blanks(void **state)
{
	struct buf b = { 0 };
	struct json_writer w = { .to = &b };

	(void)state;
	write_sample(&w);
	assert_string_equal(
		b.at, "{\"a\":-9223372036854775808,\"b\":[18446744073709551615,0.1,2.0,{},[]],"
		      "\"c\":true,\"d\":null,\"e\":1.50}");
	buf_release(&b);
}

static void pretty_text_is_indented_by_two(void **state)
{
	struct buf b = { 0 };
	struct json_writer w = { .to = &b, .pretty = true };

	(void)state;
	write_sample(&w);
	assert_string_equal(b.at, "{\n"
				  "  \"a\": -9223372036854775808,\n"
				  "  \"b\": [\n"
				  "    18446744073709551615,\n"
				  "    0.1,\n"
				  "    2.0,\n"
				  "    {},\n"
				  "    []\n"
				  "  ],\n"
				  "  \"c\": true,\n"
				  "  \"d\": null,\n"
				  "  \"e\": 1.50\n"
				  "}");
	buf_release(&b);
}

static void expect_quoted(struct str s, const char *want)
{
	struct buf b = { 0 };

	json_quote(&b, s);
	assert_string_equal(b.at, want);
	buf_release(&b);
}

static void strings_are_escaped_where_json_asks_for_it(void **state)
{
	(void)state;
	expect_quoted(STR(""), "\"\"");
	expect_quoted((struct str){ 0 }, "\"\"");
	expect_quoted(STR("a\"b\\c/d"), "\"a\\\"b\\\\c/d\"");
	expect_quoted(STR("\b\f\n\r\t"), "\"\\b\\f\\n\\r\\t\"");
	expect_quoted(str_n("\0\x1f", 2), "\"\\u0000\\u001f\"");
	expect_quoted(STR("µs → \"x\""), "\"µs → \\\"x\\\"\"");
}

static void what_could_steer_a_terminal_is_escaped(void **state)
{
	(void)state;
	expect_quoted(STR("a\x7f\xC2\x80\xC2\x9F"), "\"a\\u007f\\u0080\\u009f\"");
	expect_quoted(STR("\xD8\x9C\xE2\x80\x8E\xE2\x80\x8F"), "\"\\u061c\\u200e\\u200f\"");
	expect_quoted(STR("\xE2\x80\xA8µ\xE2\x80\xAE"), "\"\\u2028µ\\u202e\"");
	expect_quoted(STR("\xE2\x81\xA6\xE2\x81\xA9\xEF\xBB\xBF\xFF"),
		      "\"\\u2066\\u2069\\ufeff\xEF\xBF\xBD\"");
	expect_quoted(STR("\xC2\xA0\xE2\x80\x90\xE2\x80\xAF"),
		      "\"\xC2\xA0\xE2\x80\x90\xE2\x80\xAF\"");
}

static void bytes_that_are_not_utf8_are_replaced(void **state)
{
	(void)state;
	expect_quoted(STR("a\xFF"), "\"a\xEF\xBF\xBD\"");
	expect_quoted(STR("\xC3"
			  "a"),
		      "\"\xEF\xBF\xBD"
		      "a\"");
}

static void doubles_that_json_cannot_say_are_null(void **state)
{
	struct buf b = { 0 };
	struct json_writer w = { .to = &b };

	(void)state;
	json_open_array(&w);
	json_write_double(&w, (double)NAN);
	json_write_double(&w, -(double)INFINITY);
	json_close_array(&w);
	assert_string_equal(b.at, "[null,null]");
	buf_release(&b);
}

static void a_document_may_be_one_scalar(void **state)
{
	struct buf b = { 0 };
	struct json_writer w = { .to = &b, .pretty = true };

	(void)state;
	json_write_str(&w, STR("x"));
	assert_true(w.done);
	assert_string_equal(b.at, "\"x\"");
	buf_release(&b);
}

static void events_come_in_the_order_of_the_text(void **state)
{
	static const enum json_event want[] = {
		JSON_OBJECT_BEGIN, JSON_KEY,         JSON_ARRAY_BEGIN,  JSON_NUMBER,
		JSON_STRING,       JSON_BOOL,        JSON_BOOL,         JSON_NULL,
		JSON_ARRAY_END,    JSON_KEY,         JSON_OBJECT_BEGIN, JSON_OBJECT_END,
		JSON_KEY,          JSON_ARRAY_BEGIN, JSON_ARRAY_END,    JSON_OBJECT_END,
		JSON_END,          JSON_END,
	};
	struct json_reader r = json_reader_of(
		STR(" {\"a\" : [ -1.5e3 ,\"s\",true,false,null ] , \"b\":{ },\"c\":[\n]}\r\n\t"));

	(void)state;
	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++)
		assert_int_equal(json_next(&r), want[i]);
}

static void texts_are_raw_slices_until_unescaped(void **state)
{
	struct json_reader r = json_reader_of(STR(
		"[\"plain\",\"a\\n\\u00e9\\\\\\/\\\"\",\"\\ud83d\\ude00\",\"\\ud83d!\\ude00\",\"\"]"));
	struct buf b = { 0 };

	(void)state;
	json_next(&r);
	assert_int_equal(json_next(&r), JSON_STRING);
	assert_false(r.escaped);
	assert_true(json_text_is(&r, STR("plain")));
	assert_false(json_text_is(&r, STR("plai")));
	assert_int_equal(json_next(&r), JSON_STRING);
	assert_true(r.escaped);
	assert_true(json_text_is(&r, STR("a\né\\/\"")));
	json_next(&r);
	json_unescape(&r, &b);
	assert_string_equal(b.at, "😀");
	buf_clear(&b);
	json_next(&r);
	json_unescape(&r, &b);
	assert_string_equal(b.at, "\xEF\xBF\xBD!\xEF\xBF\xBD");
	json_next(&r);
	assert_true(json_text_is(&r, STR("")));
	buf_release(&b);
}

static void unescaped_text_is_always_utf8(void **state)
{
	struct json_reader r = json_reader_of(STR("\"\xFF\\n\xC3\""));
	struct buf b = { 0 };

	(void)state;
	assert_int_equal(json_next(&r), JSON_STRING);
	json_unescape(&r, &b);
	assert_true(str_is_utf8(buf_view(&b)));
	buf_release(&b);
}

static void integers_keep_all_their_bits(void **state)
{
	struct json_reader r =
		json_reader_of(STR("[18446744073709551615,-9223372036854775808,1.0,1e2,\"7\"]"));
	uint64_t u = 0;
	int64_t i = 0;
	double d = 0;

	(void)state;
	json_next(&r);
	json_next(&r);
	assert_true(json_u64(&r, &u) && u == UINT64_MAX);
	assert_false(json_i64(&r, &i));
	json_next(&r);
	assert_true(json_i64(&r, &i) && i == INT64_MIN);
	assert_false(json_u64(&r, &u));
	json_next(&r);
	assert_false(json_i64(&r, &i));
	assert_true(json_double(&r, &d) && d == 1);
	json_next(&r);
	assert_true(json_double(&r, &d) && d == 100);
	json_next(&r);
	assert_false(json_double(&r, &d) || json_i64(&r, &i) || json_u64(&r, &u));
}

static void values_are_skipped_whole(void **state)
{
	struct json_reader r =
		json_reader_of(STR("{\"a\":{\"x\":[1,{\"y\":2}]},\"b\":3,\"c\":[[],[1]],\"d\":4}"));

	(void)state;
	json_next(&r);
	json_next(&r);
	assert_true(json_skip_value(&r));
	assert_int_equal(json_next(&r), JSON_KEY);
	assert_true(json_text_is(&r, STR("b")));
	assert_true(json_skip_value(&r));
	assert_int_equal(json_next(&r), JSON_KEY);
	assert_int_equal(json_next(&r), JSON_ARRAY_BEGIN);
	assert_true(json_skip_value(&r));
	assert_int_equal(json_next(&r), JSON_KEY);
	assert_true(json_text_is(&r, STR("d")));
	assert_int_equal(json_next(&r), JSON_NUMBER);
	assert_true(json_skip_value(&r));
	assert_int_equal(json_next(&r), JSON_OBJECT_END);
	assert_int_equal(json_next(&r), JSON_END);

	r = json_reader_of(STR("[1,[2,,3]]"));
	json_next(&r);
	assert_false(json_skip_value(&r));
}

static void expect_error(struct str text, size_t at, const char *what)
{
	/* An exact block, so that a read past the end is seen by the sanitizer. */
	char *copy = malloc(text.len ? text.len : 1);
	struct json_reader r;
	struct ttp_err e = { 0 };
	char want[128];
	enum json_event ev;

	if (text.len)
		memcpy(copy, text.at, text.len);
	r = json_reader_of(str_n(copy, text.len));
	while ((ev = json_next(&r)) > JSON_END)
		;
	if (ev != JSON_ERROR)
		fail_msg("%.*s was accepted", STR_ARG(text));
	assert_int_equal(json_next(&r), JSON_ERROR);
	assert_int_equal(json_fail(&r, &e), TTP_FORMAT);
	snprintf(want, sizeof(want), "byte %zu: %s", at, what);
	assert_string_equal(e.msg, want);
	free(copy);
}

static void errors_say_what_and_where(void **state)
{
	(void)state;
	expect_error(STR(""), 0, "no value");
	expect_error(STR("  "), 2, "no value");
	expect_error(STR("1 2"), 2, "something after the end of the value");
	expect_error(STR("[1"), 2, "text ends inside a value");
	expect_error(STR("[1,"), 3, "text ends inside a value");
	expect_error(STR("[1,]"), 3, "expected a value");
	expect_error(STR("[,1]"), 1, "expected a value");
	expect_error(STR("[1 2]"), 3, "expected ',' or ']'");
	expect_error(STR("[1}"), 2, "expected ',' or ']'");
	expect_error(STR("{\"a\":1]"), 6, "expected ',' or '}'");
	expect_error(STR("{\"a\" 1}"), 5, "expected ':' after the key");
	expect_error(STR("{\"a\""), 4, "expected ':' after the key");
	expect_error(STR("{\"a\":}"), 5, "expected a value");
	expect_error(STR("{\"a\":1,}"), 7, "expected a key in quotes");
	expect_error(STR("{a:1}"), 1, "expected a key in quotes");
	expect_error(STR("]"), 0, "expected a value");
	expect_error(STR("'a'"), 0, "expected a value");
	expect_error(STR("NaN"), 0, "expected a value");
	expect_error(STR("\xEF\xBB\xBF"
			 "1"),
		     0, "expected a value");
	expect_error(STR("nul"), 0, "unknown word");
	expect_error(STR("truth"), 0, "unknown word");
	expect_error(STR("nullx"), 4, "something after the end of the value");
	expect_error(STR("\"a"), 0, "string without an end");
	expect_error(STR("\"a\\"), 2, "unknown or cut escape in a string");
	expect_error(STR("\"\\x41\""), 1, "unknown or cut escape in a string");
	expect_error(STR("\"\\u12g4\""), 1, "unknown or cut escape in a string");
	expect_error(STR("\"\\u12"), 1, "unknown or cut escape in a string");
	expect_error(str_n("\"\\\0\"", 4), 1, "unknown or cut escape in a string");
	expect_error(STR("\"a\nb\""), 2, "control character in a string");
	expect_error(STR("-"), 0, "'-' without a number");
	expect_error(STR("+1"), 0, "expected a value");
	expect_error(STR(".5"), 0, "expected a value");
	expect_error(STR("01"), 0, "number with a leading zero");
	expect_error(STR("-01"), 0, "number with a leading zero");
	expect_error(STR("1."), 0, "number without digits after its point");
	expect_error(STR("1.e5"), 0, "number without digits after its point");
	expect_error(STR("1e"), 0, "number without digits in its exponent");
	expect_error(STR("1e+"), 0, "number without digits in its exponent");
	expect_error(STR("0x10"), 1, "something after the end of the value");
}

static void nesting_has_a_limit(void **state)
{
	struct buf b = { 0 };
	struct json_reader r;

	(void)state;
	buf_fill(&b, '[', JSON_DEPTH_MAX);
	buf_fill(&b, ']', JSON_DEPTH_MAX);
	r = json_reader_of(buf_view(&b));
	json_next(&r);
	assert_true(json_skip_value(&r));
	assert_int_equal(json_next(&r), JSON_END);
	buf_clear(&b);
	buf_fill(&b, '[', 100000);
	expect_error(buf_view(&b), JSON_DEPTH_MAX, "nested too deeply");
	buf_release(&b);
}

static void every_cut_of_a_text_is_an_error_and_not_a_crash(void **state)
{
	struct str text = STR("{\"a\\u00e9\":[1.5e+3,true,null,\"\\ud83d\\ude00\"],\"b\":{}}");

	(void)state;
	for (size_t n = 0; n < text.len; n++) {
		char *copy = malloc(n ? n : 1);
		struct json_reader r;
		enum json_event ev;

		memcpy(copy, text.at, n);
		r = json_reader_of(str_n(copy, n));
		while ((ev = json_next(&r)) > JSON_END)
			;
		assert_int_equal(ev, JSON_ERROR);
		assert_true(r.error_at <= n);
		free(copy);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(compact_text_has_no_blanks),
		cmocka_unit_test(pretty_text_is_indented_by_two),
		cmocka_unit_test(strings_are_escaped_where_json_asks_for_it),
		cmocka_unit_test(what_could_steer_a_terminal_is_escaped),
		cmocka_unit_test(bytes_that_are_not_utf8_are_replaced),
		cmocka_unit_test(doubles_that_json_cannot_say_are_null),
		cmocka_unit_test(a_document_may_be_one_scalar),
		cmocka_unit_test(events_come_in_the_order_of_the_text),
		cmocka_unit_test(texts_are_raw_slices_until_unescaped),
		cmocka_unit_test(unescaped_text_is_always_utf8),
		cmocka_unit_test(integers_keep_all_their_bits),
		cmocka_unit_test(values_are_skipped_whole),
		cmocka_unit_test(errors_say_what_and_where),
		cmocka_unit_test(nesting_has_a_limit),
		cmocka_unit_test(every_cut_of_a_text_is_an_error_and_not_a_crash),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
