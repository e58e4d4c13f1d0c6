// SPDX-License-Identifier: Apache-2.0
#include <string.h>
#include <sys/stat.h>

#include "base/json.h"
#include "base/paths.h"
#include "cmd/cmd.h"
#include "runs/ops_reports.h"
#include "runs/run.h"
#include "wire/run_names.h"

#define OPTIONS struct ops_request
static const struct opt opts[] = {
	OPTION_FLAG(
		0, "device-log", use_markers,
		"read the markers of profile_log_device.csv also where cpp_device_perf_report.csv is there: slower, with times per core",
		.section = "What is read"),
	OPTION_FLAG(0, "force-legacy-device-logs", use_markers, "the same, by the original's name"),
	OPTION_FLAG(
		0, "device-only", device_only,
		"leave out the host's files: a row per op of the devices, and times between ops per core"),
	OPTION_FLAG(0, "analyze-noc-traces", npe,
		    "add the network's figures, where npe_results.csv has them"),
	OPTION_LIST('a', "device-analysis-types", analyses, "NAME",
		    "only this analysis of the device; may be given several times"),
	OPTION_STRING(
		0, "second-pass", second, "REPORT",
		"add the columns that only REPORT has, the ops report of another run of the same program: hardware counters that can't be had at once"),
	OPTION_STRING(
		'o', "output-folder", folder, "DIR",
		"beside FOLDER: where the report goes; alone: the profiler's folder, as the argument",
		.section = "Output"),
	OPTION_STRING('n', "name-append", name, "TEXT",
		      "a part of the report's name, and of its folder's"),
	OPTION_FLAG(0, "date", date, "date and time in both names"),
	OPTION_STRING(
		0, "report", to, "FILE",
		"write the report to FILE, nothing else; `-` is standard output (not with -o, -n, --date, --copy-logs)"),
	OPTION_FLAG(0, "copy-logs", keep_logs,
		    "copy device log and trace beside the report, as the original does"),
	OPTION_FLAG(0, "json", json, "say what was written and what it covers as JSON"),
	OPTION_FLAG(0, "strict", strict,
		    "status 1 when something is missing, after the report is written"),
	{ 0 },
};

static const struct opt_arg args[] = {
	{ "FOLDER", 0, 1,
	  "the profiler's folder, with .logs in it, or a folder with the logs themselves; or a trace (.tracy, .ttpr) or device log in such a folder; else $TT_METAL_PROFILER_DIR, $TT_METAL_HOME/generated/profiler, ./generated/profiler" },
	{ 0 },
};

static const struct opt_example examples[] = {
	{ "ttprof ops", "the run that was profiled last, into generated/profiler/reports" },
	{ "ttprof ops run7 --date", "another folder, a report per call" },
	{ "ttprof ops run7 -o out", "the report goes to out/ops_perf_results.csv" },
	{ "ttprof ops run7/.logs/host.ttpr", "the host's side from this trace" },
	{ "ttprof ops run7 --json | jq .account", "for programs" },
	{ "ttprof ops run7 --report - | ttprof report -", "straight to the verdict" },
	{ 0 },
};

static const struct opt_note notes[] = {
	{ "FILES",
	  "tracy_ops_data.csv and tracy_ops_times.csv (the host's side), cpp_device_perf_report.csv or profile_log_device.csv of any generation (the devices'). docs/guide/ops.md has every column, and each difference from process_ops_logs.py." },
	{ "ENVIRONMENT", "TT_METAL_PROFILER_DIR, TT_METAL_HOME: where the folder is." },
	{ 0 },
};

const struct opt_spec cmd_ops_spec = {
	.prog = "ttprof ops",
	.summary = "join host and device logs of a run into an ops report",
	.about =
		"Reads what the host and the devices wrote down about a run, and makes the ops report: one row per op, "
		"with host times, device times, kernels, tensors.\n\n"
		"Every op of the host gets a row. What is missing is counted and named first: which ops, why, and what "
		"to do about it. No earlier report is removed or overwritten.",
	.opts = opts,
	.args = args,
	.examples = examples,
	.notes = notes,
};

