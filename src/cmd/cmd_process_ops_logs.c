// SPDX-License-Identifier: Apache-2.0
/*
 * As process_ops_logs.py (tt-metal tools/tracy@e4f9f0b).  Its options and its text; but it loses no run,
 * removes no report, and runs no code of a log (docs/reference/compat.md).
 */
#include <unistd.h>

#include "base/paths.h"
#include "cmd/cmd.h"
#include "compat/process_ops_logs/ops_tool_original.h"
#include "runs/ops_reports.h"
#include "runs/profiler_folder.h"
#include "wire/run_names.h"

struct options {
	struct ops_request q;
	bool webapp;
	int64_t port; /* -1: not given */
};

#define OPTIONS struct options
static const struct opt opts[] = {
	OPTION_STRING('o', "output-folder", q.folder, "PATH", "output folder for artifacts"),
	OPTION_STRING('i', "input-folder", q.old_ops, "PATH", "folder of ops' logs, as of 2023"),
	OPTION_STRING('n', "name-append", q.name, "TEXT",
		      "name to be appended to the default csv name"),
	OPTION_FLAG(0, "date", q.date, "append the date to output files"),
	OPTION_FLAG(0, "device-only", q.device_only, "only generate a device data report"),
	OPTION_FLAG(0, "analyze-noc-traces", q.npe,
		    "add tt-npe's figures, where .logs/npe_results.csv has them"),
	OPTION_LIST('a', "device-analysis-types", q.analyses, "TEXT",
		    "subset of analysis types to be performed on device"),
	OPTION_FLAG(0, "force-legacy-device-logs", q.use_markers,
		    "read the device log instead of cpp_device_perf_report.csv"),
	OPTION_FLAG(0, "webapp", webapp, "serve the dashboard when done, as in 2023"),
	OPTION_INT('p', "port", port, "N", 0, 65535, "port of the dashboard, with --webapp"),
	{ 0 },
};

static const struct opt_spec spec = {
	.prog = "process_ops_logs",
	.summary = "make the ops report of a profiled run, as tt-metal's script of that name",
	.opts = opts,
};

/* -o was the folder of results in 2023, and is that of the logs as well today. */
static bool has_logs(const char *folder)
{
	static const char *const names[] = { RUN_LOGS_FOLDER, RUN_DEVICE_LOG, RUN_HOST_EVENTS,
					     RUN_PERF_REPORT, "logs/ops",     "ops" };
	SCOPED(buf) struct buf path = { 0 };
	bool found = false;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		buf_set(&path, "%s/%s", folder, names[i]);
		found |= !access(path.at, F_OK);
	}
	return found;
}

int cmd_process_ops_logs(int argc, char **argv)
{
	struct options u = { .q = { .console = cmd_console(spec.prog),
				    .tool = &ops_tool_original,
				    .copies_logs = true,
				    .prints_counters = true,
				    .log_option = "force-legacy-device-logs" },
			     .port = -1 };
	struct opt_found found;
	struct ops_result r = { 0 };
	SCOPED(buf) struct buf b = { 0 }, old = { 0 }, out = { 0 }, made = { 0 };
	uint64_t analyses;
	struct ttp_err e;
	bool of_2023;
	int status;

	if (!cmd_options(&spec, argc, argv, &u, &found, &status))
		return status;
	of_2023 = profiler_folder_2023("logs/ops", RUN_LOGS_FOLDER "/" RUN_HOST_ZONES, ".", &old,
				       &out);
	if (!u.q.old_ops && !(u.q.folder && has_logs(u.q.folder)) && of_2023)
		u.q.old_ops = old.at;
	/* results lay beside the logs then, whichever of them are read */
	if (u.q.old_ops && !u.q.folder && path_is_folder(out.at))
		u.q.folder = out.at;
	u.q.analyses_need_log = !u.q.use_markers;
	status = ops_reports_analyses(&u.q, &analyses, &e) ? ops_reports_make(&u.q, analyses, &r)
							   : cmd_fail(spec.prog, &e);
	if (!status) {
		account_summary(&r.account, STR("ops"), &b);
		buf_char(&b, '\n');
		account_details(&r.account, &b);
		if (r.device_only)
			buf_printf(
				&b,
				"Device only OPs csv generated at: %s\nDevice only per core op to op times csv generated at: %s\n",
				r.path.at, r.per_core_path.at);
		else
			buf_printf(&b, "OPs csv generated at: %s\n", r.path.at);
		cmd_tell(&b);
		if (u.webapp) {
			buf_clear(&b);
			if (u.q.folder)
				buf_text(&b, u.q.folder);
			else
				profiler_folder(&b);
			buf_str(&made, str_head(buf_view(&r.path),
						str_rfind_char(buf_view(&r.path), '/')));
			status = view_serve(spec.prog, b.at, made.at, (int)u.port);
		}
	}
	ops_result_release(&r);
	vec_release(&u.q.analyses);
	return status;
}
