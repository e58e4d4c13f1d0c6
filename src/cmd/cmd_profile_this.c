// SPDX-License-Identifier: Apache-2.0
/*
 * As profile_this.py: `-c COMMAND` under the profiler, with a report.  As users' documents say, it runs once without devices, for host times that reading
 * them does not slow down, and once with them; today's script runs once (--one-run).  The status is 0 however the command ends, as the script's;
 * no shell is between unless the command asks for one (docs/reference/compat.md).
 */
#include "base/paths.h"
#include "cmd/cmd.h"
#include "record/command_words.h"
#include "record/run_engine.h"
#include "runs/profiler_folder.h"

struct options {
	const char *command;
	bool one_run;
	struct run_request run;
};

#define OPTIONS struct options
static const struct opt opts[] = {
	OPTION_STRING('c', "command", command, "COMMAND", "the command, in quotes"),
	OPTION_STRING('o', "output-folder", run.folder, "DIR", "where logs and reports go"),
	OPTION_STRING('n', "name-append", run.name, "NAME", "part of the report's name"),
	OPTION_FLAG(0, "collect-noc-traces", run.noc, "record transfers over the NoC"),
	OPTION_STRING(0, "profiler-capture-perf-counters", run.counters, "GROUPS",
		      "counters of Tensix: fpu, pack, unpack, l1, instrn, all"),
	OPTION_FLAG(0, "one-run", one_run, "run it once: host times then hold what devices cost"),
	{ 0 },
};

/* None is wanted, and who gives one learns why. */
static const struct opt_arg args[] = {
	{ "WORD", 0, OPT_MANY, "none: the command is one text, in quotes" },
	{ 0 },
};

static const struct opt_spec spec = {
	.prog = "profile_this",
	.summary = "run a command under the profiler, as tt-metal's script of that name",
	.opts = opts,
	.args = args,
};

int cmd_profile_this(int argc, char **argv)
{
	struct options u = { .run = { .report = true, .partial = true } };
	SCOPED(words) struct words words = { 0 };
	struct opt_found found;
	SCOPED(buf) struct buf folder = { 0 };
	struct ttp_err e;
	int status;

	if (!cmd_options(&spec, argc, argv, &u, &found, &status))
		return status;
	if (!u.command)
		return cmd_misuse(spec.prog, "-c COMMAND is needed");
	if (found.n)
		return cmd_misuse(spec.prog, "\"%s\" stands alone: quote the command",
				  found.args[0]);
	if (words_split(&words, u.command, &e))
		return cmd_misused(spec.prog, &e);
	u.run.two_runs = !u.one_run;
	/* a test that fails is profiled as well */
	u.run.second_in_any_case = true;
	u.run.words = words.at.at;
	u.run.n_words = (int)words.at.len;
	u.run.skips_counters = u.run.analyses_need_log = true;
	run_request_of_ours(&u.run);
	run_warn_counters(&u.run);
	if (run_check(&u.run, &e))
		return cmd_misused(spec.prog, &e);
	if (u.run.folder)
		buf_text(&folder, u.run.folder);
	else
		profiler_folder(&folder);
	path_absolute(&folder);
	(void)run_job(&u.run, folder.at, NULL, NULL);
	return 0;
}
