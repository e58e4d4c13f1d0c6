// SPDX-License-Identifier: Apache-2.0
/* What a kernel is made of: names in sources, states of files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "device/kernel_inputs.h"

#include "work_folder.h"

static void test_tick(void **state)
{
	struct kernel_inputs in = { 0 }, same = { 0 };
	const char *none[1] = { NULL };
	bool renewed;

	(void)state;
	put("young.h", "1\n");
	assert_true(inputs_collect(&in, in_work("young.h"), NULL, none, 0));
	assert_int_equal(in.states.len, 1);
	assert_true(in.states.at[0].young);
	assert_true(inputs_hold(&in, &renewed));
	/* Other bytes, and the stamp that was noted: as if the clock had not ticked. */
	put("young.h", "2\n");
	assert_true(inputs_collect(&same, in_work("young.h"), NULL, none, 0));
	same.states.at[0].hash[0] = in.states.at[0].hash[0];
	same.states.at[0].hash[1] = in.states.at[0].hash[1];
	assert_false(inputs_hold(&same, &renewed));
	inputs_release(&same);
	inputs_release(&in);

	/* From tomorrow: its clock is not ours. */
	put("skewed.h", "1\n");
	shell("touch -d tomorrow skewed.h");
	assert_true(inputs_collect(&in, in_work("skewed.h"), NULL, none, 0));
	assert_true(in.states.at[0].young);
	inputs_release(&in);

	/* An old one is not read again. */
	assert_true(inputs_collect(&in, "/etc/passwd", NULL, none, 0));
	assert_false(in.states.at[0].young);
	in.states.at[0].hash[0]++;
	assert_true(inputs_hold(&in, &renewed));
	assert_false(renewed);
	inputs_release(&in);
}

static void test_odd_files(void **state)
{
	struct kernel_inputs in = { 0 };
	const char *none[1] = { NULL };

	(void)state;
	shell("rm -f pipe.h && mkfifo pipe.h");
	put("asks.h", "#include \"pipe.h\"\n");
	assert_false(inputs_collect(&in, in_work("asks.h"), NULL, none, 0));
	inputs_release(&in);
	assert_false(inputs_collect(&in, in_work("not_there.h"), NULL, none, 0));
	inputs_release(&in);
	/* Files in a circle. */
	put("one.h", "#include \"two.h\"\n");
	put("two.h", "#include \"one.h\"\n");
	assert_true(inputs_collect(&in, in_work("one.h"), NULL, none, 0));
	assert_int_equal(in.states.len, 2);
	inputs_release(&in);
}

static void test_cover(void **state)
{
	struct kernel_inputs in = { 0 };
	const char *none[1] = { NULL };
	struct buf b = { 0 };

	(void)state;
	put("one.h", "");
	assert_true(inputs_collect(&in, in_work("one.h"), NULL, none, 0));
	buf_printf(&b, "# 0 \"x.c\"\n# 1 \"<built-in>\" 1\n# 1 \"%s/./one.h\" 1\nint x;\n", work);
	assert_true(inputs_cover(&in, buf_view(&b)));
	buf_printf(&b, "# 1 \"/etc/passwd\" 1 3 4\n");
	assert_false(inputs_cover(&in, buf_view(&b)));
	buf_release(&b);
	inputs_release(&in);
}

static void test_scan(void **state)
{
	static const struct {
		const char *text, *names; /* NULL: can't be told */
	} rows[] = {
		{ "", "" },
		{ "#include \"a.h\"\n#include <b/c.h>\n", "\"a.h<b/c.h" },
		{ "*/ # \t include\"a.h\" // x\r\n", "\"a.h" },
		{ "%:include <a.h>\n", "<a.h" },
		{ "#include_next <a.h>\n#import \"b\"\n", "+<a.h\"b" },
		{ "#ifdef __has_include\n#if defined(__has_include) && __has_include(\"a\")\n",
		  "\"a" },
		{ "#if __has_include_next ( <a> )\n", "+<a" },
		{ "#define S(x) #x\n#undef include\nint include;\n", "" },
		{ "#include", NULL },
		{ "#include \"a", NULL },
		{ "#include <a\n>", NULL },
		{ "#include NAME\n", NULL },
		{ "#if __has_include(NAME)\n", NULL },
		{ "#define HAS(x) __has_include(x)\n", NULL },
		{ "#\\\ninclude \"a\"\n", NULL },
		{ "#/**/include \"a\"\n", NULL },
		{ "#if __has_\\\ninclude(\"a\")\n", NULL },
		{ "#if __has_\\ \ninclude(\"a\")\n", NULL },
		{ "#if __has_include/**/(\"a\")\n", NULL },
		{ "#embed \"a\"\n", NULL },
		{ "x = __DATE__;", NULL },
		{ "x = __TIMESTAMP__;", NULL },
		{ "x = MY__DATE__;", "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct scan s = { 0 };
		struct buf b = { 0 };
		bool told = scan_includes(&s, str_of(rows[i].text));

		vec_each (n, &s.names)
			buf_printf(&b, "%s%c%.*s", n->next ? "+" : "", n->quoted ? '"' : '<',
				   STR_ARG(n->name));
		if (told != !!rows[i].names)
			fail_msg("%s: %s", rows[i].text, told ? "told" : "not told");
		if (told)
			assert_string_equal(b.at ? b.at : "", rows[i].names);
		buf_release(&b);
		scan_release(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tick),
		cmocka_unit_test(test_odd_files),
		cmocka_unit_test(test_cover),
		cmocka_unit_test(test_scan),
	};
	char line[300];
	int rc;

	snprintf(work, sizeof(work), "%s/ttprof-inputs.XXXXXX",
		 getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
	if (!mkdtemp(work))
		return 1;
	rc = cmocka_run_group_tests(tests, NULL, NULL);
	snprintf(line, sizeof(line), "rm -rf '%s'", work);
	return system(line) ? 1 : rc;
}
