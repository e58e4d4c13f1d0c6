// SPDX-License-Identifier: Apache-2.0
/* A run and what belongs to it, for the files that do its parts. */
#ifndef TTP_RECORD_RUN_JOB_H
#define TTP_RECORD_RUN_JOB_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/str.h"
#include "ops/host/host_events.h"
#include "record/capture_job.h"
#include "record/run_engine.h"
#include "record/run_guard.h"
#include "trace/trace.h"
#include "wire/control.h"
#include "wire/run_processes.h"
#include "wire/self_report.h"

/* --two-runs: without, then with devices; --perf-counter-multipass: one of several, but the last */
enum run_turn { RUN_ONLY, RUN_FIRST, RUN_SECOND, RUN_PASS };
#define RUN_FIRST_TRACE "tracy_profile_log_host.without_devices.tracy"

#define SECONDS INT64_C(1000000000)

struct window_message {
	int64_t time_ns;
	size_t number;
	struct self_report report;
};

/* What is skipped, and what the programs said of it afterwards. */
struct run_window {
	bool asked;               /* less than all of the run */
	bool paused;              /* now, by a signal or --duration */
	struct control *control;  /* shared with the programs; NULL: it could not be */
	int64_t stop_ns;          /* --duration ends then; 0: not yet, or not at all */
	uint64_t programs;        /* of those recorded, that count steps */
	uint64_t steps, recorded; /* most of one program */
	uint64_t parts, after;    /* after: of those, that began when the last step had ended */
	bool not_ended;           /* the last part went on to the program's end */
	VEC(struct window_message) messages;
	struct buf spans; /* JSON: what was recorded */
};

/* The line at the bottom of the terminal. */
struct run_line {
	bool on, shown;
	int rows, columns;
	int64_t next_ns, last_ns;
	uint64_t last_bytes, last_stored;
	double rate, stored_rate;
	uint64_t events_seen, ops_seen;
	int64_t event_ns, op_ns; /* when the last of them came */
};

struct job {
	const struct run_request *q;
	enum run_turn turn;
	struct run_ended ended;
	struct buf folder, logs, spool, trace, socket_dir, socket, control, ops;
	struct run_processes processes; /* once it is over */
	char address[32];
	int port; /* that of -t; 0: any */
	const char *addresses[1];
	int spool_fd, stop_fd, last_fd, lock_fd, signals, scan_fd, terminal_fd;
	struct capture_request request;
	struct capture_result result;
	struct ttp_err error; /* of the recorder */
	enum ttp_rc rc;
	pthread_t thread;
	_Atomic int over;
	struct capture_sum now;
	struct guard guard;
	struct run_window window;
	struct run_line line;
	struct host_events host; /* with has_host: what the programs reported of ops */
	bool has_host;
	struct host_events *first; /* of RUN_SECOND: those of RUN_FIRST */
	int64_t began_ns;
	int64_t began_s; /* on the clock of the wall */
	struct {
		unsigned long socket;
		int times;
		int64_t next_ns;
		int port;
	} seen[64]; /* sockets of Tracy's own clients */
	size_t seen_n;
};

/* ---- run_job.c ---- */
/* `first` is of two runs: filled by the first, and used by the second. */
int run_once(const struct run_request *q, const char *folder, enum run_turn turn,
	     struct host_events *first, struct buf *report, struct run_ended *ended);

/* ---- run_passes.c ---- */
/* Sets of groups that can be recorded together, 16 at most; how many. */
size_t run_passes(unsigned bits, unsigned *passes);
/* A run for each of them; the exit status. */
int run_in_passes(const struct run_request *q, unsigned bits, const char *folder,
		  struct buf *report, struct run_ended *ended);
/* Before the report: the counters of all runs into the log of the last. */
void run_merge_passes(const struct job *j);

/* ---- run_wait.c ---- */
/* Until the program has ended, and what it started is quiet. */
void run_wait(struct job *j);
void run_poke(int fd);

/* ---- run_window.c ---- */
enum ttp_rc run_window_begin(struct job *j, struct ttp_err *e) TTP_CHECKED;
/* A signal: it goes on if it is paused, and the other way round. */
void run_window_toggle(struct job *j);
/* Is it time to end it?  Now and then. */
void run_window_look(struct job *j, int64_t now_ns);
/* Until the next look at anything. */
int run_window_pace_ms(const struct job *j, int64_t now_ns);
/* Takes the programs' messages from a trace, and makes something of them. */
struct trace_sink run_window_sink(struct job *j);
void run_window_finish(struct job *j);
/* What was recorded of what, on the terminal, or why nothing was. */
void run_window_tell(const struct job *j);
void run_window_json(const struct job *j, struct json_writer *w);
void run_window_release(struct job *j);

/* ---- run_progress.c ---- */
void run_line_begin(struct job *j);
void run_line_show(struct job *j, int64_t now_ns);
/* Before anything else is printed, and at the end. */
void run_line_hide(struct job *j);
/* For the terminal, should we be killed. */
const char *run_line_undo(void);

/* ---- run_outputs.c ---- */
/* The trace, its tables, and the host's ops, from the spool. */
enum ttp_rc run_outputs(struct job *j, struct ttp_err *e) TTP_CHECKED;

/* ---- run_manifest.c ---- */

/* Gives the run an id, TT_METAL_RUN_ID, unless it has one. */
void run_manifest_id(void);
/* manifest.json of a report; nothing without an id. */
void run_manifest_write(const struct console *console, const char *dir, const char *report);

/* ---- run_save.c ---- */
/* The trace and its tables; what fails is reported, the rest is made all the same. */
int run_save(struct job *j);
/* A run without ops: who was recorded, and where it is, in a folder that the next run leaves alone. */
void run_tell(struct job *j);
/* Is a file of the logs one program's trace of the NoC? */
bool run_is_noc_trace(const char *name);
/* Is there anything that an ops report could be made of? */
bool run_has_ops(const struct job *j);
/* `j` NULL: of logs that are there. */
int run_make_report(const struct run_request *q, const char *folder, struct job *j,
		    struct buf *report);

/* ---- run_verbose.c ---- */

/* `ttprof run -v`: what is done, set and written. */

/* Variables as they were, to tell which of them were set. */
struct run_before {
	char **at;
	size_t len, cap;
};

void run_before_take(struct run_before *b);
void run_before_release(struct run_before *b);

/* Before the program starts: the command, its variables, where it is recorded; `j` NULL: nothing is recorded here. */
void run_verbose_begin(const struct run_request *q, const struct job *j, char **argv,
		       const struct run_before *before);
/* After it: who was recorded. */
void run_verbose_end(const struct job *j);
/* And in the end: the files of a folder. */
void run_verbose_files(const struct run_request *q, const char *dir);

/* ---- same_ops.c ---- */

/* --two-runs: are the ops of two runs the same? */

/* Of the run without devices and of the one with them; `why` gets the first difference, as a part of a sentence. */
bool run_ops_same(const struct host_events *without, const struct host_events *with,
		  struct buf *why);

#endif /* TTP_RECORD_RUN_JOB_H */
