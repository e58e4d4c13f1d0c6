// SPDX-License-Identifier: Apache-2.0
/* As process_device_log.py (tt-metal tools/tracy@e4f9f0b), safety excepted (docs/compat.md). */
#include <sys/stat.h>

#include "cmd/cmd.h"
#include "cmd/view.h"
#include "compat/process_device_log/device_stats_2023.h"
#include "compat/process_device_log/device_tool_original.h"
#include "draw/device_results.h"
#include "runs/profiler_folder.h"
#include "wire/run_names.h"

#define AT(member) OPT_AT(struct device_request, member)
static const struct opt opts[] = {
	{ .name = "setup",
	  .letter = 's',
	  .kind = OPT_STRING,
	  AT(setup),
	  .value = "TEXT",
	  .help = "post processing configuration" },
	{ .name = "device-input-log",
	  .letter = 'd',
	  .kind = OPT_STRING,
	  AT(log),
	  .value = "FILE",
	  .help = "input device side csv log" },
	{ .name = "output-folder",
	  .letter = 'o',
	  .kind = OPT_STRING,
	  AT(folder),
	  .value = "PATH",
	  .help = "output folder for artifacts" },
	{ .name = "no-print-stats",
	  .kind = OPT_FLAG,
	  AT(quiet),
	  .help = "do not print timeline stats" },
	{ .name = "no-artifacts",
	  .kind = OPT_FLAG,
	  AT(no_archive),
	  .help = "do not generate the artifacts tarball" },
	{ .name = "port",
	  .letter = 'p',
	  .kind = OPT_INT,
	  AT(port),
	  .value = "N",
	  .min = 0,
	  .max = 65535,
	  .help = "serve the dashboard at this port when done, as in 2023" },
	{ .name = "webapp", .kind = OPT_FLAG, AT(webapp), .help = "serve the dashboard when done" },
	{ .name = "no-webapp",
	  .kind = OPT_FLAG,
	  AT(no_webapp),
	  .help = "do not serve it; else a log of 2023 does when used in a terminal" },
	{ .name = "no-plots",
	  .kind = OPT_FLAG,
	  AT(no_plots),
	  .help = "no device_perf.html, the timelines of a log of 2023" },
	{ .name = "no-op-detection",
	  .kind = OPT_FLAG,
	  AT(no_detection),
	  .help = "do not detect ops" },
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
	struct ttp_err e;
	struct stat st;
	struct buf old = { 0 }, out = { 0 }, serve = { 0 };
	int status;

	if (!cmd_options(&spec, argc, argv, &q, &found, &status))
		return status;
	if (!setup_find(str_of(q.setup)) && !setup_2023_is_known(q.setup)) {
		(void)ttp_fail(&e, TTP_USAGE,
			       "Invalid value for '-s' / '--setup': Setup %s not available",
			       q.setup);
		return cmd_misused(spec.prog, &e);
	}
	if (q.log && (stat(q.log, &st) || S_ISDIR(st.st_mode))) {
		(void)ttp_fail(&e, TTP_USAGE,
			       "Invalid value for '-d' / '--device-input-log': File '%s' %s.",
			       q.log, stat(q.log, &st) ? "does not exist" : "is a directory");
		return cmd_misused(spec.prog, &e);
	}
	if (!q.log && !q.folder &&
	    profiler_folder_2023("logs/" RUN_DEVICE_LOG, RUN_LOGS_FOLDER "/" RUN_DEVICE_LOG,
				 "output/device", &old, &out)) {
		q.log = old.at;
		q.folder = out.at;
	}
	status = device_results(&q, &serve);
	if (serve.len) {
		out_flush(cmd_stdout());
		status = view_serve(spec.prog, serve.at, (int)q.port);
	}
	buf_release(&old);
	buf_release(&out);
	buf_release(&serve);
	return status;
}
