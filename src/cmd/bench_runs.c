// SPDX-License-Identifier: Apache-2.0
#include "cmd/bench_runs.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/out.h"
#include "base/paths.h"
#include "cmd/cmd.h"
#include "record/command_words.h"
#include "record/run_engine.h"

/* How the process of a run ends; what its program ended with is in its log. */
enum ended { ENDED_WELL, ENDED_BADLY = 1, ENDED_MISSING, ENDED_FAILED, ENDED_STOPPED, ENDED_EMPTY };

static volatile sig_atomic_t was_stopped;

static void note_stop(int sig)
{
	(void)sig;
	was_stopped = 1;
}

enum ttp_rc bench_runs_begin(struct bench_runs *b, struct ttp_err *e)
{
	const struct sigaction stop = { .sa_handler = note_stop };
	SCOPED(dir) DIR *dir = opendir(b->folder);
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
			return ttp_fail(
				e, TTP_USAGE,
				"%s is not empty: runs of another time would be compared with these",
				b->folder);
	was_stopped = 0;
	(void)sigaction(SIGINT, &stop, NULL);
	(void)sigaction(SIGTERM, &stop, NULL);
	return folder_make(b->folder, e);
}

int bench_runs_next(const struct bench_runs *b)
{
	size_t n = b->done[0].len + b->done[1].len;

	return n % 4 == 1 || n % 4 == 2;
}

/* In a process of its own: what a run sets in its environment ends with it. */
static enum ended record(char **command, const char *folder)
{
	struct run_request q = { .report = true, .quiet = true, .words = command };
	SCOPED(words) struct words words = { 0 };
	struct run_ended how;
	struct ttp_err e;
	int status;

	while (command[q.n_words])
		q.n_words++;
	run_request_of_ours(&q);
	if (run_check(&q, &e) || words_of_program(&q, &words, &e)) {
		(void)cmd_fail("ttprof bench", &e);
		return ENDED_BADLY;
	}
	status = run_job(&q, folder, NULL, &how);
	out_flush(cmd_stdout());
	if (how.missing)
		return ENDED_MISSING;
	if (how.stopped)
		return ENDED_STOPPED;
	if (how.program)
		return ENDED_FAILED;
	return !how.recorded ? ENDED_EMPTY : status ? ENDED_BADLY : ENDED_WELL;
}

static void run_child(struct bench_runs *b, int side, const char *folder, const char *log)
{
	int fd = out_open(log, O_WRONLY | O_CREAT | O_TRUNC, 0644);

	(void)signal(SIGINT, SIG_DFL);  // NOLINT(concurrency-mt-unsafe)
	(void)signal(SIGTERM, SIG_DFL); // NOLINT(concurrency-mt-unsafe)
	if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0 || dup2(fd, STDERR_FILENO) < 0)
		_exit(ENDED_BADLY);
	_exit(record(b->command[side], folder));
}

static enum ttp_rc start(struct bench_runs *b, int side, const char *folder, const char *log,
			 int *status, struct ttp_err *e)
{
	pid_t child;

	out_flush(cmd_stdout());
	child = fork();
	if (child < 0)
		return ttp_fail_errno(e, "a process for the run");
	if (!child)
		run_child(b, side, folder, log);
	while (waitpid(child, status, 0) < 0) {
		if (errno != EINTR)
			return ttp_fail_errno(e, "the run's process");
		/* from a terminal it got the signal, too; else it has to be passed on */
		if (was_stopped)
			(void)kill(child, SIGTERM);
	}
	return TTP_OK;
}

enum ttp_rc bench_runs_one(struct bench_runs *b, int side, bool is_warmup, struct ttp_err *e)
{
	static const char *const why[] = { [ENDED_BADLY] = "it could not be recorded",
					   [ENDED_MISSING] = "there is no such program",
					   [ENDED_FAILED] = "the program failed",
					   [ENDED_STOPPED] = "it was stopped",
					   [ENDED_EMPTY] =
						   "it was not heard: nothing was recorded" };
	SCOPED(buf) struct buf folder = { 0 }, log = { 0 };
	unsigned long number = (is_warmup ? b->warmups : b->done[side].len) + 1;
	int status, ended;

	buf_printf(&folder, is_warmup ? "%s/warmup/%c%lu" : "%s/%c/%lu", b->folder, "AB"[side],
		   number);
	path_absolute(&folder);
	TTP_TRY(folder_make(folder.at, e));
	buf_printf(&log, "%s/output.txt", folder.at);
	TTP_TRY(start(b, side, folder.at, log.at, &status, e));
	ended = WIFEXITED(status) ? WEXITSTATUS(status) : ENDED_BADLY;
	if (was_stopped || ended == ENDED_STOPPED) {
		b->stopped = true;
		return TTP_OK;
	}
	if (ended)
		return ttp_fail(e, TTP_FORMAT, "%s: %s; its output is in %s", b->command[side][0],
				why[ended <= ENDED_EMPTY ? ended : ENDED_BADLY], log.at);
	if (is_warmup)
		b->warmups += side;
	else
		*vec_push(&b->done[side]) = mem_text(folder.at);
	return TTP_OK;
}

void bench_runs_release(struct bench_runs *b)
{
	for (int side = 0; side < BENCH_SIDES; side++) {
		vec_each (name, &b->done[side])
			free(*name);
		vec_release(&b->done[side]);
	}
}
