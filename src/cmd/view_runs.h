// SPDX-License-Identifier: Apache-2.0
/* What `ttprof view` puts into a page: one run, or several of two sides with their comparison. */
#ifndef TTP_CMD_VIEW_RUNS_H
#define TTP_CMD_VIEW_RUNS_H

#include "base/opt.h"
#include "compare/compare.h"
#include "runs/run_parts.h"
#include "web/page_file.h"

/* The runs of a page, packed.  Zeroed at first; release it in any case. */
struct view_runs {
	struct packed_pages pages;
	uint64_t rows, zones;
	double longest_ms; /* of the runs */
	size_t history_runs;
	VEC(struct ttp_err) notes; /* what is damaged, or was left aside */
	VEC(char *) files;         /* that the page is made of, and must not replace */
};

struct view_span {
	int64_t from_ns, to_ns; /* both 0: all */
};

enum ttp_rc view_runs_one(struct view_runs *v, const char *run, struct view_span span,
			  struct ttp_err *e) TTP_CHECKED;
/* The runs that the words of each side stand for, as `ttprof compare` takes them. */
enum ttp_rc view_runs_compare(struct view_runs *v, const struct opt_list sides[SIDES],
			      struct ttp_err *e) TTP_CHECKED;
void view_runs_release(struct view_runs *v);

#endif /* TTP_CMD_VIEW_RUNS_H */
