// SPDX-License-Identifier: Apache-2.0
/* While the program runs: signals, clients that don't know our socket, why nothing comes, the end. */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/clock.h"
#include "record/run_job.h"

enum {
	SILENT_S = 5,    /* seconds without a client before we say why */
	TERM_WAIT_S = 4, /* that a program has to end after SIGTERM */
	LAST_WAIT_S = 5, /* for clients that outlive the program */
	SCAN_NS = 50000000,
	TRACY_FIRST = 8086, /* where Tracy's own clients look for a port */
	TRACY_LAST = 8105,
};

struct waiting {
	int64_t asked_ns; /* to end, by SIGINT */
	int64_t kill_ns;  /* after that, SIGKILL; 0: never */
	int64_t last_ns;  /* the program has ended then */
	int64_t quiet_ns; /* for the rest to end, until then; 0: it was not asked to */
	int64_t scan_ns;
	bool signalled, silent_told, slow_told, over_told;
};

void run_poke(int fd)
{
	(void)eventfd_write(fd, 1);
}

/* A signal for us is one for the program.  One from the terminal it has got already. */
static void pass_on(struct job *j, struct waiting *w)
{
	struct signalfd_siginfo s;

	while (read(j->signals, &s, sizeof(s)) == (ssize_t)sizeof(s)) {
		int sig = (int)s.ssi_signo;

		if (sig == SIGUSR2) {
			run_line_hide(j);
			run_window_toggle(j);
			continue;
		}
		if (w->signalled && (sig == SIGINT || sig == SIGTERM || sig == SIGHUP)) {
			run_guard_end_all(&j->guard, true); /* asked twice */
			continue;
		}
		if (s.ssi_code != SI_KERNEL && !j->guard.ended)
			run_guard_signal(&j->guard, sig);
		if (sig == SIGINT)
			w->asked_ns =
				clock_mono_ns(); /* its clean-up may take as long as it does */
		else if (sig == SIGTERM || sig == SIGHUP)
			w->kill_ns = clock_mono_ns() + TERM_WAIT_S * SECONDS;
		w->signalled |= sig == SIGINT || sig == SIGTERM || sig == SIGHUP;
		j->ended.stopped |= sig == SIGINT || sig == SIGTERM;
	}
}

/* ---- Tracy's own clients ---- */

/* The recorder is notified as our own clients do it. */
static void announce(struct job *j, int port)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	char text[64];
	int n = snprintf(text, sizeof(text), "TTP1 port=%d protocol=any\n", port);

	memcpy(to.sun_path, j->socket.at, j->socket.len + 1);
	if (j->scan_fd < 0)
		j->scan_fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	(void)!sendto(j->scan_fd, text, (size_t)n, MSG_NOSIGNAL, (struct sockaddr *)&to,
		      sizeof(to));
}

/* Once, and again later: the one who had the port before may not have been over, or this one was slow. */
static void found(void *ctx, int port, unsigned long socket)
{
	struct job *j = ctx;
	int64_t now = clock_mono_ns();
	size_t i = 0;

	while (i < j->seen_n && j->seen[i].socket != socket)
		i++;
	if (i == j->seen_n) {
		if (j->seen_n == sizeof(j->seen) / sizeof(*j->seen)) {
			memmove(j->seen, j->seen + 1, (j->seen_n - 1) * sizeof(*j->seen));
			j->seen_n--;
			i--;
		}
		j->seen_n++;
		j->seen[i].socket = socket;
		j->seen[i].port = port;
		j->seen[i].times = 0;
		j->seen[i].next_ns = 0;
	}
	if (now < j->seen[i].next_ns)
		return;
	/* 0.2 s, 0.4 s, ... 51 s: on a busy machine it may be late, but whoever has said all is not asked all the time. */
	j->seen[i].next_ns = now + (SECONDS / 5 << j->seen[i].times);
	j->seen[i].times += j->seen[i].times < 8;
	announce(j, port);
}

/* Everything that the program started and that has Tracy's client, which listens where it found room. */
static void scan(struct job *j, struct waiting *w, int64_t now)
{
	SCOPED(vec) process_vec all = { 0 };

	if (now < w->scan_ns)
		return;
	w->scan_ns = now + SCAN_NS;
	if (!ports_in_use(TRACY_FIRST, TRACY_LAST))
		return;
	processes_below(&all, j->guard.pid);
	vec_each (p, &all)
		if (process_client(p->pid) == CLIENT_TRACY)
			process_listens(p->pid, TRACY_FIRST, TRACY_LAST, found, j);
}

/* ---- why nothing comes ---- */

static void names(struct buf *b, const process_vec *all)
{
	enum { SHOWN = 6 };

	for (size_t i = 0; i < all->len && i < SHOWN; i++) {
		bool twice = false;

		for (size_t k = 0; k < i; k++)
			twice |= !strcmp(all->at[i].name, all->at[k].name);
		if (!twice)
			buf_printf(b, "%s%s", b->len ? ", " : "", all->at[i].name);
	}
	if (all->len > SHOWN)
		buf_text(b, ", …");
}

