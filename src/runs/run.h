// SPDX-License-Identifier: Apache-2.0
/*
 * What a user names as RUN, opened once.  Its parts are found at once (runs/run_parts.h), and read when they are first asked for; each file is
 * opened once, whoever asks for what is in it.
 */
#ifndef TTP_RUNS_RUN_H
#define TTP_RUNS_RUN_H

#include "base/account.h"
#include "base/console.h"
#include "base/json.h"
#include "ops/host_gaps.h"
#include "ops/ops_make.h"
#include "runs/clock_map.h"
#include "runs/run_parts.h"
#include "trace/trace.h"

struct old_ops;
struct run_processes;

struct run {
	struct run_parts parts;
	/* ours: */
	bool ops_asked, has_ops, logs_asked, has_logs, log_asked, has_log;
	struct ttp_err ops_why, log_why; /* why there are none */
	struct ops_table ops;
	struct ops_make logs;
	struct old_ops *old_ops;
	struct account log_account; /* what the logs cover */
	struct device_log log;
	struct run_processes *processes; /* of the log; NULL: one */
	bool gaps_asked;
	struct host_gaps gaps;
	struct clock_map clocks; /* filled by whoever reads trace and log on one axis */
};

/* Fails when there is nothing at all to show.  Close it in any case. */
enum ttp_rc run_open(struct run *r, const char *name, struct ttp_err *e) TTP_CHECKED;
void run_close(struct run *r);

/*
 * Its ops, with at least the columns that are wanted: the report's, or made from the logs as `ttprof ops` makes them (parts.made).  NULL:
 * there are none, or `e` says why they can't be read (e->rc is TTP_OK otherwise).  Further calls give the same table, whatever they want.
 */
const struct ops_table *run_ops(struct run *r, const struct ops_want *want, struct ttp_err *e);
/* What they cover: what was counted when the report was made, else what the logs say.  NULL: not known. */
struct account *run_account(struct run *r);
/* The device log, rewound.  NULL: there is none (e->rc is TTP_OK), or it can't be read. */
struct device_log *run_log(struct run *r, struct ttp_err *e);

/* The trace, to be read from its start; for the caller to close.  Not to be asked for where parts.trace is empty. */
enum ttp_rc run_trace(struct run *r, struct trace *t, struct ttp_err *e) TTP_CHECKED;

/*
 * A part that is damaged is shown as far as it goes, and no command may do that in silence.  What is wrong with the files that were read so far is added to
 * parts.left_out, each once, beside what could not be read at all.
 */
void run_find_damage(struct run *r);
/* In the same way what is wrong with a trace that was read; instead of trace_close(). */
void run_trace_close(struct run *r, struct trace *t);
/*
 * The end of every command that shows a run: warnings of all that, the error that the command `failed` with (NULL: it did not), run_close().  Returns the exit
 * status: 1 also where a file could not be read for want of memory, descriptors, rights or disk, because the answer then is not that of the run; and, if `strict`,
 * wherever anything was damaged or skipped.
 */
int run_finish(struct run *r, const struct console *console, const struct ttp_err *failed,
	       bool strict);
/* "damage": [...] of the object that is open, with what is known of that by now; nothing where all is well. */
void run_notes_json(const struct run *r, struct json_writer *w);
/* True if one of them is such a file. */
bool run_notes_fail(const struct ttp_err *notes, size_t n);
/* One of them: an error if it is such a file, since an exit status of 1 needs a reason; else a warning. */
void run_note_print(const struct ttp_err *note, const struct console *console);
/* As run_finish(), for who has kept the notes alone. */
int run_notes_tell(const struct ttp_err *notes, size_t n, const struct console *console,
		   const struct ttp_err *failed, bool strict);

/*
 * What the trace says of the host's time before ops, once run_ops() gave some; without a trace, when that was.  NULL: there are no ops.
 * `e` says why a trace could not be read.  Who reads the trace anyway takes part in it instead (runs/host_gap_zones.h).
 */
struct host_gaps *run_host_gaps(struct run *r, struct ttp_err *e);

#endif /* TTP_RUNS_RUN_H */
