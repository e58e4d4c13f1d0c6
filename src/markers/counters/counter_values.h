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

/*
 * Samples of hardware counters, read from the meta data of their markers when they are wanted.  What is kept
 * of a core's samples is where they stand in the log (struct counter_span), so memory does not grow with the
 * number of counters.
 */
/* One counter of one core, as recorded: {"counter type":"FPU_COUNTER";"ref cnt":9000;"value":17} */
struct counter_sample {
	struct str name;         /* empty when the type is a number */
	double type;             /* that number; 0 when nothing is recorded */
	double value, reference; /* 0 when not recorded */
};

/* A sample with these meta data; false when they can't be read. */
bool counter_sample_read(struct str meta, struct counter_sample *out);
/* The next sample of a span, whose text is `*rest`, inside of its log; false at its end.  What can't be read is passed over. */
bool counter_sample_next(struct str *rest, struct counter_sample *out);

/* Whether a sample with these meta data directly follows the span in the log. */
bool counter_span_goes_on(const struct counter_span *s, struct str meta);

/*
 * Brings spans together by device, run id, replay and core.  Cores of a run follow in the order of their first
 * samples, or of their coordinates.
 */
void counter_spans_sort(struct op_times *t, bool by_place);
/* Spans from `first` on that are of the same run; of the same run and core. */
size_t counter_spans_of_run(const struct op_times *t, size_t first);
size_t counter_spans_of_core(const struct op_times *t, size_t first);
/* The first span of a run in sorted spans; SIZE_MAX without. */
size_t counter_spans_find(const struct op_times *t, uint32_t device, uint64_t run_id,
			  int64_t session);

#endif /* TTP_MARKERS_COUNTERS_COUNTER_VALUES_H */
