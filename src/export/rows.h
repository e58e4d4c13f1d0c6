// SPDX-License-Identifier: Apache-2.0
/* What was collected from a trace for an export, and how a style writes it. */
#ifndef TTP_EXPORT_ROWS_H
#define TTP_EXPORT_ROWS_H

#include "export/csv_export.h"
#include "export/zone_table.h"

struct export_memory {
	uint32_t process, pool;
	int64_t time_ns;
	int64_t change;
};

/* A message, whose text is in the log. */
struct export_message {
	int64_t time_ns;
	uint64_t at;
};

struct export_data {
	struct zone_table zones; /* first: see csv_export.c */
	struct trace *t;
	const struct export_request *q;
	VEC(struct export_message) messages;
	struct spill_log message_log; /* of the table's store: track, length, text */
	VEC(struct zone_plot_point) points;
	VEC(struct export_memory) memory;
	VEC(uint32_t) order; /* source locations that are shown */
	struct out *to;
	struct buf line;
};

/* Keeps lines together until there is enough to write. */
void line_flush(struct export_data *d, bool all);

void ours_write(struct export_data *d);

/* Messages by time. */
struct message_rows {
	struct export_data *d;
	struct spill_reader r;
	size_t next;
};
void message_rows_of(struct message_rows *i, struct export_data *d);
bool message_rows_next(struct message_rows *i, struct zone_message *m);
void message_rows_end(struct message_rows *i);

/* The percentile q->percentile between the two nearest times, and the mean of everything up to it. */
void truncated_mean(struct export_data *d, const struct zone_place *p, int64_t out[2]);

typedef void memory_point_fn(void *ctx, const struct export_memory *m, int64_t ns, double v);
/* Points of memory in use over time, pool by pool, sorted; calls back for each. */
void memory_plots(struct export_data *d, bool started_with_zero, memory_point_fn *point, void *ctx);

#endif /* TTP_EXPORT_ROWS_H */
