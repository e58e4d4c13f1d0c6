// SPDX-License-Identifier: Apache-2.0
/*
 * As process_ops_logs.py (tt-metal tools/tracy@e4f9f0b).  Its options and its text; but it loses no run,
 * removes no report, and runs no code of a log (docs/compat.md).
 */
#include "cmd/cmd.h"
#include "cmd/ops_files.h"
#include "cmd/ops_run.h"
#include "cmd/view.h"

#define AT(member) OPT_AT(struct ops_request, member)
static const struct opt opts[] = {
	{ .name = "output-folder",
	  .letter = 'o',
	  .kind = OPT_STRING,
	  AT(folder),
	  .value = "PATH",
	  .help = "output folder for artifacts" },
	{ .name = "input-folder",
	  .letter = 'i',
	  .kind = OPT_STRING,
	  AT(old_ops),
	  .value = "PATH",
	  .hidden = true,
	  .help = "folder of ops of the 2023 generation" },
	{ .name = "name-append",
	  .letter = 'n',
	  .kind = OPT_STRING,
	  AT(name),
	  .value = "TEXT",
	  .help = "name to be appended to the default csv name" },
	{ .name = "date", .kind = OPT_FLAG, AT(date), .help = "append the date to output files" },
	{ .name = "device-only",
	  .kind = OPT_FLAG,
	  AT(device_only),
	  .help = "only generate a device data report" },
	{ .name = "analyze-noc-traces",
	  .kind = OPT_FLAG,
	  AT(npe),
	  .help = "add tt-npe's figures, where .logs/npe_results.csv has them" },
	{ .name = "device-analysis-types",
	  .letter = 'a',
	  .kind = OPT_LIST,
	  AT(analyses),
	  .value = "TEXT",
	  .help = "subset of analysis types to be performed on device" },
	{ .name = "force-legacy-device-logs",
	  .kind = OPT_FLAG,
	  AT(use_markers),
	  .help = "read the device log instead of cpp_device_perf_report.csv" },
	{ .name = "webapp",
	  .kind = OPT_FLAG,
	  AT(webapp),
	  .help = "run the dashboard in the end, until Ctrl-C, as the script of 2023 did" },
	{ .name = "port",
	  .letter = 'p',
	  .kind = OPT_INT,
	  AT(port),
	  .value = "N",
	  .min = 0,
	  .max = 65535,
	  .help = "its port" },
	{ 0 },
};

static const struct opt_spec spec = {
	.prog = "process_ops_logs",
	.summary = "make the ops report of a profiled run, as tt-metal's script of that name",
	.opts = opts,
};

int cmd_process_ops_logs(int argc, char **argv)
{
	struct ops_request q = { .prog = spec.prog,
				 .keep_logs = true,
				 .rules = &report_rules_original,
				 .original = true,
				 .port = -1 };
	struct opt_found found;
	struct ops_result r;
	struct buf b = { 0 };
	int status;

	if (!cmd_options(&spec, argc, argv, &q, &found, &status))
		return status;
	status = ops_run(&q, &r);
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
		if (q.webapp) {
			buf_clear(&b);
			if (q.folder)
				buf_text(&b, q.folder);
			else
				profiler_folder(&b);
			status = view_serve(spec.prog, b.at, (int)q.port);
		}
	}
	ops_result_release(&r);
	vec_release(&q.analyses);
	buf_release(&b);
	return status;
}
