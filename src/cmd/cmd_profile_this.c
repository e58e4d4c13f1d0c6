// SPDX-License-Identifier: Apache-2.0
/*
 * As profile_this.py: `-c COMMAND` under the profiler, with a report.  The command's status is ours, and no shell is between
 * unless the command asks for one (docs/compat.md).
 */
#include "base/paths.h"
#include "cmd/cmd.h"
#include "cmd/run_of_ours.h"
#include "record/command_words.h"
#include "runs/profiler_folder.h"

struct options {
	const char *command;
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
	struct words words;
	struct opt_found found;
	struct buf folder = { 0 };
	struct ttp_err e;
	int status;

	if (!cmd_options(&spec, argc, argv, &u, &found, &status))
		return status;
	if (!u.command) {
		(void)ttp_fail(&e, TTP_USAGE, "-c COMMAND is needed");
		return cmd_misused(spec.prog, &e);
	}
	if (found.n) {
		(void)ttp_fail(&e, TTP_USAGE, "\"%s\" stands alone: quote the command",
			       found.args[0]);
		return cmd_misused(spec.prog, &e);
	}
	if (words_split(&words, u.command, &e)) {
		words_release(&words);
		return cmd_misused(spec.prog, &e);
	}
	u.run.words = words.at.at;
	u.run.n_words = (int)words.at.len;
	run_request_of_ours(&u.run);
	if (run_check(&u.run, &e)) {
		words_release(&words);
		return cmd_misused(spec.prog, &e);
	}
	if (u.run.folder)
		buf_text(&folder, u.run.folder);
	else
		profiler_folder(&folder);
	path_absolute(&folder);
	status = run_job(&u.run, folder.at, NULL);
	buf_release(&folder);
	words_release(&words);
	return status;
}
