// SPDX-License-Identifier: Apache-2.0
/*
 * All markers of a device log in memory, as series in the order of time: per RISC, per core, per device.
 * For what needs each of them: statistics of any analysis, the original's JSON, timelines.  (Reports of ops
 * don't: markers/op_times.h.)
 */
#ifndef TTP_MARKERS_ANALYSES_MARKER_LOG_H
#define TTP_MARKERS_ANALYSES_MARKER_LOG_H

#include "markers/analyses/analyses.h"
#include "markers/log/device_log.h"
#include "markers/op_times.h"

/* Numbers of markers. */
typedef VEC(uint32_t) marker_series;

/* What one analysis found in one series. */
struct analysis_entry {
	uint64_t start_cycles, end_cycles; /* a sum has neither */
	int64_t took_cycles;
	uint32_t start, end;                     /* markers; UINT32_MAX: none */
	uint32_t start_iteration, end_iteration; /* the FW start before; UINT32_MAX: none */
};

struct analysis_result {
	uint32_t analysis;                  /* number in the list */
	VEC(struct analysis_entry) entries; /* never empty */
};

typedef VEC(struct analysis_result) result_vec;

struct risc_log {
	uint16_t risc;
	marker_series series;
};

struct log_op {
	marker_series series;
	result_vec results;
};

/* A core, or the device as a whole. */
struct core_log {
	uint16_t x, y;
	bool dispatch;
	VEC(struct risc_log) riscs; /* in the order of the log */
	marker_series series;       /* of all RISCs */
	VEC(struct log_op) ops;
	VEC(struct log_op) dispatch_ops; /* of a device */
	result_vec results;
};

/* A result of the cores, the device or its ops. */
struct found_result {
	uint32_t analysis, order;
	const struct analysis_result *r;
};

struct device_markers {
	uint32_t device;
	VEC(struct core_log) cores; /* in the order of the log */
	struct core_log whole;
	VEC(struct found_result) found; /* all of them, by analysis */
};

struct marker_log {
	const struct device_log *log;
	VEC(struct marker) all;
	VEC(struct device_markers) devices;
	struct marker_names *names;
	bool broken; /* the original's op detection would give up */
};

/* Takes all markers.  `detect` finds ops as the original does, and names dispatch zones by their command. */
void marker_log_read(struct marker_log *m, struct device_log *log, bool detect);
/* Once.  Results of a series are in the order of the list. */
void marker_log_analyse(struct marker_log *m, const struct analysis *list, size_t n);
void marker_log_release(struct marker_log *m);

/* Whether a marker is what a side of an analysis is about: its zone, RISC and type count. */
bool analysis_side_fits(const struct analysis_side *s, const struct marker *k,
			const struct marker_names *names, bool wildcards);

/* Statistics of entries, as the originals have them. */
struct entry_stats {
	uint64_t count;
	double average, median;
	int64_t max, min, sum, first;
};
struct entry_stats entry_stats(const struct analysis_result *r);
/* The same of `n` times, one at least, which get sorted. */
struct entry_stats took_stats(int64_t *took, size_t n);
/* Statistics of many results as one: the median is that of their medians. */
struct stats_sum {
	struct entry_stats all;
	VEC(double) medians;
};
void stats_sum_add(struct stats_sum *s, const struct entry_stats *one);
/* False when nothing was added; `s` is released. */
bool stats_sum_end(struct stats_sum *s, struct entry_stats *out);
/* The first analysis from `from` on that found something on the device; UINT32_MAX: there is none. */
uint32_t device_next_analysis(const struct device_markers *d, uint32_t from);
/* What an analysis found in a series; NULL: nothing. */
const struct analysis_result *result_of(const result_vec *results, uint32_t analysis);
/* Over all cores, RISCs and ops of a device; false when nothing was found. */
bool device_stats(const struct device_markers *d, uint32_t analysis, struct entry_stats *out);

/* The text of device_stats.txt. */
void device_stats_print(const struct marker_log *m, const struct analysis *list, size_t n,
			struct buf *to);

/* ---- series.c ---- */

/* Series of markers in the order of time; equals stay in the order in which they came. */

/* A marker and its time beside it: markers are large, and lie far apart. */
struct timed {
	uint64_t time_cycles;
	uint32_t marker;
};

void timed_sort(struct timed *at, size_t n);
void series_sort(marker_series *s, const struct marker *all);
static inline void series_append(marker_series *to, const marker_series *from)
{
	vec_each (i, from)
		*vec_push(to) = *i;
}

/* ---- marker_ops.c ---- */

/* Frozen: ops among markers, as process_device_log.py detects them (see compat/exact_runs.h). */

/* Whether zones of this class (zone_class.h) on this RISC are firmware that leads its core. */
bool zone_leads_core(const struct marker_names *names, uint16_t risc, unsigned class);

/* How far the cores of a device are with an op. */
struct op_progress {
	size_t cores, done;
	bool broken; /* the original would give up */
};
/* A core's firmware starts or ends; true when the op closes with it.  A core's state begins with 0. */
bool op_progress_step(struct op_progress *p, uint8_t *state, bool starts);

/* Fills c->ops.  For a device an op closes when all its cores are done, for a core at its master's end. */
void marker_ops_detect(struct marker_log *m, struct core_log *c, bool device);

/* ---- zone_analyses.c ---- */

/* An analysis for each zone that a kernel's author put there: how long it took, by RISC. */

/* Adds that of a zone on a RISC; not for firmware, nor the runtime's kernel around the user's, nor the command queue's. */
void zone_analysis_add(const struct marker_names *names, uint16_t zone, uint16_t risc,
		       analysis_vec *out, struct arena *texts);
/* Adds them to `out`; texts live in `texts`. */
void zone_analyses(const struct marker_log *m, analysis_vec *out, struct arena *texts);

/*
 * Cores that run the command queue: what dispatching each op cost.
 *
 * Their markers have no run id of their own.  A zone carries the command it was for in the meta data of a
 * marker inside it, and the op in another ("workers_runtime_id"); BRISC is the dispatcher, NCRISC its
 * subordinate.  How commands become ops is frozen from the original (markers/analyses/dispatch_ops.c).
 */
/* Reads the log again for markers of the dispatch cores, and sets dispatch_cmd and dispatch_wait. */
void dispatch_times_add(struct op_times *t, struct device_log *log);

struct dispatch_op {
	marker_series series; /* in the order of time */
	int64_t workers_id;   /* the op, as the dispatcher recorded it; 0: not recorded */
};
typedef VEC(struct dispatch_op) dispatch_vec;

/*
 * Ops among the markers of one dispatch core, given in the order of time.  Zones take the names of their
 * commands: the markers change.
 */
void dispatch_ops_detect(struct marker *all, const marker_series *series, struct intern *zones,
			 dispatch_vec *out);
void dispatch_vec_release(dispatch_vec *v);

#endif /* TTP_MARKERS_ANALYSES_MARKER_LOG_H */
