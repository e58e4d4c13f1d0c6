// SPDX-License-Identifier: Apache-2.0
/*
 * What profiling itself costs: measured by every run that is profiled, and kept in profiler_overhead.json beside the logs
 * (docs/formats/overhead.md).  A program's last device that is closed also logs it in a line (TTP_LOG=device:info).
 */
#ifndef TTP_HOST_LOGS_OVERHEAD_H
#define TTP_HOST_LOGS_OVERHEAD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct overhead {
	uint64_t reads, read_ns; /* of the profiler, and the processor time that they took */
	double zone_cycles; /* of a zone: what it adds to the time of the code around it; 0: not measured */
	double zone_inside_cycles; /* ... the part of it that its own time shows */
};

struct ttp_dev;

/* Time of this thread, in ns: what others did meanwhile is no cost. */
int64_t overhead_now(void);
/* After the last read: runs a kernel that does nothing but zones. */
void overhead_measure(struct ttp_dev *d);
/* Adds this device to the file.  `last`: and logs the line, no other device is open. */
enum ttp_rc overhead_write(struct ttp_dev *d, bool last, struct ttp_err *e) TTP_CHECKED;

#endif /* TTP_HOST_LOGS_OVERHEAD_H */
