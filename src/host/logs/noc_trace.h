// SPDX-License-Identifier: Apache-2.0
/*
 * NoC traces: the requests that kernels gave to the NoC, a file per program (run id, trace and replay):
 *
 *	noc_trace_dev0_Matmul_ID1024.json, noc_trace_dev0_ID2048_traceID4294967297.json
 *
 * Each is an array of events and of the kernels' zones, by core and time, with the keys of tt-metal, which tt-npe
 * reads.  Coordinates are those of NoC 0, physical.
 */
#ifndef TTP_HOST_LOGS_NOC_TRACE_H
#define TTP_HOST_LOGS_NOC_TRACE_H

#include <stdint.h>

#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "device/coord.h"
#include "device/markers.h"

struct noc_record {
	uint32_t run, trace, replay; /* trace UINT32_MAX: none */
	struct tile tile;
	uint8_t risc, type; /* enum marker_type */
	uint32_t order;     /* in which they came */
	uint64_t cycles, data;
	struct str zone; /* of a kernel that stays loaded */
};

struct noc_trace {
	VEC(struct noc_record) records;
	struct intern files; /* that this device wrote: more goes to their end */
};

void noc_trace_release(struct noc_trace *t);

/* Whether a marker belongs there; zones of the firmware and of the profiler itself do not. */
bool noc_trace_wants(const struct device_marker *m, struct str zone);
void noc_trace_add(struct noc_trace *t, const struct device_marker *m, uint32_t run, uint32_t trace,
		   uint32_t replay, struct str zone);

struct noc_trace_place {
	const char *folder;
	int chip;
	const struct coord *coord;
	const struct intern *names; /* of ops */
	const struct u64map *name_of;
};
/* All programs that were added, each to its file. */
enum ttp_rc noc_trace_write(struct noc_trace *t, const struct noc_trace_place *at,
			    struct ttp_err *e) TTP_CHECKED;

/* topology.json and cluster_coordinates.json, for devices that no cable joins. */
enum ttp_rc noc_trace_cluster(const char *folder, const int *chips, size_t n,
			      struct ttp_err *e) TTP_CHECKED;

#endif /* TTP_HOST_LOGS_NOC_TRACE_H */
