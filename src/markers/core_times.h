// SPDX-License-Identifier: Apache-2.0
/*
 * A device log as times per launch and core: what heat-maps, timelines of devices and the page's cores are made of.
 *
 * A sink of markers/marker_fold.h.  Of all zones only the outermost chosen ones are kept, as intervals (24 bytes each).
 */
#ifndef TTP_MARKERS_CORE_TIMES_H
#define TTP_MARKERS_CORE_TIMES_H

#include "base/vec.h"
#include "markers/marker_fold.h"

struct core_want {
	struct str zone;  /* part of a zone's name; empty: kernels */
	struct str riscs; /* names with commas; empty: all */
};

struct core_device {
	uint32_t id;
	uint64_t first_cycles, last_cycles; /* of all its markers */
	uint32_t first_core, cores;         /* of `device_cores` */
};

/* A launch: a run of an op on a device. */
struct core_op {
	struct launch_key key;
	uint32_t device; /* number in `devices` */
	/* Its kernel time; where others than kernels are chosen, of its intervals.  first > last: it has no interval. */
	uint64_t first_cycles, last_cycles;
	uint32_t first_part, parts; /* its cores */
};

/* A launch on one core. */
struct core_part {
	uint32_t op, core;
	uint32_t first, count; /* of `spans` */
	uint64_t wait_cycles; /* for tiles and for free space, as the compute kernels recorded it */
	uint32_t follower;    /* ours: the one that came after it the last time, NONE */
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
	VEC(struct fold_core) cores;     /* in the order of the log */
	VEC(uint32_t) device_cores;  /* numbers of cores by device, then in the order of the log */
	VEC(struct core_op) ops;     /* by number of the launch: in the order of the log */
	VEC(struct core_part) parts; /* by op, then in the order of the log */
	VEC(struct core_span) spans; /* by part, then start */
	VEC(struct str) riscs;       /* names of those that have spans; "" for others; of the log */
	VEC(uint64_t) zone_count;    /* by zone: starts; names are the log's */
	uint64_t markers, unpaired;
};

/* `log` is at its first marker, and stays open as long as the result. */
void core_times_read(struct core_times *t, struct device_log *log, const struct core_want *want);
void core_times_release(struct core_times *t);

/* The same as one of several sinks: begin, read with the sink, end. */
struct core_times_reading {
	struct core_times *t;
	const struct core_want *want;
	VEC(uint8_t) zone_kind, risc_kind; /* by name */
	struct u64map part_index;
	uint32_t last_part;
	/* Replays that were recorded as a whole: used if there is nothing else. */
	VEC(struct core_span) sums;
};
struct marker_sink core_times_begin(struct core_times_reading *r, struct core_times *t,
				    const struct core_want *want);
void core_times_end(struct core_times_reading *r, const struct marker_fold *f,
		    const struct device_log *log);

/* What one core did in a launch, within [from, to) cycles; docs/glossary.md has the words. */
struct core_sum {
	uint64_t first, last; /* start and end */
	uint64_t busy;        /* in at least one chosen zone */
	uint64_t sum;         /* RISCs added up */
	bool any;
};
struct core_sum core_part_sum(const struct core_times *t, const struct core_part *p, uint64_t from,
			      uint64_t to);

/* What all cores of a launch did, within [from, to) cycles. */
struct core_balance {
	uint64_t first, last; /* of the launch */
	uint64_t busy, max;   /* added up over cores; of the busiest */
	uint32_t cores;       /* that did anything */
};
struct core_balance core_op_balance(const struct core_times *t, const struct core_op *o,
				    uint64_t from, uint64_t to);

/* Lost core-time: what the other cores were busy less than the busiest. */
static inline uint64_t core_lost(const struct core_balance *b)
{
	return b->max * b->cores - b->busy;
}

/* What a core was busy above the mean of the launch's cores, cycles; 0 for those below. */
static inline double core_over(const struct core_sum *s, const struct core_balance *b)
{
	double over = (double)s->busy - (double)b->busy / b->cores;

	return over > 0 ? over : 0;
}

/* Whether it was busy longest of all, and longer than the mean. */
static inline bool core_is_slowest(const struct core_sum *s, const struct core_balance *b)
{
	return s->busy == b->max && b->max * b->cores > b->busy;
}

/* The i-th core of a device. */
static inline const struct fold_core *device_core(const struct core_times *t, uint32_t device,
						  uint32_t i)
{
	return &t->cores.at[t->device_cores.at[t->devices.at[device].first_core + i]];
}

static inline double core_ns(const struct core_times *t, double cycles)
{
	return cycles * 1000.0 / (double)t->freq_mhz;
}

#endif /* TTP_MARKERS_CORE_TIMES_H */
