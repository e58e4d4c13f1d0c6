// SPDX-License-Identifier: Apache-2.0
/*
 * Trace-only profiling: of each replay of a trace one firmware and one kernel zone per core, from the first
 * start to the last end of all its programs and RISCs.  In the log they are TRACE-FW and TRACE-KERNEL of the
 * processor TENSIX_RISC_AGG, with the count of replays as the run's id, as in tt-metal; there the cores
 * put them together, here the host does it from what the firmware records anyway.
 */
#ifndef TTP_HOST_LOGS_REPLAY_ZONES_H
#define TTP_HOST_LOGS_REPLAY_ZONES_H

#include "base/vec.h"
#include "device/markers.h"
#include "host/logs/log_writer.h"

struct ttp_dev;
struct launched;

struct replay_span {
	uint32_t sequence;         /* number of the replay on the device, from 1 */
	uint32_t trace, replay;    /* of the trace */
	uint64_t start[2], end[2]; /* FW, KERNEL; start UINT64_MAX: none */
};
typedef VEC(struct replay_span) replay_spans;

void replay_zones_marker(struct ttp_dev *d, int flat, const struct launched *l,
			 const struct device_marker *m, struct str zone);
/* Rows of all replays that are over; `w` NULL: no log. */
void replay_zones_write(struct ttp_dev *d, struct log_writer *w);
void replay_zones_release(struct ttp_dev *d);

#endif /* TTP_HOST_LOGS_REPLAY_ZONES_H */