/* After some seconds without a client: the likely reason. */
static void say_why_silent(struct job *j)
{
	SCOPED(vec) process_vec all = { 0 };
	SCOPED(buf) struct buf who = { 0 }, list = { 0 };
	const struct process *tracy = NULL, *ours = NULL, *library = NULL;

	processes_below(&all, j->guard.pid);
	vec_each (p, &all) {
		enum process_client c = process_client(p->pid);

		if (c == CLIENT_TRACY)
			tracy = p;
		else if (c == CLIENT_OURS)
			ours = p;
		else if (process_has_library(p->pid))
			library = p;
	}
	names(&list, &all);
	if (j->port)
		port_holder(j->port, &who);
	if (tracy && j->seen_n)
		console_warn(
			j->q->console,
			"nothing was recorded for %d s: %s (pid %d) listens at port %d and speaks no "
			"protocol of Tracy that is known here, or another server has it; "
			"`ttprof capture -p %d` says which",
			SILENT_S, tracy->name, (int)tracy->pid, j->seen[0].port, j->seen[0].port);
	else if (tracy)
		console_warn(
			j->q->console,
			"nothing was recorded for %d s: %s (pid %d) has a Tracy client that listens at "
			"none of the ports %d to %d%s%s: are they all taken, or does it wait to be "
			"started?",
			SILENT_S, tracy->name, (int)tracy->pid, TRACY_FIRST, TRACY_LAST,
			j->port ? ", nor at that of -t" : "", who.len ? ", which is taken" : "");
	else if (ours || library)
		console_warn(
			j->q->console,
			"nothing was recorded for %d s: %s has a client that has not started yet (it "
			"starts with the first event)",
			SILENT_S, (ours ? ours : library)->name);
	else if (who.len)
		console_warn(
			j->q->console,
			"nothing was recorded for %d s: %s listens at port %d, and does not answer as a "
			"Tracy client does",
			SILENT_S, who.at, j->port);
	else
		console_warn(
			j->q->console,
			"nothing connected in %d s: no process of this command has a libttp or Tracy "
			"client (looked at %zu: %s); link with -lttp, run a tt-metal build with Tracy, "
			"start Python through `ttprof run`; `ttprof doctor` says more",
			SILENT_S, all.len, list.at ? list.at : "none");
}

/* ---- the end ---- */

/* What the program left behind: it was killed, or is to stop, so nothing of it goes on. */
static void end_the_rest(struct job *j, struct waiting *w, int64_t now)
{
	if (w->quiet_ns || !(w->signalled || WIFSIGNALED(j->guard.status)))
		return;
	w->quiet_ns = now + LAST_WAIT_S * SECONDS;
	run_guard_end_all(&j->guard, false);
}

static void look_around(struct job *j, struct waiting *w, int64_t now)
{
	if (w->kill_ns && now >= w->kill_ns)
		run_guard_end_all(&j->guard, true);
	if (w->asked_ns && !w->slow_told && now - w->asked_ns > TERM_WAIT_S * SECONDS) {
		w->slow_told = true;
		run_line_hide(j);
		console_warn(j->q->console, "%s has not ended yet; Ctrl-C once more kills it",
			     j->q->words[0]);
	}
	scan(j, w, now);
	run_window_look(j, now);
	if (j->over && !w->over_told && j->result.disk_failed) {
		w->over_told = true;
		run_line_hide(j);
		console_warn(
			j->q->console,
			"%s: recording ends here, the program goes on: what was recorded before is kept",
			j->result.error.msg);
	}
	if (!w->silent_told && now - j->began_ns > SILENT_S * SECONDS) {
		w->silent_told = true;
		if (!j->now.clients && !j->over) {
			run_line_hide(j);
			say_why_silent(j);
		}
	}
	run_line_show(j, now);
}

void run_wait(struct job *j)
{
	struct waiting w = { .silent_told = j->q->quiet };

	for (;;) {
		struct pollfd fds[2] = { { .fd = j->signals, .events = POLLIN },
					 { .fd = j->guard.line, .events = POLLIN } };
		int64_t now;

		(void)poll(fds, 2, j->guard.ended ? 10 : run_window_pace_ms(j, clock_mono_ns()));
		pass_on(j, &w);
		run_guard_look(&j->guard);
		now = clock_mono_ns();
		if (!j->guard.ended) {
			look_around(j, &w, now);
			continue;
		}
		if (!w.last_ns) {
			w.last_ns = now;
			run_line_hide(j);
			end_the_rest(j, &w, now);
			run_poke(j->last_fd);
		}
		if (w.signalled)
			end_the_rest(j, &w, now);
		if (j->over && (!w.quiet_ns || j->guard.quiet || now >= w.quiet_ns))
			return;
		if (now - w.last_ns > LAST_WAIT_S * SECONDS && !j->over) {
			console_warn(j->q->console,
				     "a process that was started still runs; recording ends here");
			run_poke(j->stop_fd);
			return;
		}
	}
}
