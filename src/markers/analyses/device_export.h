// SPDX-License-Identifier: Apache-2.0
/* A device log in other forms. */
#ifndef TTP_MARKERS_ANALYSES_DEVICE_EXPORT_H
#define TTP_MARKERS_ANALYSES_DEVICE_EXPORT_H

#include "base/out.h"
#include "markers/analyses/marker_log.h"

/* Statistics of every analysis per device, and per core where they are of cores; no markers. */
void device_export_json(const struct marker_log *m, const struct analysis *list, size_t n,
			struct buf *to);
/* Chrome's trace format: a process per device, a thread per RISC of a core, times in µs from the first. */
void device_export_chrome(const struct marker_log *m, struct out *to);
/* A row per core with the times of its data movers' marks, as in 2023. */
void device_export_timestamps(const struct marker_log *m, struct out *to);

#endif /* TTP_MARKERS_ANALYSES_DEVICE_EXPORT_H */
