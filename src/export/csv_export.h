// SPDX-License-Identifier: Apache-2.0
/* Zones, messages, device zones and plots of a trace as CSV or JSON. */
#ifndef TTP_EXPORT_CSV_EXPORT_H
#define TTP_EXPORT_CSV_EXPORT_H

#include "base/out.h"
#include "trace/trace.h"

/* Plots alone are ours; csvexport has them beside zones (export_request.plots). */
enum export_what { EXPORT_SUMMARY, EXPORT_ZONES, EXPORT_MESSAGES, EXPORT_DEVICE, EXPORT_PLOTS };
/* Columns, order and quoting of another program: src/compat has those. */
struct export_data;
struct export_style {
	const char *whose;
	void (*write[EXPORT_PLOTS])(struct export_data *d); /* by what is asked for */
};

struct export_request {
	const struct export_style *style; /* NULL: ours */
	enum export_what what;
	bool self, case_sensitive, plots, json;
	bool terminal; /* control characters are shown as ? */
	const char *filter, *separator;
	const char *specials, *parent;
	int percentile; /* of the truncated mean; 0: none */
	/* A zone has its own texts, or none; csvexport repeats those of the zone before, which puts calls outside of any op into the last one.
	 * And zones that took less than a step of the clock are there, too, which it skips. */
	bool own_texts;
};

/* Reads `t`, which was opened just now, and writes all. */
enum ttp_rc export_csv(struct trace *t, const struct export_request *q, struct out *to,
		       struct ttp_err *e) TTP_CHECKED;

/* The same in two steps, for who reads the trace for others, too: `sink` is for trace_read(); then all is written, and in any case freed.  With
 * q->parent, `t` knows its names before it is read. */
struct export_data *export_new(struct trace *t, const struct export_request *q,
			       struct trace_sink *sink);
enum ttp_rc export_write(struct export_data *d, struct out *to, struct ttp_err *e) TTP_CHECKED;
void export_free(struct export_data *d);

#endif /* TTP_EXPORT_CSV_EXPORT_H */
