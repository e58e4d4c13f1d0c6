// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "host/api/device_settings.h"
#include "host/api/variables.h"

extern char **environ;

static int clear_environment(void **state)
{
	(void)state;
	for (const struct variable *v = variables; v->name; v++)
		unsetenv(v->name);
	return 0;
}

static struct host_settings good(void)
{
	struct host_settings s;
	struct ttp_err e = { 0 };

	if (settings_read(&s, &e))
		fail_msg("%s", e.msg);
	return s;
}

static void bad(const char *name, const char *value, const char *says)
{
	struct host_settings s;
	struct ttp_err e = { 0 };

	setenv(name, value, 1);
	if (!settings_read(&s, &e))
		fail_msg("%s=%s was taken", name, value);
	if (!strstr(e.msg, says) || !strstr(e.msg, name))
		fail_msg("%s=%s: \"%s\" has no \"%s\"", name, value, e.msg, says);
	unsetenv(name);
}

static void a_switch_is_on_when_it_is_1(void **state)
{
	static const char *const off[] = { NULL, "", "0" };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		if (off[i])
			setenv("TT_METAL_DEVICE_PROFILER", off[i], 1);
		assert_false(good().profiler);
	}
	setenv("TT_METAL_DEVICE_PROFILER", "1", 1);
	assert_true(good().profiler);
}

static void every_switch_refuses_other_words_and_says_what_is_allowed(void **state)
{
	static const char *const words[] = { "2", "10", "true", "yes", "on", " 1", "-1" };

	(void)state;
	for (const struct variable *v = variables; v->name; v++)
		for (size_t i = 0; v->kind == VARIABLE_SWITCH && i < sizeof(words) / sizeof(*words);
		     i++)
			bad(v->name, words[i], "1 switches it on; 0, nothing");
}

static void reading_by_itself_is_on_unless_it_is_0(void **state)
{
	(void)state;
	assert_true(good().auto_read);
	setenv("TTP_AUTO_READ", "", 1);
	assert_true(good().auto_read);
	setenv("TTP_AUTO_READ", "0", 1);
	assert_false(good().auto_read);
}

static void events_and_counters_switch_the_profiler_on(void **state)
{
	(void)state;
	setenv("TT_METAL_DEVICE_PROFILER_NOC_EVENTS", "1", 1);
	assert_true(good().profiler);
	unsetenv("TT_METAL_DEVICE_PROFILER_NOC_EVENTS");
	setenv("TT_METAL_PROFILE_PERF_COUNTERS", "fpu", 1);
	assert_true(good().profiler);
	/* others only go with it */
	clear_environment(NULL);
	setenv("TT_METAL_PROFILER_SUM", "1", 1);
	assert_false(good().sum);
	setenv("TT_METAL_DEVICE_PROFILER", "1", 1);
	assert_true(good().sum);
}

static void what_excludes_each_other_is_refused_with_the_reason(void **state)
{
	(void)state;
	for (const struct variable_rule *r = variable_rules; r->name; r++) {
		struct host_settings s;
		struct ttp_err e = { 0 };

		if (r->kind != RULE_CONFLICT)
			continue;
		setenv(r->name, strstr(r->name, "COUNTERS") ? "fpu" : "1", 1);
		setenv(r->other,
		       strstr(r->other, "CORES")      ? "0,0"
		       : strstr(r->other, "COUNTERS") ? "fpu"
						      : "1",
		       1);
		assert_int_equal(settings_read(&s, &e), TTP_USAGE);
		assert_non_null(strstr(e.msg, r->why));
		assert_non_null(strstr(e.msg, r->name));
		assert_non_null(strstr(e.msg, r->other));
		/* one that is off excludes nothing */
		setenv(r->name, "0", 1);
		good();
		unsetenv(r->name);
		unsetenv(r->other);
	}
}

