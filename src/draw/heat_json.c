// SPDX-License-Identifier: Apache-2.0
#include "base/json.h"
#include "draw/heat.h"

static void write_core(struct json_writer *w, const struct heat_core *c)
{
	json_open_object(w);
	JSON_MEMBERS(w, c, x, y);
	for (int m = 0; m < HEAT_METRICS; m++) {
		static const char *const unit[] = { "_ns", "_percent", "" };
		char key[32];

		snprintf(key, sizeof(key), "%s%s", heat_metric_info[m].name,
			 unit[heat_metric_info[m].unit]);
		if (heat_metric_info[m].unit == HEAT_COUNT)
			json_put_whole(w, key, (int64_t)c->value[m]);
		else
			json_put_number(w, key, c->value[m]);
	}
	json_close_object(w);
}

static void write_device(struct json_writer *w, const struct heat_device *d)
{
	json_open_object(w);
	json_put_whole(w, "device", d->id);
	JSON_MEMBERS(w, d, ops, ops_ns);
	json_put_whole(w, "cores_used", (int64_t)d->cores.len);
	json_put_whole(w, "cores_available", d->workers);
	JSON_MEMBERS(w, d, max, mean, min, imbalance, variation, lost, width, height);
	json_put_array(w, "cores");
	vec_each (c, &d->cores)
		write_core(w, c);
	json_close_array(w);
	json_put_array(w, "slowest");
	for (size_t i = 0; i < d->slowest.len && i < 10; i++) {
		json_open_array(w);
		json_write_u64(w, d->cores.at[d->slowest.at[i]].x);
		json_write_u64(w, d->cores.at[d->slowest.at[i]].y);
		json_close_array(w);
	}
	json_close_array(w);
	json_put_array(w, "cells");
	for (int y = 0; y < d->height; y++)
		for (int x = 0; x < d->width; x++) {
			const char *word = heat_cell_of(d->cell[y][x])->key;

			if (!*word)
				continue;
			json_open_array(w);
			json_write_i64(w, x);
			json_write_i64(w, y);
			json_write_str(w, str_of(word));
			json_close_array(w);
		}
	json_close_array(w);
	json_close_object(w);
}

void heat_json(const struct heat *h, const struct run *run, struct out *out)
{
	SCOPED(buf) struct buf b = { 0 };
	struct json_writer w = { .to = &b, .pretty = true };

	json_open_object(&w);
	json_put_text(&w, "source", h->source);
	run_notes_json(run, &w);
	json_put_text(&w, "metric", str_of(heat_metric_info[h->ask.metric].name));
	json_put_text(&w, "arch", h->t->arch);
	json_put_number(&w, "freq_mhz", (double)h->t->freq_mhz);
	json_put_whole(&w, "markers", (int64_t)h->t->markers);
	json_put_whole(&w, "unpaired_zones", (int64_t)h->t->unpaired);
	json_put_number(&w, "from_ns", (double)h->window.from_ns);
	json_put_number(&w, "to_ns", (double)h->window.to_ns);
	json_put_whole(&w, "calls", h->calls);
	json_put_array(&w, "devices");
	vec_each (d, &h->devices) {
		write_device(&w, d);
		out_buf(out, &b);
	}
	json_close_array(&w);
	json_put_array(&w, "ops");
	vec_each (o, &h->ops) {
		json_open_object(&w);
		json_put_text(&w, "op", o->label);
		JSON_MEMBERS(&w, o, id, calls, cores);
		json_put_number(&w, "core_time_ns", o->time_ns);
		JSON_MEMBERS(&w, o, lost_ns, imbalance);
		json_close_object(&w);
		out_buf(out, &b);
	}
	json_close_array(&w);
	json_close_object(&w);
	buf_char(&b, '\n');
	out_buf(out, &b);
}
