// SPDX-License-Identifier: Apache-2.0
/* `ttprof run`: the options of `python -m tracy`, for every program. */
#include "cmd/run_of_ours.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/paths.h"
#include "cmd/cmd.h"
#include "runs/profiler_folder.h"

#define AT(member) OPT_AT(struct run_request, member)
static const struct opt opts[] = {
	{ .name = "report",
	  .letter = 'r',
	  .kind = OPT_FLAG,
	  AT(report),
	  .section = "What",
	  .help = "make an ops report: CSV, trace, verdict" },
	{ .name = "partial",
	  .letter = 'p',
	  .kind = OPT_FLAG,
	  AT(partial),
	  .help = "of Python, only where a Profiler is enabled" },
	{ .name = "lines",
	  .letter = 'l',
	  .kind = OPT_FLAG,
	  AT(lines),
	  .help = "of that, every line; needs -p" },
	{ .name = "module",
	  .letter = 'm',
	  .kind = OPT_FLAG,
	  AT(module),
	  .help = "PROGRAM is a Python module, such as pytest" },
	{ .name = "no-device", .kind = OPT_FLAG, AT(no_device), .help = "leave devices out" },
	{ .name = "two-runs",
	  .kind = OPT_FLAG,
	  AT(two_runs),
	  .help = "once without devices, once with; joined" },
	{ .name = "warmup",
	  .kind = OPT_INT,
	  AT(warmup),
	  .value = "N",
	  .min = 0,
	  .max = 1000000000,
	  .section = "When",
	  .help = "skip N steps; a step ends with a frame mark" },
	{ .name = "record",
	  .kind = OPT_INT,
	  AT(record),
	  .value = "M",
	  .min = 1,
	  .max = 1000000000,
	  .help = "then record M steps, and no more" },
	{ .name = "every",
	  .kind = OPT_INT,
	  AT(every),
	  .value = "K",
	  .min = 1,
	  .max = 1000000000,
	  .help = "and again every K steps" },
	{ .name = "step-signpost",
	  .kind = OPT_STRING,
	  AT(step_signpost),
	  .value = "NAME",
	  .help = "a step ends with this signpost instead" },
	{ .name = "start-signpost",
	  .kind = OPT_STRING,
	  AT(start_signpost),
	  .value = "NAME",
	  .help = "record from this signpost on" },
	{ .name = "end-signpost",
	  .kind = OPT_STRING,
	  AT(end_signpost),
	  .value = "NAME",
	  .help = "up to this one; NAME*: all that begin so" },
	{ .name = "duration",
	  .kind = OPT_DOUBLE,
	  AT(duration),
	  .value = "S",
	  .help = "record S seconds; the program goes on" },
	{ .name = "paused",
	  .kind = OPT_FLAG,
	  AT(paused),
	  .help = "until ttp_resume(), or SIGUSR2 to ttprof" },
	{ .name = "output-folder",
	  .letter = 'o',
	  .kind = OPT_STRING,
	  AT(folder),
	  .value = "DIR",
	  .section = "Where",
	  .help = "instead of generated/profiler" },
	{ .name = "name-append",
	  .letter = 'n',
	  .kind = OPT_STRING,
	  AT(name),
	  .value = "NAME",
	  .help = "part of the names of folder and report" },
	{ .name = "port",
	  .letter = 't',
	  .kind = OPT_INT,
	  AT(port),
	  .value = "N",
	  .min = 1,
	  .max = 65535,
	  .help = "the program's; without -r a GUI's (8086)" },
	{ .name = "process-logs-only",
	  .kind = OPT_FLAG,
	  AT(logs_only),
	  .help = "run nothing: report of logs that are there" },
	{ .name = "op-support-count",
	  .kind = OPT_INT,
	  AT(op_support),
	  .value = "N",
	  .min = 1,
	  .max = 1000000, /* as the variable */
	  .section = "Devices",
	  .help = "programs between two reads (1000)" },
	{ .name = "sync-host-device",
	  .kind = OPT_FLAG,
	  AT(sync),
	  .help = "align the clocks of host and devices" },
	{ .name = "dump-device-data-mid-run",
	  .kind = OPT_FLAG,
	  AT(mid_run),
	  .help = "write and send device data while the program runs",
	  .rare = true },
	{ .name = "profile-dispatch-cores",
	  .kind = OPT_FLAG,
	  AT(dispatch),
	  .help = "record dispatch cores as well",
	  .rare = true },
	{ .name = "collect-noc-traces",
	  .kind = OPT_FLAG,
	  AT(noc),
	  .help = "record transfers over the NoC" },
	{ .name = "device-memory-profiler",
	  .kind = OPT_FLAG,
	  AT(memory),
	  .help = "record buffers of L1 and DRAM" },
	{ .name = "device-trace-profiler",
	  .kind = OPT_FLAG,
	  AT(trace_profiler),
	  .help = "keep device data until the end, for traces",
	  .rare = true },
	{ .name = "profiler-capture-perf-counters",
	  .kind = OPT_STRING,
	  AT(counters),
	  .value = "GROUPS",
	  .help = "fpu, pack, unpack, l1, instrn, all" },
	{ .name = "enable-sum-profiling",
	  .kind = OPT_FLAG,
	  AT(sum),
	  .help = "zones that add up (DeviceZoneScopedSumN1, N2)",
	  .rare = true },
	{ .name = "enable-accumulate-profiling",
	  .kind = OPT_FLAG,
	  AT(accumulate),
	  .help = "accumulate on the device; no report",
	  .rare = true },
	{ .name = "disable-device-data-dump-to-files",
	  .kind = OPT_FLAG,
	  AT(no_files),
	  .help = "no device log",
	  .rare = true },
	{ .name = "disable-device-data-push-to-tracy",
	  .kind = OPT_FLAG,
	  AT(no_push),
	  .help = "no device zones in the trace",
	  .rare = true },
	{ .name = "device-analysis-types",
	  .letter = 'a',
	  .kind = OPT_LIST,
	  AT(analyses),
	  .value = "NAME",
	  .help = "only these device analyses",
	  .rare = true },
	{ .name = "child-functions",
	  .kind = OPT_STRING,
	  AT(children),
	  .value = "A,B",
	  .help = "host functions that are summed up per op",
	  .rare = true },
	{ .name = "no-op-info-cache",
	  .kind = OPT_FLAG,
	  AT(no_op_info_cache),
	  .help = "whole metadata with every op, also of cached ones",
	  .rare = true },
	{ .name = "no-runtime-analysis",
	  .kind = OPT_FLAG,
	  AT(no_runtime_analysis),
	  .help = "from the device log, not from the runtime's own analysis",
	  .rare = true },
	{ .name = "python",
	  .kind = OPT_STRING,
	  AT(python),
	  .value = "PROGRAM",
	  .section = "Other",
	  .help = "for Python programs (python3)" },
	{ .name = "no-python-children",
	  .kind = OPT_FLAG,
	  AT(no_children),
	  .help = "calls of the program only, not of Python processes that it starts",
	  .rare = true },
	{ .name = "quiet",
	  .letter = 'q',
	  .kind = OPT_FLAG,
	  AT(quiet),
	  .help = "no verdict, no hints" },
	{ .name = "verbose",
	  .letter = 'v',
	  .kind = OPT_FLAG,
	  AT(verbose),
	  .help = "say what is set and where things go" },
	{ .name = "check-exit-code",
	  .kind = OPT_FLAG,
	  AT(check_exit),
	  .help = "no report of a program that failed",
	  .rare = true },
	{ .name = "no-capture-tool",
	  .kind = OPT_FLAG,
	  AT(no_capture),
	  .hidden = true,
	  .help = "run the program and nothing else" },
	{ .name = "tracy-tools-folder",
	  .kind = OPT_STRING,
	  AT(tools),
	  .value = "DIR",
	  .hidden = true,
	  .help = "accepted: the tools are built in" },
	{ .name = "web-app-port",
	  .kind = OPT_STRING,
	  AT(web_port),
	  .value = "N",
	  .hidden = true,
	  .help = "accepted for upstream's sake" },
	{ 0 },
};

