// SPDX-License-Identifier: Apache-2.0
/* Parts of tt-perf-report that the recorded cases reach only by chance. */
#include "compat/tt_perf_report/compat.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "compat/tt_perf_report/args.h"
#include "compat/tt_perf_report/output.h"
#include "compat/tt_perf_report/py.h"
#include "compat/tt_perf_report/stacked.h"
#include "ops/py_text.h"

/* ---- Python's text ---- */

static void expect_str(struct str got, const char *want)
{
	assert_int_equal(got.len, strlen(want));
	assert_memory_equal(got.at, want, got.len);
}

static void words_are_split_at_any_white_space(void **state)
{
	struct str rest;

	(void)state;
	expect_str(py_word(STR("  Matmul \t 1 x 2 "), &rest), "Matmul");
	expect_str(rest, "1 x 2 ");
	expect_str(py_word(STR("Matmul \n"), &rest), "Matmul");
	expect_str(rest, "");
	expect_str(py_word(STR("a\xC2\xA0"
			       "b\xE3\x80\x80"
			       "c"),
			   &rest),
		   "a");
	expect_str(rest, "b\xE3\x80\x80"
			 "c");
	expect_str(py_strip(STR("\x1C \xE2\x80\x89 x y \xC2\x85")), "x y");
	expect_str(py_strip(STR(" \t")), "");
	assert_int_equal(py_len(STR("\xC3\x9Cn\xC3\xAF \xF0\x9F\xAA\xA7")), 5);
}

static void expect_repr(const char *text, const char *want)
{
	struct buf b = { 0 };

	py_quote(&b, str_of(text));
	assert_string_equal(b.at, want);
	buf_release(&b);
}

static void repr_chooses_its_quotes(void **state)
{
	(void)state;
	expect_repr("abc", "'abc'");
	expect_repr("it's", "\"it's\"");
	expect_repr("it's \"x\"", "'it\\'s \"x\"'");
	expect_repr("a\\b\n\x01", "'a\\\\b\\n\\x01'");
}

static void python_reads_numbers_generously(void **state)
{
	struct buf digits = { 0 };
	int64_t i;
	double v;

	(void)state;
	assert_true(py_float(STR(" 1_000.5 "), &v) && v == 1000.5);
	assert_true(py_float(STR("inf"), &v));
	assert_false(py_float(STR("1__0"), &v));
	assert_false(py_float(STR("_1"), &v));
	assert_false(py_float(STR(""), &v));
	assert_false(py_float(STR("0x10"), &v));
	assert_true(py_int(STR(" +007 "), &i, &digits) && i == 7);
	assert_string_equal(digits.at, "7");
	buf_clear(&digits);
	assert_true(py_int(STR("-99999999999999999999"), &i, &digits) && i == -INT64_MAX);
	assert_string_equal(digits.at, "-99999999999999999999");
	assert_false(py_int(STR("1.0"), &i, NULL));
	assert_false(py_int(STR("+"), &i, NULL));
	assert_false(py_int(STR("1_"), &i, NULL));
	buf_release(&digits);
}

static void sums_are_compensated_but_not_for_integers(void **state)
{
	struct py_sum s = { 0 };

	(void)state;
	for (int i = 0; i < 10; i++)
		py_sum_add(&s, 0.1);
	assert_true(py_sum_value(&s) == 1.0);
	s = (struct py_sum){ 0 };
	py_sum_add(&s, 1e100);
	py_sum_add(&s, 1);
	py_sum_add(&s, -1e100);
	assert_true(py_sum_value(&s) == 1);
	s = (struct py_sum){ 0 };
	py_sum_add_int(&s, 0);
	py_sum_add_int(&s, 3);
	assert_false(s.real);
	assert_true(py_sum_value(&s) == 3);
	s = (struct py_sum){ 0 };
	py_sum_add(&s, (double)INFINITY);
	py_sum_add(&s, 1);
	assert_true(isinf(py_sum_value(&s)));
}

/* ---- cells ---- */

static void expect_shown(const char *text, const char *name, const char *rest, uint32_t width)
{
	struct texts x = { .v = compat_version_named(NULL) };
	const struct text *t;
	uint32_t id = texts_add(&x, str_of(text));

	t = text_at(&x, id);
	expect_str(t->name, name);
	expect_str(t->rest, rest);
	assert_int_equal(t->width, width);
	assert_int_equal(texts_add(&x, str_of(text)), id);
	texts_release(&x);
}

