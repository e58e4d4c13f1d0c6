// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// clang-format off
#include <cmocka.h>
// clang-format on

#include "base/opt.h"
#include "base/suggest.h"
#include "base/vec.h"

struct options {
	bool flag, no_other;
	int64_t count, wide;
	double ratio;
	int sort, colour;
	const char *name;
	struct opt_list also;
};

static const char *const sorts[] = { "time", "name", "id", NULL };

#define OPTIONS struct options
static const struct opt opts[] = {
	OPTION_FLAG('f', "flag", flag, "a flag"),
	OPTION_FLAG(0, "no-other", no_other, "not that"),
	OPTION_INT('c', "count", count, "N", 0, 100,
		   "how many there are to be, in a sentence that is long enough for another line",
		   .preset = "7"),
	OPTION_INT(0, "wide", wide, "N", 0, 0, "any number"),
	OPTION_DOUBLE(0, "ratio", ratio, "X", "a ratio"),
	OPTION_CHOICE(0, "sort", sort, "BY", sorts, "order", .section = "Order"),
	OPTION_STRING(0, "name", name, "TEXT", "it's [a] name: so"),
	OPTION_LIST(0, "also", also, "FILE", "more"),
	OPTION_SET(0, "color", colour, 1, "colours"),
	OPTION_SET(0, "no-color", colour, 2, "none"),
	OPTION_INT(0, "least", wide, "N", 3, INT64_MAX, NULL, .hidden = true),
	OPTION_FLAG(0, "secret", flag, NULL, .hidden = true),
	{ 0 },
};
static const struct opt_arg args[] = { { "FILE", 1, 1, "the file" },
				       { "MORE", 0, 2, "others" },
				       { 0 } };
static const struct opt_example examples[] = { { "prog try x", "tries x" }, { 0 } };
static const struct opt_spec spec = {
	.prog = "prog try",
	.summary = "try a thing",
	.about = "First paragraph,\nstill the first.\n\n  as  it is\n",
	.opts = opts,
	.args = args,
	.examples = examples,
};

/* getopt reorders argv, so each test gets its own copy. */
static enum ttp_rc parse(struct options *o, struct opt_found *found, struct ttp_err *e,
			 const char *words)
{
	static char text[256];
	static char *argv[32];
	int argc = 0;
	char *p = text;

	snprintf(text, sizeof(text), "prog %s", words);
	while (*p && argc < 31) {
		argv[argc++] = p;
		p += strcspn(p, " ");
		if (*p)
			*p++ = 0;
	}
	argv[argc] = NULL;
	e->msg[0] = 0;
	return opt_parse(&spec, argc, argv, o, found, e);
}

#define PARSES(words)             \
	struct options o = { 0 }; \
	struct opt_found found;   \
	struct ttp_err e;         \
	assert_int_equal(parse(&o, &found, &e, words), TTP_OK)

static void refuses(const char *words, const char *because)
{
	struct options o = { 0 };
	struct opt_found found;
	struct ttp_err e;

	assert_int_equal(parse(&o, &found, &e, words), TTP_USAGE);
	assert_string_equal(e.msg, because);
	vec_release(&o.also);
}

static void every_kind_of_option_reaches_its_target(void **state)
{
	PARSES("-fc 5 --no-other --ratio=-2.5e1 --sort id --name=n --also a --also b --no-color in");
	(void)state;
	assert_true(o.flag);
	assert_true(o.no_other);
	assert_int_equal(o.count, 5);
	assert_true(o.ratio == -25.0);
	assert_int_equal(o.sort, 2);
	assert_string_equal(o.name, "n");
	assert_int_equal(o.also.len, 2);
	assert_string_equal(o.also.at[1], "b");
	assert_int_equal(o.colour, 2);
	assert_int_equal(found.n, 1);
	assert_string_equal(found.args[0], "in");
	vec_release(&o.also);
}

static void arguments_may_stand_between_options(void **state)
{
	PARSES("a --flag b -- -c");
	(void)state;
	assert_int_equal(found.n, 3);
	assert_string_equal(found.args[0], "a");
	assert_string_equal(found.args[1], "b");
	assert_string_equal(found.args[2], "-c");
}

