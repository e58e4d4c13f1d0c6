// SPDX-License-Identifier: Apache-2.0
/*
 * Dispatch cores, with TT_METAL_DEVICE_PROFILER_DISPATCH: the embedded chip gets one more row of workers, which programs can't use, and
 * two of its cores run a command queue (fw/cq_kernels.c): a prefetcher, and a dispatcher with its subordinate, which starts each
 * program instead of the host.
 */
#ifndef TTP_HOST_API_DISPATCH_CORES_H
#define TTP_HOST_API_DISPATCH_CORES_H

#include "device/markers.h"
#include "host/api/program.h"
#include "host/host_device.h"

/* After the device was started: takes the last row.  Without effect, and reported, where the chip is not ours. */
void dispatch_start(struct ttp_dev *d);
/* A pass of the queue for a program that is about to go: to be prepared and started, and a reference of the caller's. */
enum ttp_rc dispatch_pass(struct ttp_dev *d, const struct built *b, uint32_t id, struct built **out,
			  struct ttp_err *e) TTP_CHECKED;
/* What a marker of the queue means, as tt-metal's log has it; false: it is of our model, and not of the queue. */
bool dispatch_meaning(struct str zone, const struct device_marker *m, struct buf *meta);

#endif /* TTP_HOST_API_DISPATCH_CORES_H */
