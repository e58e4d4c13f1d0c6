// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compat/process_ops_logs/exact_runs.h"
#include "markers/log/device_log.h"
#include "markers/op_times.h"
#include "ops/join/ops_report.h"

#define PREAMBLE "ARCH: wormhole_b0, CHIP_FREQ[MHz]: 1000, Max Compute Cores: 64\n"
#define NAMES                                                                                        \
	"PCIe slot, core_x, core_y, RISC processor type, timer_id, time[cycles since reset], data, " \
	"run host ID, trace id, trace id counter, zone name, type, source line, source file, meta data\n"

static struct device_log log_of(const char *text)
{
	char path[] = "/tmp/ttprof-test-XXXXXX";
	int fd = mkstemp(path);
	struct device_log log;
	struct ttp_err e;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	assert_int_equal(device_log_open(&log, path, &e), TTP_OK);
	unlink(path);
	return log;
}

static void read_all(struct device_log *log, struct op_times *t)
{
	*t = (struct op_times){ 0 };
	op_times_read(t, log);
}

static void firmware_runs_from_first_start_to_last_end(void **state)
{
	struct device_log log =
		log_of(PREAMBLE NAMES "0,1,1,BRISC,5,100,0,1024,,,BRISC-FW,ZONE_START,1,a.cc,\n"
				      "0,1,1,BRISC,65541,900,0,1024,,,BRISC-FW,ZONE_END,1,a.cc,\n"
				      "0,1,2,BRISC,5,90,0,1024,,,BRISC-FW,ZONE_START,1,a.cc,\n"
				      "0,1,2,BRISC,65541,950,0,1024,,,BRISC-FW,ZONE_END,1,a.cc,\n"
				      "0,1,3,BRISC,5,200,0,1024,,,BRISC-FW,ZONE_START,1,a.cc,\n"
				      "0,1,3,BRISC,65541,300,0,1024,,,BRISC-FW,ZONE_END,1,a.cc,\n");
	struct op_times t;
	struct run_entry e;

	(void)state;
	read_all(&log, &t);
	assert_int_equal(t.runs.len, 1);
	assert_int_equal(op_run_cores(&t, &t.runs.at[0]), 3);
	e = run_entry(&t, &t.runs.at[0], RUN_FW);
	assert_true(e.has);
	assert_int_equal(e.start, 90);
	assert_int_equal(e.end, 950);
	/* (1,2) started first; each core has its own first and last time */
	assert_int_equal(op_core_time(&t, &t.cores.at[0], CORE_FIRST), 90);
	assert_int_equal(op_core_time(&t, &t.cores.at[1], CORE_FIRST), 100);
	assert_int_equal(op_core_time(&t, &t.cores.at[1], CORE_LAST), 900);
	assert_int_equal(op_core_time(&t, &t.cores.at[2], CORE_FIRST), 200);
	assert_false(run_entry(&t, &t.runs.at[0], RUN_KERNEL).has);
	op_times_release(&t);
	device_log_close(&log);
}

static void the_same_id_without_replay_columns_is_another_run(void **state)
{
	struct device_log log = log_of(
		"ARCH: grayskull, CHIP_FREQ[MHz]: 1200\n"
		"PCIe slot, core_x, core_y, RISC processor type, timer_id, time[cycles since reset], stat value, Run ID, zone name, zone phase, source line, source file\n"
		"0,1,1,BRISC,5,100,0,7,BRISC-FW,begin,1,a.cc\n0,1,1,BRISC,5,200,0,7,BRISC-FW,end,1,a.cc\n"
		"0,1,1,BRISC,5,300,0,7,BRISC-FW,begin,1,a.cc\n0,1,1,BRISC,5,400,0,7,BRISC-FW,end,1,a.cc\n");
	struct op_times t;

	(void)state;
	read_all(&log, &t);
	assert_int_equal(log.columns, 12);
	assert_int_equal(t.runs.len, 2);
	assert_int_equal(op_run_next_repeat(&t, &t.runs.at[0]), 1);
	assert_int_equal(run_entry(&t, &t.runs.at[1], RUN_FW).start, 300);
	op_times_release(&t);
	device_log_close(&log);
}

static void numbered_marks_of_2023_become_zones(void **state)
{
	struct device_log log = log_of("0, 3, 4, NCRISC, 1, 50\n0, 3, 4, NCRISC, 4, 70\n");
	struct marker m[4];

	(void)state;
	assert_int_equal(device_log_next(&log, m, 4), 2);
	assert_int_equal(m[0].type, MARKER_ZONE_START);
	assert_int_equal(m[1].type, MARKER_ZONE_END);
	assert_true(str_eq(intern_get(&log.names.zones, m[1].zone), STR("NCRISC-FW")));
	device_log_close(&log);
}