static void a_long_name_may_be_shortened_while_it_is_unique(void **state)
{
	PARSES("--rat 2 x");
	(void)state;
	assert_true(o.ratio == 2.0);
	refuses("--no x", "--no could be --no-other or --no-color");
}

static void what_is_not_given_keeps_its_default(void **state)
{
	PARSES("x");
	(void)state;
	assert_false(o.no_other);
	assert_int_equal(o.count, 0);
	assert_null(o.name);
}

static void help_and_version_need_no_declaration(void **state)
{
	struct options o = { 0 };
	struct opt_found found;
	struct ttp_err e;

	(void)state;
	assert_int_equal(parse(&o, &found, &e, "--help"), TTP_OK);
	assert_int_equal(found.wish, OPT_HELP);
	assert_int_equal(parse(&o, &found, &e, "-h"), TTP_OK);
	assert_int_equal(found.wish, OPT_HELP);
	assert_int_equal(parse(&o, &found, &e, "--version"), TTP_OK);
	assert_int_equal(found.wish, OPT_VERSION);
}

static void wrong_usage_is_told_in_one_sentence(void **state)
{
	(void)state;
	refuses("--cuont 3 x", "unknown option --cuont; did you mean --count?");
	refuses("--zzzzzz x", "unknown option --zzzzzz");
	refuses("-z x", "unknown option -z");
	refuses("--count", "--count needs a value (N)");
	refuses("-c", "--count needs a value (N)");
	refuses("--flag=3 x", "--flag takes no value");
	refuses("--help=3", "--help takes no value");
	refuses("--count abc x", "--count: not a whole number: \"abc\"");
	refuses("--count= x", "--count: not a whole number: \"\"");
	refuses("--count 101 x", "--count: 101 is not within 0 to 100");
	refuses("--count -1 x", "--count: -1 is not within 0 to 100");
	refuses("--wide 99999999999999999999 x", "--wide: too large: 99999999999999999999");
	refuses("--wide -99999999999999999999 x", "--wide: too small: -99999999999999999999");
	refuses("--least 99999999999999999999 x", "--least: too large: 99999999999999999999");
	refuses("--least 2 x", "--least: 2 is less than 3");
	refuses("--wide 0x10 x", "--wide: not a whole number: \"0x10\"");
	refuses("--wide - x", "--wide: not a whole number: \"-\"");
	refuses("--ratio 0x10 x", "--ratio: not a number: \"0x10\"");
	refuses("--ratio 1e999 x", "--ratio: not a number: \"1e999\"");
	refuses("--ratio nan x", "--ratio: not a number: \"nan\"");
	refuses("--ratio 1.2.3 x", "--ratio: not a number: \"1.2.3\"");
	refuses("--sort nmae x",
		"--sort: \"nmae\" is not one of time, name, id; did you mean name?");
	refuses("--flag", "FILE is missing");
	refuses("a b c d", "unexpected argument \"d\"");
}

static void hidden_options_are_not_suggested(void **state)
{
	(void)state;
	refuses("--secrte x", "unknown option --secrte");
}

static void options_of_another_program_are_left_alone(void **state)
{
	static const struct opt_arg any[] = { { "PROGRAM", 1, OPT_MANY, "what to run" }, { 0 } };
	const struct opt_spec run = {
		.prog = "run", .summary = "s", .args = any, .stop_at_first = true
	};
	char a0[] = "run", a1[] = "ls", a2[] = "--help";
	char *argv[] = { a0, a1, a2, NULL };
	struct opt_found found;

	(void)state;
	assert_int_equal(opt_parse(&run, 3, argv, NULL, &found, NULL), TTP_OK);
	assert_int_equal(found.wish, OPT_RUN);
	assert_int_equal(found.n, 2);
}

