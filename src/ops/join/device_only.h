// SPDX-License-Identifier: Apache-2.0
/*
 * Reports without the host: a row per op that the devices ran, and per core the time between ops.
 *
 * Every run in the order of its device, with device, trace and replay.  Rules may have other runs, in another order, with fewer
 * columns.
 */
#ifndef TTP_OPS_JOIN_DEVICE_ONLY_H
#define TTP_OPS_JOIN_DEVICE_ONLY_H

#include "markers/counters/counter_values.h"
#include "ops/join/ops_report.h"

struct device_only_op {
	uint32_t run;    /* of `times` */
	uint32_t device; /* number in the order of the log */
	uint64_t id;
	uint64_t turn; /* among those of its device */
};

struct run_processes;

struct device_only {
	const struct op_times *times;
	const struct op_times *sub_devices; /* where rules with `ids_alone` look for them */
	const uint64_t *ids;                /* of the runs; NULL: as logged */
	const struct core_gap *core_gaps;   /* with `ids`: what device_only_write_gaps() writes */
	size_t n_core_gaps;
	int64_t freq_mhz, compute_cores; /* of a device; 0: the log doesn't say */
	struct str arch;                 /* the same; empty */
	const struct report_rules *rules;
	uint64_t analyses;
	struct counter_table *counters;
	const struct run_processes *processes; /* NULL: one, or not known */
	/* ours: */
	VEC(struct device_only_op) ops; /* devices in the order of the log */
};

/* The caller has set what is not ours. */
void device_only_make(struct device_only *d);
void device_only_rows(const struct device_only *d, struct ops_rows *to);
/* per_core_op_to_op_times.csv */
void device_only_write_gaps(const struct device_only *d, struct out *to);
void device_only_release(struct device_only *d);

#endif /* TTP_OPS_JOIN_DEVICE_ONLY_H */
