// SPDX-License-Identifier: Apache-2.0
/* A device log in other forms. */
#ifndef TTP_MARKERS_ANALYSES_DEVICE_EXPORT_H
#define TTP_MARKERS_ANALYSES_DEVICE_EXPORT_H

#include "base/out.h"
#include "markers/analyses/marker_log.h"

/* What analyses found, as JSON has it. */
struct core_summary {
	uint16_t x, y;
	struct entry_stats cycles;
};
struct analysis_summary {
	const struct analysis *of;
	struct entry_stats cycles;
	VEC(struct core_summary) cores; /* if it is of cores */
};
struct device_summary {
	uint32_t device;
	uint64_t cores, ops;
	VEC(struct analysis_summary) analyses; /* that found something */
};
typedef VEC(struct device_summary) device_summaries;
void device_summaries_json(const device_summaries *all, const struct device_log *log,
			   uint64_t markers, struct buf *to);
void device_summaries_release(device_summaries *all);

/* Statistics of every analysis per device, and per core where they are of cores; no markers. */
void device_export_json(const struct marker_log *m, const struct analysis *list, size_t n,
			struct buf *to);
/* Chrome's trace format: a process per device, a thread per RISC of a core, times in µs from the first. */
void device_export_chrome(const struct marker_log *m, struct out *to);
/* A row per core with the times of its data movers' marks, as in 2023. */
void device_export_timestamps(const struct marker_log *m, struct out *to);

#endif /* TTP_MARKERS_ANALYSES_DEVICE_EXPORT_H */
