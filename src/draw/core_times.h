// SPDX-License-Identifier: Apache-2.0
/*
 * A device log as times per op and core: what heat-maps and timelines of devices are made of.
 *
 * Read once; of the markers only the outermost chosen zones are kept, as intervals (24 bytes each).  A run of an op is what shares device, run
 * id, trace and replay; where a log has the same run id again without replays, the n-th firmware start of a RISC belongs to its n-th run.
 */
#ifndef TTP_DRAW_CORE_TIMES_H
#define TTP_DRAW_CORE_TIMES_H

#include "base/vec.h"
#include "markers/log/device_log.h"

struct core_want {
	struct str zone;  /* part of a zone's name; empty: kernels */
	struct str riscs; /* names with commas; empty: all */
};

struct core_device {
	uint32_t id;
	uint64_t first_cycles, last_cycles; /* of all its markers */
	uint32_t first_core, cores;         /* after reading: of `device_cores` */
};

struct core_place {
	uint32_t device; /* number in `devices` */
	uint16_t x, y;
};

/* A run of an op on a device. */
struct core_op {
	uint64_t run_id;
	int64_t trace_id, session;
	uint32_t device;                    /* number in `devices` */
	uint32_t repeat;                    /* 0, 1, … of the same run id */
	uint32_t next;                      /* ours: with the same hash */
	uint64_t first_cycles, last_cycles; /* of its intervals; first > last: it has none */
	uint32_t first_part, parts;         /* after reading: its cores */
};

/* A run of an op on one core. */
struct core_part {
	uint32_t op, core;
	uint32_t first, count; /* of `spans` */
	uint64_t wait_cycles;  /* told by the compute kernels: for tiles and for room */
	bool tells_wait;
};

struct core_span {
	uint64_t start_cycles, end_cycles;
	uint32_t part;
	uint16_t risc;
};

struct core_times {
	int64_t freq_mhz; /* never 0 */
	bool freq_known;
	struct str arch; /* of the log: as long as it is open */
	int64_t compute_cores;
	VEC(struct core_device) devices; /* by id */
	VEC(struct core_place) cores;    /* in the order of the log */
	VEC(uint32_t) device_cores;  /* numbers of cores by device, then in the order of the log */
	VEC(struct core_op) ops;     /* in the order of the log */
	VEC(struct core_part) parts; /* by op, then core */
	VEC(struct core_span) spans; /* by part, then start */
	VEC(struct str) riscs;       /* names of those that have spans; "" for others; of the log */
	VEC(uint64_t) zone_count;    /* by zone: starts; names are the log's */
	uint64_t markers, unpaired;
};

/* `log` was opened just now and stays open as long as the result. */
void core_times_read(struct core_times *t, struct device_log *log, const struct core_want *want);
void core_times_release(struct core_times *t);

/* "trisc1", "TRISC_1" and "trisc" name what they look like. */
bool risc_is_named(struct str name, struct str list);

/* The i-th core of a device. */
static inline const struct core_place *device_core(const struct core_times *t, uint32_t device,
						   uint32_t i)
{
	return &t->cores.at[t->device_cores.at[t->devices.at[device].first_core + i]];
}

static inline double core_ns(const struct core_times *t, double cycles)
{
	return cycles * 1000.0 / (double)t->freq_mhz;
}

#endif /* TTP_DRAW_CORE_TIMES_H */
