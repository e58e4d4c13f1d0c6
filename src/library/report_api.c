// SPDX-License-Identifier: Apache-2.0
/* ttp/report.h: the verdict and the findings of `ttprof report`. */
#include <stdlib.h>
#include <string.h>

#include "library/library.h"
#include "report/report.h"

struct ttprof_report {
	struct report_options options;
	struct report report;
	struct arena texts;
	struct buf json;
};

static const char *copy(struct ttprof_report *r, const char *s)
{
	return s ? arena_dup(&r->texts, s, strlen(s)) : NULL;
}

struct ttprof_report *ttprof_report_make(struct ttprof_run *run,
					 const struct ttprof_report_options *o,
					 struct ttprof_error *to)
{
	const struct ops_table *t = NULL;
	const struct host_gaps *gaps;
	struct ttprof_report *r;
	struct ttp_err e = { 0 };

	if (!run)
		return NULL;
	t = library_ops(run, &e);
	if (!t && !e.rc)
		(void)ttp_fail(&e, TTP_USAGE, "the run has no ops");
	library_error(to, &e);
	if (!t)
		return NULL;
	r = mem_zero(1, sizeof(*r));
	gaps = run_host_gaps(&run->run, &e);
	r->options = (struct report_options){ .calls = { .host = gaps },
					      .each = true,
					      .sort = FIELD_ID };
	if (o) {
		r->options.calls.start_signpost = copy(r, o->start_signpost);
		r->options.calls.end_signpost = copy(r, o->end_signpost);
		r->options.calls.whole_file = o->whole_run;
	}
	report_make(&r->report, t, &r->options);
	return r;
}

void ttprof_report_free(struct ttprof_report *r)
{
	if (!r)
		return;
	report_release(&r->report);
	arena_release(&r->texts);
	buf_release(&r->json);
	free(r);
}

struct account *library_report_account(struct ttprof_report *r)
{
	return &r->report.calls.account;
}

bool ttprof_report_totals(const struct ttprof_report *r, struct ttprof_totals *out)
{
	static const char *const verdicts[] = {
		[VERDICT_NOTHING] = "nothing",
		[VERDICT_DEVICE] = "device-bound",
		[VERDICT_HOST] = "host-bound",
		[VERDICT_BUILD] = "building",
		[VERDICT_DISPATCH] = "dispatch-bound",
	};
	const struct totals *t;

	if (!r || !out)
		return false;
	t = &r->report.findings.totals;
	*out = (struct ttprof_totals){ .device_ns = t->device_ns,
				       .host_ns = t->host_ns,
				       .gap_ns = t->gap_ns,
				       .build_gap_ns = t->build_gap_ns,
				       .ops = report_ops(&r->report),
				       .verdict = verdicts[verdict_of(t)] };
	return true;
}

bool ttprof_report_finding(const struct ttprof_report *r, size_t i, struct ttprof_finding *out)
{
	const struct finding *f;

	if (!r || !out || i >= r->report.findings.all.len)
		return false;
	f = &r->report.findings.all.at[i];
	*out = (struct ttprof_finding){ .what = finding_name(f->what),
					.text = f->text ? f->text : "",
					.advice = f->advice ? f->advice : "",
					.saves_ns = f->saves_ns,
					.time_ns = f->time_ns,
					.calls = f->calls,
					.id = f->id };
	return true;
}

const char *ttprof_report_json(struct ttprof_report *r)
{
	if (!r)
		return "";
	if (!r->json.len)
		report_json_head(&r->report, &r->json);
	return r->json.at;
}
