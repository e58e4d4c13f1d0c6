// SPDX-License-Identifier: Apache-2.0
/* Markers and what analyses found, for our Python package: numbers in JSON, each marker once. */
#include "base/keyed.h"
#include "base/map.h"
#include "compat/process_device_log/device_files.h"
#include "ops/table/ops_table.h"

struct writer {
	const struct device_analysed *a;
	struct out *to;
	struct buf b;
	struct json_writer w;
};

/* What markers of one source location share. */
struct word {
	uint32_t timer_id, line, file;
	uint16_t zone;
	uint8_t type;
};

static uint64_t word_key(const struct marker *m)
{
	uint64_t k = m->timer_id;

	k = k * 0x9e3779b97f4a7c15u + m->line;
	k = k * 0x9e3779b97f4a7c15u + m->file;
	return k * 0x9e3779b97f4a7c15u + ((uint64_t)m->zone << 8 | m->type);
}

static bool word_is_of(const struct word *w, const struct marker *m)
{
	return w->timer_id == m->timer_id && w->line == m->line && w->file == m->file &&
	       w->zone == m->zone && w->type == m->type;
}

static void write_words(struct writer *g)
{
	const struct marker_log *m = g->a->markers;
	SCOPED(u64map) struct u64map index = { 0 };
	SCOPED(vec) VEC(struct word) words = { 0 };

	json_put_array(&g->w, "word");
	vec_each (k, &m->all) {
		struct word one = { k->timer_id, k->line, k->file, k->zone, k->type };
		uint32_t at = keyed_at(&index, word_key(k), &words, one);

		if (!word_is_of(&words.at[at], k)) {
			at = (uint32_t)words.len;
			*vec_push(&words) = one;
		}
		json_write_u64(&g->w, at);
		json_flush(&g->w, g->to);
	}
	json_close_array(&g->w);
	json_put_array(&g->w, "words");
	vec_each (o, &words) {
		json_open_array(&g->w);
		json_write_u64(&g->w, o->timer_id);
		json_write_str(&g->w, intern_get(&m->names->zones, o->zone));
		json_write_str(&g->w, str_of(marker_type_name((enum marker_type)o->type)));
		json_write_u64(&g->w, o->line);
		json_write_str(&g->w, o->file == UINT32_MAX
					      ? STR("")
					      : intern_get(&m->names->files, o->file));
		json_close_array(&g->w);
		json_flush(&g->w, g->to);
	}
	json_close_array(&g->w);
}

#define WRITE_COLUMN(g, name, write, field)           \
	do {                                          \
		json_put_array(&(g)->w, name);        \
		vec_each (k, &(g)->a->markers->all) { \
			write(&(g)->w, k->field);     \
			json_flush(&(g)->w, (g)->to); \
		}                                     \
		json_close_array(&(g)->w);            \
	} while (0)

static void write_markers(struct writer *g)
{
	const struct marker_log *m = g->a->markers;
	uint64_t i = 0;

	write_words(g);
	WRITE_COLUMN(g, "time", json_write_u64, time_cycles);
	WRITE_COLUMN(g, "data", json_write_u64, data);
	WRITE_COLUMN(g, "run", json_write_u64, run_id);
	WRITE_COLUMN(g, "trace", json_write_i64, trace_id);
	WRITE_COLUMN(g, "session", json_write_i64, session);
	WRITE_COLUMN(g, "risc", json_write_u64, risc);
	json_put_array(&g->w, "meta"); /* few have any: number, text */
	vec_each (k, &m->all) {
		if (k->meta.len) {
			json_write_u64(&g->w, i);
			json_write_str(&g->w, k->meta);
			json_flush(&g->w, g->to);
		}
		i++;
	}
	json_close_array(&g->w);
}

static void write_series(struct writer *g, const char *key, const marker_series *s)
{
	json_put_array(&g->w, key);
	vec_each (i, s)
		json_write_u64(&g->w, *i);
	json_close_array(&g->w);
	json_flush(&g->w, g->to);
}

static void write_marker_number(struct writer *g, uint32_t at)
{
	if (at == UINT32_MAX)
		json_write_null(&g->w);
	else
		json_write_u64(&g->w, at);
}

static void write_stats(struct writer *g, const struct entry_stats *s, bool first)
{
	json_put_array(&g->w, "stats");
	json_write_u64(&g->w, s->count);
	json_write_double(&g->w, s->average);
	json_write_i64(&g->w, s->max);
	json_write_i64(&g->w, s->min);
	json_write_i64(&g->w, s->max - s->min);
	json_write_double(&g->w, s->median);
	json_write_i64(&g->w, s->sum);
	if (first)
		json_write_i64(&g->w, s->first);
	json_close_array(&g->w);
}

static void write_results(struct writer *g, const result_vec *results)
{
	if (!results->len)
		return;
	json_put_array(&g->w, "analysis");
	vec_each (r, results) {
		struct entry_stats s = entry_stats(r);

		json_open_object(&g->w);
		json_put_text(&g->w, "name", str_of(g->a->list[r->analysis].name));
		write_stats(g, &s, true);
		json_put_array(&g->w, "series");
		vec_each (e, &r->entries) {
			json_open_array(&g->w);
			json_write_i64(&g->w, e->took_cycles);
			write_marker_number(g, e->start);
			write_marker_number(g, e->end);
			write_marker_number(g, e->start_iteration);
			write_marker_number(g, e->end_iteration);
			json_close_array(&g->w);
			json_flush(&g->w, g->to);
		}
		json_close_array(&g->w);
		json_close_object(&g->w);
	}
	json_close_array(&g->w);
}

