// SPDX-License-Identifier: Apache-2.0
/* `ttprof run` in parts: what was asked for, the child's environment, the child, and the run from beginning to end. */
#ifndef TTP_CMD_RUN_H
#define TTP_CMD_RUN_H

#include <sys/types.h>

#include "base/err.h"
#include "base/opt.h"
#include "base/str.h"

/* Options are read straight into it. */
struct run_request {
	bool module, partial, lines, report, verbose, quiet;
	bool no_device, no_op_info_cache, logs_only, dispatch, sum, accumulate, no_runtime_analysis;
	bool sync, trace_profiler, memory, mid_run, no_files, no_push, noc, check_exit;
	bool no_capture; /* upstream's own way of calling itself: run, and nothing else */
	const char *folder, *name, *counters, *children, *python, *tools, *web_port;
	int64_t port, op_support;
	struct opt_list analyses;
	char **words; /* the program and its arguments, ended by NULL */
	int n_words;
};

/* ---- run_env.c ---- */

/* What can't go together; TTP_USAGE and the reason. */
enum ttp_rc run_check(const struct run_request *q, struct ttp_err *e) TTP_CHECKED;
/* Sets the variables of this process, which the child inherits. */
enum ttp_rc run_environment(const struct run_request *q, const char *folder,
			    struct ttp_err *e) TTP_CHECKED;
/* The command as it is executed: a Python program gets its interpreter.  Pointers into `q` and `room`. */
enum ttp_rc run_command(const struct run_request *q, struct buf *room, char ***argv,
			struct ttp_err *e) TTP_CHECKED;

/* ---- run_child.c ---- */

struct run_child {
	pid_t pid;
	int pid_fd;
	int status; /* of waitpid, when it has ended */
	bool ended;
};

/* Starts it without a shell; an error of exec is told here. */
enum ttp_rc child_start(struct run_child *c, char **argv, struct ttp_err *e) TTP_CHECKED;
/* True when it has ended. */
bool child_look(struct run_child *c);
/* As shells say it: 128 and the signal's number for one that was killed. */
int child_status(const struct run_child *c);
/* Who listens at a TCP port of this machine: "pid 7, python3", or "" when nobody does. */
void port_holder(int port, struct buf *who);
/* A port that was free a moment ago. */
int port_free(void);

/* ---- run_job.c ---- */

/* The exit status; `report` gets the path of the ops report, empty if there is none. */
int run_job(const struct run_request *q, const char *folder, struct buf *report);
/* Only the report, of logs that are there. */
int run_report(const struct run_request *q, const char *folder);

#endif /* TTP_CMD_RUN_H */
