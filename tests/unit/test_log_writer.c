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
#include "host/logs/log_writer.h"

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
	struct device_marker m = { .tile = { 1, 2 }, .risc = RISC_NC };
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

/* The row as printf would write it: the writer keeps texts of the rows before, and must never mix them up. */
static void print_row(FILE *f, int columns, int chip, const struct log_row *r)
{
	static const char *const types[] = { "ZONE_START", "ZONE_END", "ZONE_TOTAL",
					     "TS_DATA",    "TS_EVENT", "TS_DATA" };
	const struct device_marker *m = r->marker;
	bool zone = m->type <= MARKER_ZONE_END;
	struct buf name = { 0 }, file = { 0 };

	log_writer_cell(&name, r->name);
	log_writer_cell(&file, r->file);
	fprintf(f, "%d,%d,%d,%s,%u,%llu,%llu,%u,", chip, m->tile.x, m->tile.y, risc_label(m->risc),
		(unsigned)(m->id | m->type << 16), (unsigned long long)m->cycles,
		zone ? 0 : (unsigned long long)m->data[0], (unsigned)r->run);
	if (columns == 15 && r->trace != UINT32_MAX)
		fprintf(f, "%u,%u,", (unsigned)r->trace, (unsigned)r->replay);
	else if (columns == 15)
		fputs(",,", f);
	fprintf(f, "%s,%s,%u,%s", name.at ? name.at : "",
		columns == 12 && zone ? (m->type ? "end" : "begin") : types[m->type],
		(unsigned)r->line, file.at ? file.at : "");
	if (columns == 15)
		fprintf(f, ",%.*s", STR_ARG(r->meta));
	fputc('\n', f);
	buf_release(&name);
	buf_release(&file);
}

static void rows_are_those_of(int columns)
{
	enum { ROWS = 20000 };
	static char name[4][9000], file[4][300];
	char path[128], *wanted;
	size_t wanted_len;
	FILE *f = open_memstream(&wanted, &wanted_len);
	uint64_t x = 88172645463325252u;
	struct log_writer w;
	struct ttp_err e;
	struct input in;

	snprintf(name[0], sizeof(name[0]), "%s", "ReadFromDRAM");
	snprintf(name[1], sizeof(name[1]), "%s", "a, \"b\"");
	memset(name[2], 'n', sizeof(name[2]) - 1);
	snprintf(file[0], sizeof(file[0]), "%s", "k.cpp");
	memset(file[1], 'f', 150);
	memset(file[2], 'f', 290);
	snprintf(file[3], sizeof(file[3]), "%s", "two\nlines");
	assert_int_equal(log_writer_open(&w, folder, columns, 7, "wormhole_b0", 1000, 64, &e),
			 TTP_OK);
	for (int i = 0; i < ROWS; i++) {
		struct device_marker m = { 0 };
		struct log_row row = { .marker = &m, .trace = UINT32_MAX };

		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		m.tile = (struct tile){ (uint8_t)(x >> 60), (uint8_t)(x >> 59 & 1) };
		m.risc = (uint8_t)(x >> 40 & 1);
		m.type = (uint8_t)((x >> 20) % 6);
		m.id = (uint16_t)(x >> 16 & 63);
		/* every number of digits */
		m.cycles = x >> (x & 63);
		m.data[0] = x >> (x >> 6 & 63);
		row.run = (uint32_t)(x >> 33 & 7) << (x >> 8 & 16);
		if (x >> 36 & 1) {
			row.trace = (uint32_t)(x >> 37 & 1);
			row.replay = (uint32_t)(x >> 38 & 1);
		}
		/* texts at the same address that are others, which a place is not known by */
		name[0][0] = (char)('A' + (x >> 50 & 1));
		row.name = str_of(name[(x >> 44 & 31) < 29 ? 0 : (x >> 44 & 31) - 28]);
		row.file = str_of(file[x >> 50 & 3]);
		row.line = (uint32_t)(x >> 52 & 3) * 1000000000;
		row.meta = x >> 54 & 1 ? STR("{\"sub_device_id\":0}") : STR("");
		log_writer_row(&w, &row);
		print_row(f, columns, 7, &row);
	}
	assert_int_equal(log_writer_close(&w, &e), TTP_OK);
	(void)fclose(f);
	snprintf(path, sizeof(path), "%s/profile_log_device.csv", folder);
	assert_int_equal(input_open(&in, path, &e), TTP_OK);
	assert_true(in.data.len > wanted_len);
	/* after the two lines of the head */
	assert_memory_equal(in.data.at + (in.data.len - wanted_len), wanted, wanted_len);
	assert_int_equal(in.data.at[in.data.len - wanted_len - 1], '\n');
	input_close(&in);
	free(wanted);
}

static void rows_of_15_columns_are_those_of_printf(void **state)
{
	(void)state;
	rows_are_those_of(15);
}

static void rows_of_12_columns_are_those_of_printf(void **state)
{
	(void)state;
	rows_are_those_of(12);
}

static void a_full_disk_is_told(void **state)
{
	struct rlimit old, small = { 4096, RLIM_INFINITY };
	struct log_writer w;
	struct ttp_err e = { 0 };
	struct device_marker m = { .type = MARKER_EVENT };
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
		cmocka_unit_test_setup_teardown(rows_of_15_columns_are_those_of_printf, make_folder,
						remove_folder),
		cmocka_unit_test_setup_teardown(rows_of_12_columns_are_those_of_printf, make_folder,
						remove_folder),
		cmocka_unit_test_setup_teardown(a_full_disk_is_told, make_folder, remove_folder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
