// SPDX-License-Identifier: Apache-2.0
/*
 * The program has a guard between it and ttprof: a process that does nothing but wait.  Whatever the program starts and
 * leaves behind becomes the guard's child (it is a subreaper), so all of it can be found, and ended; and when ttprof itself
 * is killed, the guard notices by the end of the line between them.
 *
 * Down the line go two bytes, a verb and a signal; up come a verb and a number.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/paths.h"
#include "record/run_guard.h"

enum verb {
	/* down */
	GO = 'g',     /* start the program */
	SIGNAL = 's', /* for the program */
	END_ALL = 'e',
	KILL_ALL = 'k',
	LEAVE = 'l', /* what still runs may */
	/* up */
	CANNOT = 'c',  /* errno of exec */
	STARTED = 'p', /* its pid */
	ENDED = 'x',   /* its status */
	QUIET = 'q',   /* nothing of it is left */
};

enum { GRACE_NS = 2, TURN_MS = 50, TURN_FAST_MS = 10 }; /* between SIGTERM and SIGKILL: seconds */
enum { ERRORS_MAX = 100 }; /* of the line, one after the other: it does not come back */
#define SECONDS INT64_C(1000000000)

struct up {
	int verb, number;
};

/* ---- in the guard ---- */

struct own {
	int line, signals;
	pid_t program;
	bool ended, ending, told_quiet;
	int64_t kill_ns;
	char **argv;
	void (*at_our_death)(void *ctx);
	void *ctx;
};

_Noreturn static void become(struct own *o, int told)
{
	sigset_t none;
	int why;

	sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
	/* Nobody is left behind when the guard is killed. */
	(void)prctl(PR_SET_PDEATHSIG, SIGTERM);
	execvp(o->argv[0], o->argv);
	why = errno;
	(void)!write(told, &why, sizeof(why));
	_exit(127);
}

static void say(const struct own *o, enum verb verb, int number)
{
	struct up m = { verb, number };

	(void)!send(o->line, &m, sizeof(m), MSG_NOSIGNAL);
}

static void start(struct own *o)
{
	int told[2], why = 0, null;
	ssize_t n;

	if (pipe2(told, O_CLOEXEC)) {
		say(o, CANNOT, errno);
		return;
	}
	o->program = fork();
	if (!o->program)
		become(o, told[1]);
	if (o->program < 0) {
		say(o, CANNOT, errno);
		return;
	}
	close(told[1]);
	/* Who waits for the end of the program's output does not wait for us. */
	null = open("/dev/null", O_RDWR | O_CLOEXEC);
	for (int fd = 0; fd < 3 && null >= 0; fd++)
		(void)dup2(null, fd);
	do
		n = read(told[0], &why, sizeof(why));
	while (n < 0 && errno == EINTR);
	close(told[0]);
	if (n == (ssize_t)sizeof(why))
		say(o, CANNOT, why);
	else
		say(o, STARTED, (int)o->program);
}

static void reap(struct own *o)
{
	struct signalfd_siginfo s;
	int status;
	pid_t pid;

	while (read(o->signals, &s, sizeof(s)) == (ssize_t)sizeof(s))
		;
	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		if (pid == o->program && !o->ended) {
			o->ended = true;
			say(o, ENDED, status);
		}
}

static size_t signal_all(int sig)
{
	SCOPED(vec) process_vec all = { 0 };
	size_t n;

	processes_below(&all, getpid());
	n = all.len;
	vec_each (p, &all) {
		(void)kill(p->pid, sig);
		if (sig == SIGTERM)
			(void)kill(p->pid, SIGCONT); /* one that is stopped would not hear of it */
	}
	return n;
}

static void end_all(struct own *o, bool at_once)
{
	if (!o->ending)
		(void)signal_all(at_once ? SIGKILL : SIGTERM);
	if (!o->ending || at_once)
		o->kill_ns = clock_mono_ns() + (at_once ? 0 : GRACE_NS * SECONDS);
	o->ending = true;
}

static void obey(struct own *o)
{
	unsigned char m[2];
	ssize_t n = recv(o->line, m, sizeof(m), MSG_DONTWAIT);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n != sizeof(m)) {
		/* ttprof is dead. */
		close(o->line);
		o->line = -1;
		o->at_our_death(o->ctx);
		end_all(o, false);
		return;
	}
	switch ((enum verb)m[0]) {
	case GO:
		start(o);
		break;
	case SIGNAL:
		if (o->program > 0 && !o->ended) {
			(void)kill(o->program, m[1]);
			if (m[1] == SIGTERM || m[1] == SIGHUP)
				(void)kill(o->program, SIGCONT);
		}
		break;
	case END_ALL:
	case KILL_ALL:
		end_all(o, m[0] == KILL_ALL);
		break;
	default:
		_exit(0);
	}
}

