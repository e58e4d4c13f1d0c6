// SPDX-License-Identifier: Apache-2.0
/*
 * As `python -m tracy` (tt-metal tools/tracy@e4f9f0b), which our Python package calls by this name: the options of `ttprof run`, with the
 * original's exit status, and a trace also without -r (docs/reference/compat.md has the table).
 */
#include <string.h>
#include <unistd.h>

#include "base/number.h"
#include "base/paths.h"
#include "cmd/cmd.h"
#include "record/command_words.h"
#include "record/run_engine.h"
#include "runs/profiler_folder.h"

enum { FAILED = 1, MISUSED = 2, STOPPED = 3, PROGRAM_FAILED = 4, RUN_OPTIONS_MAX = 96 };

/* By the original: 4 for a program that failed, if that was asked for, else what became of the recording. */
static int status_of(const struct run_request *q, const struct run_ended *d)
{
	if (d->stopped)
		return STOPPED;
	if (q->check_exit && (d->missing || d->program))
		return PROGRAM_FAILED;
	return d->ran && d->recorded && !d->ours ? 0 : FAILED;
}

static int print_usage(int status)
{
	out_printf(cmd_stdout(),
		   "Usage: python3 -m tracy [OPTION...] (SCRIPT | -m MODULE) [ARGUMENT...]\n"
		   "       python3 -m tracy --help explains the options\n");
	return status;
}

/* What the original has no objection to, or another status for; 0: go on. */
static int check(struct run_request *q, const char *prog)
{
	struct ttp_err e;

	q->lines = q->lines && q->partial; /* of a whole program, the original shows calls */
	if (q->logs_only)
		q->n_words = 0;
	run_warn_counters(q);
	if (q->tools && !path_is_folder(q->tools)) {
		(void)ttp_fail(&e, TTP_GONE, "--tracy-tools-folder: there is no folder %s",
			       q->tools);
		return cmd_fail(prog, &e);
	}
	if (!run_check(q, &e))
		return 0;
	if ((q->mid_run && (q->trace_profiler || q->dispatch)) || q->counters)
		return cmd_fail(prog, &e);
	return cmd_misused(prog, &e);
}

/* For the original, what is no port is a port where nobody is: a run that fails, and no misuse. */
static enum ttp_rc read_port(struct run_request *q, struct ttp_err *e)
{
	if (!q->port_word)
		return TTP_OK;
	if (!number_i64(str_of(q->port_word), &q->port) || q->port < 1 || q->port > 65535)
		return ttp_fail(e, TTP_GONE, "--port: %s is not within 1 to 65535", q->port_word);
	return TTP_OK;
}

int cmd_tracy(int argc, char **argv)
{
	struct opt opts[RUN_OPTIONS_MAX] = { 0 };
	struct run_request q;
	SCOPED(buf) struct buf folder = { 0 };
	SCOPED(words) struct words words = { 0 };
	struct opt_spec spec = cmd_run_spec;
	struct run_ended ended;
	struct ttp_err e;
	int status;

	spec.prog = "python -m tracy";
	for (size_t i = 0; cmd_run_spec.opts[i].name && i + 1 < RUN_OPTIONS_MAX; i++) {
		opts[i] = cmd_run_spec.opts[i];
		if (!strcmp(opts[i].name, "port")) {
			opts[i].kind = OPT_STRING;
			opts[i].at = offsetof(struct run_request, port_word);
		}
	}
	spec.opts = opts;
	if (argc < 2)
		return print_usage(MISUSED);
	if (!run_request_read(&spec, argc, argv, &q, &status))
		return status;
	q.keeps_trace = q.skips_counters = q.analyses_need_log = true;
	if (!q.n_words && !q.logs_only)
		return print_usage(FAILED);
	status = check(&q, spec.prog);
	if (status)
		return status;
	if (read_port(&q, &e))
		return cmd_fail(spec.prog, &e);
	if (words_of_program(&q, &words, &e))
		return cmd_misused(spec.prog, &e);
	if (q.folder)
		buf_text(&folder, q.folder);
	else
		profiler_folder(&folder);
	path_absolute(&folder);
	if (q.logs_only)
		return run_report(&q, folder.at);
	if (q.no_capture)
		return run_in_place(&q, folder.at);
	(void)run_job(&q, folder.at, NULL, &ended);
	return status_of(&q, &ended);
}