static void cells_show_names_apart_and_numbers_as_numbers(void **state)
{
	(void)state;
	expect_shown("Tilize", "Tilize", "", 6);
	expect_shown("Matmul  1 x 2", "Matmul", "1 x 2", 12);
	expect_shown("Matmul", "Matmul", "", 7); /* the blank stays */
	expect_shown("123456", "123,456", "", 7);
	expect_shown("1e5", "100,000", "", 7);
	expect_shown("0.5", "0", "", 1);
	expect_shown("1_000", "1,000", "", 5);
	expect_shown("\xC3\x9Cn\xC3\xAF", "\xC3\x9Cn\xC3\xAF", "", 3);
}

static enum category category_of(const struct compat_version *v, const char *word)
{
	return compat_category(v, str_of(word), str_of(word));
}

static void categories_know_names_with_and_without_their_ending(void **state)
{
	const struct compat_version *v = compat_version_named("1.2.4");
	const struct compat_version *newest = compat_version_named("");

	(void)state;
	assert_non_null(v);
	assert_null(compat_version_named("1.1"));
	assert_int_equal(category_of(v, "ReduceScatter"), CATEGORY_DM);
	assert_int_equal(category_of(newest, "ReduceScatter"), CATEGORY_CCL);
	assert_int_equal(category_of(v, "AllGather"), CATEGORY_OTHER);
	assert_int_equal(category_of(newest, "AllGatherDeviceOperation"), CATEGORY_CCL);
	assert_int_equal(category_of(v, "x(torch)"), CATEGORY_OTHER);
	assert_int_equal(category_of(newest, "x(torch)"), CATEGORY_HOST);
	assert_int_equal(category_of(v, "Matmul"), CATEGORY_COMPUTE);
	assert_int_equal(category_of(v, "MatmulDeviceOperation"), CATEGORY_COMPUTE);
	assert_int_equal(category_of(v, "HaloDeviceOperation"), CATEGORY_DM);
	assert_int_equal(category_of(v, "PadDeviceOperation"), CATEGORY_TM);
	assert_int_equal(category_of(v, "Pad"), CATEGORY_OTHER);
	assert_int_equal(category_of(v, "(torch)"), CATEGORY_HOST);
	assert_int_equal(category_of(v, "DeviceOperation"), CATEGORY_OTHER);
	assert_int_equal(category_of(v, ""), CATEGORY_OTHER);
}

/* ---- attributes ---- */

static void attributes_are_found_by_their_names(void **state)
{
	const struct compat_version *v = compat_version_named("1.2.4");
	struct attributes a;
	struct buf b = { 0 };
	int64_t window[2];

	(void)state;
	a = compat_attributes_read(STR("in0_block_w=4;out_subblock_h=1"));
	assert_int_equal(a.has, 0); /* no program_config */
	a = compat_attributes_read(
		STR("'program_config': 'X(in0_block_w=;in0_block_w=004;out_subblock_w=8)'"));
	assert_int_equal(a.has, 1 << BLOCK_K | 1 << BLOCK_W);
	assert_int_equal(a.block[BLOCK_K], 4);
	assert_int_equal(a.block[BLOCK_W], 8);
	compat_attributes_halo(
		STR("window_hw=(3;3); padding=((1; 1); (2; 2)); memory_layout=A::B::C; x"), &b);
	assert_string_equal(b.at, " w=(3,3) s=x p=((1, 1), (2, 2)) d=x | B");
	buf_clear(&b);
	compat_attributes_conv(
		STR("per_core_out_matrix_height_ntile=7; act_block_h_ntiles=; 'enable_split_reader': 'false'"),
		&b);
	assert_string_equal(b.at, " [ABH=7|x ADB]");
	assert_true(compat_attributes_window(v, STR("window_hw=(5;3); y"), window));
	assert_int_equal(window[0], 5);
	assert_int_equal(window[1], 3);
	assert_false(compat_attributes_window(v, STR("window_hw=(5)"), window));
	assert_false(compat_attributes_window(v, STR("window_hw"), window));
	assert_false(compat_attributes_window(v, STR(""), window));
	buf_release(&b);
}

/* ---- order ---- */

