// SPDX-License-Identifier: Apache-2.0
/*
 * libttprof: what `ttprof report` says of a run: the verdict, and what to fix first.  The rules of ttp/run.h hold.
 *
 *	struct ttprof_report *report = ttprof_report_make(run, NULL, &why);
 *	struct ttprof_finding f;
 *
 *	for (size_t i = 0; ttprof_report_finding(report, i, &f); i++)
 *		printf("%s: saves %.0f us: %s\n", f.text, f.saves_ns / 1000, f.advice);
 *	ttprof_report_free(report);
 */
#ifndef TTP_REPORT_H
#define TTP_REPORT_H

#include <ttp/run.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ttprof_report;

/* All zeros is what `ttprof report` shows without options. */
struct ttprof_report_options {
	const char *start_signpost, *end_signpost; /* NULL: the part after the last signpost, or the steady one */
	bool whole_run;
};

struct ttprof_totals {
	double device_ns, host_ns;
	double gap_ns;       /* between ops */
	double build_gap_ns; /* of these before programs that were built */
	uint64_t ops;
	const char *verdict; /* "device-bound", "host-bound", "dispatch-bound", "building", "nothing" */
};

struct ttprof_finding {
	const char *what;   /* "slow-op", "host-gaps", ... */
	const char *text;   /* a sentence without full stop */
	const char *advice; /* "" without one */
	double saves_ns, time_ns;
	uint32_t calls;
	uint32_t id; /* of the slowest call, as `ttprof report --id` takes it */
};

/* NULL when the run has no ops.  The run must outlive it. */
TTP_API struct ttprof_report *ttprof_report_make(struct ttprof_run *run,
						 const struct ttprof_report_options *options,
						 struct ttprof_error *e);
TTP_API void ttprof_report_free(struct ttprof_report *report);
/* False for a NULL report. */
TTP_API bool ttprof_report_totals(const struct ttprof_report *report, struct ttprof_totals *t);
/* The largest saving first; false behind the last. */
TTP_API bool ttprof_report_finding(const struct ttprof_report *report, size_t i,
				   struct ttprof_finding *f);
/* What `ttprof report --json` prints, without its "ops", in one line; "" for a NULL report. */
TTP_API const char *ttprof_report_json(struct ttprof_report *report);

#ifdef __cplusplus
}
#endif

#endif /* TTP_REPORT_H */
