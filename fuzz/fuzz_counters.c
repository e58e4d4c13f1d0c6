// SPDX-License-Identifier: Apache-2.0
/*
 * Hardware counters: lines of `core run replay meta` become rows of a device log, and metrics are worked out of them in
 * all three ways.  Samples that are read from their offsets in the log are those that are read one by one, and no
 * metric's minimum is above its median, nor that above its maximum.
 */
#include <fcntl.h>
#include <math.h>
#include <stdint.h>

#include "compat/process_ops_logs/ops_tool_original.h"
#include "markers/counters/counter_values.h"
#include "markers/log/device_log.h"
#include "memory_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

__attribute__((noinline)) static void must(bool truth)
{
	if (!truth)
		abort();
}

/* A word of one character picks core, run or replay; the rest of a line are meta data. */
static void make_log(struct str lines, struct buf *log, size_t *readable)
{
	struct str line;

	buf_text(log, "ARCH: blackhole, CHIP_FREQ[MHz]: 1350, Max Compute Cores: 110\n");
	*readable = 0;
	for (int n = 0; str_split(&lines, '\n', &line); n++) {
		unsigned core = line.len > 0 ? (unsigned char)line.at[0] : 0;
		unsigned run = line.len > 1 ? (unsigned char)line.at[1] : 0;
		unsigned replay = line.len > 2 ? (unsigned char)line.at[2] : 0;
		struct str meta = str_from(line, 3);
		struct counter_sample s;

		/* commas end columns */
		if (str_find_char(meta, ',') != STR_NONE || str_find_char(meta, '"') == 0)
			continue;
		buf_printf(log, "%u,%u,%u,BRISC,9090,%d,0,%u,", core / 64 % 2, core % 4,
			   core / 4 % 4, 1000 + n, run % 8 * 1024);
		if (replay % 4)
			buf_printf(log, "1,%u,", replay % 4);
		else
			buf_text(log, ",,");
		buf_text(log, "PERF-COUNTER,TS_DATA,433,x.hpp,");
		buf_str(log, meta);
		buf_char(log, '\n');
		if (meta.len && meta.at[meta.len - 1] == '\r')
			meta.len--;
		*readable += counter_sample_read(meta, &s);
	}
}

static size_t count_samples(const struct op_times *t)
{
	size_t n = 0;

	vec_each (s, &t->counters) {
		struct str rest = str_n(s->at, s->len);
		struct counter_sample sample;

		while (counter_sample_next(&rest, &sample))
			n++;
	}
	return n;
}

static double cell(struct counter_table *c, size_t column, const struct counter_span *s,
		   const struct op_times *t)
{
	double v = NAN;

	(void)counter_value(c, column, t->places.at[s->core].device, s->run_id,
			    t->replays.at[s->replay].session, 5000, &v);
	return v;
}

static void work_out(struct op_times *t, const struct counter_rules *rules, struct out *nowhere)
{
	struct counter_table *c = counter_table_new(t, rules, 110);

	if (!c)
		return;
	vec_each (d, &t->devices)
		counter_print(c, *d, counter_ops_counted(c, *d), nowhere);
	for (size_t i = 0; i < t->counters.len; i += counter_spans_of_run(t, i))
		for (size_t k = 0; k + 2 < counter_columns(c); k++) {
			double low, middle, high;

			if (!str_has(counter_column(c, k), STR(" Min")))
				continue;
			low = cell(c, k, &t->counters.at[i], t);
			middle = cell(c, k + 1, &t->counters.at[i], t);
			high = cell(c, k + 2, &t->counters.at[i], t);
			must(isnan(low) == isnan(high) && isnan(low) == isnan(middle));
			must(isnan(low) || (low <= middle && middle <= high));
		}
	counter_table_free(c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int fd = -1;
	struct memory_file file;
	struct device_log log;
	struct op_times t = { 0 };
	struct buf text = { 0 };
	struct out nowhere;
	size_t readable;

	if (size > 20000)
		return 0;
	if (fd < 0)
		fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
	make_log(str_n((const char *)data, size), &text, &readable);
	memory_file_open(&file, buf_view(&text));
	if (!device_log_open(&log, file.path, NULL)) {
		out_init(&nowhere, fd, "nowhere");
		op_times_read(&t, &log);
		must(count_samples(&t) == readable);
		work_out(&t, &counter_rules, &nowhere);
		work_out(&t, ops_tool_original.with_host, &nowhere);
		work_out(&t, ops_tool_original.devices_alone, &nowhere);
		must(count_samples(&t) == readable);
		must(!out_finish(&nowhere, NULL));
		op_times_release(&t);
		device_log_close(&log);
	}
	memory_file_close(&file);
	buf_release(&text);
	return 0;
}
