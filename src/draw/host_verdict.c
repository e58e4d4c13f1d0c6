// SPDX-License-Identifier: Apache-2.0
#include "draw/host_verdict.h"

#include <stdlib.h>

#include "base/json.h"
#include "base/order.h"
#include "base/width.h"
#include "report/label.h"

static bool is_of_host(const struct host_verdict *v, const struct zone_sum *s)
{
	return str_eq(intern_get(&v->zones->texts, s->where), STR("host"));
}

static double own_of_all(const struct host_verdict *v)
{
	double ns = 0;

	vec_each (s, &v->zones->all)
		ns += is_of_host(v, s) ? s->self_ns : 0;
	return ns;
}

/* Of the host, the longest own time first; to be freed. */
static struct ranked *in_order(const struct host_verdict *v, size_t *n)
{
	struct ranked *order = mem_alloc(v->zones->all.len + 1, sizeof(*order));

	*n = 0;
	for (uint32_t i = 0; i < v->zones->all.len; i++)
		if (is_of_host(v, &v->zones->all.at[i]))
			order[(*n)++] = (struct ranked){ v->zones->all.at[i].self_ns, i };
	qsort(order, *n, sizeof(*order), order_ranked);
	if (*n > v->most)
		*n = v->most;
	return order;
}

/* A name that says where it is says it once. */
static void add_name(const struct host_verdict *v, const struct zone_sum *s, struct buf *b)
{
	struct str name = intern_get(&v->zones->texts, s->name),
		   at = intern_get(&v->zones->texts, s->at);

	buf_str(b, name);
	if (at.len && !str_ends(name, at)) {
		buf_char(b, ' ');
		buf_str(b, at);
	}
}

static void headline(const struct host_verdict *v, const struct ranked *order, size_t n, double all,
		     struct buf *b)
{
	if (!n || all <= 0) {
		buf_text(b, "no op was run, and no zone took any time");
		return;
	}
	buf_text(b, "no op was run: a profile of the host; ");
	add_name(v, &v->zones->all.at[order[0].number], b);
	buf_printf(b, " takes most, %.0f %% of the time in zones by itself",
		   100 * v->zones->all.at[order[0].number].self_ns / all);
}

void host_verdict_text(const struct host_verdict *v, struct out *to)
{
	SCOPED(buf) struct buf b = { 0 }, line = { 0 };
	double all = own_of_all(v);
	size_t n, wide = v->width > 60 ? v->width - 42 : 20;
	SCOPED(mem) struct ranked *order = in_order(v, &n);

	width_clean(&b, v->source);
	buf_text(&b, " · ");
	label_ns(&b, (double)v->span_ns);
	buf_text(&b, "\n\n");
	headline(v, order, n, all, &line);
	width_clean(&b, buf_view(&line));
	buf_text(&b, "\n\n");
	if (n) {
		width_pad(&b, STR("What takes the time, by own time"), wide, WIDTH_LEFT);
		buf_text(&b, "       own   own %     total     calls\n");
	}
	for (size_t i = 0; i < n; i++) {
		const struct zone_sum *s = &v->zones->all.at[order[i].number];
		SCOPED(buf) struct buf own = { 0 }, total = { 0 }, name = { 0 };

		buf_clear(&line);
		add_name(v, s, &line);
		width_cut(&name, buf_view(&line), wide, true);
		width_pad(&b, buf_view(&name), wide, WIDTH_LEFT);
		label_ns(&own, s->self_ns);
		label_ns(&total, s->total_ns);
		width_pad(&b, buf_view(&own), 10, WIDTH_RIGHT);
		buf_printf(&b, "%8.1f", all > 0 ? 100 * s->self_ns / all : 0);
		width_pad(&b, buf_view(&total), 10, WIDTH_RIGHT);
		buf_printf(&b, "%10llu\n", (unsigned long long)s->calls);
	}
	buf_text(&b, "all zones: ttprof top · over time: ttprof timeline, ttprof view\n");
	out_buf(to, &b);
}

void host_verdict_json(const struct host_verdict *v, struct out *to)
{
	SCOPED(buf) struct buf b = { 0 }, line = { 0 };
	struct json_writer w = { .to = &b, .pretty = true };
	double all = own_of_all(v);
	size_t n;
	SCOPED(mem) struct ranked *order = in_order(v, &n);

	headline(v, order, n, all, &line);
	json_open_object(&w);
	json_put_text(&w, "schema", STR("ttprof.host/1"));
	json_put_text(&w, "source", v->source);
	json_put_text(&w, "verdict", STR("host-only"));
	json_put_text(&w, "headline", buf_view(&line));
	json_put_number(&w, "span_us", (double)v->span_ns / 1e3);
	json_put_array(&w, "functions");
	for (size_t i = 0; i < n; i++) {
		const struct zone_sum *s = &v->zones->all.at[order[i].number];

		json_open_object(&w);
		json_put_text(&w, "name", intern_get(&v->zones->texts, s->name));
		json_put_text(&w, "at", intern_get(&v->zones->texts, s->at));
		json_put_count(&w, "calls", s->calls);
		json_put_number(&w, "self_us", s->self_ns / 1e3);
		json_put_number(&w, "total_us", s->total_ns / 1e3);
		json_put_number(&w, "percent", all > 0 ? 100 * s->self_ns / all : 0);
		json_close_object(&w);
	}
	json_close_array(&w);
	json_close_object(&w);
	buf_char(&b, '\n');
	out_buf(to, &b);
}
