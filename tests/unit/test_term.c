// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// clang-format off
#include <cmocka.h>
// clang-format on

#include <fcntl.h>
#include <unistd.h>

#include "base/term.h"

static bool colour(struct term_facts f, enum term_colour wish)
{
	return term_decide(&f, wish).colour;
}

static void colour_is_for_terminals_unless_told_otherwise(void **state)
{
	const struct term_facts tty = { .is_tty = true, .term = "xterm" },
				pipe = { .term = "xterm" };

	(void)state;
	assert_true(colour(tty, TERM_COLOUR_AUTO));
	assert_false(colour(pipe, TERM_COLOUR_AUTO));
	assert_true(colour(pipe, TERM_COLOUR_ON));
	assert_false(colour(tty, TERM_COLOUR_OFF));
}

static void the_environment_can_turn_colour_off_and_on(void **state)
{
	struct term_facts f = { .is_tty = true, .term = "xterm", .no_color = "1" };

	(void)state;
	assert_false(colour(f, TERM_COLOUR_AUTO));
	assert_true(colour(f, TERM_COLOUR_ON));
	f.clicolor_force = "1";
	assert_false(colour(f, TERM_COLOUR_AUTO));
	f.no_color = "";
	f.is_tty = false;
	assert_true(colour(f, TERM_COLOUR_AUTO));
	assert_false(colour(f, TERM_COLOUR_OFF));
	f.clicolor_force = "0";
	assert_false(colour(f, TERM_COLOUR_AUTO));
}

static void a_dumb_terminal_has_no_colour(void **state)
{
	(void)state;
	assert_false(
		colour((struct term_facts){ .is_tty = true, .term = "dumb" }, TERM_COLOUR_AUTO));
	assert_false(colour((struct term_facts){ .is_tty = true }, TERM_COLOUR_AUTO));
}

static int width(const char *columns, int tty_width)
{
	struct term_facts f = { .columns = columns, .tty_width = tty_width };

	return term_decide(&f, TERM_COLOUR_AUTO).width;
}

static void width_is_columns_then_the_terminal_then_80(void **state)
{
	(void)state;
	assert_int_equal(width("120", 90), 120);
	assert_int_equal(width(NULL, 90), 90);
	assert_int_equal(width(NULL, 0), 80);
	assert_int_equal(width("", 0), 80);
	assert_int_equal(width("0", 0), 80);
	assert_int_equal(width("-5", 0), 80);
	assert_int_equal(width("12x", 0), 80);
	assert_int_equal(width("99999999999999999999", 0), 80);
	assert_int_equal(width("99999", 0), 10000);
}

static bool utf8(const char *lc_all, const char *lc_ctype, const char *lang)
{
	struct term_facts f = {
		.is_tty = true, .lc_all = lc_all, .lc_ctype = lc_ctype, .lang = lang
	};

	return term_decide(&f, TERM_COLOUR_AUTO).utf8;
}

static void utf8_on_a_terminal_is_what_the_locale_names(void **state)
{
	(void)state;
	assert_true(utf8(NULL, NULL, "en_GB.UTF-8"));
	assert_true(utf8(NULL, NULL, "C.utf8"));
	assert_true(utf8("", "de_DE.UTF-8@euro", "C"));
	assert_false(utf8("C", "en_GB.UTF-8", "en_GB.UTF-8"));
	assert_false(utf8(NULL, NULL, NULL));
	assert_false(utf8(NULL, NULL, "en_US.ISO-8859-1"));
}

static void files_and_pipes_get_utf8(void **state)
{
	struct term_facts f = { .lc_all = "C" };

	(void)state;
	assert_true(term_decide(&f, TERM_COLOUR_AUTO).utf8);
}

static void a_file_is_not_a_terminal(void **state)
{
	int fd = open("/dev/null", O_WRONLY);

	(void)state;
	assert_false(term_of(fd, TERM_COLOUR_AUTO).is_tty);
	assert_true(term_of(fd, TERM_COLOUR_AUTO).width > 0);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(colour_is_for_terminals_unless_told_otherwise),
		cmocka_unit_test(the_environment_can_turn_colour_off_and_on),
		cmocka_unit_test(a_dumb_terminal_has_no_colour),
		cmocka_unit_test(width_is_columns_then_the_terminal_then_80),
		cmocka_unit_test(utf8_on_a_terminal_is_what_the_locale_names),
		cmocka_unit_test(files_and_pipes_get_utf8),
		cmocka_unit_test(a_file_is_not_a_terminal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