static void rows_that_are_no_markers_are_counted_with_their_line(void **state)
{
	struct device_log log =
		log_of(PREAMBLE NAMES
		       "rubbish\n0,1,1,BRISC,5,100,0,1024,,,BRISC-FW,ZONE_START,1,a.cc,\n0,1,1\n");
	struct op_times t;

	(void)state;
	read_all(&log, &t);
	assert_int_equal(log.rows, 1);
	assert_int_equal(log.bad_rows, 2);
	assert_int_equal(log.bad_line[0], 3);
	assert_int_equal(log.bad_line[1], 5);
	op_times_release(&t);
	device_log_close(&log);
}

static void the_quick_way_reads_what_the_slow_way_reads(void **state)
{
	struct buf text = { 0 };
	struct device_log log;
	struct marker m[64];
	size_t n = 0, got;

	(void)state;
	buf_text(&text, PREAMBLE NAMES);
	for (int i = 0; i < 40; i++)
		buf_printf(&text, "0,1,%d,%s,%d,%d,%d,1024,%s,Z%d,%s,%d,f.cc,%s\n", 1 + i / 20,
			   i % 2 ? "BRISC" : "NCRISC", 5 + i % 3, 1000 + i, i, i % 5 ? "," : "3,2",
			   i % 3, i % 3 ? "ZONE_START" : "TS_DATA", i % 3,
			   i % 4 ? "" : "{\"sub_device_id\":3}");
	log = log_of(text.at);
	while ((got = device_log_next(&log, m, 64)) > 0)
		for (size_t i = 0; i < got; i++, n++) {
			int k = (int)n;

			assert_int_equal(m[i].y, 1 + k / 20);
			assert_int_equal(m[i].risc, k % 2 ? RISC_BRISC : RISC_NCRISC);
			assert_int_equal(m[i].timer_id, 5 + k % 3);
			assert_int_equal(m[i].time_cycles, 1000 + k);
			assert_int_equal(m[i].data, k);
			assert_int_equal(m[i].trace_id, k % 5 ? -1 : 3);
			assert_int_equal(m[i].session, k % 5 ? -1 : 2);
			assert_int_equal(m[i].line, k % 3);
			assert_int_equal(m[i].meta.len, k % 4 ? 0 : 19);
			assert_int_equal(m[i].type, k % 3 ? MARKER_ZONE_START : MARKER_DATA);
		}
	assert_int_equal(n, 40);
	buf_release(&text);
	device_log_close(&log);
}

static void meta_data_is_read_as_json_or_python(void **state)
{
	int64_t n = 0;
	struct str s;

	(void)state;
	assert_true(marker_sub_device(STR("{\"sub_device_id\":2;\"x\":1}"), &n));
	assert_int_equal(n, 2);
	assert_true(
		marker_meta_i64(STR("{'workers_runtime_id': -7}"), STR("workers_runtime_id"), &n));
	assert_int_equal(n, -7);
	assert_true(marker_meta_text(STR("{\"a\":\"b;c\"}"), STR("a"), &s));
	assert_true(str_eq(s, STR("b;c")));
	assert_false(marker_meta_i64(STR("{\"value\":x}"), STR("value"), &n));
	assert_false(marker_sub_device(STR(""), &n));
}

static void times_far_apart_are_kept_in_full(void **state)
{
	struct device_log log =
		log_of(PREAMBLE NAMES
		       "0,1,1,BRISC,5,100,0,1024,,,BRISC-FW,ZONE_START,1,a.cc,\n"
		       "0,1,1,BRISC,65541,18446744073709551615,0,1024,,,BRISC-FW,ZONE_END,1,a.cc,\n"
		       "0,1,2,BRISC,5,5000000000,0,1024,,,BRISC-FW,ZONE_START,1,a.cc,\n"
		       "0,1,2,BRISC,65541,5000000009,0,1024,,,BRISC-FW,ZONE_END,1,a.cc,\n");
	struct op_times t;

	(void)state;
	log.trusts_end = true; /* as frozen tools read it */
	read_all(&log, &t);
	assert_int_equal(t.runs.len, 1);
	assert_true(run_entry(&t, &t.runs.at[0], RUN_FW).start == 100);
	assert_true(run_entry(&t, &t.runs.at[0], RUN_FW).end == UINT64_MAX);
	assert_true(op_core_time(&t, &t.cores.at[0], CORE_LAST) == UINT64_MAX);
	assert_true(op_core_time(&t, &t.cores.at[1], CORE_FIRST) == 5000000000);
	op_times_release(&t);
	device_log_close(&log);
}

