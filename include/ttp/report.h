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
	const char *start_signpost,
		*end_signpost; /* NULL: the part after the last signpost, or the steady one */
	bool whole_run;
};

struct ttprof_totals {
	double device_ns, host_ns;
	double gap_ns;       /* between ops */
	double build_gap_ns; /* of these before programs that were built */
	uint64_t ops;
	const char *
		verdict; /* "device-bound", "host-bound", "dispatch-bound", "building", "nothing" */
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

/* ---- calls: what the report says of each op of the part, in the order of the run ---- */

TTP_API size_t ttprof_report_calls(const struct ttprof_report *report);
/* What it can say, named as in `ttprof report --json`; false behind the last. */
TTP_API bool ttprof_report_field_info(size_t field, struct ttprof_column *info);
/* False: nothing to say, or it is of the other kind.  The text is good until the next call. */
TTP_API bool ttprof_report_number(struct ttprof_report *report, size_t field, size_t call,
				  double *number);
TTP_API bool ttprof_report_text(struct ttprof_report *report, size_t field, size_t call,
				const char **text);

/* What kind of call it is, and the time since the op before it with what that is made of. */
struct ttprof_gap {
	uint32_t id;        /* of the call, as `ttprof report --id` takes it */
	bool marker;        /* an op of the profiler, not of the model */
	bool built;         /* its program was built before it */
	bool partial;       /* some of its times are missing */
	double gap_ns;      /* 0: none, or not measured */
	double own_ns;      /* the program's: what reports count */
	double build_ns;    /* in which programs were built */
	double profiler_ns; /* that the profiler took for itself */
	bool pause;         /* apart from all others: counted by itself */
	const char *zone; /* of the host, that covers most of it; "": none, or there is no trace */
};

/* False behind the last call. */
TTP_API bool ttprof_report_gap(struct ttprof_report *report, size_t call, struct ttprof_gap *gap);

/* What `ttprof report --json` prints, without its "ops", in one line; "" for a NULL report. */
TTP_API const char *ttprof_report_json(struct ttprof_report *report);

#ifdef __cplusplus
}
#endif

#endif /* TTP_REPORT_H */
