// SPDX-License-Identifier: Apache-2.0
/* The metrics of markers/counters/counter_metrics.def for one core. */
#ifndef TTP_MARKERS_COUNTERS_COUNTER_METRICS_H
#define TTP_MARKERS_COUNTERS_COUNTER_METRICS_H

#include <stdbool.h>
#include <stdint.h>

#include "markers/counters/counter_values.h"

enum counter_type {
#define COUNTER(name) C_##name,
#include "markers/counters/counter_types.def"
#undef COUNTER
	COUNTER_TYPES
};

struct metric_facts;
enum metric {
#define METRIC(name, unit, when, needs, expression) METRIC_AT(__LINE__),
#define METRIC_AT(line)                             METRIC_AT_(line)
#define METRIC_AT_(line)                            METRIC_LINE_##line
#include "markers/counters/counter_metrics.def"
#undef METRIC
	METRICS
};

/* What may be decided in more than one way; counter_rules says how we do. */
struct counter_rules {
	/* The capture has what the metric needs. */
	bool (*exists)(enum metric m, const struct metric_facts *f);
	bool unrecorded_is_0;    /* a counter that the device never recorded; else it is unknown */
	bool unknown_loss_is_0;  /* of requests whose grants are unknown */
	bool infinite_loss_is_0; /* more was granted, and nothing requested */
	bool loss_may_be_negative; /* more was granted than requested */
	bool recorded_ports_count; /* for contention, and those must be known; else the known ones do */
	bool overlap_is_factor;   /* else percent */
	bool first_packer_counts; /* imbalance is unknown where it is */
	bool srcb_by_writes;      /* by the counter of writes; else that of its port */
	bool first_sample_counts; /* of a counter that a core recorded twice; else the last */
	bool cores_by_place;      /* else by their first samples */
	bool grid_is_average; /* over cores that recorded; else over all compute cores and the op's time */
	bool late_are_hidden;         /* metrics that were added later */
	bool nameless_ops_are_hidden; /* samples of no run id, where statistics are printed */
};

/* What a device's samples say as a whole. */
struct metric_facts {
	const struct counter_rules *rules;
	const int32_t
		*by_type; /* index of a counter among the cells below, -1: it does not occur */
	bool occurs[COUNTER_TYPES];
	double total[COUNTER_TYPES];
	bool unpacker_grants; /* the unpacker's grant counter counts */
};

/* A counter of a core, and what it counts against; NAN without. */
struct counter_cell {
	double value, reference;
};

struct metric_core {
	const struct counter_cell *cell;
	const struct metric_facts *facts;
};

struct metric_info {
	const char *name;
	bool rate, late;
};
extern const struct metric_info metric_info[METRICS];

/* NAN when a counter is missing or a divisor is 0. */
double metric_value(enum metric m, const struct metric_core *k);
/* Its counter stayed at 0 all the time, or is wired to nothing, as some are on Blackhole. */
bool metric_is_dead(enum metric m, const struct metric_facts *f);
/* All of its counters occur. */
bool metric_needs_are_met(enum metric m, const struct metric_facts *f);
/* Granted share of the unpacker's requests. */
double metric_grant_ratio(const struct metric_core *k);

#endif /* TTP_MARKERS_COUNTERS_COUNTER_METRICS_H */
