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
	bool two_runs; /* why it can't be read: it is of two kinds of chips */
};

/* `paths`: the reports that `runs` stand for.  Release it in any case. */
enum ttp_rc report_source_read(struct report_source *s, char **runs, const char *const *paths,
			       size_t n, struct ttp_err *e) TTP_CHECKED;
void report_source_release(struct report_source *s);

#endif /* TTP_CMD_REPORT_SOURCE_H */