static void numbers_are_whole_and_in_range(void **state)
{
	(void)state;
	bad("TT_METAL_PROFILER_PROGRAM_SUPPORT_COUNT", "many", "1 to");
	bad("TT_METAL_PROFILER_PROGRAM_SUPPORT_COUNT", "-3", "1 to");
	bad("TT_METAL_PROFILER_PROGRAM_SUPPORT_COUNT", "0", "1 to");
	bad("TT_METAL_PROFILER_PROGRAM_SUPPORT_COUNT", "12x", "1 to");
	bad("TTP_DEVICE_LOG", "7", "6, 12 or 15");
	setenv("TT_METAL_PROFILER_PROGRAM_SUPPORT_COUNT", "1200", 1);
	assert_int_equal(good().programs, 1200);
}

static void riscs_have_names_and_groups(void **state)
{
	static const struct {
		const char *text;
		uint8_t riscs;
	} cases[] = {
		{ "", 0x1F },    { "BR", 1 },           { "B", 1 },   { "NC", 2 },
		{ "R", 0x1E },   { "TR0,TR2", 4 | 16 }, { "TR1", 8 }, { "B,R", 0x1F },
		{ "BR, NC", 3 }, { "all", 0x1F },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		setenv("TT_METAL_READ_DEBUG_DELAY_RISCVS", cases[i].text, 1);
		assert_int_equal(good().delay[DELAYED_READ].riscs, cases[i].riscs);
	}
	bad("TT_METAL_READ_DEBUG_DELAY_RISCVS", "BRISC", "B is BR");
	bad("TT_METAL_WRITE_DEBUG_DELAY_RISCVS", "BR,,NC", "B is BR");
}

static struct coord grid(void)
{
	struct coord c = { 0 };

	c.columns = 8;
	c.rows = 8;
	return c;
}

static int chosen(const char *cores, int chip)
{
	bool on[PORT_GRID_MAX][PORT_GRID_MAX] = { 0 };
	struct coord c = grid();
	struct host_settings s;
	struct ttp_err e = { 0 };
	int n = 0;

	setenv("TT_METAL_READ_DEBUG_DELAY_CORES", cores, 1);
	s = good();
	if (choice_cores(&s.delay[DELAYED_READ], chip, &c, on, &e))
		return -1;
	for (int y = 0; y < 8; y++)
		for (int x = 0; x < 8; x++)
			n += on[y][x];
	return n;
}

static void cores_are_places_rectangles_or_all(void **state)
{
	(void)state;
	assert_int_equal(chosen("", 0), 0);
	assert_int_equal(chosen("all", 0), 64);
	assert_int_equal(chosen("0,0", 0), 1);
	assert_int_equal(chosen("(1,2),(3,4)", 0), 2);
	assert_int_equal(chosen("(0,0)-(3,1)", 0), 8);
	assert_int_equal(chosen("(0,0)-(1,0),(7,7)", 0), 3);
	assert_int_equal(chosen("8,0", 0), -1);
	setenv("TT_METAL_READ_DEBUG_DELAY_CHIPS", "1,3", 1);
	assert_int_equal(chosen("all", 0), 0);
	assert_int_equal(chosen("all", 3), 64);
	assert_int_equal(chosen("0,0", 1), 1);
	bad("TT_METAL_READ_DEBUG_DELAY_CORES", "0", "x,y");
	bad("TT_METAL_READ_DEBUG_DELAY_CORES", "(0,0", "x,y");
	bad("TT_METAL_READ_DEBUG_DELAY_CORES", "(3,3)-(1,1)", "x,y");
	bad("TT_METAL_READ_DEBUG_DELAY_CORES", "0,0x", "x,y");
	bad("TT_METAL_READ_DEBUG_DELAY_CHIPS", "one", "numbers");
}

static void delays_are_cycles_or_ms(void **state)
{
	struct host_settings s;

	(void)state;
	setenv("TT_METAL_WATCHER_DEBUG_DELAY", "250", 1);
	s = good();
	assert_int_equal(s.delay_cycles, 250);
	assert_int_equal(s.delay_ms, 0);
	setenv("TT_METAL_WATCHER_DEBUG_DELAY", "10ms", 1);
	s = good();
	assert_int_equal(s.delay_cycles, 0);
	assert_int_equal(s.delay_ms, 10);
	bad("TT_METAL_WATCHER_DEBUG_DELAY", "10s", "2ms");
	bad("TT_METAL_WATCHER_DEBUG_DELAY", "ms", "2ms");
	bad("TT_METAL_WATCHER_DEBUG_DELAY", "99999999999", "2ms");
}

