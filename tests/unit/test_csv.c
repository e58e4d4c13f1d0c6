// SPDX-License-Identifier: Apache-2.0
#include "base/csv.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "reference_csv.h"

/* Rows as "a|b/c|d/" so that a test shows input and outcome side by side. */
static void assert_reads(const char *at, size_t len, const char *want)
{
	char *exact = malloc(len ? len : 1); /* for sanitizers: not a byte more than there is */
	struct buf got = { 0 };
	struct csv_reader r;

	assert_non_null(exact);
	memcpy(exact, at, len);
	csv_reader_init(&r, str_n(exact, len));
	while (csv_next(&r)) {
		for (size_t i = 0; i < r.fields; i++) {
			if (i)
				buf_char(&got, '|');
			buf_str(&got, r.field[i]);
		}
		buf_char(&got, '/');
	}
	assert_string_equal(got.at ? got.at : "", want);
	csv_reader_release(&r);
	buf_release(&got);
	free(exact);
}

#define READS(text, want) assert_reads(text, sizeof(text) - 1, want)

static void commas_part_fields_and_line_ends_part_rows(void **state)
{
	(void)state;
	READS("a,b,c\n1,2,3\n", "a|b|c/1|2|3/");
	READS("a,b\r\n1,2\r\n", "a|b/1|2/");
	READS("a,b\r1,2\r", "a|b/1|2/");
	READS("a\r\n\nb\r\r\nc\n\rd", "a/b/c/d/");
	READS("a,b\n1,2", "a|b/1|2/");
	READS(",,\n,", "||/|/");
	READS("", "");
}

static void quotes_hide_commas_and_line_ends(void **state)
{
	(void)state;
	READS("\"a,b\",c\n", "a,b|c/");
	READS("\"a\nb\r\nc\rd\",e\nf\n", "a\nb\r\nc\rd|e/f/");
	READS("\"\",x\n", "|x/");
	READS("\"\"", "/");
	READS("x,\"y\"", "x|y/");
}

static void a_doubled_quote_is_one_quote(void **state)
{
	(void)state;
	READS("\"a\"\"b\",\"\"\"\"\n", "a\"b|\"/");
	READS("\"\"\"\"\"\",1\n", "\"\"|1/");
	READS("\"say \"\"x, y\"\"\"\n", "say \"x, y\"/");
}

static void a_quote_inside_plain_text_is_text(void **state)
{
	(void)state;
	READS("a\"b,c\"\n", "a\"b|c\"/");
	READS(" \"a\",b\n", " \"a\"|b/");
}

static void text_behind_a_closing_quote_belongs_to_the_field(void **state)
{
	(void)state;
	READS("\"a\"b,c\n", "ab|c/");
	READS("\"a\" \"b\",c\n", "a \"b\"|c/");
	READS("\"a\"\"\"b\"\n", "a\"b\"/");
}

static void fields_with_doubled_quotes_share_a_row(void **state)
{
	struct buf b = { 0 }, want = { 0 };

	(void)state;
	/* enough of them that the memory behind them has to move while the row is read */
	for (int i = 0; i < 500; i++) {
		buf_printf(&b, "%s\"x%d\"\"\",%d", i ? "," : "", i, i);
		buf_printf(&want, "%sx%d\"|%d", i ? "|" : "", i, i);
	}
	buf_text(&want, "/");
	assert_reads(b.at, b.len, want.at);
	buf_release(&b);
	buf_release(&want);
}

static void rows_of_blanks_are_skipped(void **state)
{
	(void)state;
	READS("\n\n  \t\na\n \n\r\n \t \r\rb\n   ", "a/b/");
	READS("  a\n \"b\n", "  a/ \"b/");
	READS(" ,\n", " |/");
	READS("   ", "");
	READS("\"\"\na\n", "/a/");
}

static void a_byte_order_mark_is_dropped_once(void **state)
{
	(void)state;
	READS("\xEF\xBB\xBF"
	      "a,b\n\xEF\xBB\xBF"
	      "c\n",
	      "a|b/\xEF\xBB\xBF"
	      "c/");
	READS("\xEF\xBB\xBF\"a,b\"\n", "a,b/");
	READS("\xEF\xBB\xBF", "");
	READS("\xEF\xBB", "\xEF\xBB/");
}

static void an_unclosed_quote_costs_its_own_row_only(void **state)
{
	struct csv_reader r;

	(void)state;
	READS("a,b\n1,\"2\n3,4\n5,6\n", "a|b/1|\"2/3|4/5|6/");
	READS("\"a\n\"\"\n\"\"\"\"b\n", "\"a//\"b/");
	READS("\"", "\"/");
	READS("\"\"\"", "\"\"\"/");
	csv_reader_init(&r, STR("a,b\n1,\"2\n3,4\n"));
	assert_true(csv_next(&r));
	assert_false(r.quote_unclosed);
	assert_true(csv_next(&r));
	assert_true(r.quote_unclosed);
	assert_true(csv_next(&r));
	assert_false(r.quote_unclosed);
	assert_false(csv_next(&r));
	csv_reader_release(&r);
}

static void lines_are_those_of_an_editor(void **state)
{
	static const uint64_t want[] = { 1, 3, 7, 8, 11 };
	struct csv_reader r;

	(void)state;
	csv_reader_init(&r, STR("a\n\n\"b\nc\rd\r\ne\",f\r\ng\rh\n\n\ni"));
	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		assert_true(csv_next(&r));
		assert_int_equal(r.line, want[i]);
	}
	assert_false(csv_next(&r));
	csv_reader_release(&r);
}

