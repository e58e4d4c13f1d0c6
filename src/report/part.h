// SPDX-License-Identifier: Apache-2.0
/* Which part of a run is reported: by signposts, or the steady one. */
#ifndef TTP_REPORT_PART_H
#define TTP_REPORT_PART_H

#include "report/calls.h"
#include "report/row_kinds.h"

/* Of the rows in their order: [from, to), behind the signpost `start`. */
struct part {
	size_t from, to;
	struct str start;
};

typedef VEC(struct part) part_vec;

/*
 * One part per file: each host sets its own signposts.  The rows that are in none are taken out of
 * `rows`; returns how many are left.  Fills what `c` says of its part.
 */
size_t choose_parts(struct calls *c, uint32_t *rows, const struct row_kinds *kinds,
		    const struct call_options *o, part_vec *parts);

#endif /* TTP_REPORT_PART_H */
