// SPDX-License-Identifier: Apache-2.0
/* A page of `ttprof view` as a file: what is too large, what must not be replaced, and what is said of it. */
#ifndef TTP_CMD_VIEW_WRITE_H
#define TTP_CMD_VIEW_WRITE_H

#include "cmd/view_runs.h"

enum page_of { PAGE_OF_RUN, PAGE_OF_SIDES, PAGE_OF_HISTORY };

struct view_write_ask {
	const char *run; /* as it was named; NULL for several */
	enum page_of of;
	struct str page;  /* without data */
	const char *path; /* "-": standard output */
	bool typed;       /* the path: by the user */
	bool data_only;
};
enum ttp_rc view_write(const char *prog, const struct view_runs *v,
		       const struct view_write_ask *ask, struct ttp_err *e) TTP_CHECKED;
/* "report.html: 120 rows of ops, 4000 zones, 0.5 MB" */
void view_tell_written(const struct view_runs *v, const char *path, enum page_of of,
		       struct str page);

#endif /* TTP_CMD_VIEW_WRITE_H */
