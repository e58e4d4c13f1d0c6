// SPDX-License-Identifier: Apache-2.0
#include "base/json.h"
#include "draw/timeline.h"

static void write_lane(struct json_writer *w, const struct timeline_axis *a,
		       const struct draw_lane *lane)
{
	const struct lanes *l = &a->lanes;
	double span = (double)(l->window.to_ns - l->window.from_ns) * lane->weight;

	json_open_object(w);
	json_put_text(w, "name", lane->name);
	json_put_text(w, "kind", str_of(lane_kind_names[lane->kind]));
	if (lane->kind != LANE_HOST)
		json_put_whole(w, "device", lane->device);
	if (lane->kind == LANE_OPS)
		json_put_text(w, "times_of", l->firmware ? STR("firmware") : STR("kernels"));
	json_put_number(w, "cores", lane->weight);
	json_put_number(w, "busy_ns", lane->busy_ns);
	json_put_number(w, "busy_percent", span > 0 ? 100 * lane->busy_ns / span : 0);
	json_put_whole(w, "zones", (int64_t)lane->count);
	json_put_array(w, "busy");
	for (size_t i = 0; i < l->buckets; i++)
		json_write_double(w, lane_part(l, lane, i));
	json_close_array(w);
	if (lane->with) {
		json_put_array(w, "with");
		for (size_t i = 0; i < l->buckets; i++) {
			uint32_t with = lane_with(lane, i, i + 1);

			if (with == UINT32_MAX)
				json_write_null(w);
			else
				json_write_u64(w, with);
		}
		json_close_array(w);
	}
	json_close_object(w);
}

static void write_axis(struct json_writer *w, const struct timeline_axis *a, struct out *out)
{
	json_open_object(w);
	json_put_text(w, "what", str_of(a->what));
	json_put_whole(w, "span_ns", a->span_ns);
	JSON_MEMBERS(w, &a->lanes.window, from_ns, to_ns);
	json_put_number(w, "bucket_ns", a->lanes.bucket_ns);
	json_put_whole(w, "lanes_not_shown", a->hidden);
	json_put_array(w, "names");
	vec_each (n, &a->lanes.names) {
		json_open_object(w);
		json_put_text(w, "name", intern_get(&a->lanes.texts, n->text));
		json_put_text(w, "kind", n->op ? STR("op") : STR("zone"));
		if (n->id)
			json_put_count(w, "id", n->id);
		json_put_number(w, "ns", n->ns);
		json_put_whole(w, "pieces", (int64_t)n->calls);
		json_close_object(w);
	}
	json_close_array(w);
	json_put_array(w, "lanes");
	vec_each (i, &a->shown) {
		write_lane(w, a, &a->lanes.all.at[*i]);
		out_buf(out, w->to);
	}
	json_close_array(w);
	json_close_object(w);
}

void timeline_json(const struct timeline *t, const struct run *run, struct out *out)
{
	SCOPED(buf) struct buf b = { 0 };
	struct json_writer w = { .to = &b };
	struct str rest = buf_view(&t->notes), line;

	json_open_object(&w);
	json_put_text(&w, "source", buf_view(&t->source));
	run_notes_json(run, &w);
	json_put_array(&w, "axes");
	for (int i = 0; i < t->axes; i++)
		write_axis(&w, &t->axis[i], out);
	json_close_array(&w);
	json_put_array(&w, "notes");
	while (rest.len && str_split(&rest, '\n', &line))
		if (line.len)
			json_write_str(&w, line);
	json_close_array(&w);
	json_close_object(&w);
	buf_char(&b, '\n');
	out_buf(out, &b);
}
