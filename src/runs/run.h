// SPDX-License-Identifier: Apache-2.0
/*
 * What a user names as RUN, opened once.  Its parts are found at once (runs/run_parts.h), and read when they are first asked for; each file is
 * opened once, whoever asks for what is in it.
 */
#ifndef TTP_RUNS_RUN_H
#define TTP_RUNS_RUN_H

#include "base/account.h"
#include "ops/ops_make.h"
#include "runs/clock_map.h"
#include "runs/run_parts.h"
#include "trace/trace.h"

struct old_ops;

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

#endif /* TTP_RUNS_RUN_H */
