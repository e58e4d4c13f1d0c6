// SPDX-License-Identifier: Apache-2.0
/*
 * Cores that run the command queue: what dispatching each op cost.
 *
 * Their markers have no run id of their own.  A zone carries the command it was for in the meta data of a
 * marker inside it, and the op in another ("workers_runtime_id"); BRISC is the dispatcher, NCRISC its
 * subordinate.  How commands become ops is frozen from the original (ops/compat/dispatch_ops.c).
 */
#ifndef TTP_OPS_DISPATCH_H
#define TTP_OPS_DISPATCH_H

#include "ops/device_log.h"
#include "ops/op_times.h"

/* Reads the log again for markers of the dispatch cores, and sets dispatch_cmd and dispatch_wait. */
void dispatch_times_add(struct op_times *t, struct device_log *log);

/* All markers of one such core; they are put in order. */
void dispatch_core_add(struct op_times *t, uint32_t device, struct marker *markers, size_t n);
/* A sort that keeps the order of equals. */
void mergesort_markers(struct marker *m, size_t n, int (*order)(const void *, const void *));

#endif /* TTP_OPS_DISPATCH_H */
