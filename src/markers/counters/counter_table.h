// SPDX-License-Identifier: Apache-2.0
/* How a table of counters is made: for markers/counters/counter_values.c and markers/counters/counter_print.c only. */
#ifndef TTP_MARKERS_COUNTERS_COUNTER_TABLE_H
#define TTP_MARKERS_COUNTERS_COUNTER_TABLE_H

#include "markers/counters/counter_metrics.h"

enum { STATS = 4 }; /* min, median, max, average */

/* One counter over the ops of a device, each by its own statistics over cores. */
struct raw_counter {
	double low, high, sum_of_averages;
	VEC(double) medians;
};

struct counted_device {
	uint32_t device;
	size_t first, spans; /* of the op_times' sorted spans */
	size_t ops;
	struct metric_facts facts;
	VEC(struct raw_counter) raw; /* per counter of `shown` */
};

/* The counters of one op: a row of values per core. */
struct loaded_op {
	size_t cores, names;
	VEC(struct counter_cell) all;
};

/* What is worked out of them. */
struct op_metrics {
	double stat[METRICS * STATS];
	double sum[3]; /* values of SFPU, FPU and MATH over all cores; NAN without */
};

struct counter_column {
	uint16_t metric;
	uint8_t stat;
	bool full_grid;
	struct buf name;
};

struct counter_table {
	const struct counter_rules *rules;
	int64_t compute_cores;
	const struct op_times *times;
	struct intern shown;            /* names of counters that occur */
	int32_t by_type[COUNTER_TYPES]; /* number among them, -1 */
	VEC(struct counted_device) devices;
	VEC(struct counter_column) columns;
	/* the op that was asked for last: cells of a row are asked for one after the other */
	struct loaded_op op;
	struct op_metrics metrics;
	VEC(double) of_cores;  /* one metric */
	VEC(uint32_t) in_turn; /* counters in the order in which the last core recorded them */
	size_t last;           /* first span of that op; SIZE_MAX: none */
};

double counter_median(double *v, size_t n);
/* Metrics of the op whose spans start there. */
const struct op_metrics *counter_metrics_of(struct counter_table *t, const struct counted_device *d,
					    size_t first);

#endif /* TTP_MARKERS_COUNTERS_COUNTER_TABLE_H */