static void a_time_that_no_chip_reaches_is_no_time(void **state)
{
	struct device_log log =
		log_of(PREAMBLE NAMES
		       "0,1,1,BRISC,5,100,0,1024,,,BRISC-FW,ZONE_START,1,a.cc,\n"
		       "0,1,1,BRISC,65541,1000000000000000000,0,1024,,,BRISC-FW,ZONE_END,1,a.cc,\n"
		       "0,1,1,BRISC,5,100,0,2048,,,BRISC-FW,ZONE_START,1,a.cc,\n"
		       "0,1,1,BRISC,65541,999999999999999999,0,2048,,,BRISC-FW,ZONE_END,1,a.cc,\n");
	struct op_times t;

	(void)state;
	read_all(&log, &t);
	assert_int_equal(log.bad_rows, 1);
	assert_int_equal(log.bad_line[0], 4);
	assert_int_equal(t.runs.len, 2);
	assert_true(op_run_is_partial(&t, &t.runs.at[0]));
	assert_false(op_run_is_partial(&t, &t.runs.at[1]));
	assert_true(run_entry(&t, &t.runs.at[1], RUN_FW).end == 999999999999999999u);
	op_times_release(&t);
	device_log_close(&log);
}

/* What is left of an op whose cores are lost. */
static void a_run_without_firmware_is_partial(void **state)
{
	struct device_log log =
		log_of(PREAMBLE NAMES "0,1,1,BRISC,7,100,5,1024,,,X,TS_DATA,1,a.c,\n");
	struct op_times t;

	(void)state;
	read_all(&log, &t);
	assert_int_equal(t.runs.len, 1);
	assert_true(op_run_is_partial(&t, &t.runs.at[0]));
	op_times_release(&t);
	device_log_close(&log);
}

/* 24 bits hold 8,388,607 cycles to either side of the first time that was seen. */
static void times_at_the_border_are_exact(void **state)
{
	static const long distances[] = { 1, 65535, 65536, 8388607, 8388608, 9000000 };
	const long base = 20000000;

	(void)state;
	for (size_t i = 0; i < sizeof(distances) / sizeof(*distances); i++) {
		struct buf text = { 0 };
		struct device_log log;
		struct op_times t = { .wants_core_ends = true };
		struct run_entry e;

		buf_text(&text, PREAMBLE NAMES);
		buf_printf(&text,
			   "0,1,1,NCRISC,7,%ld,0,1024,,,NCRISC-KERNEL,ZONE_START,1,a.cc,\n"
			   "0,1,1,BRISC,5,%ld,0,1024,,,BRISC-KERNEL,ZONE_START,1,a.cc,\n"
			   "0,1,1,BRISC,65541,%ld,0,1024,,,BRISC-KERNEL,ZONE_END,1,a.cc,\n",
			   base, base - distances[i], base + distances[i]);
		log = log_of(text.at);
		op_times_read(&t, &log);
		e = run_entry(&t, &t.runs.at[0], RUN_KERNEL);
		assert_int_equal(e.start, base - distances[i]);
		assert_int_equal(e.end, base + distances[i]);
		assert_int_equal(op_core_time(&t, &t.cores.at[0], CORE_MOVER_START),
				 base - distances[i]);
		assert_int_equal(op_core_time(&t, &t.cores.at[0], CORE_KERNEL_END),
				 base + distances[i]);
		assert_int_equal(t.wide_runs.len, distances[i] > 8388607);
		op_times_release(&t);
		device_log_close(&log);
		buf_release(&text);
	}
}

static void riscs_of_a_quasar_share_a_run(void **state)
{
	struct device_log log = log_of(
		PREAMBLE NAMES
		"0,1,1,QUASAR_DM0,5,100,0,1024,,,DM-FW,ZONE_START,1,a.cc,\n0,1,1,QUASAR_DM0,65541,200,0,1024,,,DM-FW,ZONE_END,1,a.cc,\n"
		"0,1,1,QUASAR_DM1,5,90,0,1024,,,DM-FW,ZONE_START,1,a.cc,\n0,1,1,QUASAR_DM1,65541,210,0,1024,,,DM-FW,ZONE_END,1,a.cc,\n");
	struct op_times t;

	(void)state;
	read_all(&log, &t);
	assert_int_equal(t.runs.len, 1);
	assert_true(run_entry(&t, &t.runs.at[0], RUN_DM_FW).start == 90);
	assert_true(run_entry(&t, &t.runs.at[0], RUN_DM_FW).end == 210);
	op_times_release(&t);
	device_log_close(&log);
}

