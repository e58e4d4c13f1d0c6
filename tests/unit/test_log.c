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
static int lines, file = -1, saved_stderr;

/* What was logged since start(), into `seen` and `lines`. */
static const char *look(void)
{
	char chunk[4096];
	ssize_t n;

	buf_clear(&seen);
	lines = 0;
	while ((n = pread(file, chunk, sizeof(chunk), (off_t)seen.len)) > 0)
		buf_add(&seen, chunk, (size_t)n);
	for (size_t i = 0; i < seen.len; i++)
		lines += seen.at[i] == '\n';
	return seen.at ? seen.at : "";
}

static bool log_enabled(const char *area, enum log_level level)
{
	int before = (look(), lines);

	log_line(area, level, "x");
	return (look(), lines) > before;
}

static int start(void **state)
{
	char path[] = "/tmp/test_log.XXXXXX";

	(void)state;
	file = mkstemp(path);
	saved_stderr = dup(STDERR_FILENO);
	return file < 0 || unlink(path) || dup2(file, STDERR_FILENO) < 0;
}

static int end(void **state)
{
	(void)state;
	dup2(saved_stderr, STDERR_FILENO);
	close(saved_stderr);
	close(file);
	return 0;
}

/* Runs first: what happens without log_configure(). */
static void levels_come_from_the_environment_at_the_first_line(void **state)
{
	(void)state;
	setenv("TTP_LOG", "capture:info,other:loud", 1);
	log_debug("not this");
	log_info("this one n=%d", 7);
	assert_string_equal(look(),
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
	assert_string_equal(look(), "ttprof: error: capture: a\n"
				    "ttprof: warning: capture: b key=value\n"
				    "ttprof: info: capture: c\n"
				    "ttprof: debug: capture: d\n");
}

static void warnings_are_the_default(void **state)
{
	(void)state;
	assert_int_equal(log_configure(STR(""), NULL), TTP_OK);
	log_info("not this");
	look();
	assert_int_equal(lines, 0);
	assert_true(log_enabled("any", LOG_WARN));
	assert_false(log_enabled("any", LOG_INFO));
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
	assert_string_equal(look(), "ttprof: warning: capture: two lines and a bell \n");
}

static void a_long_message_is_cut_and_says_so(void **state)
{
	struct buf b = { 0 };

	(void)state;
	buf_fill(&b, 'x', 5000);
	log_warn("%s", b.at);
	look();
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
	look();
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
	look();
	assert_int_equal(lines, 600);
	rest = buf_view(&seen);
	while (str_split(&rest, '\n', &line))
		assert_true(!line.len ||
			    str_starts(line, STR("ttprof: warning: capture: thread=")));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(levels_come_from_the_environment_at_the_first_line),
		TEST(a_line_names_level_and_area),
		TEST(warnings_are_the_default),
		TEST(a_named_area_counts_more_than_the_star),
		TEST(wrong_levels_are_told_and_the_others_count),
		TEST(too_many_areas_are_an_error),
		TEST(a_message_stays_one_line),
		TEST(a_long_message_is_cut_and_says_so),
		TEST(errno_is_kept),
		TEST(lines_of_threads_do_not_mix),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	buf_release(&seen);
	return failed;
}
