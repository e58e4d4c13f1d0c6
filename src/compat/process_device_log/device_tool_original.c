// SPDX-License-Identifier: Apache-2.0
#include "compat/process_device_log/device_tool_original.h"

#include "compat/process_device_log/device_chrome_2023.h"
#include "compat/process_device_log/device_json.h"
#include "compat/process_device_log/device_json_2023.h"
#include "compat/process_device_log/device_stats_2023.h"

static void write_json(const struct device_analysed *a, struct out *to)
{
	struct device_json j = { .m = a->markers,
				 .list = a->list,
				 .n = a->n,
				 .detect_ops = a->detect_ops,
				 .input_path = a->input_path,
				 .output_folder = a->output_folder };

	if (a->log->numbered_marks)
		device_json_2023_write(a->markers, a->setup, a->input_path, a->output_folder, to);
	else
		device_json_write(&j, to);
}

static void write_chrome(const struct device_analysed *a, struct out *to)
{
	device_chrome_2023_write(a->markers, to);
}

const struct device_tool device_tool_original = {
	.write_json = write_json,
	.write_chrome = write_chrome,
	.few_files = true,
	.copies_log = true,
	.packs_marks_twice = true,
	.trusts_logs = true,
	.results_with_profiler = true,
	.has_dashboard = true,
	.print_marks = device_stats_2023_print,
};
