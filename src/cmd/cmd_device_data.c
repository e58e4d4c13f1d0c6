// SPDX-License-Identifier: Apache-2.0
/* For our Python package tracy: the markers of a device log with what analyses find, or the setups that there are. */
#include "cmd/cmd.h"
#include "compat/process_device_log/device_files.h"
#include "draw/device_results.h"

#define OPTIONS struct device_request
static const struct opt opts[] = {
	OPTION_STRING(0, "analyses", analyses, "FILE", "what to look for"),
	OPTION_FLAG(0, "no-op-detection", no_detection, "don't look for ops"),
	{ 0 },
};

static const struct opt_arg args[] = {
	{ "LOG", 0, 1, "a device log; without it, the setups are listed" },
	{ 0 },
};

const struct opt_spec cmd_device_data_spec = {
	.prog = "ttprof __device_data",
	.summary = "for the Python package tracy: a device log as JSON",
	.opts = opts,
	.args = args,
};

static const struct device_tool tool = {
	.write_json = device_data_write,
	.trusts_logs = true,
	.print_marks = device_stats_2023_print,
};

int cmd_device_data(int argc, char **argv)
{
	struct device_request q = { .tool = &tool,
				    .console = cmd_console(cmd_device_data_spec.prog),
				    .version = cmd_version_text(),
				    .setup = "default_setup",
				    .no_setup = true,
				    .no_files = true,
				    .json = true,
				    .port = -1 };
	struct device_served unused = { 0 };
	struct opt_found found;
	int status;

	if (!cmd_options(&cmd_device_data_spec, argc, argv, &q, &found, &status))
		return status;
	if (!found.n) {
		device_setups_write(cmd_stdout());
		return 0;
	}
	q.log = found.args[0];
	return device_results(&q, &unused);
}
