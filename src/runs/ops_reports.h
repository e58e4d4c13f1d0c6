// SPDX-License-Identifier: Apache-2.0
/* What `ttprof ops` and process_ops_logs share: from a folder of logs to files in reports/. */
#ifndef TTP_RUNS_OPS_REPORTS_H
#define TTP_RUNS_OPS_REPORTS_H

#include "base/account.h"
#include "base/console.h"
#include "base/err.h"
#include "base/opt.h"
#include "ops/ops_make.h"

/* Options are read straight into it. */
struct ops_request {
	const struct console *console;
	const char *folder; /* the profiler's folder; NULL: the environment says */
	const char *into;   /* where reports go, instead of FOLDER/reports; or NULL */
	const char *trace;  /* the host's trace, instead of the folder's; or NULL */
	const char *log;    /* the device log likewise */
	struct host_events *
		host; /* what the host recorded, read already, instead of files; it is taken; or NULL */
	const char *second;  /* report of a second run, for columns that this one lacks; or NULL */
	const char *old_ops; /* folder of ops of the 2023 generation; NULL: looked for */
	const char *name;    /* part of file and folder names, or NULL */
	const char *to;      /* the report's path, instead of a name in reports/; or NULL */
	const char *stamp;   /* with `date`: this one, instead of now */
	bool date, device_only, npe, use_markers, keep_logs;
	bool strict, json; /* for whoever tells the result */
	struct opt_list analyses;
	const struct ops_tool *tool;
	bool copies_logs;     /* as `keep_logs`, without having been asked */
	bool prints_counters; /* tables of hardware counters on stdout */
	bool writes_account;  /* beside the report */
	/* -a counts only where the runtime left no report, as with process_ops_logs.py */
	bool analyses_need_log;
	const char *log_option; /* that reads the device log instead of the runtime's report */
};

struct ops_result {
	struct ops_make made;
	struct account account;
	struct buf path, per_core_path;
	bool device_only, of_2023;
};

/* The mask of the analyses that were asked for; false: one is not known. */
bool ops_reports_analyses(const struct ops_request *q, uint64_t *mask, struct ttp_err *e);
/* 0, or the exit status after the error was reported.  Release the result in any case. */
int ops_reports_make(const struct ops_request *q, uint64_t analyses, struct ops_result *r);
/* The ops of the report as a table, for which `r` has to stay.  Release it. */
void ops_result_table(struct ops_result *r, struct ops_table *t);
/* What was made and what it covers: an object of JSON, or lines. */
void ops_result_json(struct ops_result *r, struct buf *b);
void ops_result_text(struct ops_result *r, struct buf *b);
/* Nothing is missing. */
bool ops_result_is_whole(const struct ops_result *r);
void ops_result_release(struct ops_result *r);

/* The logs that a report of 2023 was made of, packed beside it: its users sent both. */
/* A tar of OPS and OPS_device, as gzip, with every file that is there; links are not followed. */
enum ttp_rc logs_archive_write(const char *ops, const char *path, struct ttp_err *e) TTP_CHECKED;

#endif /* TTP_RUNS_OPS_REPORTS_H */
