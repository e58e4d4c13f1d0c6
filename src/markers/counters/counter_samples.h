// SPDX-License-Identifier: Apache-2.0
/*
 * Samples of hardware counters, read from the meta data of their markers when they are wanted.  What is kept
 * of a core's samples is where they stand in the log (struct counter_span), so memory does not grow with the
 * number of counters.
 */
#ifndef TTP_MARKERS_COUNTERS_COUNTER_SAMPLES_H
#define TTP_MARKERS_COUNTERS_COUNTER_SAMPLES_H

#include "markers/op_times.h"

/* One counter of one core, as recorded: {"counter type":"FPU_COUNTER";"ref cnt":9000;"value":17} */
struct counter_sample {
	struct str name;         /* empty when the type is a number */
	double type;             /* that number; 0 when nothing is recorded */
	double value, reference; /* 0 when not recorded */
};

/* A sample with these meta data; false when they can't be read. */
bool counter_sample_read(struct str meta, struct counter_sample *out);
/* The next sample of a span, whose text is `*rest`; false at its end.  What can't be read is passed over. */
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

#endif /* TTP_MARKERS_COUNTERS_COUNTER_SAMPLES_H */
