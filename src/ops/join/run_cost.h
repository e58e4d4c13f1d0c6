// SPDX-License-Identifier: Apache-2.0
/* profiler_overhead.json of a run (docs/formats/overhead.md): what profiling cost it, and how sure its clocks are. */
#ifndef TTP_OPS_JOIN_RUN_COST_H
#define TTP_OPS_JOIN_RUN_COST_H

#include <stdint.h>

#include "base/err.h"
#include "base/inputs.h"
#include "base/vec.h"

struct device_cost {
	int64_t device;
	double zone_cycles;         /* that a zone adds to the code around it; 0: not known */
	double error_ns, error_ppm; /* of its clock on the host's; 0: it was not synced */
};

struct run_cost {
	double host_zone_ns; /* 0: not known */
	VEC(struct device_cost) devices;
};

enum ttp_rc run_cost_read(struct run_cost *c, struct inputs *files, const char *path,
			  struct ttp_err *e) TTP_CHECKED;
/* Cycles of a zone on a device; 0: not known. */
double run_cost_of_zone(const struct run_cost *c, int64_t device);
void run_cost_release(struct run_cost *c);

#endif /* TTP_OPS_JOIN_RUN_COST_H */