static void write_ops(struct writer *g, const char *key, const struct log_op *ops, size_t n)
{
	json_put_array(&g->w, key);
	for (size_t i = 0; i < n; i++) {
		json_open_object(&g->w);
		write_series(g, "timeseries", &ops[i].series);
		write_results(g, &ops[i].results);
		json_close_object(&g->w);
	}
	json_close_array(&g->w);
}

static void write_core(struct writer *g, const struct core_log *c, bool device)
{
	json_put_array(&g->w, "riscs");
	vec_each (r, &c->riscs) {
		json_open_object(&g->w);
		json_put_count(&g->w, "risc", r->risc);
		write_series(g, "timeseries", &r->series);
		json_close_object(&g->w);
	}
	json_close_array(&g->w);
	write_series(g, "timeseries", &c->series);
	write_results(g, &c->results);
	write_ops(g, "ops", c->ops.at, c->ops.len);
	if (device)
		write_ops(g, "dispatch_ops", c->dispatch_ops.at, c->dispatch_ops.len);
}

static void write_summary(struct writer *g, const struct device_markers *d)
{
	json_put_array(&g->w, "summary");
	for (uint32_t i = 0; i < g->a->n; i++) {
		struct entry_stats s;

		if (!device_stats(d, i, &s))
			continue;
		json_open_object(&g->w);
		json_put_text(&g->w, "name", str_of(g->a->list[i].name));
		write_stats(g, &s, false);
		json_close_object(&g->w);
	}
	json_close_array(&g->w);
}

static void write_device(struct writer *g, const struct device_markers *d)
{
	json_open_object(&g->w);
	json_put_count(&g->w, "id", d->device);
	json_put_array(&g->w, "cores");
	vec_each (c, &d->cores) {
		json_open_object(&g->w);
		json_put_count(&g->w, "x", c->x);
		json_put_count(&g->w, "y", c->y);
		write_core(g, c, false);
		json_close_object(&g->w);
	}
	json_close_array(&g->w);
	json_put_object(&g->w, "device");
	write_core(g, &d->whole, true);
	json_close_object(&g->w);
	write_summary(g, d);
	json_close_object(&g->w);
}

void device_data_write(const struct device_analysed *a, struct out *to)
{
	struct writer g = { .a = a, .to = to };
	const struct marker_log *m = a->markers;

	g.w = (struct json_writer){ .to = &g.b };
	json_open_object(&g.w);
	json_put_text(&g.w, "arch", m->log->arch);
	json_put_whole(&g.w, "freq", m->log->freq_mhz);
	json_write_key(&g.w, STR("max_compute_cores"));
	if (m->log->compute_cores > 0)
		json_write_i64(&g.w, m->log->compute_cores);
	else
		json_write_null(&g.w);
	json_put_array(&g.w, "riscs");
	for (uint32_t i = 0; i < intern_count(&m->names->riscs); i++)
		json_write_str(&g.w, intern_get(&m->names->riscs, i));
	json_close_array(&g.w);
	write_markers(&g);
	json_put_array(&g.w, "devices");
	vec_each (d, &m->devices)
		write_device(&g, d);
	json_close_array(&g.w);
	json_close_object(&g.w);
	buf_char(&g.b, '\n');
	out_buf(to, &g.b);
	buf_release(&g.b);
}

static void write_list(struct json_writer *w, const char *key, const struct analysis *list)
{
	json_put_object(w, key);
	for (; list->name; list++) {
		json_write_key(w, str_of(list->name));
		json_write_analysis(w, list);
	}
	json_close_object(w);
}

/* Those that a report of today has in any case, of every chip. */
static void write_ops_columns(struct json_writer *w)
{
	json_put_array(w, "opsColumns");
	for (int i = 0; i <= OPS_NPE_CONGESTION; i++)
		if (strcmp(ops_col_info[i].since, "quasar") != 0 &&
		    !str_ends(ops_col_info[i].name, STR(" MAX KERNEL SIZE [B]")))
			json_write_str(w, ops_col_info[i].name);
	json_close_array(w);
}

void device_setups_write(struct out *to)
{
	SCOPED(buf) struct buf b = { 0 };
	struct json_writer w = { .to = &b };

	json_open_object(&w);
	json_put_setup_lists(&w, "output/device");
	write_list(&w, "timerAnalysis", setup_default_analyses());
	write_ops_columns(&w);
	json_put_array(&w, "setups"); /* their own; all have the default's as well */
	for (const struct setup *s = setups; s->name; s++) {
		json_open_object(&w);
		json_put_text(&w, "name", str_of(s->name));
		json_put_bool(&w, "detectOps", s->detect_ops);
		write_list(&w, "timerAnalysis", s->own);
		json_close_object(&w);
	}
	json_close_array(&w);
	json_close_object(&w);
	buf_char(&b, '\n');
	out_buf(to, &b);
}
