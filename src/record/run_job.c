// SPDX-License-Identifier: Apache-2.0
/*
 * A run from beginning to end: the recorder on a thread of its own, the program, then the trace, the CSVs and the report.
 *
 * Every process that the program starts finds the recorder by TTP_SESSION.  A client that does not know it (Tracy's own, in
 * tt-metal) listens at a port that it finds free; run_wait.c looks for those.  Whatever ends the program or us, what was
 * recorded is in the spool.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/exhausted.h"
#include "base/out.h"
#include "base/paths.h"
#include "ops/ops_logs.h"
#include "record/run_job.h"
#include "wire/run_names.h"

enum { CALIBRATE_NS = 20000000, ROOM_BYTES = 65536, USUAL_PORT = 8086 };

static void *record(void *ctx)
{
	struct job *j = ctx;

	j->rc = capture_run(&j->request, j->spool_fd, &j->result, &j->error);
	j->over = 1;
	return NULL;
}

/* Logs of an earlier run would be taken for this one's.  Its report has copies. */
static void remove_old_logs(const char *logs)
{
	static const char *const names[] = { RUN_LOGS_OF_RUN };
	SCOPED(buf) struct buf path = { 0 };

	SCOPED(dir) DIR *dir = opendir(logs);
	const struct dirent *d;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		buf_set(&path, "%s/%s", logs, names[i]);
		(void)unlink(path.at);
	}
	while (dir && (d = readdir(dir))) { // NOLINT(concurrency-mt-unsafe)
		if (!run_is_noc_trace(d->d_name))
			continue;
		buf_set(&path, "%s/%s", logs, d->d_name);
		(void)unlink(path.at);
	}
}

/* A disk that is full is reported before the program runs, not after. */
static enum ttp_rc has_room(const struct job *j, struct ttp_err *e)
{
	SCOPED(mem) char *zeros = mem_zero(ROOM_BYTES, 1);
	enum ttp_rc rc = TTP_OK;
	SCOPED(buf) struct buf path = { 0 };
	struct out out;
	int fd;

	buf_printf(&path, "%s/.room", j->logs.at);
	fd = out_open(path.at, O_WRONLY | O_TRUNC, 0600);
	if (fd < 0) {
		rc = ttp_fail_errno(e, "%s", path.at);
	} else {
		out_init(&out, fd, j->logs.at);
		out_add(&out, zeros, ROOM_BYTES);
		rc = out_finish(&out, e);
		close(fd);
		(void)unlink(path.at);
	}
	if (rc) {
		errno = e->sys_errno;
		rc = ttp_fail_errno(
			e, "%s: make room there, or name another folder by -o; nothing was run",
			j->logs.at);
	}
	return rc;
}

static void forget_first_run(const char *logs)
{
	SCOPED(buf) struct buf path = { 0 };

	buf_printf(&path, "%s/%s", logs, RUN_FIRST_TRACE);
	(void)unlink(path.at);
}

/* Where processes take the numbers of their ops (src/host/api/run_session.c).  Without it they count by themselves. */
static void share_ops(struct job *j)
{
	int fd;

	buf_printf(&j->ops, "%s.ops", j->socket.at);
	fd = out_open(j->ops.at, O_WRONLY | O_CREAT | O_EXCL, 0600);
	if (fd < 0)
		return;
	(void)!write(fd, "0000000000\n", 11);
	(void)close(fd);
}

/* In the guard, when we were killed, or when there is no memory: what we would have cleaned up.  The spool stays. */
static void clean_up(void *ctx)
{
	const struct job *j = ctx;

	if (j->terminal_fd >= 0)
		(void)!write(j->terminal_fd, run_line_undo(), strlen(run_line_undo()));
	if (j->socket.len)
		(void)unlink(j->socket.at);
	if (j->control.len)
		(void)unlink(j->control.at);
	if (j->ops.len)
		(void)unlink(j->ops.at);
	run_python_note(j->socket_dir.at, NULL);
	(void)rmdir(j->socket_dir.at);
}

