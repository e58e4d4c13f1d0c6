// SPDX-License-Identifier: Apache-2.0
/*
 * The report of another run of the same program, for columns that this one lacks: hardware counters that share a
 * multiplexer need two runs.  Its rows are found by call count, trace, session and device, and count only when the op has
 * the same name there; signposts have no call count, and get nothing.
 */
#ifndef TTP_OPS_JOIN_SECOND_PASS_H
#define TTP_OPS_JOIN_SECOND_PASS_H

#include "base/err.h"
#include "base/str.h"

struct second_pass;

enum ttp_rc second_pass_open(struct second_pass **p, const char *path,
			     struct ttp_err *e) TTP_CHECKED;
void second_pass_close(struct second_pass *p);

size_t second_pass_columns(const struct second_pass *p);
struct str second_pass_column(const struct second_pass *p, size_t i);

/* The next cells are those of this row: texts as they stand in a report, empty for none.  False without it. */
bool second_pass_seek(struct second_pass *p, struct str call_count, struct str trace_id,
		      struct str session, struct str device, struct str code);
struct str second_pass_cell(const struct second_pass *p, size_t i);

#endif /* TTP_OPS_JOIN_SECOND_PASS_H */
