// SPDX-License-Identifier: Apache-2.0
#include "cmd/cmd.h"
#include "compat/process_device_log/device_stats_2023.h"
#include "draw/device_results.h"

#define OPTIONS struct device_request
static const struct opt opts[] = {
	OPTION_STRING('s', "setup", setup, "NAME", "a set of analyses; `--setup help` lists them",
		      .preset = "default_setup", .section = "What is worked out"),
	OPTION_STRING(0, "analyses", analyses, "FILE",
		      "analyses of your own, besides (docs/reference/formats/analyses.md)"),
	OPTION_FLAG(0, "no-op-detection", no_detection,
		    "don't look for ops: only what is between markers"),
	OPTION_STRING(
		'o', "output-folder", folder, "DIR",
		"also write files to DIR: statistics, JSON, a Chrome trace, timestamps by core, device_perf.html with a timeline by core, and an archive of them",
		.section = "Output"),
	OPTION_STRING('d', "device-input-log", log, "FILE", "the log, as the argument"),
	OPTION_FLAG(0, "no-plots", no_plots, "no device_perf.html"),
	OPTION_FLAG(0, "no-artifacts", no_archive, "no archive"),
	OPTION_FLAG(0, "no-print-stats", quiet, "print nothing"),
	OPTION_FLAG(0, "json", json, "print statistics as JSON"),
	{ 0 },
};

static const struct opt_arg args[] = {
	{ "LOG", 0, 1,
	  "profile_log_device.csv of any generation, also .gz or .zst, or a folder with it; else the one in the profiler's folder" },
	{ 0 },
};

static const struct opt_example examples[] = {
	{ "ttprof device", "statistics of the last run" },
	{ "ttprof device profile_log_device.csv -o out",
	  "the same, and files; open out/device_perf.html in a browser" },
	{ "ttprof device --analyses my.txt log.csv", "further times, between any two zones" },
	{ 0 },
};

const struct opt_spec cmd_device_spec = {
	.prog = "ttprof device",
	.summary = "statistics and a timeline of a device log",
	.about =
		"Reads the markers that RISC-V cores of the devices wrote, and says how long firmware, kernels and "
		"gaps took: per op, per core, or between any two zones. Zones of your own kernels follow, by RISC.",
	.opts = opts,
	.args = args,
	.examples = examples,
};

static const struct device_tool tool = {
	.write_json = device_write_json,
	.write_chrome = device_write_chrome,
	.takes_folders = true,
	.print_marks = device_stats_2023_print,
};

int cmd_device(int argc, char **argv)
{
	struct device_request q = { .tool = &tool,
				    .console = cmd_console(cmd_device_spec.prog),
				    .version = cmd_version_text(),
				    .setup = "default_setup",
				    .port = -1 };
	struct device_served unused = { 0 };
	struct opt_found found;
	int status;

	if (!cmd_options(&cmd_device_spec, argc, argv, &q, &found, &status))
		return status;
	if (!strcmp(q.setup, "help")) {
		for (const struct setup *s = setups; s->name; s++)
			out_printf(cmd_stdout(), "%s\n", s->name);
		for (size_t i = 0; setup_2023_name(i); i++)
			if (!setup_find(str_of(setup_2023_name(i))))
				out_printf(cmd_stdout(), "%s (logs of 2023)\n", setup_2023_name(i));
		return 0;
	}
	if (!setup_find(str_of(q.setup)) && !setup_2023_is_known(q.setup))
		return cmd_misuse(cmd_device_spec.prog,
				  "--setup: there is no \"%s\"; --setup help lists them", q.setup);
	if ((found.n && q.log) || (q.json && q.quiet))
		return cmd_misuse(cmd_device_spec.prog, "%s",
				  q.json ? "--json prints, --no-print-stats does not: one of them"
					 : "LOG and -d name a log each: one of them");
	if (found.n)
		q.log = found.args[0];
	q.no_files = !q.folder;
	return device_results(&q, &unused);
}