static void help_shows_sections_defaults_and_examples(void **state)
{
	struct buf b = { 0 };

	(void)state;
	opt_help(&b, &spec, 60);
	assert_string_equal(b.at, "usage: prog try [options] FILE [MORE...]\n"
				  "\n"
				  "First paragraph, still the first.\n"
				  "\n"
				  "  as  it is\n"
				  "\n"
				  "Arguments:\n"
				  "  FILE             the file\n"
				  "  MORE             others\n"
				  "\n"
				  "Options:\n"
				  "  -f, --flag       a flag\n"
				  "      --no-other   not that\n"
				  "  -c, --count N    how many there are to be, in a sentence\n"
				  "                   that is long enough for another line [7]\n"
				  "      --wide N     any number\n"
				  "      --ratio X    a ratio\n"
				  "\n"
				  "Order:\n"
				  "      --sort BY    order: time, name, id\n"
				  "      --name TEXT  it's [a] name: so\n"
				  "      --also FILE  more (may be repeated)\n"
				  "      --color      colours\n"
				  "      --no-color   none\n"
				  "\n"
				  "Help:\n"
				  "  -h, --help       show this text\n"
				  "      --version    show the version\n"
				  "\n"
				  "Examples:\n"
				  "  prog try x\n"
				  "      tries x\n");
	buf_release(&b);
}

static void a_narrow_screen_does_not_hang_the_wrapping(void **state)
{
	struct buf b = { 0 };

	(void)state;
	opt_help(&b, &spec, 1);
	assert_true(b.len > 100);
	buf_release(&b);
}

static void a_man_page_keeps_hyphens_and_leading_dots(void **state)
{
	const struct opt_spec dots = { .prog = "p q",
				       .summary = "s",
				       .about = ".not a request\n'nor this\nback\\slash" };
	struct buf b = { 0 };

	(void)state;
	opt_man(&b, &dots, "p 1");
	assert_true(
		str_has(buf_view(&b), STR("\n\\&.not a request\n\\&'nor this\nback\\eslash\n")));
	assert_true(str_has(buf_view(&b), STR(".TH P-Q 1 ")));
	buf_clear(&b);
	opt_man(&b, &spec, "p 1");
	assert_true(str_has(buf_view(&b), STR("\\fB\\-c\\fR, \\fB\\-\\-count\\fR \\fIN\\fR")));
	assert_false(str_has(buf_view(&b), STR("secret")));
	buf_release(&b);
}

static void completions_know_commands_options_and_choices(void **state)
{
	const struct opt_command commands[] = { { "try", &spec, false }, { "alone", &spec, true } };
	static const char *const expect[] = { "--sort) values=\"time name id\"",
					      "'--sort=[order]:BY:(time name id)'",
					      "-l sort -r -f -a 'time name id' -d 'order'" };

	(void)state;
	for (int shell = OPT_BASH; shell <= OPT_FISH; shell++) {
		struct buf b = { 0 };

		opt_completion(&b, (enum opt_shell)shell, "prog", commands, 2);
		assert_true(str_has(buf_view(&b), str_of(expect[shell])));
		assert_true(str_has(buf_view(&b), STR("try")));
		assert_false(str_has(buf_view(&b), STR("secret")));
		buf_release(&b);
	}
}

static void near_words_are_suggested_and_far_ones_are_not(void **state)
{
	struct suggest s = { .word = STR("reprot") };

	(void)state;
	assert_int_equal(suggest_distance(STR("reprot"), STR("report")), 1);
	assert_int_equal(suggest_distance(STR(""), STR("abc")), 3);
	suggest_offer(&s, "version");
	assert_null(s.best);
	suggest_offer(&s, "report");
	suggest_offer(&s, "repro");
	assert_string_equal(s.best, "report");
	s = (struct suggest){ .word = STR("x") };
	suggest_offer(&s, "y");
	assert_null(s.best);
	s = (struct suggest){ .word = STR("comp") };
	suggest_offer(&s, "compare");
	assert_string_equal(s.best, "compare");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_kind_of_option_reaches_its_target),
		cmocka_unit_test(arguments_may_stand_between_options),
		cmocka_unit_test(a_long_name_may_be_shortened_while_it_is_unique),
		cmocka_unit_test(what_is_not_given_keeps_its_default),
		cmocka_unit_test(help_and_version_need_no_declaration),
		cmocka_unit_test(wrong_usage_is_told_in_one_sentence),
		cmocka_unit_test(hidden_options_are_not_suggested),
		cmocka_unit_test(options_of_another_program_are_left_alone),
		cmocka_unit_test(help_shows_sections_defaults_and_examples),
		cmocka_unit_test(a_narrow_screen_does_not_hang_the_wrapping),
		cmocka_unit_test(a_man_page_keeps_hyphens_and_leading_dots),
		cmocka_unit_test(completions_know_commands_options_and_choices),
		cmocka_unit_test(near_words_are_suggested_and_far_ones_are_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
