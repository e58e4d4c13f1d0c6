// SPDX-License-Identifier: Apache-2.0
/* What `ttprof ops` and process_ops_logs share: from a folder of logs to files in reports/. */
#ifndef TTP_CMD_OPS_RUN_H
#define TTP_CMD_OPS_RUN_H

#include "base/account.h"
#include "base/opt.h"
#include "ops/ops_logs.h"

/* Options are read straight into it. */
struct ops_request {
	const char *prog;    /* for messages */
	const char *folder;  /* the profiler's folder; NULL: the environment says */
	const char *into;    /* where reports go, instead of FOLDER/reports; or NULL */
	const char *trace;   /* the host's trace, instead of the folder's; or NULL */
	const char *log;     /* the device log likewise */
	const char *second;  /* report of a second run, for columns that this one lacks; or NULL */
	const char *old_ops; /* folder of ops of the 2023 generation; NULL: looked for */
	const char *name;    /* part of file and folder names, or NULL */
	const char *to;      /* the report's path, instead of a name in reports/; or NULL */
	const char *stamp; /* with `date`: this one, instead of now */
	bool date, device_only, npe, use_markers, keep_logs;
	bool strict, json; /* for whoever tells the result */
	struct opt_list analyses;
	const struct report_rules *rules;
	bool original; /* behave as process_ops_logs.py */
};

struct ops_result {
	struct ops_logs logs;
	struct ops_report report; /* all zeros for a report of devices only */
	struct account account;
	struct buf path, per_core_path;
	bool device_only, of_2023;
};

/* 0, or the exit status after the error was told.  Release the result in any case. */
int ops_run(const struct ops_request *q, struct ops_result *r);
void ops_result_release(struct ops_result *r);

#endif /* TTP_CMD_OPS_RUN_H */
