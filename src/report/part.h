// SPDX-License-Identifier: Apache-2.0
/* Which part of a run is reported: by signposts, or the steady one. */
#ifndef TTP_REPORT_PART_H
#define TTP_REPORT_PART_H

#include "report/calls.h"
#include "report/row_kinds.h"

/* Of the rows in their order: [from, to), behind the signpost `start`. */
struct part {
	size_t from, to;
	struct str start, end;
	bool no_start, no_end; /* a signpost that was asked for is not there */
	bool small;            /* what follows the last one is so little that more is reported */
};

typedef VEC(struct part) part_vec;

/*
 * One part per file: each host sets its own signposts; so does each process of a run (part_process.c).  The rows that are in none
 * are taken out of `rows`; returns how many are left.  Fills what `c` says of its part.
 */
size_t choose_parts(struct calls *c, uint32_t *rows, const struct row_kinds *kinds,
		    const uint16_t *flags, const struct call_options *o, part_vec *parts);

/* A part by signposts alone, of rows of one process or file. */
struct part part_by_signposts(const struct row_times *x, const uint32_t *rows, struct part whole,
			      const struct call_options *o);

/* ---- part_process.c ---- */

/*
 * Where several processes set signposts, each goes by its own.  Ranks must be in the same part: where their last signposts differ,
 * it is the last one that all of them have set; ranks that set none go by the time of the first one that does.  Marks
 * the rows that are in it in `keep`, by row of the table.  False: the signposts are one list for all.  With
 * `whole_file` all are kept, and only that is found.
 */
bool parts_by_process(struct calls *c, const uint32_t *rows, struct part whole,
		      const struct call_options *o, bool *keep);
/* The process of a row; -1: not known. */
int64_t row_process(const struct ops_table *t, size_t row);

#endif /* TTP_REPORT_PART_H */
