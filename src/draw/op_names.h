// SPDX-License-Identifier: Apache-2.0
/* Names of ops for what a device log has by number: an ops report, looked up by device, run id, trace and replay. */
#ifndef TTP_DRAW_OP_NAMES_H
#define TTP_DRAW_OP_NAMES_H

#include "base/arena.h"
#include "markers/launch_index.h"
#include "report/calls.h"

struct op_name {
	struct str
		label; /* "Matmul 256 x 512 x 128"; "op 7" without a report, clean for a terminal */
	uint32_t id;   /* as `ttprof report` numbers it; 0: the report does not have it */
	uint32_t kind; /* ops with the same label have the same number */
};

struct op_names {
	const struct ops_table *table; /* NULL: there is no report */
	struct calls calls;
	struct launch_rows launches; /* to calls.all */
	struct u64map by_run;        /* likewise, whatever the device */
	struct intern labels;        /* of kinds, clean */
	VEC(uint32_t) label_of;      /* by kind of calls */
	struct arena texts;
};

/* Without a table names are numbers.  The table must outlive it. */
void op_names_make(struct op_names *n, const struct ops_table *t);
void op_names_release(struct op_names *n);
/* Of a launch; a report that has no row for it names it by its first repeat, or by its run id alone. */
struct op_name op_names_find(struct op_names *n, const struct launch_key *key);
/* The run id of op `id` of the report; false when there is no such op. */
bool op_names_run(const struct op_names *n, uint32_t id, uint64_t *run_id, int64_t *session);

#endif /* TTP_DRAW_OP_NAMES_H */
