// SPDX-License-Identifier: Apache-2.0
#include "base/json.h"
#include "draw/heat.h"

static void number(struct json_writer *w, const char *key, double v)
{
	json_write_key(w, str_of(key));
	json_write_double(w, v);
}

static void whole(struct json_writer *w, const char *key, int64_t v)
{
	json_write_key(w, str_of(key));
	json_write_i64(w, v);
}

static void text(struct json_writer *w, const char *key, struct str v)
{
	json_write_key(w, str_of(key));
	json_write_str(w, v);
}

static const char *cell_word(char c)
{
	switch (c) {
	case 'd':
		return "dram";
	case 'e':
		return "eth";
	case 'p':
		return "pcie";
	case 'a':
		return "arc";
	case 'x':
		return "off";
	case '-':
		return "idle";
	default:
		return "";
	}
}

static void write_core(struct json_writer *w, const struct heat_core *c)
{
	json_open_object(w);
	whole(w, "x", c->x);
	whole(w, "y", c->y);
	for (int m = 0; m < HEAT_METRICS; m++) {
		static const char *const unit[] = { "_ns", "_percent", "" };
		char key[32];

		snprintf(key, sizeof(key), "%s%s", heat_metric_info[m].name,
			 unit[heat_metric_info[m].unit]);
		if (heat_metric_info[m].unit == HEAT_COUNT)
			whole(w, key, (int64_t)c->value[m]);
		else
			number(w, key, c->value[m]);
	}
	json_close_object(w);
}

static void write_device(struct json_writer *w, const struct heat_device *d)
{
	json_open_object(w);
	whole(w, "device", d->id);
	whole(w, "ops", d->ops);
	number(w, "ops_ns", d->ops_ns);
	whole(w, "cores_used", (int64_t)d->cores.len);
	whole(w, "cores_available", d->workers);
	number(w, "max", d->max);
	number(w, "mean", d->mean);
	number(w, "min", d->min);
	number(w, "imbalance", d->imbalance);
	number(w, "variation", d->variation);
	number(w, "lost", d->lost);
	whole(w, "width", d->width);
	whole(w, "height", d->height);
	json_write_key(w, STR("cores"));
	json_open_array(w);
	vec_each (c, &d->cores)
		write_core(w, c);
	json_close_array(w);
	json_write_key(w, STR("slowest"));
	json_open_array(w);
	for (size_t i = 0; i < d->slowest.len && i < 10; i++) {
		json_open_array(w);
		json_write_u64(w, d->cores.at[d->slowest.at[i]].x);
		json_write_u64(w, d->cores.at[d->slowest.at[i]].y);
		json_close_array(w);
	}
	json_close_array(w);
	json_write_key(w, STR("cells"));
	json_open_array(w);
	for (int y = 0; y < d->height; y++)
		for (int x = 0; x < d->width; x++) {
			const char *word = cell_word(d->cell[y][x]);

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

void heat_json(const struct heat *h, struct str source, struct out *out)
{
	struct buf b = { 0 };
	struct json_writer w = { .to = &b, .pretty = true };

	json_open_object(&w);
	text(&w, "source", source);
	text(&w, "metric", str_of(heat_metric_info[h->ask.metric].name));
	text(&w, "arch", h->t->arch);
	number(&w, "freq_mhz", (double)h->t->freq_mhz);
	whole(&w, "markers", (int64_t)h->t->markers);
	whole(&w, "unpaired_zones", (int64_t)h->t->unpaired);
	number(&w, "from_ns", (double)h->window.from_ns);
	number(&w, "to_ns", (double)h->window.to_ns);
	whole(&w, "calls", h->calls);
	json_write_key(&w, STR("devices"));
	json_open_array(&w);
	vec_each (d, &h->devices) {
		write_device(&w, d);
		out_buf(out, &b);
	}
	json_close_array(&w);
	json_write_key(&w, STR("ops"));
	json_open_array(&w);
	vec_each (o, &h->ops) {
		json_open_object(&w);
		text(&w, "op", intern_get(&h->names->labels, o->kind));
		whole(&w, "id", o->id);
		whole(&w, "calls", o->calls);
		number(&w, "cores", o->cores);
		number(&w, "core_time_ns", o->time_ns);
		number(&w, "lost_ns", o->lost_ns);
		number(&w, "imbalance", o->imbalance);
		json_close_object(&w);
		out_buf(out, &b);
	}
	json_close_array(&w);
	json_close_object(&w);
	buf_char(&b, '\n');
	out_buf(out, &b);
	buf_release(&b);
}
