// SPDX-License-Identifier: Apache-2.0
#include "runs/host_verdict.h"

#include <stdlib.h>

#include "base/paths.h"

static bool is_of_host(const struct host_verdict *v, const struct zone_sum *s)
{
	return str_eq(intern_get(&v->zones.texts, s->where), STR("host"));
}

static int by_own_time(const void *a, const void *b, void *in)
{
	const struct zone_sum *all = in;
	double x = all[*(const uint32_t *)a].self_ns, y = all[*(const uint32_t *)b].self_ns;

	return x > y ? -1 : x < y ? 1 : (*(const uint32_t *)a > *(const uint32_t *)b) ? 1 : -1;
}

double host_percent(const struct host_verdict *v, const struct zone_sum *s)
{
	return v->own_ns > 0 ? 100 * s->self_ns / v->own_ns : 0;
}

/* A name that says where it is says it once. */
void host_function_name(const struct host_verdict *v, const struct zone_sum *s, struct buf *b)
{
	struct str name = intern_get(&v->zones.texts, s->function),
		   at = intern_get(&v->zones.texts, s->at);

	buf_str(b, name);
	if (at.len && !str_ends(name, at) && !str_starts(name, at)) {
		buf_char(b, ' ');
		buf_str(b, at);
	}
}

static void make_headline(struct host_verdict *v, const struct run *run)
{
	const char *why = run->parts.ops.len ? "no device was profiled" : "no op was run";
	const struct zone_sum *first;

	if (!v->functions.len || v->own_ns <= 0) {
		buf_printf(&v->headline, "%s, and no zone took any time", why);
		return;
	}
	first = &v->zones.all.at[v->functions.at[0]];
	buf_printf(&v->headline, "%s: a profile of the host; ", why);
	host_function_name(v, first, &v->headline);
	buf_printf(&v->headline, " takes most, %.0f %% of the time in zones by itself",
		   host_percent(v, first));
}

enum ttp_rc host_verdict_make(struct host_verdict *v, struct run *run, struct ttp_err *e)
{
	struct trace t;
	enum ttp_rc rc;

	*v = (struct host_verdict){ .source = path_name(run->parts.trace.at) };
	TTP_TRY(run_trace(run, &t, e));
	rc = zone_sums_of_trace(&v->zones, &t, e);
	v->span_ns = t.last_ns;
	run_trace_close(run, &t);
	if (rc)
		return rc;
	for (uint32_t i = 0; i < v->zones.all.len; i++)
		if (is_of_host(v, &v->zones.all.at[i])) {
			v->own_ns += v->zones.all.at[i].self_ns;
			*vec_push(&v->functions) = i;
		}
	vec_sort_in(&v->functions, by_own_time, v->zones.all.at);
	if (v->functions.len > HOST_FUNCTIONS)
		v->functions.len = HOST_FUNCTIONS;
	make_headline(v, run);
	return TTP_OK;
}

void host_verdict_release(struct host_verdict *v)
{
	zone_sums_release(&v->zones);
	vec_release(&v->functions);
	buf_release(&v->headline);
}

void host_verdict_json(const struct host_verdict *v, struct json_writer *w)
{
	json_open_object(w);
	json_put_text(w, "schema", STR("ttprof.host/1"));
	json_put_text(w, "source", v->source);
	json_put_text(w, "verdict", STR("host-only"));
	json_put_text(w, "headline", buf_view(&v->headline));
	json_put_number(w, "span_us", (double)v->span_ns / 1e3);
	json_put_array(w, "functions");
	vec_each (i, &v->functions) {
		const struct zone_sum *s = &v->zones.all.at[*i];

		json_open_object(w);
		json_put_text(w, "name", intern_get(&v->zones.texts, s->name));
		json_put_text(w, "function", intern_get(&v->zones.texts, s->function));
		json_put_text(w, "at", intern_get(&v->zones.texts, s->at));
		json_put_count(w, "calls", s->calls);
		json_put_number(w, "self_us", s->self_ns / 1e3);
		json_put_number(w, "total_us", s->total_ns / 1e3);
		json_put_number(w, "percent", host_percent(v, s));
		json_close_object(w);
	}
	json_close_array(w);
	json_close_object(w);
}
