// SPDX-License-Identifier: Apache-2.0
/* The program, its guard, and all processes that it starts. */
#ifndef TTP_RECORD_RUN_GUARD_H
#define TTP_RECORD_RUN_GUARD_H

#include <sys/types.h>

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"

struct guard {
	pid_t pid, program;
	int line;          /* readable: run_guard_look */
	int status;        /* of waitpid, when the program has ended */
	bool ended, quiet; /* quiet: after run_guard_end_all, nothing is left */
	bool lost;         /* the guard was killed: how the program ended is not known */
	int why;           /* errno of exec */
	int errors;        /* of the line, since something came */
};

/* Before any thread.  `at_our_death` is called by the guard, if we are killed. */
enum ttp_rc run_guard_start(struct guard *g, char **argv, void (*at_our_death)(void *ctx),
			    void *ctx, struct ttp_err *e) TTP_CHECKED;
/* Starts the program without a shell; an error of exec is returned here. */
enum ttp_rc run_guard_go(struct guard *g, const char *name, struct ttp_err *e) TTP_CHECKED;
/* What happened since. */
void run_guard_look(struct guard *g);
/* A signal for the program. */
void run_guard_signal(struct guard *g, int sig);
/* SIGTERM for everything that is left of it, and SIGKILL 2 s later, or now. */
void run_guard_end_all(struct guard *g, bool at_once);
/* The guard goes; what still runs may. */
void run_guard_leave(struct guard *g);
/* As shells say it: 128 and the signal's number for a program that was killed. */
int run_guard_status(const struct guard *g);

/* ---- run_procs.c ---- */

struct process {
	pid_t pid, parent;
	char name[16];
};

typedef VEC(struct process) process_vec;

/* Everything that runs below `top`, in no order; zombies are skipped. */
/* Is `top` its parent, or its parent's parent, ...? */
bool process_is_below(pid_t pid, pid_t top);
void processes_below(process_vec *p, pid_t top);
/* Has it a client: a thread that Tracy's, or ours, names so? */
enum process_client { CLIENT_NONE, CLIENT_TRACY, CLIENT_OURS };
enum process_client process_client(pid_t pid);
/* Is a library of a client in its memory, started or not? */
bool process_has_library(pid_t pid);
/* Ports from `first` to `last` at which it listens: `each` is called with the port and the socket's number. */
void process_listens(pid_t pid, int first, int last,
		     void (*each)(void *ctx, int port, unsigned long socket), void *ctx);
/* Does anybody listen at one of these ports of ours?  A look that costs little. */
bool ports_in_use(int first, int last);
/* Who listens at a TCP port of this machine: "pid 7, python3", or "" when nobody does. */
void port_holder(int port, struct buf *who);

#endif /* TTP_RECORD_RUN_GUARD_H */
