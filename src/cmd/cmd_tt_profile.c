// SPDX-License-Identifier: Apache-2.0
/*
 * As tt-torch's profile.py and tt_profile: a command under the profiler, and its ops with their locations in MLIR in
 * results/perf/.  The two differ in where the locations stand.
 */
#include <stdlib.h>
#include <string.h>

#include "base/paths.h"
#include "cmd/cmd.h"
#include "compat/tt_torch/mlir_columns.h"
#include "record/command_words.h"
#include "record/run_engine.h"
#include "runs/profiler_folder.h"
#include "wire/run_names.h"

/* As the originals: a command that fails is no failure of theirs, only a report that can't be made is. */
enum { STOPPED = 3 };

struct options {
	const char *output;
	int64_t port;
};

#define OPTIONS struct options
static const struct opt opts[] = {
	OPTION_STRING('o', "output_path", output, "OUTPUT_PATH",
		      "name of the CSV in results/perf, or a path of its own",
		      .preset = "device_ops_perf_trace.csv"),
	OPTION_INT('p', "port", port, "PORT", 1, 65535,
		   "the program's port; without it any that is free", .preset = "8086"),
	{ 0 },
};

static const struct opt_arg args[] = {
	{ "test_command", 1, OPT_MANY, "the command, in quotes" },
	{ 0 },
};

/* A name is one in results/perf; with a slash it is a path. */
static enum ttp_rc output_path(const char *name, struct buf *path, struct ttp_err *e)
{
	const char *slash;
	SCOPED(buf) struct buf dir = { 0 };

	buf_printf(path, "%s%s", strchr(name, '/') ? "" : "results/perf/", name);
	path_absolute(path);
	slash = strrchr(path->at, '/');
	buf_add(&dir, path->at, (size_t)(slash - path->at));
	buf_text(&dir, "");
	return folder_make(dir.len ? dir.at : "/", e);
}

static int profile(const struct opt_spec *spec, enum mlir_layout layout, int argc, char **argv)
{
	struct options u = { .output = "device_ops_perf_trace.csv" };
	struct run_request run = { .report = true, .partial = true, .quiet = true };
	SCOPED(buf) struct buf folder = { 0 }, report = { 0 }, to = { 0 }, trace = { 0 };
	SCOPED(words) struct words words = { 0 };
	struct run_ended ended;
	struct opt_found found;
	struct ttp_err e;
	int status;

	if (!cmd_options(spec, argc, argv, &u, &found, &status))
		return status;
	if (found.n > 1)
		return cmd_misuse(spec->prog, "\"%s\" stands alone: quote the command",
				  found.args[1]);
	if (words_split(&words, found.args[0], &e))
		return cmd_misused(spec->prog, &e);
	run_request_of_ours(&run);
	run.words = words.at.at;
	run.n_words = (int)words.at.len;
	run.port = u.port;
	profiler_folder(&folder);
	path_absolute(&folder);
	/* Before the run: its hours must not end with a folder that can't be written. */
	if (output_path(u.output, &to, &e))
		return cmd_fail(spec->prog, &e);
	setenv("TT_METAL_CLEAR_L1", "1", 0); // NOLINT(concurrency-mt-unsafe)
	(void)run_job(&run, folder.at, &report, &ended);
	if (ended.stopped)
		return STOPPED;
	if (!report.len) {
		(void)ttp_fail(
			&e, TTP_GONE,
			"no ops were recorded, so there is no %s: is the program built with its "
			"profiler (TT_RUNTIME_ENABLE_PERF_TRACE), and is its port free?",
			to.at);
		return cmd_fail(spec->prog, &e);
	}
	buf_printf(&trace, "%s/.logs/%s", folder.at, RUN_TRACE);
	if (mlir_columns_write(report.at, trace.at, layout, to.at, &e))
		return cmd_fail(spec->prog, &e);
	out_printf(cmd_stdout(), "%s\n", to.at);
	return 0;
}

static const struct opt_spec spec_head = {
	.prog = "tt_profile",
	.summary = "run a command under the profiler, as tt-torch's tool of that name",
	.opts = opts,
	.args = args,
};

static const struct opt_spec spec_first = {
	.prog = "profile.py",
	.summary = "run a command under the profiler, as tt-torch's script of that name",
	.opts = opts,
	.args = args,
};

int cmd_tt_profile(int argc, char **argv)
{
	return profile(&spec_head, MLIR_LAST, argc, argv);
}

int cmd_tt_torch_profile(int argc, char **argv)
{
	return profile(&spec_first, MLIR_FIRST, argc, argv);
}