static const struct opt_arg args[] = {
	{ "PROGRAM", 0, 1, "an executable, a .py file, or with -m a Python module" },
	{ "ARGUMENT", 0, OPT_MANY, "for the program" },
	{ 0 },
};

static const struct opt_example examples[] = {
	{ "ttprof run -r ./train --steps 10", "all of it, with a report" },
	{ "ttprof run -r -p -m pytest test_model.py", "where a Profiler is enabled" },
	{ "ttprof run -r --warmup 3 train.py", "from the fourth step on" },
	{ "ttprof run train.py", "no report: a GUI at port 8086" },
	{ 0 },
};

const struct opt_spec cmd_run_spec = {
	.prog = "ttprof run",
	.summary = "run a program under the profiler",
	.about =
		"Runs an executable, a .py file, or a Python module, and records it with everything that it starts. "
		"However it ends, there is a report of what was recorded.",
	.tight = true,
	.opts = opts,
	.args = args,
	.examples = examples,
	.stop_at_first = true,
};

/* No number that anybody gives: --duration was left out. */
#define NO_DURATION (-1e300)

void run_request_of_ours(struct run_request *q)
{
	q->console = cmd_console(cmd_run_spec.prog);
	q->version = cmd_version_text();
	/* as `ttprof report --top 5` prints it */
	q->verdict = (struct report_options){ .sort = FIELDS,
					      .top = 5,
					      .term = term_of(STDOUT_FILENO, TERM_COLOUR_AUTO),
					      .width_given = getenv("COLUMNS") != NULL };
}

int cmd_run(int argc, char **argv)
{
	struct run_request q = { .duration = NO_DURATION };
	struct opt_found found;
	struct buf folder = { 0 };
	struct ttp_err e;
	int status;

	if (!cmd_options(&cmd_run_spec, argc, argv, &q, &found, &status))
		return status;
	run_request_of_ours(&q);
	q.duration_asked = q.duration != NO_DURATION;
	if (!q.duration_asked)
		q.duration = 0;
	q.words = found.args;
	q.n_words = found.n;
	if (run_check(&q, &e))
		return cmd_misused(cmd_run_spec.prog, &e);
	if (q.folder)
		buf_text(&folder, q.folder);
	else
		profiler_folder(&folder);
	path_absolute(&folder);
	if (q.logs_only)
		status = run_report(&q, folder.at);
	else if (q.report && !q.no_capture)
		status = run_job(&q, folder.at, NULL);
	else
		status = run_in_place(&q, folder.at);
	buf_release(&folder);
	return status;
}
