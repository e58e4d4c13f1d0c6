// SPDX-License-Identifier: Apache-2.0
/*
 * Markers of a source as launches and zones: to which run of an op each marker belongs, and where each zone ends.  One reading, any number of sinks.
 *
 * WHICH LAUNCH.  What shares device, run id, trace and replay is one launch.  Where a log has the same again, the n-th firmware start of a RISC belongs to
 * the n-th repeat, and other markers of that RISC to the last repeat that it started.  A marker without a timer id has no run id.  markers/op_times.h
 * keeps less of each launch and finds the same ones: tests/unit/test_marker_fold.c holds both against each other.
 *
 * WHICH ZONE.  Zones of one RISC of one core are a stack.  A zone belongs to the launch of its start.  Logs may be damaged; then
 *
 *	1. an end closes the innermost open zone of its name and its launch (where one of the two has no run id, of its name);
 *	   zones inside of it that are still open have lost their end
 *	2. an end that finds no such zone has lost its start
 *	3. a start of another launch (both with run ids), or of firmware that has no run id, finds all open zones of the RISC
 *	   without their end
 *	4. an end that is earlier than its start: the two are no zone
 *	5. what is open after the last marker has lost its end
 *	6. what is deeper than FOLD_DEPTH_MAX is no zone
 *
 * Each zone without its start or its end is counted once (`unpaired`), and no sink sees it.
 */
#ifndef TTP_MARKERS_MARKER_FOLD_H
#define TTP_MARKERS_MARKER_FOLD_H

#include "markers/launch_index.h"
#include "markers/log/device_log.h"
#include "markers/zone_class.h"

enum { FOLD_DEPTH_MAX = 1024 };

struct fold_device {
	uint32_t id;
	uint64_t first_cycles, last_cycles; /* of all its markers */
};

struct fold_core {
	uint32_t device; /* number in `devices` */
	uint16_t x, y;
};

struct fold_open {
	uint64_t start_cycles;
	uint64_t inside_cycles; /* of the whole zones directly inside of it */
	uint32_t launch;
	uint16_t zone;
};

/* That a RISC's firmware started a launch: the first with its key, and the last repeat. */
struct fold_start {
	uint32_t first, repeat;
};

struct fold_risc {
	uint32_t core; /* number in `cores` */
	uint16_t risc; /* of the names */
	/* ours: */
	uint32_t first, launch; /* of its last marker: the first with that key, and the repeat */
	uint32_t too_deep;
	VEC(struct fold_start) starts; /* by launch, as they mostly come */
	VEC(struct fold_open) open;
};

struct fold_name {
	uint16_t class;  /* markers/zone_class.h */
	uint64_t starts; /* zones of this name that started */
};

/* Kernel time of a launch: from the first start of a kernel to the last end, whether they are of one zone or not. */
struct fold_kernels {
	uint64_t first_start, last_end; /* first > last: it has none */
};

struct marker_fold {
	const struct marker_names *names;
	VEC(struct fold_device) devices; /* in the order of the log; after reading by id */
	VEC(struct fold_core) cores;     /* in the order of the log */
	VEC(struct fold_risc) riscs;     /* likewise */
	VEC(struct fold_name) zones;     /* by number of the zone's name */
	struct launch_index launches;
	VEC(struct fold_kernels) kernels; /* by launch */
	uint64_t markers, unpaired;
	/* ours: */
	bool tells_all; /* a sink wants any marker */
	struct u64map device_index, core_index, risc_index;
	struct u64map late_starts; /* that did not: by RISC and launch the last repeat */
	uint64_t last_place;
	uint32_t last_risc;
};

/* A whole zone, reported at its end: inner ones before outer ones. */
struct fold_zone {
	uint32_t launch, core;
	uint32_t risc_at;    /* number in `riscs` */
	uint16_t risc, zone; /* of the names */
	uint16_t class;
	uint64_t start_cycles, end_cycles;
	uint64_t self_cycles;           /* without the zones inside of it */
	const struct fold_open *around; /* the zones that it is in, outermost first */
	size_t depth;                   /* how many */
};

/* A marker; for `outermost` and `value` one that is no end of a zone. */
struct fold_moment {
	const struct marker *marker;
	uint32_t launch, core, risc_at;
	uint16_t class;
	size_t depth; /* of open zones, the marker's own aside */
};

/* Any function may be NULL. */
struct marker_sink {
	void *ctx;
	void (*zone)(void *ctx, const struct marker_fold *f, const struct fold_zone *z);
	/* An outermost zone starts; it may turn out to have no end. */
	void (*outermost)(void *ctx, const struct marker_fold *f, const struct fold_moment *m);
	/* Any marker, before the others are called for it. */
	void (*marker)(void *ctx, const struct marker_fold *f, const struct fold_moment *m);
	/* Sums, data and events. */
	void (*value)(void *ctx, const struct marker_fold *f, const struct fold_moment *m);
};

/* All markers of a log, from its first; numbers launches first where the log has no run ids. */
void marker_fold_read(struct marker_fold *f, struct device_log *log,
		      const struct marker_sink *sinks, size_t n);
void marker_fold_release(struct marker_fold *f);

#endif /* TTP_MARKERS_MARKER_FOLD_H */
