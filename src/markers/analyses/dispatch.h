// SPDX-License-Identifier: Apache-2.0
/*
 * Cores that run the command queue: what dispatching each op cost.
 *
 * Their markers have no run id of their own.  A zone carries the command it was for in the meta data of a
 * marker inside it, and the op in another ("workers_runtime_id"); BRISC is the dispatcher, NCRISC its
 * subordinate.  How commands become ops is frozen from the original (markers/analyses/dispatch_ops.c).
 */
#ifndef TTP_MARKERS_ANALYSES_DISPATCH_H
#define TTP_MARKERS_ANALYSES_DISPATCH_H

#include "markers/analyses/marker_log.h"
#include "markers/op_times.h"

/* Reads the log again for markers of the dispatch cores, and sets dispatch_cmd and dispatch_wait. */
void dispatch_times_add(struct op_times *t, struct device_log *log);

struct dispatch_op {
	marker_series series; /* in the order of time */
	int64_t workers_id;   /* the op, as the dispatcher recorded it; 0: not recorded */
};
typedef VEC(struct dispatch_op) dispatch_vec;

/*
 * Ops among the markers of one dispatch core, given in the order of time.  Zones take the names of their
 * commands: the markers change.
 */
void dispatch_ops_detect(struct marker *all, const marker_series *series, struct intern *zones,
			 dispatch_vec *out);
void dispatch_vec_release(dispatch_vec *v);

#endif /* TTP_MARKERS_ANALYSES_DISPATCH_H */
