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

/* What a device's samples say as a whole. */
struct metric_facts {
	enum counter_way way;
	const int32_t *by_type; /* index of a counter in the arrays below, -1: it does not occur */
	bool occurs[COUNTER_TYPES];
	double total[COUNTER_TYPES];
	bool unpacker_grants; /* the unpacker's grant counter counts */
};

struct metric_core {
	const double *value, *reference;
	const struct metric_facts *facts;
};

enum metric {
#define METRIC(name, unit, when, needs, expression) METRIC_AT(__LINE__),
#define METRIC_AT(line)                             METRIC_AT_(line)
#define METRIC_AT_(line)                            METRIC_LINE_##line
#include "markers/counters/counter_metrics.def"
#undef METRIC
	METRICS
};

struct metric_info {
	const char *name;
	bool rate, late;
};
extern const struct metric_info metric_info[METRICS];

/* NAN when a counter is missing or a divisor is 0. */
double metric_value(enum metric m, const struct metric_core *k);
/* The capture has what the metric needs. */
bool metric_exists(enum metric m, const struct metric_facts *f);
/* Its counter stayed at 0 all the time, or is wired to nothing, as some are on Blackhole. */
bool metric_is_dead(enum metric m, const struct metric_facts *f);
/* All of its counters occur. */
bool metric_needs_are_met(enum metric m, const struct metric_facts *f);
/* The original shows it (frozen: markers/counters/counter_metrics_original.c). */
bool metric_exists_original(enum metric m, const struct metric_facts *f);
/* Granted share of the unpacker's requests. */
double metric_grant_ratio(const struct metric_core *k);

#endif /* TTP_MARKERS_COUNTERS_COUNTER_METRICS_H */
