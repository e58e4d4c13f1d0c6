// SPDX-License-Identifier: Apache-2.0
#ifndef TTP_CMD_REPORT_SOURCE_H
#define TTP_CMD_REPORT_SOURCE_H

#include "report/calls.h"
#include "runs/run.h"

/* Where the ops come from: the files, or one of them with what lies beside it. */
struct report_source {
	struct run run;
	bool has_run;
	struct ops_table files;
	bool has_files;
	const struct ops_table *table;
	const struct host_gaps *host;
	size_t notes;  /* of the run, before its trace was read */
	bool two_runs; /* why it can't be read: it is of two kinds of chips */
};

/* `paths`: the reports that `runs` stand for.  Release it in any case. */
enum ttp_rc report_source_read(struct report_source *s, char **runs, const char *const *paths,
			       size_t n, struct ttp_err *e) TTP_CHECKED;
/* Warnings of what is wrong with the trace; the exit status. */
int report_source_warn(const struct report_source *s, const struct console *console, bool strict);
void report_source_release(struct report_source *s);

/* The folders of a launch's ranks that have a report; those that have none are reported.  False where `run` has no folder of a rank with one. */
struct report_ranks {
	char **at;
	size_t n;
};
bool report_ranks(const char *run, struct report_ranks *ranks);
void report_ranks_release(struct report_ranks *ranks);

#endif /* TTP_CMD_REPORT_SOURCE_H */
