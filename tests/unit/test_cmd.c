// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// clang-format off
#include <cmocka.h>
// clang-format on

#include "cmd/cmd.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_command_is_found_by_its_exact_name),
		cmocka_unit_test(a_tool_is_found_by_any_path_to_its_name),
		cmocka_unit_test(names_are_unique),
		cmocka_unit_test(every_command_can_tell_about_itself),
		cmocka_unit_test(every_option_has_one_name_one_letter_and_a_sentence),
		cmocka_unit_test(the_overview_lists_what_is_not_hidden),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
