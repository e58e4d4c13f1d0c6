// SPDX-License-Identifier: Apache-2.0
#include "compat/process_device_log/device_tool_original.h"

#include "compat/process_device_log/device_files.h"

static void write_json(const struct device_analysed *a, struct out *to)
{
	(a->log->numbered_marks ? device_json_2023_write : device_json_write)(a, to);
}

const struct device_tool device_tool_original = {
	.write_json = write_json,
	.write_chrome = device_chrome_2023_write,
	.few_files = true,
	.copies_log = true,
	.packs_marks_twice = true,
	.trusts_logs = true,
	.has_dashboard = true,
	.print_marks = device_stats_2023_print,
};
