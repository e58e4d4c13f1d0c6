// SPDX-License-Identifier: Apache-2.0
/* Names of ops for what a device log has by number: an ops report, looked up by device, run id, trace and replay. */
#ifndef TTP_DRAW_OP_NAMES_H
#define TTP_DRAW_OP_NAMES_H

#include "markers/launch_index.h"
#include "report/calls.h"

struct op_name {
	struct str
		label; /* "Matmul 256 x 512 x 128"; "program 7" without a name, clean for a terminal */
	struct str full; /* with types and cores, where the label is that of others, too */
	uint32_t id;     /* as `ttprof report` numbers it; 0: the report does not have it */
	uint32_t like;   /* like ops (call_alike()) have the same number */
	bool numbered;   /* it has no name */
};

/* A row of a device, and the call that it is of. */
struct op_row {
	uint32_t row, call;
};

struct op_names {
	const struct ops_table *table; /* NULL: there is no report */
	struct calls calls;            /* of the whole report, devices together */
	VEC(struct op_row) rows;       /* in the order of calls */
	struct launch_rows launches;   /* to calls.all */
	struct u64map by_run;          /* likewise, whatever the device */
	struct intern labels;          /* clean */
	VEC(uint32_t) full_of;         /* the same of full labels */
	VEC(uint32_t) label_of;        /* by `like`: number of a label + 1, 0: not made yet */
};

/* Without a table names are numbers.  The table must outlive it. */
void op_names_make(struct op_names *n, const struct ops_table *t);
void op_names_release(struct op_names *n);
/* Of a launch; a report that has no row for it names it by its first repeat, or by its run id alone. */
struct op_name op_names_find(struct op_names *n, const struct launch_key *key);
struct op_name op_names_of(struct op_names *n, const struct call *call);
/* The run id of op `id` of the report; false when there is no such op. */
bool op_names_run(const struct op_names *n, uint32_t id, uint64_t *run_id, int64_t *session);

#endif /* TTP_DRAW_OP_NAMES_H */
