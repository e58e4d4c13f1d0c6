// SPDX-License-Identifier: Apache-2.0
/* One device that takes longer than the others for the same ops: all that wait for each other go at its pace. */
#ifndef TTP_REPORT_SLOW_DEVICE_H
#define TTP_REPORT_SLOW_DEVICE_H

#include "report/calls.h"

#define SLOW_DEVICE_TIMES 1.25

struct slow_device {
	int64_t device, rank, pid; /* -1: not known */
	uint32_t file;
	unsigned slow; /* so many take alike longer, this one the longest; half of them at most */
	struct buf names; /* of those: ranks, where they have some, else devices; to be released */
	unsigned devices;
	double times;                     /* as long as the one in the middle */
	double more_busy_ns, more_gap_ns; /* than that one, in ops and between them */
};

bool slow_device_find(const struct calls *c, struct slow_device *found);

#endif /* TTP_REPORT_SLOW_DEVICE_H */
