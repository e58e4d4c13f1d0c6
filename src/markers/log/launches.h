// SPDX-License-Identifier: Apache-2.0
/*
 * Logs of six columns name no programs.  What firmware ran at the same time on a device is one launch; launches are
 * numbered from 1 on each device, and the number is the run id of all markers in it.
 */
#ifndef TTP_MARKERS_LOG_LAUNCHES_H
#define TTP_MARKERS_LOG_LAUNCHES_H

#include "markers/log/device_log.h"

struct launch {
	uint64_t start_cycles;
	uint32_t device, number;
};

struct launches {
	VEC(struct launch) all; /* by device, then time */
	size_t last;            /* that was found */
};

/* Reads all of the log; from then on its markers have run ids.  Only for one with numbered marks. */
void launches_number(struct device_log *log);
/* The number of the launch that a time is in, or follows; 0 when the device has none. */
uint32_t launch_at(struct launches *l, uint32_t device, uint64_t cycles);
void launches_free(struct launches *l);

#endif /* TTP_MARKERS_LOG_LAUNCHES_H */