/* A core that follows the firmware; then one whose TRISC ends after its BRISC. */
static void runs_are_the_originals_when_each_op_closes_last(void **state)
{
	static const char *const logs[] = {
		"0,1,1,BRISC,5,100,0,1024,,,BRISC-FW,ZONE_START,1,a.cc,\n0,1,1,BRISC,65541,300,0,1024,,,BRISC-FW,ZONE_END,1,a.cc,\n"
		"0,1,1,TRISC_0,6,110,0,1024,,,TRISC-FW,ZONE_START,1,a.cc,\n0,1,1,TRISC_0,65542,290,0,1024,,,TRISC-FW,ZONE_END,1,a.cc,\n",
		"0,1,1,BRISC,5,100,0,1024,,,BRISC-FW,ZONE_START,1,a.cc,\n0,1,1,BRISC,65541,300,0,1024,,,BRISC-FW,ZONE_END,1,a.cc,\n"
		"0,1,1,TRISC_0,6,110,0,1024,,,TRISC-FW,ZONE_START,1,a.cc,\n0,1,1,TRISC_0,65542,310,0,1024,,,TRISC-FW,ZONE_END,1,a.cc,\n",
	};

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct buf text = { 0 };
		struct device_log log;
		struct detected_runs x;
		struct op_times t;

		buf_text(&text, PREAMBLE NAMES);
		buf_text(&text, logs[i]);
		log = log_of(text.at);
		read_all(&log, &t);
		assert_int_equal(runs_are_exact(&t), i == 0);
		assert_int_equal(run_entry(&t, &t.runs.at[0], RUN_FW).end, i ? 310 : 300);
		assert_true(exact_runs_read(&x, &log, &t));
		assert_int_equal(x.times.runs.len, 1);
		assert_int_equal(run_entry(&x.times, &x.times.runs.at[0], RUN_FW).end, 300);
		detected_runs_release(&x);
		op_times_release(&t);
		device_log_close(&log);
		buf_release(&text);
	}
}

/* In a process of its own, because cmocka takes every SIGBUS for a failed test. */
static int cut_while_reading(void)
{
	char path[] = "/tmp/ttprof-test-XXXXXX";
	int fd = mkstemp(path);
	struct buf text = { 0 };
	struct device_log log;
	struct marker m[64];
	struct ttp_err e;
	size_t n, all = 0;
	bool ok;

	buf_text(&text, PREAMBLE NAMES);
	for (int i = 0; i < 100000; i++)
		buf_printf(&text, "0,1,1,BRISC,5,%d,0,1024,,,BRISC-FW,ZONE_START,1,a.cc,\n", i);
	if (write(fd, text.at, text.len) != (ssize_t)text.len || device_log_open(&log, path, &e))
		return 1;
	unlink(path);
	all += device_log_next(&log, m, 64);
	if (ftruncate(fd, 10000))
		return 1;
	while ((n = device_log_next(&log, m, 64)) > 0)
		all += n;
	ok = all >= 64 && all < 100000 && input_shrunk(&log.in);
	device_log_close(&log);
	buf_release(&text);
	close(fd);
	return ok ? 0 : 2;
}

static void a_log_that_is_cut_while_it_is_read_is_told(void **state)
{
	pid_t child = fork();
	int status;

	(void)state;
	assert_true(child >= 0);
	if (!child) {
		execl("/proc/self/exe", "test_op_times", "cut", NULL);
		_exit(255);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(firmware_runs_from_first_start_to_last_end),
		cmocka_unit_test(the_same_id_without_replay_columns_is_another_run),
		cmocka_unit_test(numbered_marks_of_2023_become_zones),
		cmocka_unit_test(rows_that_are_no_markers_are_counted_with_their_line),
		cmocka_unit_test(the_quick_way_reads_what_the_slow_way_reads),
		cmocka_unit_test(meta_data_is_read_as_json_or_python),
		cmocka_unit_test(times_far_apart_are_kept_in_full),
		cmocka_unit_test(a_time_that_no_chip_reaches_is_no_time),
		cmocka_unit_test(a_run_without_firmware_is_partial),
		cmocka_unit_test(times_at_the_border_are_exact),
		cmocka_unit_test(riscs_of_a_quasar_share_a_run),
		cmocka_unit_test(runs_are_the_originals_when_each_op_closes_last),
		cmocka_unit_test(a_log_that_is_cut_while_it_is_read_is_told),
	};

	(void)argv;
	if (argc > 1)
		return cut_while_reading();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