static enum ttp_rc make_places(struct job *j, struct ttp_err *e)
{
	const char *tmp = getenv("TMPDIR"); // NOLINT(concurrency-mt-unsafe)

	buf_printf(&j->logs, "%s/" RUN_LOGS_FOLDER, j->folder.at);
	TTP_TRY(folder_make(j->logs.at, e));
	/* Two runs at a time would remove each other's logs. */
	j->lock_fd = open(j->logs.at, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (j->lock_fd >= 0 && flock(j->lock_fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
		return ttp_fail(e, TTP_USAGE,
				"%s: another `ttprof run` writes there; -o names another folder",
				j->logs.at);
	remove_old_logs(j->logs.at);
	if (j->turn != RUN_SECOND)
		forget_first_run(j->logs.at);
	buf_printf(&j->trace, "%s/%s", j->logs.at, RUN_TRACE);
	buf_printf(&j->spool, "%s.ttpr", j->trace.at);
	/* The path of a socket is short; a folder of ours, mode 0700, keeps others out. */
	buf_printf(&j->socket_dir, "%s/ttprof-XXXXXX", tmp && strlen(tmp) < 60 ? tmp : "/tmp");
	if (!mkdtemp(j->socket_dir.at))
		return ttp_fail_errno(e, "%s", j->socket_dir.at);
	exhausted_exits_after(clean_up, j);
	buf_printf(&j->socket, "%s/session", j->socket_dir.at);
	share_ops(j);
	TTP_TRY(has_room(j, e));
	j->spool_fd = out_open(j->spool.at, O_RDWR | O_TRUNC, 0600);
	if (j->spool_fd < 0)
		return ttp_fail_errno(e, "%s", j->spool.at);
	out_sync_name(j->spool.at);
	j->stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	j->last_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (j->stop_fd < 0 || j->last_fd < 0)
		return ttp_fail_errno(e, "an event");
	return TTP_OK;
}

/* Is it a process of the program?  The guard adopts those whose parent has ended, so all are below us. */
static bool is_below_us(void *ctx, pid_t pid)
{
	(void)ctx;
	return process_is_below(pid, getpid());
}

/* Programs that listen at one port, as -t asks, can be recorded one at a time there; otherwise each finds its own. */
static enum ttp_rc choose_port(struct job *j, struct ttp_err *e)
{
	SCOPED(buf) struct buf who = { 0 };
	char text[16];

	j->port = (int)j->q->port;
	if (j->port)
		port_holder(j->port, &who);
	if (who.len) {
		enum ttp_rc rc =
			ttp_fail(e, TTP_GONE, "port %d is taken (%s): choose another by -t",
				 j->port, who.at);

		return rc;
	}
	(void)snprintf(text, sizeof(text), "%d", j->port);
	if (j->port)
		setenv("TRACY_PORT", text, 1); // NOLINT(concurrency-mt-unsafe)
	else
		unsetenv("TRACY_PORT");         // NOLINT(concurrency-mt-unsafe)
	setenv("TTP_SESSION", j->socket.at, 1); // NOLINT(concurrency-mt-unsafe)
	unsetenv("TTP_FILE");                   // NOLINT(concurrency-mt-unsafe)
	/* Or a `capture --all` of somebody else on this machine would take the program's only session. */
	setenv("TRACY_NO_BROADCAST", "1", 1); // NOLINT(concurrency-mt-unsafe)
	/* A short program waits at its end until it was heard. */
	setenv("TRACY_NO_EXIT", "1", 0); // NOLINT(concurrency-mt-unsafe)
	(void)snprintf(j->address, sizeof(j->address), "127.0.0.1:%d", j->port);
	j->addresses[0] = j->address;
	j->request = (struct capture_request){ .addresses = j->addresses,
					       .n_addresses = j->port ? 1 : 0,
					       .session = j->socket.at,
					       /* only root's programs can become somebody else's */
					       .knows = geteuid() ? NULL : is_below_us,
					       .again = true,
					       .stop_fd = j->stop_fd,
					       .last_fd = j->last_fd,
					       .sum = &j->now };
	return TTP_OK;
}

/* The programs' clock is known when they start. */
static void let_time_pass(const struct job *j)
{
	struct timespec left = { 0 }, now;

	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	left.tv_nsec = (long)(CALIBRATE_NS - ((int64_t)now.tv_sec * SECONDS + now.tv_nsec -
					      j->window.control->raw_ns));
	if (left.tv_nsec > 0 && left.tv_nsec <= CALIBRATE_NS)
		(void)nanosleep(&left, NULL);
}

static void release(struct job *j)
{
	RELEASE(fd, &j->spool_fd, &j->stop_fd, &j->last_fd, &j->signals, &j->scan_fd,
		&j->terminal_fd);
	run_guard_leave(&j->guard);
	fd_release(&j->lock_fd);
	run_window_release(j);
	if (j->socket_dir.len)
		clean_up(j);
	exhausted_exits_after(NULL, NULL);
	capture_result_release(&j->result);
	host_events_release(&j->host);
	run_processes_release(&j->processes);
	RELEASE(buf, &j->folder, &j->logs, &j->spool, &j->trace, &j->socket_dir, &j->socket,
		&j->ops);
}

static bool program_is_there(const char *name, struct ttp_err *e)
{
	SCOPED(buf) struct buf file = { 0 };
	bool found = run_find_program(name, &file);

	if (!found)
		(void)ttp_fail_errno(e, "%s can't be run", name);
	return found;
}

/* Signals are for run_wait from here on. */
static void take_signals(struct job *j)
{
	static const int wanted[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2 };
	sigset_t ours;

	sigemptyset(&ours);
	for (size_t i = 0; i < sizeof(wanted) / sizeof(*wanted); i++)
		sigaddset(&ours, wanted[i]);
	(void)pthread_sigmask(SIG_BLOCK, &ours, NULL);
	j->signals = signalfd(-1, &ours, SFD_CLOEXEC | SFD_NONBLOCK);
}

/* Programs that start now find the recorder. */
static void wait_for_recorder(const struct job *j)
{
	const struct timespec moment = { .tv_nsec = 1000000 };

	while (!j->over && access(j->socket.at, F_OK))
		(void)nanosleep(&moment, NULL);
}

/* From the first signal that is ours to the end of the recording; 0, or the exit status when nothing was run. */
static int record_program(struct job *j, char **argv)
{
	struct ttp_err e;

	take_signals(j);
	out_flush(j->q->console->out);
	/* A single thread forks. */
	if (isatty(STDERR_FILENO))
		j->terminal_fd = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
	if (run_guard_start(&j->guard, argv, clean_up, j, &e))
		return console_fail(j->q->console, &e);
	if (pthread_create(&j->thread, NULL, record, j)) {
		(void)ttp_fail(&e, TTP_SYS, "no thread for the recorder");
		return console_fail(j->q->console, &e);
	}
	wait_for_recorder(j);
	let_time_pass(j);
	j->began_ns = clock_mono_ns();
	j->began_s = (int64_t)time(NULL);
	run_line_begin(j);
	if (run_guard_go(&j->guard, argv[0], &e)) {
		run_poke(j->stop_fd);
		(void)pthread_join(j->thread, NULL);
		(void)unlink(j->spool.at);
		(void)console_fail(j->q->console, &e);
		return 127;
	}
	run_wait(j);
	(void)pthread_join(j->thread, NULL);
	run_guard_look(&j->guard);
	return 0;
}

/* The first of two runs: its trace is put where the second leaves it alone. */
static int keep_trace(struct job *j, int status)
{
	SCOPED(buf) struct buf kept = { 0 };
	struct ttp_err e;

	buf_printf(&kept, "%s/%s", j->logs.at, RUN_FIRST_TRACE);
	if (!status && rename(j->trace.at, kept.at) &&
	    (errno != ENOENT || !j->q->second_in_any_case)) {
		(void)ttp_fail_errno(&e, "%s: the first run left no trace, so there is no second",
				     j->trace.at);
		status = console_fail(j->q->console, &e);
	}
	return status;
}

static void tell_of_pythons(const struct job *j)
{
	SCOPED(buf) struct buf who = { 0 };

	run_python_note(j->socket_dir.at, &who);
	if (who.len)
		console_warn(
			j->q->console,
			"%s ran below the program, and our package was not built for it: nothing of its Python is "
			"recorded; `%s -m pip install ./python`, in a clone of ttprof, and `%s -m tracy` instead of "
			"`ttprof run` mend it",
			who.at, who.at, who.at);
}

/* Whatever became of the program, where its trace is. */
static void tell_trace(const struct job *j)
{
	if (!access(j->trace.at, F_OK))
		out_printf(j->q->console->out, "trace: %s\n", j->trace.at);
}

static void note_clients(struct job *j)
{
	vec_each (c, &j->result.clients)
		j->ended.recorded |= c->recorded;
}

static int report_run(struct job *j, struct buf *report)
{
	const struct run_request *q = j->q;
	int program = run_guard_status(&j->guard), status;

	j->ended.program = program;
	note_clients(j);
	tell_of_pythons(j);
	stop_signals_allow(
		"%s: stopped: %s has all that the host recorded: `ttprof capture -o FILE.tracy --recover "
		"%s` makes a trace of it",
		q->console->prog, j->spool.at, j->spool.at);
	status = j->rc ? console_fail(j->q->console, &j->error) : run_save(j);
	j->ended.ours = status;
	stop_signals_allow(
		"%s: stopped: there is no report; %s has all that was recorded: `ttprof ops %s` makes a "
		"report of it",
		q->console->prog, j->logs.at, j->folder.at);
	if (j->turn == RUN_PASS)
		return program ? program : status;
	if (q->passes > 1)
		run_merge_passes(j);
	if (j->turn == RUN_FIRST && !program)
		return keep_trace(j, status);
	if (j->turn == RUN_FIRST && q->second_in_any_case && !WIFSIGNALED(j->guard.status)) {
		status = keep_trace(j, status);
		return status ? status : program;
	}
	if (!q->report)
		tell_trace(j);
	else if (q->check_exit && program)
		console_warn(q->console, "no report, as --check-exit-code asks; the logs are in %s",
			     j->logs.at);
	else if (!run_has_ops(j))
		run_tell(j);
	else if (run_make_report(q, j->folder.at, j, report))
		status = j->ended.ours = 1;
	if (!program)
		return status;
	if (j->guard.lost)
		console_warn(
			j->q->console,
			"the guard, a process of ttprof between it and the program, was killed: %s got SIGTERM by "
			"that, and how it ended is not known",
			q->words[0]);
	else if (WIFSIGNALED(j->guard.status))
		console_warn(j->q->console,
			     "%s ended with status %d: it was killed by signal %d (%s)",
			     q->words[0], program, program - 128,
			     strsignal(program - 128)); // NOLINT(concurrency-mt-unsafe)
	else
		console_warn(j->q->console, "%s ended with status %d", q->words[0], program);
	return program;
}

int run_once(const struct run_request *q, const char *folder, enum run_turn turn,
	     struct host_events *first, struct buf *report, struct run_ended *ended)
{
	struct job j = { .q = q,
			 .turn = turn,
			 .first = first,
			 .spool_fd = -1,
			 .stop_fd = -1,
			 .last_fd = -1,
			 .lock_fd = -1,
			 .signals = -1,
			 .scan_fd = -1,
			 .terminal_fd = -1,
			 .guard.line = -1 };
	SCOPED(buf) struct buf interpreter = { 0 };
	SCOPED(run_before) struct run_before before = { 0 };
	char **argv = q->words;
	struct ttp_err e;
	int status = 0;

	buf_text(&j.folder, folder);
	run_before_take(&before);
	/* Before anything of an earlier run is touched. */
	if (run_command(q, &interpreter, &argv, &e)) {
		status = console_fail(q->console, &e);
		j.ended.missing = true;
	} else if (!program_is_there(argv[0], &e)) {
		j.ended.missing = true;
		(void)console_fail(q->console, &e);
		status = 127;
	} else if (make_places(&j, &e) || choose_port(&j, &e) || run_window_begin(&j, &e) ||
		   run_environment(q, folder, &e)) {
		status = console_fail(q->console, &e);
	} else {
		if (q->verbose)
			run_verbose_begin(q, &j, argv, &before);
		status = record_program(&j, argv);
		j.ended.ran = !status;
		if (!status && q->verbose)
			run_verbose_end(&j);
		if (!status)
			status = report_run(&j, report);
	}
	if (turn == RUN_FIRST) {
		*first = j.host;
		j.host = (struct host_events){ 0 };
	}
	*ended = j.ended;
	release(&j);
	if (argv != q->words)
		free(argv);
	return status;
}

/*
 * Host times are those of a run without devices, which costs nothing there; the devices' are of another one.  Ops have the same
 * ids in both, if the program does the same.
 */
static int run_twice(const struct run_request *q, const char *folder, struct buf *report,
		     struct run_ended *ended)
{
	struct run_request first = *q;
	SCOPED(host_events) struct host_events host = { 0 };
	SCOPED(buf) struct buf b = { 0 };
	int status;

	first.no_device = true;
	status = run_once(&first, folder, RUN_FIRST, &host, NULL, ended);
	if (status && !(q->second_in_any_case && ended->ran && status < 128)) {
		console_warn(q->console, "the first of two runs failed, so there is no second");
		return status;
	}
	if (ended->program)
		console_warn(
			q->console,
			"the first of two runs, without devices, ended with status %d: host times are of what it did until then",
			ended->program);
	if (!q->quiet) {
		buf_printf(&b, "%s: once more, with devices\n", q->console->prog);
		q->console->print(&b);
	}
	return run_once(q, folder, RUN_SECOND, &host, report, ended);
}

int run_job(const struct run_request *q, const char *folder, struct buf *report,
	    struct run_ended *ended)
{
	struct run_ended unused;
	unsigned bits, passes[16];
	struct ttp_err e;

	ended = ended ? ended : &unused;
	*ended = (struct run_ended){ 0 };
	if (q->multipass && !run_counter_bits(q, &bits, &e) && run_passes(bits, passes) > 1)
		return run_in_passes(q, bits, folder, report, ended);
	return q->two_runs ? run_twice(q, folder, report, ended)
			   : run_once(q, folder, RUN_ONLY, NULL, report, ended);
}

/* Whoever forgot -r waits for a trace in vain. */
static void note_nothing_recorded(const struct run_request *q)
{
	SCOPED(buf) struct buf b = { 0 };

	buf_printf(&b, "%s: nothing is recorded without -r; a Tracy GUI may connect to port %d\n",
		   q->console->prog, q->port ? (int)q->port : USUAL_PORT);
	q->console->print(&b);
}

int run_in_place(const struct run_request *q, const char *folder)
{
	struct buf interpreter = { 0 };
	struct run_before before = { 0 };
	struct ttp_err e;
	char port[16];
	char **argv;

	run_before_take(&before);
	if (q->port) {
		(void)snprintf(port, sizeof(port), "%d", (int)q->port);
		setenv("TRACY_PORT", port, 1); // NOLINT(concurrency-mt-unsafe)
	}
	run_window_environment(q);
	if (run_environment(q, folder, &e) || run_command(q, &interpreter, &argv, &e))
		return console_fail(q->console, &e);
	if (q->verbose)
		run_verbose_begin(q, NULL, argv, &before);
	run_before_release(&before);
	out_flush(q->console->out);
	if (!q->quiet && !q->no_capture)
		note_nothing_recorded(q);
	execvp(argv[0], argv);
	(void)ttp_fail_errno(&e, "%s can't be run", argv[0]);
	(void)console_fail(q->console, &e);
	return 127;
}
