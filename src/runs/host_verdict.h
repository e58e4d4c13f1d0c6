// SPDX-License-Identifier: Apache-2.0
/*
 * The answer for a run without ops, such as a Python program without a device: which functions take the time, by their own time.
 * Terminal (draw/host_verdict_text.h), JSON and page show what is worked out here.
 */
#ifndef TTP_RUNS_HOST_VERDICT_H
#define TTP_RUNS_HOST_VERDICT_H

#include "base/json.h"
#include "runs/run.h"
#include "runs/zone_sums.h"

enum { HOST_FUNCTIONS = 15 };

struct host_verdict {
	struct str source; /* the trace's name */
	int64_t span_ns;   /* of the trace */
	struct zone_sums zones;
	VEC(uint32_t)
	functions;     /* of zones.all: the longest own time first, HOST_FUNCTIONS at most */
	double own_ns; /* of all zones of the host */
	struct buf headline;
};

/* Reads the run's trace.  To be released whatever it returns. */
enum ttp_rc host_verdict_make(struct host_verdict *v, struct run *run,
			      struct ttp_err *e) TTP_CHECKED;
void host_verdict_release(struct host_verdict *v);

/* Share of the time in zones that a function has by itself. */
double host_percent(const struct host_verdict *v, const struct zone_sum *s);
/* "Model.forward model.py:12" */
void host_function_name(const struct host_verdict *v, const struct zone_sum *s, struct buf *b);
/* docs/reference/formats/report-json.md has the object. */
void host_verdict_json(const struct host_verdict *v, struct json_writer *w);

#endif /* TTP_RUNS_HOST_VERDICT_H */
