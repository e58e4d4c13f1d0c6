// SPDX-License-Identifier: Apache-2.0
/*
 * One clock map per run: when, on the host's clock, a device had counted so many cycles.
 *
 * A device log counts cycles of each device; a trace has the same zones on the host's clock.  A launch on one RISC of one core that is in both gives a
 * pair of times.  Pairs of a device, in the order of time, are cut into up to CLOCK_KNOTS_MAX stretches; the middle of each stretch's pairs is a knot,
 * and time runs straight from knot to knot, so that drift and changes of the clock's rate are followed.  `error_ns` is how far pairs lie beside it.
 *
 *	clock_map_sight()	for zones of devices in the trace, first
 *	clock_map_sink()	then a reading of the log (markers/marker_fold.h) with this sink
 *	clock_map_fit()		at last
 *
 * Where a trace has zones of the device but none that can be paired, the first of them is where the log's first marker lies.  A device that the trace
 * does not have is not `known`: it begins at 0 with its first marker, at the log's rate, unless clock_tie() says more.
 */
#ifndef TTP_RUNS_CLOCK_MAP_H
#define TTP_RUNS_CLOCK_MAP_H

#include "base/vec.h"
#include "markers/launch_index.h"
#include "markers/marker_fold.h"

enum { CLOCK_KNOTS_MAX = 16, CLOCK_PAIRS_PER_KNOT = 10 };

struct clock_knot {
	uint64_t cycles;
	int64_t ns;
};

struct device_clock {
	uint32_t device;
	bool known; /* how it stands to the host's clock */
	uint32_t pairs;
	double ns_per_cycle; /* by the log; with one knot it is all there is */
	int64_t error_ns;    /* 95 % of the pairs lie within; -1: there are none */
	int64_t first_ns;    /* of its zones in the trace; INT64_MAX: there are none */
	struct clock_knot knot[CLOCK_KNOTS_MAX];
	unsigned knots; /* at least 1 once it was fitted or tied */
};

/* A zone of a device in the trace: the start of a launch on one RISC of one core. */
struct device_sight {
	uint32_t device;
	uint16_t x, y;
	uint8_t risc;    /* enum risc */
	uint64_t run_id; /* 0: not known, so it can't be paired */
	int64_t start_ns;
};

struct clock_pair {
	uint32_t device;
	struct clock_knot at;
};

struct run_processes;

struct clock_map {
	const struct run_processes *processes; /* whose devices they are; NULL: not known */
	VEC(struct device_clock) devices;
	VEC(struct device_sight) sights;
	/* ours: */
	struct u64map index;      /* of devices */
	struct launch_index seen; /* sights by what they are of; repeats: 1 + number, 0: taken */
	VEC(struct clock_pair) pairs;
};

void clock_map_release(struct clock_map *m);
/* The clock of a device, made if it is missing; valid until the next one is made. */
struct device_clock *clock_map_device(struct clock_map *m, uint32_t device);

void clock_map_sight(struct clock_map *m, const struct device_sight *s);
struct marker_sink clock_map_sink(struct clock_map *m);
/* `mhz` of the log, 0: not known.  Devices of `f` that have no pairs begin with their first marker. */
void clock_map_fit(struct clock_map *m, const struct marker_fold *f, int64_t mhz);

/* The device had counted `cycles` at `ns`, and counts on at this rate. */
void clock_tie(struct device_clock *c, uint64_t cycles, int64_t ns, double ns_per_cycle);
/* Times that no clock can show become very large or very small ones. */
int64_t clock_ns(const struct device_clock *c, uint64_t cycles);
/* Since `zero_ns`, with fractions. */
double clock_ns_since(const struct device_clock *c, uint64_t cycles, int64_t zero_ns);

#endif /* TTP_RUNS_CLOCK_MAP_H */
