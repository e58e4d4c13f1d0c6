// SPDX-License-Identifier: Apache-2.0
/* An analysis for each zone that a kernel's author put there: how long it took, by RISC. */
#ifndef TTP_MARKERS_ANALYSES_ZONE_ANALYSES_H
#define TTP_MARKERS_ANALYSES_ZONE_ANALYSES_H

#include "markers/analyses/marker_log.h"

/* Adds that of a zone on a RISC; not for firmware, nor the runtime's kernel around the user's, nor the command queue's. */
void zone_analysis_add(const struct marker_names *names, uint16_t zone, uint16_t risc,
		       analysis_vec *out, struct arena *texts);
/* Adds them to `out`; texts live in `texts`. */
void zone_analyses(const struct marker_log *m, analysis_vec *out, struct arena *texts);

#endif /* TTP_MARKERS_ANALYSES_ZONE_ANALYSES_H */