static void short_lists_keep_the_order_of_equal_keys(void **state)
{
	double key[16];
	uint32_t order[16];

	(void)state;
	for (uint32_t i = 0; i < 16; i++) {
		key[i] = i % 3;
		order[i] = i;
	}
	numpy_argsort(key, order, 16);
	for (int i = 1; i < 16; i++)
		assert_true(key[order[i - 1]] < key[order[i]] ||
			    (key[order[i - 1]] == key[order[i]] && order[i - 1] < order[i]));
}

static void long_lists_are_sorted_whatever_they_hold(void **state)
{
	enum { N = 5000 };
	static double key[N];
	static uint32_t order[N];

	(void)state;
	for (int kind = 0; kind < 5; kind++) {
		uint64_t random = 1;

		for (uint32_t i = 0; i < N; i++) {
			random = random * 6364136223846793005u + 1442695040888963407u;
			key[i] = kind == 0   ? (double)(random >> 40)
				 : kind == 1 ? 7
				 : kind == 2 ? i
				 : kind == 3 ? N - (double)i
					     : (double)(random >> 62);
			order[i] = i;
		}
		numpy_argsort(key, order, N);
		for (int i = 1; i < N; i++)
			assert_true(key[order[i - 1]] <= key[order[i]]);
	}
	numpy_argsort(key, order, 0);
	numpy_argsort(key, order, 1);
}

/* Keys of which every split cuts off the two smallest only: they stand first and in the middle.  Each
 * split then moves the last but one to the middle, and the second to the last but one. */
static void make_killer(double *key, uint32_t *place, size_t n)
{
	size_t first = 0, last = n - 1;
	double smallest = 0;

	for (uint32_t i = 0; i < n; i++)
		place[i] = i;
	for (; last - first >= 16; first += 2) {
		size_t middle = first + (last - first) / 2;

		key[place[first]] = smallest++;
		key[place[middle]] = smallest++;
		place[middle] = place[last - 1];
		place[last - 1] = place[first + 1];
	}
	for (; first <= last; first++)
		key[place[first]] = smallest++;
}

static void no_keys_make_the_sort_slow(void **state)
{
	enum { N = 100000, LOG2_N = 16 };
	double *key = mem_alloc(N, sizeof(*key));
	uint32_t *order = mem_alloc(N, sizeof(*order));

	(void)state;
	make_killer(key, order, N);
	/* a few equal ones among them */
	for (uint32_t i = 0; i < N; i++) {
		key[i] = floor(key[i] / 2);
		order[i] = i;
	}
	assert_true(numpy_argsort(key, order, N) <= 4ull * LOG2_N * N);
	for (size_t i = 1; i < N; i++)
		assert_true(key[order[i - 1]] <= key[order[i]]);
	free(key);
	free(order);
}

/* ---- the command line ---- */

static enum args_wish parse(struct compat_args *a, struct buf *text, const char *line)
{
	static char copy[300];
	char *argv[20] = { NULL };
	int argc = 0;

	memcpy(copy, line, strlen(line) + 1);
	argv[argc++] = copy;
	for (char *p = copy; *p; p++)
		if (*p == ' ') {
			*p = 0;
			argv[argc++] = p + 1;
		}
	buf_clear(text);
	return compat_args_parse(a, compat_version_named(NULL), argc, argv, text);
}

static void expect_wrong(const char *line, const char *message)
{
	struct compat_args a;
	struct buf text = { 0 }, usage = { 0 };
	struct str tail;

	compat_usage(compat_version_named(NULL), &usage);
	assert_int_equal(parse(&a, &text, line), ARGS_WRONG);
	tail = buf_view(&text);
	assert_true(str_starts(tail, buf_view(&usage)));
	tail = str_from(tail, usage.len + strlen("tt-perf-report: error: "));
	buf_release(&usage);
	expect_str(str_head(tail, tail.len - 1), message);
	compat_args_release(&a);
	buf_release(&text);
}

static void wrong_usage_is_told_in_the_words_of_argparse(void **state)
{
	(void)state;
	expect_wrong("x", "the following arguments are required: csv_files");
	expect_wrong("x --", "the following arguments are required: csv_files");
	expect_wrong(
		"x a --s y",
		"ambiguous option: --s could match --start-signpost, --summary-file, --stacked-csv");
	expect_wrong("x a --st=y",
		     "ambiguous option: --st=y could match --start-signpost, --stacked-csv");
	expect_wrong("x a --si y", "unrecognized arguments: --si y");
	expect_wrong("x a --csv b c", "unrecognized arguments: c");
	expect_wrong("x a --color -- b", "unrecognized arguments: -- b");
	expect_wrong("x a --color=x", "argument --color: ignored explicit argument 'x'");
	expect_wrong("x a --help=", "argument -h/--help: ignored explicit argument ''");
	expect_wrong("x a --csv --color", "argument --csv: expected one argument");
	expect_wrong("x a --min -x", "argument --min-percentage: expected one argument");
	expect_wrong("x a --min 1x", "argument --min-percentage: invalid float value: '1x'");
	expect_wrong("x a -q", "unrecognized arguments: -q");
}