_Noreturn static void guard(struct own *o)
{
	sigset_t all;

	sigfillset(&all);
	(void)sigprocmask(SIG_SETMASK, &all, NULL);
	sigemptyset(&all);
	sigaddset(&all, SIGCHLD);
	o->signals = signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK);
	(void)prctl(PR_SET_CHILD_SUBREAPER, 1);
	(void)prctl(PR_SET_NAME, "ttprof guard");
	for (;;) {
		struct pollfd fds[2] = { { .fd = o->line, .events = POLLIN },
					 { .fd = o->signals, .events = POLLIN } };

		(void)poll(fds, 2, !o->ending ? -1 : o->told_quiet ? TURN_MS : TURN_FAST_MS);
		if (fds[1].revents)
			reap(o);
		if (o->line >= 0 && fds[0].revents)
			obey(o);
		if (!o->ending)
			continue;
		if (!signal_all(clock_mono_ns() >= o->kill_ns ? SIGKILL : 0)) {
			reap(o);
			if (o->line < 0)
				_exit(0);
			if (!o->told_quiet)
				say(o, QUIET, 0);
			o->told_quiet = true;
		}
	}
}

/* ---- in ttprof ---- */

enum ttp_rc run_guard_start(struct guard *g, char **argv, void (*at_our_death)(void *ctx),
			    void *ctx, struct ttp_err *e)
{
	int line[2];

	*g = (struct guard){ .line = -1 };
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, line))
		return ttp_fail_errno(e, "a line to the program's guard");
	g->pid = fork();
	if (g->pid < 0) {
		close(line[0]);
		close(line[1]);
		return ttp_fail_errno(e, "a process for %s", argv[0]);
	}
	if (!g->pid) {
		struct own o = {
			.line = line[1], .argv = argv, .at_our_death = at_our_death, .ctx = ctx
		};

		close(line[0]);
		guard(&o);
	}
	close(line[1]);
	g->line = line[0];
	return TTP_OK;
}

/* False, with errno, when the guard can't hear it. */
static bool tell(struct guard *g, enum verb verb, int sig)
{
	unsigned char m[2] = { (unsigned char)verb, (unsigned char)sig };
	ssize_t n = 0;

	if (g->line < 0)
		return false;
	do
		n = send(g->line, m, sizeof(m), MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)sizeof(m);
}

/* One message; false when there is none. */
static bool hear(struct guard *g, bool wait)
{
	struct up m;
	ssize_t n;

	if (g->line < 0)
		return false;
	do
		n = recv(g->line, &m, sizeof(m), wait ? 0 : MSG_DONTWAIT);
	while (n < 0 && errno == EINTR);
	g->errors = n < 0 && errno != EAGAIN ? g->errors + 1 : 0;
	if (n < 0 && g->errors <= ERRORS_MAX)
		return false;
	if (n != (ssize_t)sizeof(m)) {
		/* Somebody killed the guard, or the line is broken for good: the program is sent SIGTERM with it. */
		close(g->line);
		g->line = -1;
		if (!g->ended) {
			g->status = SIGKILL;
			g->lost = true;
		}
		g->ended = g->quiet = true;
		return false;
	}
	switch ((enum verb)m.verb) {
	case CANNOT:
		g->why = m.number;
		break;
	case STARTED:
		g->program = m.number;
		break;
	case ENDED:
		g->ended = true;
		g->status = m.number;
		break;
	default:
		g->quiet = true;
		break;
	}
	return true;
}

enum ttp_rc run_guard_go(struct guard *g, const char *name, struct ttp_err *e)
{
	if (!tell(g, GO, 0))
		return ttp_fail_errno(e, "%s can't be run", name);
	while (!g->program && !g->why && hear(g, true))
		;
	if (g->program)
		return TTP_OK;
	errno = g->why ? g->why : ECHILD;
	return ttp_fail_errno(e, "%s can't be run", name);
}

void run_guard_look(struct guard *g)
{
	while (hear(g, false))
		;
}

void run_guard_signal(struct guard *g, int sig)
{
	(void)tell(g, SIGNAL, sig);
}

void run_guard_end_all(struct guard *g, bool at_once)
{
	(void)tell(g, at_once ? KILL_ALL : END_ALL, 0);
}

void run_guard_leave(struct guard *g)
{
	(void)tell(g, LEAVE, 0);
	fd_release(&g->line);
	if (g->pid > 0)
		(void)waitpid(g->pid, NULL, 0);
	g->pid = 0;
}

int run_guard_status(const struct guard *g)
{
	return WIFSIGNALED(g->status) ? 128 + WTERMSIG(g->status) : WEXITSTATUS(g->status);
}
