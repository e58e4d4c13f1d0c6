// SPDX-License-Identifier: Apache-2.0
#include "draw/top.h"

#include <stdlib.h>

#include "base/json.h"
#include "base/order.h"
#include "base/width.h"
#include "report/label.h"

const char *const top_sort_names[] = { "total", "self", "calls", "mean", "max", NULL };

typedef VEC(struct ranked) ranked_vec;

static size_t take(ranked_vec *order, size_t most, top_numbers *to)
{
	size_t n = order->len;

	vec_sort(order, order_ranked);
	for (size_t i = 0; i < n && (!most || i < most); i++)
		*vec_push(to) = order->at[i].number;
	vec_release(order);
	return n;
}

static bool call_has(const struct top *t, const struct call *call)
{
	SCOPED(buf) struct buf label = { 0 };

	if (!t->filter.len)
		return true;
	label_call(&label, t->ops->table, &t->ops->calls, call);
	return str_has_nocase(buf_view(&label), t->filter);
}

static void rank_ops(struct top *t)
{
	ranked_vec order = { 0 };

	vec_each (i, &t->ops->shown) {
		const struct call *line = &t->ops->lines[*i];

		if (!(line->flags & (CALL_HOST | CALL_UNTIMED)) && call_has(t, line))
			*vec_push(&order) = (struct ranked){ line->time_ns * line->count, *i };
	}
	t->all_lines = take(&order, t->most, &t->lines);
}

ORDER_MOST(longest_gaps_first, struct top_gap, total_ns, call)

/* Like gaps are of the same zone. */
static void add_cover(struct top *t, struct top_gap *gap, const struct host_gap *host)
{
	SCOPED(buf) struct buf clean = { 0 };

	if (!host)
		return;
	gap->host_ns += host->to_ns - host->from_ns;
	gap->cover_ns += host->zone_ns;
	if (gap->cover.len)
		return;
	if (host->zone == HOST_GAP_NONE) {
		gap->cover = STR("no zone");
		return;
	}
	width_clean(&clean, str_head(host_gap_zone(t->ops->calls.host, host), 200));
	gap->cover = str_n(arena_dup(&t->texts, clean.at ? clean.at : "", clean.len), clean.len);
}

static void rank_gaps(struct top *t)
{
	const struct calls *c = &t->ops->calls;
	SCOPED(intern) struct intern labels = { 0 };
	SCOPED(buf) struct buf label = { 0 };

	for (uint32_t i = 0; i < c->all.len; i++) {
		const struct call *call = &c->all.at[i];
		struct top_gap *gap;
		uint32_t n;

		if (call->gap_ns <= 0 || (call->flags & CALL_MARKER && call_own_gap(call) <= 0) ||
		    !call_has(t, call))
			continue;
		buf_clear(&label);
		label_gap(&label, t->ops->table, c, call);
		n = intern_copy(&labels, buf_view(&label));
		if (n == t->gaps.len)
			*vec_push(&t->gaps) = (struct top_gap){ .call = i,
								.building = call_builds(call),
								.pause = call->flags & CALL_PAUSE };
		gap = &t->gaps.at[n];
		add_cover(t, gap, call_host_gap(c, call));
		gap->count++;
		gap->total_ns += call->gap_ns;
		gap->own_ns += report_gap(call);
		if (call->gap_ns > c->all.at[gap->call].gap_ns)
			gap->call = i;
		t->all_gap_ns += report_gap(call);
	}
	vec_sort(&t->gaps, longest_gaps_first);
	t->all_gaps = t->gaps.len;
	if (t->most && t->gaps.len > t->most)
		t->gaps.len = t->most;
}

double zone_rank(const struct zone_sum *z, enum top_sort by)
{
	switch (by) {
	case TOP_BY_SELF:
		return z->self_ns;
	case TOP_BY_CALLS:
		return (double)z->calls;
	case TOP_BY_MEAN:
		return zone_mean_ns(z);
	case TOP_BY_MAX:
		return z->max_ns;
	case TOP_BY_TOTAL:
		break;
	}
	return z->total_ns;
}