static void counters_are_names_or_a_mask(void **state)
{
	static const struct {
		const char *text;
		uint32_t groups;
	} cases[] = {
		{ "", 0 },          { "0", 0 },    { "fpu", 1 },  { "pack", 2 },
		{ "unpack", 4 },    { "l1", 8 },   { "l1_0", 8 }, { "l1_1", 16 },
		{ "instrn", 32 },   { "all", 47 }, { "47", 47 },  { "fpu, pack", 3 },
		{ "fpu,l1_1", 17 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		setenv("TT_METAL_PROFILE_PERF_COUNTERS", cases[i].text, 1);
		assert_int_equal(good().counters, cases[i].groups);
	}
	bad("TT_METAL_PROFILE_PERF_COUNTERS", "sfpu", "unpack");
	bad("TT_METAL_PROFILE_PERF_COUNTERS", "l1_0,l1_1", "one L1 bank");
	bad("TT_METAL_PROFILE_PERF_COUNTERS", "24", "one L1 bank");
	bad("TT_METAL_PROFILE_PERF_COUNTERS", "l1_2", "Blackhole");
	bad("TT_METAL_PROFILE_PERF_COUNTERS", "l1_5", "Blackhole");
	bad("TT_METAL_PROFILE_PERF_COUNTERS", "512", "Blackhole");
	bad("TT_METAL_PROFILE_PERF_COUNTERS", "4096", "unpack");
}

static void a_slip_of_the_pen_is_guessed(void **state)
{
	(void)state;
	assert_null(variable_find(STR("TT_METAL_DEVICE_PROFLER")));
	assert_string_equal(variable_meant(STR("TT_METAL_DEVICE_PROFLER")),
			    "TT_METAL_DEVICE_PROFILER");
	assert_null(variable_meant(STR("TT_METAL_COMPLETELY_DIFFERENT_THING")));
	assert_int_equal(variable_find(STR("TT_METAL_LOGGER_LEVEL"))->status, VARIABLE_UNUSED);
	assert_int_equal(variable_find(STR("TT_METAL_WATCHER_DISABLE_ASSERT"))->status,
			 VARIABLE_UNUSED);
}

static void rules_are_about_variables_that_exist(void **state)
{
	(void)state;
	for (const struct variable_rule *r = variable_rules; r->name; r++) {
		assert_non_null(variable_find(str_of(r->name)));
		assert_non_null(variable_find(str_of(r->other)));
	}
	for (const struct variable *v = variables; v->name; v++)
		assert_ptr_equal(variable_find(str_of(v->name)), v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_switch_is_on_when_it_is_1, clear_environment),
		cmocka_unit_test_setup(every_switch_refuses_other_words_and_says_what_is_allowed,
				       clear_environment),
		cmocka_unit_test_setup(reading_by_itself_is_on_unless_it_is_0, clear_environment),
		cmocka_unit_test_setup(events_and_counters_switch_the_profiler_on,
				       clear_environment),
		cmocka_unit_test_setup(what_excludes_each_other_is_refused_with_the_reason,
				       clear_environment),
		cmocka_unit_test_setup(numbers_are_whole_and_in_range, clear_environment),
		cmocka_unit_test_setup(riscs_have_names_and_groups, clear_environment),
		cmocka_unit_test_setup(cores_are_places_rectangles_or_all, clear_environment),
		cmocka_unit_test_setup(delays_are_cycles_or_ms, clear_environment),
		cmocka_unit_test_setup(counters_are_names_or_a_mask, clear_environment),
		cmocka_unit_test_setup(a_slip_of_the_pen_is_guessed, clear_environment),
		cmocka_unit_test_setup(rules_are_about_variables_that_exist, clear_environment),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
