// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// clang-format off
#include <cmocka.h>
// clang-format on

#include "cmd/cmd.h"
#include "trace/trace_units.h"

static void a_command_is_found_by_its_exact_name(void **state)
{
	(void)state;
	assert_non_null(cmd_find("report"));
	assert_null(cmd_find("repor"));
	assert_null(cmd_find("tt-perf-report"));
	assert_null(cmd_find(""));
}

static void a_tool_is_found_by_any_path_to_its_name(void **state)
{
	const struct cmd *c = cmd_find_alias("tt-perf-report");

	(void)state;
	assert_non_null(c);
	assert_ptr_equal(cmd_find_alias("/usr/bin/tt-perf-report"), c);
	assert_ptr_equal(cmd_find_alias("./tt-perf-report.py"), c);
	assert_null(cmd_find_alias("tt-perf-report.sh"));
	assert_null(cmd_find_alias("ttprof"));
	assert_null(cmd_find_alias("/"));
	assert_null(cmd_find_alias(""));
}

static void names_are_unique(void **state)
{
	(void)state;
	for (const struct cmd *a = cmd_all; a->name; a++)
		for (const struct cmd *b = a + 1; b->name; b++)
			assert_string_not_equal(a->name, b->name);
}

static void every_command_can_tell_about_itself(void **state)
{
	(void)state;
	for (const struct cmd *c = cmd_all; c->name; c++) {
		struct buf b = { 0 };

		assert_non_null(c->run);
		if (c->command) {
			assert_non_null(cmd_find(c->command));
			continue;
		}
		assert_true(str_starts(str_of(c->spec->prog), STR("ttprof ")));
		assert_string_equal(c->spec->prog + strlen("ttprof "), c->name);
		opt_help(&b, c->spec, 80);
		opt_man(&b, c->spec, "ttprof");
		buf_release(&b);
	}
}

static void every_option_has_one_name_one_letter_and_a_sentence(void **state)
{
	(void)state;
	for (const struct cmd *c = cmd_all; c->name; c++) {
		if (!c->spec || !c->spec->opts)
			continue;
		for (const struct opt *o = c->spec->opts; o->name; o++) {
			assert_true(o->hidden || (o->help && *o->help));
			assert_true(o->kind != OPT_CHOICE || o->choices);
			assert_string_not_equal(o->name, "help");
			for (const struct opt *p = o + 1; p->name; p++) {
				assert_string_not_equal(o->name, p->name);
				assert_true(!o->letter || o->letter != p->letter);
			}
		}
	}
}

static void the_overview_lists_what_is_not_hidden(void **state)
{
	struct buf b = { 0 };

	(void)state;
	cmd_overview(&b, 80);
	for (const struct cmd *c = cmd_all; c->name; c++) {
		bool hidden = !c->command && c->flags & CMD_HIDDEN;

		assert_int_equal(str_has(buf_view(&b), str_of(c->name)), !hidden);
	}
	buf_release(&b);
}

/* As Tracy's tools print them. */
static void times_and_sizes_are_short(void **state)
{
	static const struct {
		int64_t ns;
		const char *text;
	} times[] = { { 0, "0 ns" },
		      { 999, "999 ns" },
		      { 286000, "286 \xCE\xBCs" },
		      { 286005, "286 \xCE\xBCs" },
		      { 286006, "286.01 \xCE\xBCs" },
		      { 286100, "286.1 \xCE\xBCs" },
		      { 286995, "287 \xCE\xBCs" },
		      { 293164000, "293.16 ms" },
		      { 1500000000, "1.5 s" },
		      { INT64_C(61000000000), "1:01" },
		      { INT64_C(61250000000), "1:01.3" },
		      { INT64_C(3661000000000), "1:01:01" },
		      { INT64_C(90061000000000), "1d01:01:01" },
		      { -1500, "-1.5 \xCE\xBCs" } };
	static const struct {
		uint64_t bytes;
		const char *text;
	} sizes[] = { { 9464, "9464 bytes" },          { 10240, "10 KB" },
		      { 17460, "17.05 KB" },           { 10342, "10.1 KB" },
		      { 9999 << 10, "9999 KB" },       { 10000 << 10, "9.77 MB" },
		      { UINT64_C(3) << 40, "3072 GB" } };
	struct buf b = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++) {
		buf_clear(&b);
		trace_print_time(&b, times[i].ns);
		buf_char(&b, 0);
		assert_string_equal(b.at, times[i].text);
	}
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		buf_clear(&b);
		trace_print_size(&b, sizes[i].bytes);
		buf_char(&b, 0);
		assert_string_equal(b.at, sizes[i].text);
	}
	buf_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_and_sizes_are_short),
		cmocka_unit_test(a_command_is_found_by_its_exact_name),
		cmocka_unit_test(a_tool_is_found_by_any_path_to_its_name),
		cmocka_unit_test(names_are_unique),
		cmocka_unit_test(every_command_can_tell_about_itself),
		cmocka_unit_test(every_option_has_one_name_one_letter_and_a_sentence),
		cmocka_unit_test(the_overview_lists_what_is_not_hidden),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