static void rank_zones(struct top *t)
{
	ranked_vec order = { 0 };

	for (uint32_t i = 0; i < t->zones->all.len; i++)
		if (str_has_nocase(intern_get(&t->zones->texts, t->zones->all.at[i].name),
				   t->filter))
			*vec_push(&order) =
				(struct ranked){ zone_rank(&t->zones->all.at[i], t->sort), i };
	t->all_rows = take(&order, t->most, &t->rows);
}

void top_make(struct top *t)
{
	if (t->ops && t->what & TOP_OPS)
		rank_ops(t);
	if (t->ops && t->what & TOP_GAPS)
		rank_gaps(t);
	if (t->zones)
		rank_zones(t);
}

void top_release(struct top *t)
{
	RELEASE(vec, &t->lines, &t->gaps, &t->rows);
	arena_release(&t->texts);
}

/* ---- for programs ---- */

static void write_label(struct json_writer *w, const struct report *r, const struct call *call)
{
	SCOPED(buf) struct buf label = { 0 };

	label_call(&label, r->table, &r->calls, call);
	json_put_text(w, "op", buf_view(&label));
}

static void write_ops(const struct top *t, struct json_writer *w, struct out *out)
{
	const struct report *r = t->ops;

	json_put_number(w, "device_ns", r->findings.totals.device_ns);
	json_put_number(w, "gap_ns", totals_gap(&r->findings.totals));
	json_put_number(w, "build_gap_ns", r->findings.totals.build_gap_ns);
	json_put_number(w, "profiler_ns", totals_profiler(&r->findings.totals));
	json_put_number(w, "pause_ns", r->findings.totals.pause_ns);
	json_put_array(w, "ops");
	vec_each (i, &t->lines) {
		const struct call *line = &r->lines[*i];

		json_open_object(w);
		json_put_count(w, "id", line->id);
		write_label(w, r, line);
		json_put_count(w, "calls", line->count);
		json_put_number(w, "total_ns", line->time_ns * line->count);
		json_put_number(w, "mean_ns", line->time_ns);
		json_put_number(w, "share_percent",
				r->findings.totals.device_ns > 0
					? 100 * line->time_ns * line->count /
						  r->findings.totals.device_ns
					: 0);
		json_put_text(w, "bound", str_of(call_bound(&r->calls, line)));
		json_close_object(w);
		out_buf(out, w->to);
	}
	json_close_array(w);
	json_put_array(w, "gaps");
	vec_each (gap, &t->gaps) {
		const struct call *call = &r->calls.all.at[gap->call];

		json_open_object(w);
		json_put_count(w, "before_id", call->id);
		write_label(w, r, call);
		JSON_MEMBERS(w, gap, count, total_ns, own_ns);
		json_put_number(w, "max_ns", call->gap_ns);
		json_put_bool(w, "building", gap->building);
		if (gap->pause)
			json_put_bool(w, "pause", true);
		if (gap->cover_ns > 0) {
			json_put_text(w, "host_zone", gap->cover);
			json_put_number(w, "host_zone_ns", gap->cover_ns);
			json_put_number(w, "host_ns", gap->host_ns);
		}
		json_close_object(w);
		out_buf(out, w->to);
	}
	json_close_array(w);
}

static void write_zones(const struct top *t, struct json_writer *w, struct out *out)
{
	json_put_array(w, "zones");
	vec_each (i, &t->rows) {
		const struct zone_sum *z = &t->zones->all.at[*i];

		json_open_object(w);
		json_put_text(w, "name", intern_get(&t->zones->texts, z->name));
		json_put_text(w, "where", intern_get(&t->zones->texts, z->where));
		JSON_MEMBERS(w, z, calls, total_ns, self_ns);
		json_put_number(w, "mean_ns", zone_mean_ns(z));
		json_put_number(w, "max_ns", z->max_ns);
		json_close_object(w);
		out_buf(out, w->to);
	}
	json_close_array(w);
	json_put_count(w, "unpaired_zones", t->zones->unpaired);
}

void top_json(const struct top *t, const struct run *run, struct out *out)
{
	SCOPED(buf) struct buf b = { 0 };
	struct json_writer w = { .to = &b, .pretty = true };

	json_open_object(&w);
	json_put_text(&w, "source", t->source);
	run_notes_json(run, &w);
	if (t->ops)
		write_ops(t, &w, out);
	if (t->zones)
		write_zones(t, &w, out);
	json_close_object(&w);
	buf_char(&b, '\n');
	out_buf(out, &b);
}
