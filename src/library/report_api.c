// SPDX-License-Identifier: Apache-2.0
/* ttp/report.h: the verdict and the findings of `ttprof report`. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "library/library.h"
#include "report/report.h"

struct ttprof_report {
	struct report_options options;
	struct report report;
	struct arena texts;
	struct buf json, text, zone;
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
	buf_release(&r->text);
	buf_release(&r->zone);
	free(r);
}

struct account *library_report_account(struct ttprof_report *r)
{
	return &r->report.calls.account;
}

bool ttprof_report_totals(const struct ttprof_report *r, struct ttprof_totals *out)
{
	static const char *const verdicts[] = {
		[VERDICT_NOTHING] = "nothing",         [VERDICT_DEVICE] = "device-bound",
		[VERDICT_HOST] = "host-bound",         [VERDICT_BUILD] = "building",
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

/* ---- calls ---- */

static const struct call *call_at(const struct ttprof_report *r, size_t call)
{
	return r && call < r->report.calls.all.len ? &r->report.calls.all.at[call] : NULL;
}

size_t ttprof_report_calls(const struct ttprof_report *r)
{
	return r ? r->report.calls.all.len : 0;
}

enum { KEY_BYTES = 32 };
static char keys[FIELDS][KEY_BYTES];
static pthread_once_t keys_once = PTHREAD_ONCE_INIT;

static void make_keys(void)
{
	SCOPED(buf) struct buf key = { 0 };

	for (int i = 0; i < FIELDS; i++) {
		buf_clear(&key);
		report_json_key((enum field)i, &key);
		snprintf(keys[i], KEY_BYTES, "%.*s", (int)key.len, key.at);
	}
}

bool ttprof_report_field_info(size_t field, struct ttprof_column *info)
{
	if (field >= FIELDS || !info)
		return false;
	pthread_once(&keys_once, make_keys);
	*info = (struct ttprof_column){ keys[field], field_info[field].unit,
					field_info[field].decimals == FIELD_TEXT ? TTPROF_TEXT
										 : TTPROF_NUMBER };
	return true;
}

/* Into r->text, or a number. */
static bool value_of(struct ttprof_report *r, size_t field, size_t call, bool is_text,
		     double *number)
{
	const struct call *c = call_at(r, call);

	if (!c || field >= FIELDS || (field_info[field].decimals == FIELD_TEXT) != is_text)
		return false;
	buf_clear(&r->text);
	return report_field(&r->report, c, (enum field)field, &r->text, number);
}

bool ttprof_report_number(struct ttprof_report *r, size_t field, size_t call, double *number)
{
	return number && value_of(r, field, call, false, number);
}

bool ttprof_report_text(struct ttprof_report *r, size_t field, size_t call, const char **text)
{
	double unused;

	if (!text || !value_of(r, field, call, true, &unused))
		return false;
	buf_char(&r->text, 0);
	*text = r->text.at;
	return true;
}

bool ttprof_report_gap(struct ttprof_report *r, size_t call, struct ttprof_gap *gap)
{
	const struct call *c = call_at(r, call);

	if (!c || !gap)
		return false;
	buf_set_str(&r->zone, call_gap_zone(&r->report.calls, c));
	buf_char(&r->zone, 0);
	*gap = (struct ttprof_gap){ .id = c->id,
				    .marker = c->flags & CALL_MARKER,
				    .built = call_builds(c),
				    .partial = c->flags & CALL_PARTIAL,
				    .gap_ns = c->gap_ns,
				    .own_ns = call_own_gap(c),
				    .build_ns = c->build_ns,
				    .profiler_ns = c->profiler_ns,
				    .pause = c->flags & CALL_PAUSE,
				    .zone = r->zone.at };
	return true;
}
