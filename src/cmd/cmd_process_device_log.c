// SPDX-License-Identifier: Apache-2.0
/* As process_device_log.py (tt-metal tools/tracy@e4f9f0b), safety excepted (docs/reference/compat.md). */
#include <sys/stat.h>

#include "cmd/cmd.h"
#include "compat/process_device_log/device_stats_2023.h"
#include "compat/process_device_log/device_tool_original.h"
#include "draw/device_results.h"
#include "runs/profiler_folder.h"
#include "wire/run_names.h"

#define OPTIONS struct device_request
static const struct opt opts[] = {
	OPTION_STRING('s', "setup", setup, "TEXT", "post processing configuration"),
	OPTION_STRING('d', "device-input-log", log, "FILE", "input device side csv log"),
	OPTION_STRING('o', "output-folder", folder, "PATH", "output folder for artifacts"),
	OPTION_FLAG(0, "no-print-stats", quiet, "do not print timeline stats"),
	OPTION_FLAG(0, "no-artifacts", no_archive, "do not generate the artifacts tarball"),
	OPTION_INT('p', "port", port, "N", 0, 65535,
		   "serve the dashboard at this port when done, as in 2023"),
	OPTION_FLAG(0, "webapp", webapp, "serve the dashboard when done"),
	OPTION_FLAG(0, "no-webapp", no_webapp,
		    "do not serve it; else a log of 2023 does when used in a terminal"),
	OPTION_FLAG(0, "no-plots", no_plots, "no device_perf.html, the timelines of a log of 2023"),
	OPTION_FLAG(0, "no-op-detection", no_detection, "do not detect ops"),
	{ 0 },
};

static const struct opt_spec spec = {
	.prog = "process_device_log",
	.summary = "statistics of a device log, as tt-metal's script of that name",
	.opts = opts,
};

int cmd_process_device_log(int argc, char **argv)
{
	struct device_request q = { .tool = &device_tool_original,
				    .console = cmd_console(spec.prog),
				    .version = cmd_version_text(),
				    .setup = "default_setup",
				    .port = -1 };
	struct opt_found found;
	struct stat st;
	SCOPED(buf) struct buf old = { 0 }, out = { 0 };
	struct device_served serve = { 0 };
	int status;

	if (!cmd_options(&spec, argc, argv, &q, &found, &status))
		return status;
	if (!setup_find(str_of(q.setup)) && !setup_2023_is_known(q.setup))
		return cmd_misuse(spec.prog,
				  "Invalid value for '-s' / '--setup': Setup %s not available",
				  q.setup);
	if (q.log && (stat(q.log, &st) || S_ISDIR(st.st_mode)))
		return cmd_misuse(spec.prog,
				  "Invalid value for '-d' / '--device-input-log': File '%s' %s.",
				  q.log, stat(q.log, &st) ? "does not exist" : "is a directory");
	if (!q.log &&
	    profiler_folder_2023("logs/" RUN_DEVICE_LOG, RUN_LOGS_FOLDER "/" RUN_DEVICE_LOG,
				 "output/device", &old, &out)) {
		q.log = old.at;
		q.folder = q.folder ? q.folder : out.at;
	}
	status = device_results(&q, &serve);
	if (serve.log.len) {
		out_flush(cmd_stdout());
		status = view_serve(spec.prog, serve.log.at, serve.folder.at, (int)q.port);
	}
	RELEASE(buf, &serve.log, &serve.folder);
	return status;
}
