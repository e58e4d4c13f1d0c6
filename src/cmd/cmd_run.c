// SPDX-License-Identifier: Apache-2.0
/* `ttprof run`: the options of `python -m tracy`, for every program. */
#include <stdlib.h>
#include <unistd.h>

#include "base/paths.h"
#include "cmd/cmd.h"
#include "compat/csvexport/csvexport.h"
#include "record/command_words.h"
#include "record/run_engine.h"
#include "runs/profiler_folder.h"

#define OPTIONS struct run_request
static const struct opt opts[] = {
	OPTION_FLAG('r', "report", report, "make an ops report: CSV, trace, verdict",
		    .section = "What"),
	OPTION_FLAG('p', "partial", partial, "of Python, only where a Profiler is enabled"),
	OPTION_FLAG('l', "lines", lines, "of that, every line; needs -p"),
	OPTION_FLAG('m', "module", module, "PROGRAM is a Python module, such as pytest"),
	OPTION_FLAG(0, "no-device", no_device, "leave devices out"),
	OPTION_FLAG(0, "two-runs", two_runs, "once without devices, once with; joined"),
	OPTION_INT(0, "warmup", warmup, "N", 0, 1000000000,
		   "skip N steps; a step ends with a frame mark", .section = "When"),
	OPTION_INT(0, "record", record, "M", 1, 1000000000, "then record M steps, and no more"),
	OPTION_INT(0, "every", every, "K", 1, 1000000000, "and again every K steps"),
	OPTION_STRING(0, "step-signpost", step_signpost, "NAME",
		      "a step ends with this signpost instead"),
	OPTION_STRING(0, "start-signpost", start_signpost, "NAME", "record from this signpost on"),
	OPTION_STRING(0, "end-signpost", end_signpost, "NAME",
		      "up to this one; NAME*: all that begin so"),
	OPTION_DOUBLE(0, "duration", duration, "S", "record S seconds; the program goes on"),
	OPTION_FLAG(0, "paused", paused, "until ttp_resume(), or SIGUSR2 to ttprof"),
	OPTION_STRING('o', "output-folder", folder, "DIR", "instead of generated/profiler",
		      .section = "Where"),
	OPTION_STRING('n', "name-append", name, "NAME", "part of the names of folder and report"),
	OPTION_INT('t', "port", port, "N", 1, 65535, "the program's; without -r a GUI's (8086)"),
	OPTION_FLAG(0, "process-logs-only", logs_only,
		    "run nothing: report of logs that are there"),
	OPTION_INT(0, "op-support-count", op_support, "N", 1, 1000000,
		   "programs between two reads (1000)", .section = "Devices"), /* as the variable */
	OPTION_FLAG(0, "sync-host-device", sync, "align the clocks of host and devices"),
	OPTION_FLAG(0, "dump-device-data-mid-run", mid_run,
		    "write and send device data while the program runs", .rare = true),
	OPTION_FLAG(0, "profile-dispatch-cores", dispatch, "record dispatch cores as well",
		    .rare = true),
	OPTION_FLAG(0, "collect-noc-traces", noc, "record transfers over the NoC"),
	OPTION_FLAG(0, "device-memory-profiler", memory, "record buffers of L1 and DRAM"),
	OPTION_FLAG(0, "device-trace-profiler", trace_profiler,
		    "keep device data until the end, for traces", .rare = true),
	OPTION_STRING(0, "profiler-capture-perf-counters", counters, "GROUPS",
		      "fpu, pack, unpack, l1, instrn, all"),
	OPTION_FLAG(0, "perf-counter-multipass", multipass, "several runs, for all groups; joined",
		    .rare = true),
	OPTION_FLAG(0, "enable-sum-profiling", sum, "zones that add up (DeviceZoneScopedSumN1, N2)",
		    .rare = true),
	OPTION_FLAG(0, "enable-accumulate-profiling", accumulate,
		    "accumulate on the device; no report", .rare = true),
	OPTION_FLAG(0, "disable-device-data-dump-to-files", no_files, "no device log",
		    .rare = true),
	OPTION_FLAG(0, "disable-device-data-push-to-tracy", no_push, "no device zones in the trace",
		    .rare = true),
	OPTION_LIST('a', "device-analysis-types", analyses, "NAME", "only these device analyses",
		    .rare = true),
	OPTION_STRING(0, "child-functions", children, "A,B",
		      "host functions that are summed up per op", .rare = true),
	OPTION_FLAG(0, "no-op-info-cache", no_op_info_cache,
		    "whole metadata with every op, also of cached ones", .rare = true),
	OPTION_FLAG(0, "no-runtime-analysis", no_runtime_analysis,
		    "from the device log, not from the runtime's own analysis", .rare = true),
	OPTION_STRING(0, "python", python, "PROGRAM", "for Python programs (python3)",
		      .section = "Other"),
	OPTION_FLAG(0, "no-python-children", no_children,
		    "calls of the program only, not of Python processes that it starts",
		    .rare = true),
	OPTION_FLAG('q', "quiet", quiet, "no verdict, no hints"),
	OPTION_FLAG('v', "verbose", verbose, "say what is set and where things go"),
	OPTION_FLAG(0, "check-exit-code", check_exit, "no report of a program that failed",
		    .rare = true),
	OPTION_FLAG(0, "no-capture-tool", no_capture, "run the program and nothing else",
		    .hidden = true),
	OPTION_STRING(0, "tracy-tools-folder", tools, "DIR", "accepted: the tools are built in",
		      .hidden = true),
	OPTION_INT(0, "web-app-port", web_port, "N", INT32_MIN, INT32_MAX,
		   "accepted for upstream's sake", .hidden = true),
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

/* No number that anybody gives: --duration was not given. */
#define NO_DURATION (-1e300)

void run_request_of_ours(struct run_request *q)
{
	q->console = cmd_console(cmd_run_spec.prog);
	q->version = cmd_version_text();
	q->csvexport = &csvexport_tt_0_10;
	/* as `ttprof report --top 5` prints it */
	q->verdict = (struct report_options){ .sort = FIELDS,
					      .top = 5,
					      .term = term_of(STDOUT_FILENO, TERM_COLOUR_AUTO),
					      .width_given = getenv("COLUMNS") != NULL };
}

bool run_request_read(const struct opt_spec *spec, int argc, char **argv, struct run_request *q,
		      int *status)
{
	struct opt_found found;

	*q = (struct run_request){ .duration = NO_DURATION };
	if (!cmd_options(spec, argc, argv, q, &found, status))
		return false;
	run_request_of_ours(q);
	q->console = cmd_console(spec->prog);
	q->duration_asked = q->duration != NO_DURATION;
	if (!q->duration_asked)
		q->duration = 0;
	q->words = found.args;
	q->n_words = found.n;
	return true;
}

int cmd_run(int argc, char **argv)
{
	struct run_request q;
	SCOPED(words) struct words words = { 0 };
	SCOPED(buf) struct buf folder = { 0 };
	struct ttp_err e;
	int status;

	if (!run_request_read(&cmd_run_spec, argc, argv, &q, &status))
		return status;
	if (run_check(&q, &e) || words_of_program(&q, &words, &e))
		return cmd_misused(cmd_run_spec.prog, &e);
	if (q.folder)
		buf_text(&folder, q.folder);
	else
		profiler_folder(&folder);
	path_absolute(&folder);
	if (q.logs_only)
		status = run_report(&q, folder.at);
	else if (q.report && !q.no_capture)
		status = run_job(&q, folder.at, NULL, NULL);
	else
		status = run_in_place(&q, folder.at);
	return status;
}