static void bytes_that_need_care_are_announced_and_kept(void **state)
{
	struct csv_reader r;

	(void)state;
	csv_reader_init(&r, STR("a\0b,\xFF\n"));
	assert_true(csv_next(&r));
	assert_true(r.odd_bytes);
	assert_int_equal(r.field[0].len, 3);
	assert_memory_equal(r.field[0].at, "a\0b", 3);
	assert_memory_equal(r.field[1].at, "\xFF", 1);
	csv_reader_release(&r);

	csv_reader_init(&r, STR("plain,text\n\"more\",of,it"));
	while (csv_next(&r))
		assert_false(r.odd_bytes);
	csv_reader_release(&r);
}

static void fields_without_doubled_quotes_stay_where_the_data_is(void **state)
{
	struct csv_reader r;

	(void)state;
	csv_reader_init(&r, STR("a,\"b\",\"c\"\"\",\"d\"e,\n"));
	assert_true(csv_next(&r));
	assert_int_equal(r.fields, 5);
	assert_true(csv_field_stays(&r, 0));
	assert_true(csv_field_stays(&r, 1));
	assert_false(csv_field_stays(&r, 2));
	assert_false(csv_field_stays(&r, 3));
	assert_true(csv_field_stays(&r, 4));
	csv_reader_release(&r);
}

/* Every construct at every place of a block, against a reader that knows no blocks. */
static void a_block_boundary_changes_nothing(void **state)
{
	static const struct str pieces[] = {
		STR_INIT(",b\nc\n"),
		STR_INIT("\r\nc,d\r\ne"),
		STR_INIT("\r\r\n\n\rx\r"),
		STR_INIT(",\"q,\"\"\r\n\"\"\",e\r\nf,g"),
		STR_INIT("\n\"\",\"\"\r\n,\r\n"),
		STR_INIT(",\"never closed\r\nnext,row\n"),
		STR_INIT("\n \t \n  \r\n\xC3\xA9,\x80\n"),
		STR_INIT("\"a\"b\"\n\"c\"\r\n"),
	};
	static struct reference_csv want;

	(void)state;
	for (size_t p = 0; p < sizeof(pieces) / sizeof(pieces[0]); p++)
		for (size_t before = 0; before < 130; before++) {
			char *data = malloc(before + pieces[p].len);
			const char *wrong;

			assert_non_null(data);
			memset(data, 'x', before);
			memcpy(data + before, pieces[p].at, pieces[p].len);
			wrong = reference_compare(&want, str_n(data, before + pieces[p].len));
			if (wrong)
				fail_msg("piece %zu after %zu bytes: %s", p, before, wrong);
			free(data);
		}
}

static void any_bytes_are_read_as_a_simple_reader_reads_them(void **state)
{
	static const char alphabet[] = ",,,\"\"\"\n\n\r\r  \tab\xC3\xA9\xFF";
	static struct reference_csv want;
	uint64_t seed = 20240731;

	(void)state;
	for (int round = 0; round < 30000; round++) {
		size_t len = 0, max;
		char *data;
		const char *wrong;

		seed = seed * 6364136223846793005u + 1442695040888963407u;
		max = (seed >> 33) % 200;
		data = malloc(max + 1);
		assert_non_null(data);
		/* runs of plain text move what matters to every place of a block */
		while (len < max) {
			size_t run;

			seed = seed * 6364136223846793005u + 1442695040888963407u;
			run = seed >> 60 ? 0 : (seed >> 40) % 64;
			for (; run && len < max; run--)
				data[len++] = 'x';
			if (len < max)
				data[len++] = alphabet[(seed >> 33) % sizeof(alphabet)];
		}
		wrong = reference_compare(&want, str_n(data, len));
		if (wrong)
			fail_msg("round %d: %s", round, wrong);
		free(data);
	}
}

static void the_writer_quotes_what_must_be_quoted(void **state)
{
	struct buf b = { 0 };
	struct csv_writer w = { .out = &b, .eol = "\r\n" };

	(void)state;
	csv_field(&w, STR("plain"));
	csv_field(&w, STR("a,b"));
	csv_field(&w, STR("say \"x\""));
	csv_field(&w, STR("two\nlines"));
	csv_field(&w, STR("cr\r"));
	csv_field(&w, STR(""));
	csv_plain(&w);
	buf_add_u64(w.out, 42);
	csv_end_row(&w);
	csv_field(&w, STR(" next"));
	csv_end_row(&w);
	assert_string_equal(b.at, "plain,\"a,b\",\"say \"\"x\"\"\",\"two\nlines\",\"cr\r\",,42\r\n"
				  " next\r\n");
	assert_reads(b.at, b.len, "plain|a,b|say \"x\"|two\nlines|cr\r||42/ next/");
	buf_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(commas_part_fields_and_line_ends_part_rows),
		cmocka_unit_test(quotes_hide_commas_and_line_ends),
		cmocka_unit_test(a_doubled_quote_is_one_quote),
		cmocka_unit_test(a_quote_inside_plain_text_is_text),
		cmocka_unit_test(text_behind_a_closing_quote_belongs_to_the_field),
		cmocka_unit_test(fields_with_doubled_quotes_share_a_row),
		cmocka_unit_test(rows_of_blanks_are_skipped),
		cmocka_unit_test(a_byte_order_mark_is_dropped_once),
		cmocka_unit_test(an_unclosed_quote_costs_its_own_row_only),
		cmocka_unit_test(lines_are_those_of_an_editor),
		cmocka_unit_test(bytes_that_need_care_are_announced_and_kept),
		cmocka_unit_test(fields_without_doubled_quotes_stay_where_the_data_is),
		cmocka_unit_test(a_block_boundary_changes_nothing),
		cmocka_unit_test(any_bytes_are_read_as_a_simple_reader_reads_them),
		cmocka_unit_test(the_writer_quotes_what_must_be_quoted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
