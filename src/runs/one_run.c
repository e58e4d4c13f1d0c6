// SPDX-License-Identifier: Apache-2.0
#include "runs/one_run.h"
#include "runs/run_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/input.h"
#include "base/json.h"
#include "base/paths.h"
#include "wire/run_names.h"

enum { FAR_APART_S = 3600 }; /* reports of hosts of one run are made within that */

struct run_facts {
	struct buf host;
	int64_t began_s, ended_s; /* 0: not known */
};

static void read_facts(const char *report, struct run_facts *f)
{
	SCOPED(buf) struct buf path = { 0 };
	size_t slash = str_rfind_char(str_of(report), '/');
	struct json_reader r;
	struct ttp_err e;
	struct input in;

	if (slash == STR_NONE)
		buf_char(&path, '.');
	else
		buf_str(&path, str_head(str_of(report), slash));
	buf_text(&path, "/" RUN_JSON);
	if (access(path.at, R_OK) || input_is_odd(path.at, NULL) || input_open(&in, path.at, &e))
		return;
	r = json_reader_of(in.data);
	for (enum json_event ev; (ev = json_next(&r)) > JSON_END;) {
		bool host, began, ended;
		double s;

		if (ev != JSON_KEY || r.nest.depth != 1)
			continue;
		host = json_text_is(&r, STR("host"));
		began = json_text_is(&r, STR("began_s"));
		ended = json_text_is(&r, STR("ended_s"));
		if (!host && !began && !ended)
			continue;
		ev = json_next(&r);
		if (host && ev == JSON_STRING)
			json_unescape(&r, &f->host);
		else if (!host && ev == JSON_NUMBER && json_double(&r, &s) && s > 0 && s < 1e15)
			*(began ? &f->began_s : &f->ended_s) = (int64_t)s;
	}
	input_close(&in);
}

/* "ops_perf_results_2026_11_18_10_24_22.csv"; 0 without a date. */
static int64_t date_of(const char *report)
{
	struct str name = path_name(report);
	SCOPED(buf) struct buf b = { 0 };
	struct tm at = { .tm_isdst = -1 };

	for (size_t i = 0; i + 19 <= name.len; i++) {
		buf_set_str(&b, str_head(str_from(name, i), 19));
		if (sscanf(b.at, "%4d_%2d_%2d_%2d_%2d_%2d", &at.tm_year, &at.tm_mon,
			   &at.tm_mday, // NOLINT(cert-err34-c)
			   &at.tm_hour, &at.tm_min, &at.tm_sec) == 6 &&
		    at.tm_year > 2000) {
			at.tm_year -= 1900;
			at.tm_mon--;
			return (int64_t)mktime(&at);
		}
	}
	return 0;
}

/* False with `why` if something says that they are not. */
static bool may_be_one(const char *report, const char *other, struct buf *why)
{
	struct run_facts a = { 0 }, b = { 0 };
	int64_t date_a = date_of(report), date_b = date_of(other);
	bool may = false;

	read_facts(report, &a);
	read_facts(other, &b);
	if (path_is_same(report, other))
		buf_text(why, "they are the same file");
	else if (a.host.len && str_eq(buf_view(&a.host), buf_view(&b.host)) &&
		 !run_of_two_ranks(report, other))
		buf_printf(why, "both were recorded on %s", a.host.at);
	else if (a.began_s && b.began_s && a.ended_s && b.ended_s &&
		 (a.ended_s + 1 < b.began_s || b.ended_s + 1 < a.began_s))
		buf_text(why, "one was over before the other began");
	else if (date_a && date_b && llabs(date_a - date_b) > FAR_APART_S)
		buf_text(why, "by their names they were made more than an hour apart");
	else
		may = true;
	RELEASE(buf, &a.host, &b.host);
	return may;
}

enum ttp_rc one_run_check(char *const *runs, const char *const *reports, size_t n,
			  struct ttp_err *e)
{
	SCOPED(buf) struct buf why = { 0 };

	for (size_t i = 1; i < n; i++)
		if (!may_be_one(reports[0], reports[i], &why))
			return ttp_fail(
				e, TTP_USAGE,
				"%.200s and %.200s are not of one run: %.200s; several RUNs are hosts of one run: report each by itself, `ttprof report %.200s`",
				runs[0], runs[i], why.at, runs[i]);
	return TTP_OK;
}
