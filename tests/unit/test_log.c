// SPDX-License-Identifier: Apache-2.0
#define LOG_AREA "capture"
#include "base/log.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static struct buf seen;
static int lines;

static void keep(void *ctx, const char *line, size_t len)
{
	(void)ctx;
	buf_add(&seen, line, len);
	lines++;
}

static int start(void **state)
{
	(void)state;
	buf_clear(&seen);
	lines = 0;
	log_set_sink(keep, NULL);
	return 0;
}

/* Runs first: what happens without log_configure(). */
static void levels_come_from_the_environment_at_the_first_line(void **state)
{
	(void)state;
	setenv("TTP_LOG", "capture:info,other:loud", 1);
	log_debug("not this");
	log_info("this one n=%d", 7);
	assert_string_equal(seen.at,
			    "ttprof: warning: log: TTP_LOG: log levels: unknown level \"loud\"\n"
			    "ttprof: info: capture: this one n=7\n");
}

static void a_line_names_level_and_area(void **state)
{
	(void)state;
	assert_int_equal(log_configure(STR("debug"), NULL), TTP_OK);
	log_error("a");
	log_warn("b key=%s", "value");
	log_info("c");
	log_debug("d");
	assert_string_equal(seen.at, "ttprof: error: capture: a\n"
				     "ttprof: warning: capture: b key=value\n"
				     "ttprof: info: capture: c\n"
				     "ttprof: debug: capture: d\n");
}

static void warnings_are_the_default(void **state)
{
	(void)state;
	assert_int_equal(log_configure(STR(""), NULL), TTP_OK);
	assert_true(log_enabled("any", LOG_WARN));
	assert_false(log_enabled("any", LOG_INFO));
	log_info("not this");
	assert_int_equal(lines, 0);
}

static void a_named_area_counts_more_than_the_star(void **state)
{
	(void)state;
	assert_int_equal(log_configure(STR("capture:debug, *:error ,web:off"), NULL), TTP_OK);
	assert_true(log_enabled("capture", LOG_DEBUG));
	assert_true(log_enabled("ops", LOG_ERROR));
	assert_false(log_enabled("ops", LOG_WARN));
	assert_false(log_enabled("web", LOG_ERROR));
	assert_int_equal(log_configure(STR("web:off,web:info,warning"), NULL), TTP_OK);
	assert_true(log_enabled("web", LOG_INFO));
	assert_false(log_enabled("web", LOG_DEBUG));
	assert_true(log_enabled("ops", LOG_WARN));
}

static void wrong_levels_are_told_and_the_others_count(void **state)
{
	struct ttp_err e = { 0 };

	(void)state;
	assert_int_equal(log_configure(STR("a:shout,b:info,:info"), &e), TTP_USAGE);
	assert_string_equal(e.msg, "log levels: unknown level \"shout\"");
	assert_true(log_enabled("b", LOG_INFO));
	assert_int_equal(log_configure(STR(":info"), &e), TTP_USAGE);
	assert_string_equal(e.msg, "log levels: not an area: \"\"");
	assert_int_equal(log_configure(STR("an_area_with_a_very_long_name:info"), &e), TTP_USAGE);
}

static void too_many_areas_are_an_error(void **state)
{
	struct buf b = { 0 };
	struct ttp_err e;

	(void)state;
	for (int i = 0; i <= LOG_RULES_MAX; i++)
		buf_printf(&b, "area%d:info,", i);
	assert_int_equal(log_configure(buf_view(&b), &e), TTP_USAGE);
	assert_true(log_enabled("area31", LOG_INFO));
	assert_false(log_enabled("area32", LOG_INFO));
	buf_release(&b);
}

static void a_message_stays_one_line(void **state)
{
	(void)state;
	assert_int_equal(log_configure(STR("debug"), NULL), TTP_OK);
	log_warn("two\nlines\tand a bell\a");
	assert_string_equal(seen.at, "ttprof: warning: capture: two lines and a bell \n");
}

static void a_long_message_is_cut_and_says_so(void **state)
{
	struct buf b = { 0 };

	(void)state;
	buf_fill(&b, 'x', 5000);
	log_warn("%s", b.at);
	assert_int_equal(lines, 1);
	assert_true(seen.len <= LOG_LINE_MAX);
	assert_true(str_ends(buf_view(&seen), STR("xxx...\n")));
	buf_release(&b);
}

static void errno_is_kept(void **state)
{
	(void)state;
	errno = ENOENT;
	log_warn("no file");
	assert_int_equal(errno, ENOENT);
	assert_int_equal(lines, 1);
}

static void *chatter(void *arg)
{
	for (int i = 0; i < 200; i++)
		log_warn("thread=%d", *(int *)arg);
	return NULL;
}

static void lines_of_threads_do_not_mix(void **state)
{
	pthread_t t[3];
	int id[3] = { 0, 1, 2 };
	struct str rest, line;

	(void)state;
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, chatter, &id[i]);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	assert_int_equal(lines, 600);
	rest = buf_view(&seen);
	while (str_split(&rest, '\n', &line))
		assert_true(!line.len ||
			    str_starts(line, STR("ttprof: warning: capture: thread=")));
}

static void without_a_sink_lines_go_to_stderr(void **state)
{
	char text[100];
	int pipe_fd[2], saved = dup(STDERR_FILENO);
	ssize_t n;

	(void)state;
	assert_int_equal(pipe(pipe_fd), 0);
	dup2(pipe_fd[1], STDERR_FILENO);
	log_set_sink(NULL, NULL);
	log_warn("hello");
	dup2(saved, STDERR_FILENO);
	close(pipe_fd[1]);
	n = read(pipe_fd[0], text, sizeof(text) - 1);
	close(pipe_fd[0]);
	close(saved);
	assert_true(n > 0);
	text[n] = 0;
	assert_string_equal(text, "ttprof: warning: capture: hello\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(levels_come_from_the_environment_at_the_first_line, start),
		cmocka_unit_test_setup(a_line_names_level_and_area, start),
		cmocka_unit_test_setup(warnings_are_the_default, start),
		cmocka_unit_test_setup(a_named_area_counts_more_than_the_star, start),
		cmocka_unit_test_setup(wrong_levels_are_told_and_the_others_count, start),
		cmocka_unit_test_setup(too_many_areas_are_an_error, start),
		cmocka_unit_test_setup(a_message_stays_one_line, start),
		cmocka_unit_test_setup(a_long_message_is_cut_and_says_so, start),
		cmocka_unit_test_setup(errno_is_kept, start),
		cmocka_unit_test_setup(lines_of_threads_do_not_mix, start),
		cmocka_unit_test_setup(without_a_sink_lines_go_to_stderr, start),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	buf_release(&seen);
	return failed;
}
