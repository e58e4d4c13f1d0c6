// SPDX-License-Identifier: Apache-2.0
/* The engine of `ttprof run`: what was asked for, the child's environment, the child, and the run from beginning to end. */
#ifndef TTP_RECORD_RUN_ENGINE_H
#define TTP_RECORD_RUN_ENGINE_H

#include "base/console.h"
#include "base/err.h"
#include "base/opt.h"
#include "base/str.h"
#include "report/report.h"

/* Options are read straight into it. */
struct run_request {
	bool module, partial, lines, report, verbose, quiet;
	bool no_device, no_op_info_cache, logs_only, dispatch, sum, accumulate, no_runtime_analysis;
	bool sync, trace_profiler, memory, mid_run, no_files, no_push, noc, check_exit;
	bool no_capture; /* upstream's own way of calling itself: run, and nothing else */
	const char *folder, *name, *counters, *children, *python, *tools;
	const char *port_word; /* the port where it is read late: cmd_tracy.c */
	int64_t port, op_support, web_port;
	int64_t warmup, record, every; /* steps */
	double duration;               /* seconds; 0: all */
	bool duration_asked;
	const char *start_signpost, *end_signpost, *step_signpost;
	bool paused, no_children;
	bool two_runs,
		second_in_any_case; /* also after a first one that failed or recorded nothing */
	bool multipass;             /* counters in as many runs as their groups need */
	unsigned counter_bits;      /* of one of them; 0: as `counters` says */
	size_t passes;              /* how many there are */
	bool keeps_trace;           /* record also without a report */
	bool skips_counters;        /* groups of counters that there are not: run_warn_counters() */
	bool analyses_need_log;     /* as in ops_reports.h */
	struct opt_list analyses;
	char **words; /* the program and its arguments, ended by NULL */
	int n_words;
	/* of the program that asks: */
	const struct console *console;
	const char *version;                  /* for run.json */
	const struct export_style *csvexport; /* of tracy_ops_times.csv and tracy_ops_data.csv */
	struct report_options verdict;        /* how a report is shown, unless quiet */
};

/* How a run ended, for those whose exit status is not the program's. */
struct run_ended {
	bool missing;  /* there is no such program */
	bool ran;      /* it was started */
	bool recorded; /* it, or a process that it started, was heard */
	bool stopped;  /* we were asked to, by a signal */
	int program;   /* its status */
	int ours;      /* what became of trace and report: 0, or 1 */
};

/* ---- run_env.c ---- */

/* What can't go together; TTP_USAGE and the reason. */
enum ttp_rc run_check(const struct run_request *q, struct ttp_err *e) TTP_CHECKED;
/* Bits of TT_METAL_PROFILE_PERF_COUNTERS; `all` is what the chip has, in as many runs as that takes. */
enum { RUN_L1_GROUPS = 1 << 3 | 1 << 4 | 1 << 6 | 1 << 7 | 1 << 8 | 1 << 9 };
enum ttp_rc run_counter_bits(const struct run_request *q, unsigned *bits,
			     struct ttp_err *e) TTP_CHECKED;
void run_counter_names(unsigned bits, struct buf *to);
/* Says which groups of counters there are not, for those who go on without them. */
void run_warn_counters(const struct run_request *q);
/* Sets the variables of this process, which the child inherits. */
enum ttp_rc run_environment(const struct run_request *q, const char *folder,
			    struct ttp_err *e) TTP_CHECKED;

/* ---- run_python.c ---- */

/* The folder of this program, without a slash at its end. */
void run_own_folder(struct buf *to);
/* The folder of our package for Python; false: it is nowhere. */
bool run_package_folder(struct buf *path);
/* As execvp finds it; false with errno. */
bool run_find_program(const char *name, struct buf *file);
/* An interpreter below the program for which our package was not built leaves a note in the folder of the run's socket (ttprof_children.py):
 * its path, or nothing.  The note is removed. */
void run_python_note(const char *dir, struct buf *who);
/* The command as it is executed: a Python program gets its interpreter.  Pointers into `q` and `room`. */
enum ttp_rc run_command(const struct run_request *q, struct buf *room, char ***argv,
			struct ttp_err *e) TTP_CHECKED;

/* ---- run_window.c ---- */

/* Which part of a run is recorded, as variables of the program. */
void run_window_environment(const struct run_request *q);

/* ---- run_job.c ---- */

/* The exit status; `report`, if given, gets the path of the ops report, empty if there is none. */
int run_job(const struct run_request *q, const char *folder, struct buf *report,
	    struct run_ended *ended);
/* Without a report there is nothing to do afterwards: the program replaces us in the process, or the exit status is that of a failure. */
int run_in_place(const struct run_request *q, const char *folder);
/* Only the report, of logs that are there. */
int run_report(const struct run_request *q, const char *folder);

#endif /* TTP_RECORD_RUN_ENGINE_H */