/* A pipe of a shell, a named one, /dev/stdin: a log to be read once, in no folder of a run. */
static bool is_stream(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return !strcmp(path, "-");
	return !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

/* Of "run7/.logs" it is "run7", so that reports go where they always go. */
static void folder_of_logs(struct str dir, struct buf *folder)
{
	while (dir.len > 1 && dir.at[dir.len - 1] == '/')
		dir.len--;
	if (str_eq(dir, STR(".logs")))
		dir = STR(".");
	else if (str_ends(dir, STR("/.logs")))
		dir = str_head(dir, dir.len > 6 ? dir.len - 6 : 1);
	buf_str(folder, dir);
}

/* "run7/.logs/x.ttpr" is of the run in "run7"; a file elsewhere, of the run in its folder. */
static void folder_of_file(const char *path, struct buf *folder)
{
	const char *slash = strrchr(path, '/');
	struct str dir = slash ? str_n(path, (size_t)(slash - path)) : STR(".");

	folder_of_logs(dir, folder);
}

/* FOLDER may be a file of a run. */
static void take_file(struct ops_request *q, const char *path)
{
	static const char *const parts[] = { RUN_HOST_EVENTS, RUN_HOST_ZONES, RUN_PERF_REPORT };
	struct str name = path_name(path);

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if (str_eq(name, str_of(parts[i])))
			return; /* with those that lie beside it */
	if (str_has(name, STR(".csv"))) {
		q->log = path;
		q->device_only = true;
	} else {
		q->trace = path;
	}
}

/* The argument, and options that don't go together; false after telling. */
static bool take_place(struct ops_request *q, const struct opt_found *found, struct buf *folder,
		       struct ttp_err *e)
{
	if (found->n) {
		q->into = q->folder;
		folder_of_logs(str_of(found->args[0]), folder);
		if (path_is_file(found->args[0])) {
			buf_clear(folder);
			folder_of_file(found->args[0], folder);
			take_file(q, found->args[0]);
		} else if (is_stream(found->args[0])) {
			q->log = strcmp(found->args[0], "-") ? found->args[0] : "/dev/stdin";
			if (!q->into && !q->to) {
				(void)ttp_fail(
					e, TTP_USAGE,
					"%s is a pipe, not a file: there is no folder beside it for the "
					"report, name one with -o, or a file with --report",
					q->log);
				return false;
			}
			buf_clear(folder);
			folder_of_file(q->log, folder);
			q->device_only = true;
		}
		q->folder = folder->at;
		if (q->into && path_is_same(q->into, q->folder))
			q->into = NULL;
	}
	if (q->to && (q->into || q->name || q->date || q->keep_logs)) {
		(void)ttp_fail(e, TTP_USAGE,
			       "--report writes one file, to the place that it names: not with %s",
			       q->into   ? "-o"
			       : q->name ? "-n"
			       : q->date ? "--date"
					 : "--copy-logs");
		return false;
	}
	if (q->to && !strcmp(q->to, "-"))
		q->to = "/dev/stdout";
	return true;
}

int cmd_ops(int argc, char **argv)
{
	struct ops_request q = { .console = cmd_console(cmd_ops_spec.prog),
				 .tool = &ops_tool,
				 .writes_account = true,
				 .log_option = "device-log" };
	uint64_t analyses;
	struct opt_found found;
	struct ops_result r = { 0 };
	SCOPED(buf) struct buf b = { 0 }, folder = { 0 };
	struct ttp_err e;
	int status;

	if (!cmd_options(&cmd_ops_spec, argc, argv, &q, &found, &status))
		return status;
	if (take_place(&q, &found, &folder, &e) && ops_reports_analyses(&q, &analyses, &e))
		status = ops_reports_make(&q, analyses, &r);
	else
		status = cmd_misused(cmd_ops_spec.prog, &e);
	if (!status) {
		if (q.json)
			ops_result_json(&r, &b);
		else
			ops_result_text(&r, &b);
		if (q.to && !strcmp(q.to, "/dev/stdout"))
			cmd_tell(&b);
		else
			out_buf(cmd_stdout(), &b);
		status = (q.strict && !ops_result_is_whole(&r)) ||
			 run_notes_fail(r.made.logs.skipped.at, r.made.logs.skipped.len);
	}
	ops_result_release(&r);
	vec_release(&q.analyses);
	return status;
}
