// SPDX-License-Identifier: Apache-2.0
#include "draw/top.h"

#include <stdlib.h>

#include "base/json.h"
#include "base/width.h"
#include "report/label.h"

const char *const top_sort_names[] = { "total", "self", "calls", "mean", "max", NULL };

struct ranked {
	double value;
	uint32_t number;
};

static int largest_first(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->value < y->value || x->value > y->value)
		return x->value < y->value ? 1 : -1;
	return (x->number > y->number) - (x->number < y->number);
}

typedef VEC(struct ranked) ranked_vec;

static size_t take(ranked_vec *order, size_t most, top_numbers *to)
{
	size_t n = order->len;

	if (n)
		qsort(order->at, n, sizeof(*order->at), largest_first);
	for (size_t i = 0; i < n && (!most || i < most); i++)
		*vec_push(to) = order->at[i].number;
	vec_release(order);
	return n;
}

static bool call_has(const struct top *t, const struct call *call)
{
	struct buf label = { 0 };
	bool has;

	if (!t->filter.len)
		return true;
	label_call(&label, t->ops->table, &t->ops->calls, call);
	has = str_has_nocase(buf_view(&label), t->filter);
	buf_release(&label);
	return has;
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

static int longest_gaps_first(const void *a, const void *b)
{
	const struct top_gap *x = a, *y = b;

	if (x->total_ns < y->total_ns || x->total_ns > y->total_ns)
		return x->total_ns < y->total_ns ? 1 : -1;
	return (x->call > y->call) - (x->call < y->call);
}

static void rank_gaps(struct top *t)
{
	const struct calls *c = &t->ops->calls;
	struct intern labels = { 0 };
	struct buf label = { 0 };

	for (uint32_t i = 0; i < c->all.len; i++) {
		const struct call *call = &c->all.at[i];
		struct top_gap *gap;
		uint32_t n;

		if (call->gap_ns <= 0 || !call_has(t, call))
			continue;
		buf_clear(&label);
		label_gap(&label, t->ops->table, c, call);
		n = intern_copy(&labels, buf_view(&label));
		if (n == t->gaps.len)
			*vec_push(&t->gaps) =
				(struct top_gap){ .call = i, .building = call_builds(call) };
		gap = &t->gaps.at[n];
		gap->count++;
		gap->total_ns += call->gap_ns;
		if (call->gap_ns > c->all.at[gap->call].gap_ns)
			gap->call = i;
		t->all_gap_ns += report_gap(call);
	}
	if (t->gaps.len)
		qsort(t->gaps.at, t->gaps.len, sizeof(*t->gaps.at), longest_gaps_first);
	t->all_gaps = t->gaps.len;
	if (t->most && t->gaps.len > t->most)
		t->gaps.len = t->most;
	buf_release(&label);
	intern_release(&labels);
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
	vec_release(&t->lines);
	vec_release(&t->gaps);
	vec_release(&t->rows);
	arena_release(&t->texts);
}

/* ---- for programs ---- */

static void write_label(struct json_writer *w, const struct report *r, const struct call *call)
{
	struct buf label = { 0 };

	label_call(&label, r->table, &r->calls, call);
	json_put_text(w, "op", buf_view(&label));
	buf_release(&label);
}

static void write_ops(const struct top *t, struct json_writer *w, struct out *out)
{
	const struct report *r = t->ops;

	json_put_number(w, "device_ns", r->findings.totals.device_ns);
	json_put_number(w, "gap_ns", r->findings.totals.gap_ns);
	json_put_number(w, "build_gap_ns", r->findings.totals.build_gap_ns);
	json_write_key(w, STR("ops"));
	json_open_array(w);
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
	json_write_key(w, STR("gaps"));
	json_open_array(w);
	vec_each (gap, &t->gaps) {
		const struct call *call = &r->calls.all.at[gap->call];

		json_open_object(w);
		json_put_count(w, "before_id", call->id);
		write_label(w, r, call);
		json_put_count(w, "count", gap->count);
		json_put_number(w, "total_ns", gap->total_ns);
		json_put_number(w, "max_ns", call->gap_ns);
		json_write_key(w, STR("building"));
		json_write_bool(w, gap->building);
		if (gap->cover.len) {
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
	json_write_key(w, STR("zones"));
	json_open_array(w);
	vec_each (i, &t->rows) {
		const struct zone_sum *z = &t->zones->all.at[*i];

		json_open_object(w);
		json_put_text(w, "name", intern_get(&t->zones->texts, z->name));
		json_put_text(w, "where", intern_get(&t->zones->texts, z->where));
		json_put_count(w, "calls", z->calls);
		json_put_number(w, "total_ns", z->total_ns);
		json_put_number(w, "self_ns", z->self_ns);
		json_put_number(w, "mean_ns", zone_mean_ns(z));
		json_put_number(w, "max_ns", z->max_ns);
		json_close_object(w);
		out_buf(out, w->to);
	}
	json_close_array(w);
	json_put_count(w, "unpaired_zones", t->zones->unpaired);
}

void top_json(const struct top *t, struct out *out)
{
	struct buf b = { 0 };
	struct json_writer w = { .to = &b, .pretty = true };

	json_open_object(&w);
	json_put_text(&w, "source", t->source);
	if (t->ops)
		write_ops(t, &w, out);
	if (t->zones)
		write_zones(t, &w, out);
	json_close_object(&w);
	buf_char(&b, '\n');
	out_buf(out, &b);
	buf_release(&b);
}
