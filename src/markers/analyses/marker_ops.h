// SPDX-License-Identifier: Apache-2.0
/* Frozen: ops among markers, as process_device_log.py detects them (see compat/exact_runs.h). */
#ifndef TTP_MARKERS_ANALYSES_MARKER_OPS_H
#define TTP_MARKERS_ANALYSES_MARKER_OPS_H

#include "markers/analyses/marker_log.h"

/* Whether zones of this class (zone_class.h) on this RISC are firmware that leads its core. */
bool zone_leads_core(const struct marker_names *names, uint16_t risc, unsigned class);

/* How far the cores of a device are with an op. */
struct op_progress {
	size_t cores, done;
	bool broken; /* the original would give up */
};
/* A core's firmware starts or ends; true when the op closes with it.  A core's state begins with 0. */
bool op_progress_step(struct op_progress *p, uint8_t *state, bool starts);

/* Fills c->ops.  For a device an op closes when all its cores are done, for a core at its master's end. */
void marker_ops_detect(struct marker_log *m, struct core_log *c, bool device);

#endif /* TTP_MARKERS_ANALYSES_MARKER_OPS_H */
