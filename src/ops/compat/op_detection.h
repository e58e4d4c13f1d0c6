// SPDX-License-Identifier: Apache-2.0
/*
 * Frozen: how process_device_log.py finds ops among markers.  Markers are grouped by run id, groups follow each
 * other by their first marker, and an op closes when every core of its group has seen the end of its
 * master's firmware.  One that never closes swallows what follows until something does; the last one that
 * does not close is dropped.  Here the same is done on whole runs, which were counted already.
 */
#ifndef TTP_OPS_COMPAT_OP_DETECTION_H
#define TTP_OPS_COMPAT_OP_DETECTION_H

#include "ops/op_times.h"

struct detected_op {
	uint32_t run; /* of `times`; one that was made for it when several were merged */
	uint64_t id;  /* run id of its last marker */
};

struct detected_ops {
	struct detected_op *at;
	size_t len, cap;
};

/* Ops of one device, given all its runs, in the order of detection; merged runs are added to `t`. */
void detect_ops(struct op_times *t, const uint32_t *runs, size_t n, struct detected_ops *out);

#endif /* TTP_OPS_COMPAT_OP_DETECTION_H */
