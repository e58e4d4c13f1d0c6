// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/csv.h"
#include "base/input.h"
#include "host/log_writer.h"

static char folder[64];

static int make_folder(void **state)
{
	(void)state;
	snprintf(folder, sizeof(folder), "/tmp/ttprof-log.XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	char path[128];

	(void)state;
	snprintf(path, sizeof(path), "%s/profile_log_device.csv", folder);
	unlink(path);
	snprintf(path, sizeof(path), "%s/profile_log_device.csv.state", folder);
	unlink(path);
	return rmdir(folder);
}

static void cell_is(const char *text, const char *wanted)
{
	struct buf b = { 0 };

	log_writer_cell(&b, str_of(text));
	assert_string_equal(b.at ? b.at : "", wanted);
	buf_release(&b);
}

static void cells_are_quoted_only_where_they_must_be(void **state)
{
	(void)state;
	cell_is("", "");
	cell_is("BRISC-FW", "BRISC-FW");
	cell_is("a b;c'd\\", "a b;c'd\\");
	cell_is("a,b", "\"a,b\"");
	cell_is("\"", "\"\"\"\"");
	cell_is("a\nb\r", "a\\nb\\r");
	cell_is("gr\xc3\xb6\xc3\x9f", "gr\xc3\xb6\xc3\x9f");
}

/* Random names, written and read back. */
static void the_reader_gets_what_was_written(void **state)
{
	static const char letters[] = "ab,\"; \\'(x";
	enum { ROWS = 500 };
	char names[ROWS][12], path[128];
	struct log_writer w;
	struct csv_reader csv;
	struct input in;
	struct ttp_err e;
	uint32_t random = 7;
	struct marker m = { .tile = { 1, 2 }, .risc = RISC_NC };
	struct log_row row = { .marker = &m, .trace = UINT32_MAX, .file = STR("dir,\"x\"/k.c") };

	(void)state;
	assert_int_equal(log_writer_open(&w, folder, 15, 3, "wormhole_b0", 1000, 64, &e), TTP_OK);
	for (int i = 0; i < ROWS; i++) {
		int n = i % 11 + 1;

		for (int k = 0; k < n; k++) {
			random = random * 1664525u + 1013904223u;
			names[i][k] = letters[(random >> 16) % (sizeof(letters) - 1)];
		}
		names[i][n] = 0;
		m.type = (uint8_t)(i % 2);
		m.id = (uint16_t)i;
		m.cycles = (1ull << 44) + (uint64_t)i;
		row.run = (uint32_t)i << 10 | 3;
		row.line = (uint32_t)i;
		row.trace = i % 3 ? UINT32_MAX : 5;
		row.replay = (uint32_t)i;
		row.name = str_of(names[i]);
		log_writer_row(&w, &row);
	}
	assert_int_equal(log_writer_close(&w, &e), TTP_OK);
	snprintf(path, sizeof(path), "%s/profile_log_device.csv", folder);
	assert_int_equal(input_open(&in, path, &e), TTP_OK);
	csv_reader_init(&csv, in.data);
	assert_true(csv_next(&csv));
	assert_true(csv_next(&csv));
	assert_int_equal(csv.fields, 15);
	for (int i = 0; i < ROWS; i++) {
		char text[32];

		assert_true(csv_next(&csv));
		assert_int_equal(csv.fields, 15);
		assert_true(str_eq(csv.field[3], STR("NCRISC")));
		snprintf(text, sizeof(text), "%d", i | i % 2 << 16);
		assert_true(str_eq(csv.field[4], str_of(text)));
		snprintf(text, sizeof(text), "%llu", (1ull << 44) + (unsigned)i);
		assert_true(str_eq(csv.field[5], str_of(text)));
		assert_true(str_eq(csv.field[8], i % 3 ? STR("") : STR("5")));
		assert_true(str_eq(csv.field[10], str_of(names[i])));
		assert_true(str_eq(csv.field[13], row.file));
	}
	assert_false(csv_next(&csv));
	csv_reader_release(&csv);
	input_close(&in);
}

static void a_full_disk_is_told(void **state)
{
	struct rlimit old, small = { 4096, RLIM_INFINITY };
	struct log_writer w;
	struct ttp_err e = { 0 };
	struct marker m = { .type = MARKER_EVENT };
	struct log_row row = { .marker = &m, .trace = UINT32_MAX };

	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &old);
	assert_int_equal(log_writer_open(&w, folder, 15, 0, "wormhole_b0", 1000, 64, &e), TTP_OK);
	small.rlim_max = old.rlim_max;
	setrlimit(RLIMIT_FSIZE, &small);
	for (int i = 0; i < 1000; i++)
		log_writer_row(&w, &row);
	assert_int_equal(log_writer_close(&w, &e), TTP_SYS);
	setrlimit(RLIMIT_FSIZE, &old);
	assert_non_null(strstr(e.msg, "profile_log_device.csv"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cells_are_quoted_only_where_they_must_be),
		cmocka_unit_test_setup_teardown(the_reader_gets_what_was_written, make_folder,
						remove_folder),
		cmocka_unit_test_setup_teardown(a_full_disk_is_told, make_folder, remove_folder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
