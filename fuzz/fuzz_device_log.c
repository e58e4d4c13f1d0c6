// SPDX-License-Identifier: Apache-2.0
/*
 * A device log of any generation, counters included: runs of ops in one pass, and all markers with every analysis,
 * count the same.
 */
#include <fcntl.h>
#include <stdint.h>

#include "compat/process_device_log/device_files.h"
#include "compat/process_ops_logs/exact_runs.h"
#include "compat/process_ops_logs/ops_tool_original.h"
#include "markers/analyses/device_export.h"
#include "markers/analyses/marker_log.h"
#include "markers/counters/counter_values.h"
#include "markers/log/device_log.h"
#include "memory_file.h"
#include "ops/join/device_only.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool truth)
{
	if (!truth)
		abort();
}

static void one_pass(struct device_log *log, struct op_times *t, struct out *nowhere)
{
	struct counter_table *counters;
	struct device_only d;
	size_t entries = 0;

	t->wants_core_ends = true;
	op_times_read(t, log);
	must(t->markers == log->rows);
	vec_each (r, &t->runs)
		entries += op_run_cores(t, r);
	must(entries == t->cores.len);
	if (t->any_dispatch)
		dispatch_times_add(t, log);
	counters = counter_table_new(t, ops_tool_original.devices_alone, log->compute_cores);
	for (int original = 0; original < 2; original++) {
		struct ops_rows_csv csv;

		d = (struct device_only){ .times = t,
					  .sub_devices = t,
					  .freq_mhz = log->freq_mhz,
					  .rules = original ? ops_tool_original.report
							    : &report_rules,
					  .analyses = UINT64_MAX,
					  .counters = counters };
		device_only_make(&d);
		ops_rows_csv_init(&csv, nowhere);
		device_only_rows(&d, &csv.rows);
		ops_rows_csv_finish(&csv);
		device_only_write_gaps(&d, nowhere);
		device_only_release(&d);
	}
	counter_table_free(counters);
}

/* Where our runs are said to be the original's, they are. */
static void as_original(struct device_log *log, const struct op_times *t)
{
	bool same = runs_are_exact(t);
	struct detected_runs x;
	uint32_t *order;

	if (!exact_runs_read(&x, log, t)) {
		must(!same);
		return;
	}
	must(!same || x.times.runs.len == t->runs.len);
	order = runs_in_detection_order(t);
	for (size_t i = 0; same && t->devices.len == 1 && i < t->runs.len; i++) {
		const struct op_run *a = &t->runs.at[order[i]], *b = &x.times.runs.at[i];

		must(a->run_id == b->run_id && op_run_cores(t, a) == op_run_cores(&x.times, b));
		for (int k = 0; k < RUN_TIMES; k++) {
			struct run_entry l = run_entry(t, a, (enum run_time)k);
			struct run_entry r = run_entry(&x.times, b, (enum run_time)k);

			must(l.has == r.has && l.start == r.start && l.end == r.end);
		}
	}
	free(order);
	detected_runs_release(&x);
}

/* In a log that is not cut nothing is; in one that is, its last run is among those that are. */
static void find_cut(struct device_log *log, struct op_times *t, const char *path)
{
	uint64_t rows = log->rows, bad = log->bad_rows;
	struct log_cut c;
	size_t cut = 0;

	log_cut_find(&c, log, t, path);
	must(log->rows == rows && log->bad_rows == bad);
	vec_each (r, &t->runs)
		cut += r->is_cut;
	must(c.is_cut || !cut);
	must(c.from <= log->in.data.len && c.without.len <= t->places.len);
	log_cut_release(&c);
}

static void all_markers(struct device_log *log, uint64_t markers, struct out *nowhere)
{
	const struct setup *s = setup_find(STR("test_multi_op"));
	analysis_vec list = { 0 };
	struct device_analysed a;
	struct marker_log m;
	struct buf text = { 0 };

	device_log_rewind(log);
	marker_log_read(&m, log, true);
	must(m.all.len == markers);
	setup_analyses(s, &list);
	marker_log_analyse(&m, list.at, list.len);
	device_stats_print(&m, list.at, list.len, &text);
	a = (struct device_analysed){ .log = log,
				      .markers = &m,
				      .list = list.at,
				      .n = list.len,
				      .setup = "test_full_buffer",
				      .input_path = "x",
				      .output_folder = "y" };
	device_json_write(&a, nowhere);
	device_export_json(&m, list.at, list.len, &text);
	device_export_chrome(&m, nowhere);
	if (log->numbered_marks) {
		device_stats_2023_print(&m, "test_full_buffer", &text);
		device_chrome_2023_write(&a, nowhere);
		device_json_2023_write(&a, nowhere);
	}
	device_export_timestamps(&m, nowhere);
	marker_log_release(&m);
	vec_release(&list);
	buf_release(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int fd = -1;
	struct memory_file file;
	struct device_log log;
	struct op_times t = { 0 };
	struct out nowhere;

	if (size > 100000)
		return 0;
	if (fd < 0)
		fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
	memory_file_open(&file, str_n((const char *)data, size));
	if (!device_log_open(&log, file.path, NULL)) {
		out_init(&nowhere, fd, "nowhere");
		one_pass(&log, &t, &nowhere);
		as_original(&log, &t);
		find_cut(&log, &t, file.path);
		all_markers(&log, t.markers, &nowhere);
		must(!out_finish(&nowhere, NULL));
		op_times_release(&t);
		device_log_close(&log);
	}
	memory_file_close(&file);
	return 0;
}
