// SPDX-License-Identifier: Apache-2.0
/* Frozen: ops among markers, as process_device_log.py detects them (see compat/exact_runs.h). */
#ifndef TTP_MARKERS_ANALYSES_MARKER_OPS_H
#define TTP_MARKERS_ANALYSES_MARKER_OPS_H

#include "markers/analyses/marker_log.h"

/* Fills c->ops.  For a device an op closes when all its cores are done, for a core at its master's end. */
void marker_ops_detect(struct marker_log *m, struct core_log *c, bool device);

#endif /* TTP_MARKERS_ANALYSES_MARKER_OPS_H */
