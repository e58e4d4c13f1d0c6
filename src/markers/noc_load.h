// SPDX-License-Identifier: Apache-2.0
/*
 * What an op moved over the NoCs, by the core at the other end: from the NoC events of a device log
 * (TT_METAL_DEVICE_PROFILER_NOC_EVENTS=1), which carry type, coordinates and bytes of each transfer.  A core that many others
 * read from or write to can be what all of them wait for.
 */
#ifndef TTP_MARKERS_NOC_LOAD_H
#define TTP_MARKERS_NOC_LOAD_H

#include "base/map.h"
#include "base/vec.h"

enum { NOC_EVENT_ID = 12345 }; /* the low 16 bits of such a marker's timer id */

struct noc_load {
	struct u64map ports;        /* x, y, NoC and direction, to the number in `bytes` */
	VEC(uint64_t) bytes;        /* of that port */
	uint64_t to_dram, to_cores; /* of all, by what is at the other end */
};

struct noc_port {
	unsigned x, y; /* of the core, as programs count them: from (0, 0) */
	uint64_t bytes;
};

/* One event. */
void noc_load_add(struct noc_load *l, uint64_t data);
/* The core that most was read from, or written to, over one NoC; false without any. */
bool noc_load_busiest(const struct noc_load *l, struct noc_port *port);
void noc_load_release(struct noc_load *l);

#endif /* TTP_MARKERS_NOC_LOAD_H */
