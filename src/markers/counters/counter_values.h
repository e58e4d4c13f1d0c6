// SPDX-License-Identifier: Apache-2.0
/*
 * Hardware counters: samples of markers with timer id 9090 become metrics per op, as minimum, median,
 * maximum and average over its cores.  Metrics are listed in markers/counters/counter_metrics.def.
 *
 * A metric exists when its counters occur in the capture.
 */
#ifndef TTP_MARKERS_COUNTERS_COUNTER_VALUES_H
#define TTP_MARKERS_COUNTERS_COUNTER_VALUES_H

#include "base/out.h"
#include "markers/op_times.h"

struct counter_table;
struct counter_rules; /* counter_metrics.h */
extern const struct counter_rules counter_rules;

/*
 * Of all devices; NULL when there is no sample.  Sorts the spans of `t`, which must outlive the table, as must the
 * text of the log.
 */
struct counter_table *counter_table_new(struct op_times *t, const struct counter_rules *rules,
					int64_t compute_cores);
void counter_table_free(struct counter_table *t);

/* Columns that the report gets, in order. */
size_t counter_columns(const struct counter_table *t);
struct str counter_column(const struct counter_table *t, size_t i);
bool counter_is_of_grid(const struct counter_table *t, size_t i);
/*
 * Of a column for the run of an op; false when the device has no counters, NAN when the op has none.
 * `kernel_cycles` 0: not known.
 */
bool counter_value(struct counter_table *t, size_t column, uint32_t device, uint64_t run_id,
		   int64_t session, int64_t kernel_cycles, double *value);

/* What the originals print about a device: raw values, then metrics over `ops` ops. */
void counter_print(struct counter_table *t, uint32_t device, size_t ops, struct out *to);

/* Ops that a device ran, and those of them that have counters. */
size_t counter_ops_of(const struct op_times *t, uint32_t device);
size_t counter_ops_counted(const struct counter_table *t, uint32_t device);

#endif /* TTP_MARKERS_COUNTERS_COUNTER_VALUES_H */