static void options_are_found_by_any_prefix(void **state)
{
	struct compat_args a;
	struct buf text = { 0 };

	(void)state;
	assert_int_equal(parse(&a, &text, "x --no-a --id 2-9 --group=op --min -.5 -- --color a"),
			 ARGS_RUN);
	assert_true(a.no_advice);
	assert_false(a.color);
	assert_int_equal(a.group_by, GROUP_OP);
	assert_true(a.min_percentage == -0.5);
	assert_int_equal(a.paths.len, 2);
	assert_string_equal(a.paths.at[0], "--color");
	assert_int_equal(a.first_id.id, 2);
	assert_int_equal(a.last_id.id, 9);
	compat_args_release(&a);
	assert_int_equal(parse(&a, &text, "x -12 --no-color -hx"), ARGS_HELP);
	compat_args_release(&a);
	buf_release(&text);
}

static void signpost_is_another_name_for_start_signpost(void **state)
{
	struct compat_args a;
	struct buf text = { 0 };

	(void)state;
	assert_int_equal(parse(&a, &text, "x a --signpost here"), ARGS_RUN);
	assert_string_equal(a.start_signpost, "here");
	compat_args_release(&a);
	assert_int_equal(parse(&a, &text, "x a --signpost=there"), ARGS_RUN);
	assert_string_equal(a.start_signpost, "there");
	compat_args_release(&a);
	buf_clear(&text);
	compat_usage(compat_version_named(NULL), &text);
	compat_help(compat_version_named(NULL), &text);
	assert_null(strstr(text.at, "[--signpost"));
	assert_null(strstr(text.at, " --signpost"));
	buf_release(&text);
}

static void id_ranges_are_two_numbers_either_of_which_may_be_open(void **state)
{
	static const char *const bad[] = { "5", "5-10-12", "a-b", "1.5-3", "", ",-5", "5--" };
	struct compat_args a;
	struct buf text = { 0 }, line = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		buf_clear(&line);
		buf_printf(&line, "x a --id-range=%s", bad[i]);
		assert_int_equal(parse(&a, &text, line.at), ARGS_RUN);
		assert_true(a.id_range_bad);
		compat_args_release(&a);
	}
	assert_int_equal(parse(&a, &text, "x a --id-range=1,000-+2_000"), ARGS_RUN);
	assert_false(a.id_range_bad);
	assert_int_equal(a.first_id.id, 1000);
	assert_string_equal(a.last_id.text.at, "2000");
	compat_args_release(&a);
	assert_int_equal(parse(&a, &text, "x a --id-range -"), ARGS_RUN);
	assert_false(a.id_range_bad || a.first_id.given || a.last_id.given);
	compat_args_release(&a);
	buf_release(&text);
	buf_release(&line);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_are_split_at_any_white_space),
		cmocka_unit_test(repr_chooses_its_quotes),
		cmocka_unit_test(python_reads_numbers_generously),
		cmocka_unit_test(sums_are_compensated_but_not_for_integers),
		cmocka_unit_test(cells_show_names_apart_and_numbers_as_numbers),
		cmocka_unit_test(categories_know_names_with_and_without_their_ending),
		cmocka_unit_test(attributes_are_found_by_their_names),
		cmocka_unit_test(short_lists_keep_the_order_of_equal_keys),
		cmocka_unit_test(long_lists_are_sorted_whatever_they_hold),
		cmocka_unit_test(no_keys_make_the_sort_slow),
		cmocka_unit_test(wrong_usage_is_told_in_the_words_of_argparse),
		cmocka_unit_test(options_are_found_by_any_prefix),
		cmocka_unit_test(signpost_is_another_name_for_start_signpost),
		cmocka_unit_test(id_ranges_are_two_numbers_either_of_which_may_be_open),
	};

	return cmocka_run_group_tests_name("compat", tests, NULL, NULL);
}
