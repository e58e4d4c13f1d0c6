// SPDX-License-Identifier: Apache-2.0
#include "compat/process_device_log/device_json.h"

#include <stdlib.h>

#include "base/json.h"
#include "base/number.h"
#include "ops/py_text.h"

enum { WORD_SLOTS = 4096 };

/* Words that markers of one source location share, quoted and escaped. */
struct word_text {
	const char *at; /* NULL: none yet */
	size_t len;
	uint32_t timer_id, line, file;
	uint16_t zone;
	uint8_t type;
};

struct writer {
	const struct device_json *j;
	struct out *to;
	struct buf b, text;
	struct json_writer w;
	uint32_t *sorted; /* analyses by name */
	struct arena texts;
	VEC(struct str) riscs; /* names, quoted and escaped */
	struct word_text *words;
};

static void flush(struct writer *g)
{
	if (g->b.len > 1 << 18)
		out_buf(g->to, &g->b);
}

/* Text as it stands between the quotes of a JSON string. */
static void add_escaped(struct buf *to, struct str s)
{
	json_quote(to, s);
}

static const struct word_text *keep_words(struct writer *g, struct word_text *slot,
					  const struct marker *m)
{
	const struct marker_names *n = g->j->m->names;
	struct buf plain = { 0 }, escaped = { 0 };

	buf_printf(&plain, "{'id': %u, 'zone_name': ", m->timer_id);
	py_quote(&plain, intern_get(&n->zones, m->zone));
	buf_text(&plain, ", 'type': ");
	py_quote(&plain, str_of(marker_type_name((enum marker_type)m->type)));
	buf_printf(&plain, ", 'src_line': %u, 'src_file': ", m->line);
	py_quote(&plain, m->file == UINT32_MAX ? STR("") : intern_get(&n->files, m->file));
	buf_text(&plain, ", 'run_host_id': ");
	add_escaped(&escaped, buf_view(&plain));
	*slot = (struct word_text){ .timer_id = m->timer_id,
				    .line = m->line,
				    .file = m->file,
				    .zone = m->zone,
				    .type = m->type,
				    .len = escaped.len - 2,
				    .at = arena_dup(&g->texts, escaped.at + 1, escaped.len - 2) };
	buf_release(&plain);
	buf_release(&escaped);
	return slot;
}

/*
 * {'id': 25376, 'zone_name': …}: a marker's own words, as they stand in a JSON string.  All up to the run id is
 * the same for every marker of a source location, and is made once.
 */
static void add_dict(struct writer *g, struct buf *b, const struct marker *m)
{
	/* the start and the end of a zone differ in bit 16 of their id */
	uint32_t hash = (m->timer_id + m->zone * 97u + m->line * 31u) * 2654435761u;
	struct word_text *slot = &g->words[(hash >> 16) % WORD_SLOTS];
	const struct word_text *w = slot;

	if (!w->at || w->timer_id != m->timer_id || w->line != m->line || w->file != m->file ||
	    w->zone != m->zone || w->type != m->type)
		w = keep_words(g, slot, m);
	buf_add(b, w->at, w->len);
	buf_add_u64(b, m->run_id);
	buf_text(b, ", 'trace_id': ");
	buf_add_i64(b, m->trace_id);
	buf_text(b, ", 'trace_id_count': ");
	buf_add_i64(b, m->session);
	if (!m->meta.len) {
		buf_text(b, ", 'meta_data': ''}");
	} else {
		struct buf plain = { 0 }, escaped = { 0 };

		py_quote(&plain, m->meta);
		add_escaped(&escaped, buf_view(&plain));
		buf_text(b, ", 'meta_data': ");
		buf_add(b, escaped.at + 1, escaped.len - 2);
		buf_char(b, '}');
		buf_release(&plain);
		buf_release(&escaped);
	}
}

enum tuple_kind { TUPLE_RISC, TUPLE_CORE, TUPLE_DEVICE_RISC, TUPLE_DEVICE };

/* The name of a RISC in Python's quotes, escaped. */
static void add_risc(struct writer *g, struct buf *b, uint16_t risc)
{
	struct buf plain = { 0 }, escaped = { 0 };

	while (g->riscs.len <= risc) {
		struct str name = intern_get(&g->j->m->names->riscs, (uint32_t)g->riscs.len);

		buf_clear(&plain);
		buf_clear(&escaped);
		py_quote(&plain, name);
		add_escaped(&escaped, buf_view(&plain));
		*vec_push(&g->riscs) = str_n(arena_dup(&g->texts, escaped.at + 1, escaped.len - 2),
					     escaped.len - 2);
	}
	buf_release(&plain);
	buf_release(&escaped);
	buf_str(b, g->riscs.at[risc]);
}

static void add_tuple(struct writer *g, const struct marker *m, enum tuple_kind kind)
{
	struct buf *b = &g->text;

	buf_clear(b);
	buf_text(b, "\"(");
	add_dict(g, b, m);
	buf_text(b, ", ");
	buf_add_u64(b, m->time_cycles);
	buf_text(b, ", ");
	buf_add_u64(b, m->data);
	if (kind == TUPLE_CORE || kind == TUPLE_DEVICE) {
		buf_text(b, ", ");
		add_risc(g, b, m->risc);
	}
	if (kind == TUPLE_DEVICE_RISC || kind == TUPLE_DEVICE) {
		buf_text(b, ", (");
		buf_add_u64(b, m->x);
		buf_text(b, ", ");
		buf_add_u64(b, m->y);
		buf_char(b, ')');
	}
	buf_text(b, ")\"");
	json_write_raw(&g->w, buf_view(b));
	flush(g);
}

static void real(struct writer *g, const char *name, double v)
{
	struct buf b = { 0 };

	number_shortest(&b, v);
	json_put_raw(&g->w, name, buf_view(&b));
	buf_release(&b);
}

static void write_series(struct writer *g, const marker_series *s, enum tuple_kind kind)
{
	json_put_array(&g->w, "timeseries");
	vec_each (i, s)
		add_tuple(g, &g->j->m->all.at[*i], kind);
	json_close_array(&g->w);
}

static void write_side(struct writer *g, const char *name, const struct analysis_side *s)
{
	json_put_object(&g->w, name);
	if (s->any_core)
		json_put_text(&g->w, "core", str_of("ANY"));
	json_put_text(&g->w, "risc", str_of(s->risc));
	if (s->zones[0]) {
		json_write_key(&g->w, str_of("zone_name"));
		if (s->zone_list) {
			json_open_array(&g->w);
			for (int i = 0; i < ANALYSIS_ZONES_MAX && s->zones[i]; i++)
				json_write_str(&g->w, str_of(s->zones[i]));
			json_close_array(&g->w);
		} else {
			json_write_str(&g->w, str_of(s->zones[0]));
		}
	}
	if (s->phase)
		json_put_text(&g->w, "zone_phase", str_of(s->phase));
	json_close_object(&g->w);
}

static void write_analysis(struct writer *g, const struct analysis *a)
{
	json_open_object(&g->w);
	json_put_text(&g->w, "across", str_of(across_name(a->across)));
	if (a->type == ANALYSIS_SUM || a->type == ANALYSIS_EVENT) {
		write_side(g, "marker", &a->start);
	} else {
		write_side(g, "end", &a->end);
		write_side(g, "start", &a->start);
	}
	json_put_text(&g->w, "type", str_of(analysis_type_name(a->type)));
	json_close_object(&g->w);
}

static void write_stats(struct writer *g, const struct entry_stats *s, bool first)
{
	json_put_object(&g->w, "stats");
	real(g, "Average", s->average);
	json_put_whole(&g->w, "Count", (int64_t)s->count);
	if (first)
		json_put_whole(&g->w, "First", s->first);
	json_put_whole(&g->w, "Max", s->max);
	real(g, "Median", s->median);
	json_put_whole(&g->w, "Min", s->min);
	json_put_whole(&g->w, "Range", s->max - s->min);
	json_put_whole(&g->w, "Sum", s->sum);
	json_close_object(&g->w);
}

/* (marker, time), or null. */
static void write_iteration(struct writer *g, const char *name, uint32_t at)
{
	json_write_key(&g->w, str_of(name));
	if (at == UINT32_MAX) {
		json_write_null(&g->w);
		return;
	}
	buf_clear(&g->text);
	buf_text(&g->text, "\"(");
	add_dict(g, &g->text, &g->j->m->all.at[at]);
	buf_printf(&g->text, ", %llu)\"", (unsigned long long)g->j->m->all.at[at].time_cycles);
	json_write_raw(&g->w, buf_view(&g->text));
}

static void write_entry(struct writer *g, const struct analysis *a, const struct analysis_entry *e)
{
	json_open_object(&g->w);
	json_put_whole(&g->w, "duration_cycles", e->took_cycles);
	json_write_key(&g->w, str_of("duration_type"));
	if (a->type == ANALYSIS_SUM) {
		json_open_object(&g->w);
		json_put_text(&g->w, "risc", str_of(a->start.risc));
		json_put_text(&g->w, "zone_name", str_of(a->start.zones[0]));
		json_close_object(&g->w);
	} else {
		buf_clear(&g->text);
		buf_text(&g->text, "\"(");
		add_dict(g, &g->text, &g->j->m->all.at[e->start]);
		buf_text(&g->text, ", ");
		add_dict(g, &g->text, &g->j->m->all.at[e->end]);
		buf_text(&g->text, ")\"");
		json_write_raw(&g->w, buf_view(&g->text));
		json_put_whole(&g->w, "end_cycle", (int64_t)e->end_cycles);
		if (a->type == ANALYSIS_ADJACENT)
			write_iteration(g, "end_iter_mark", e->end_iteration);
		json_put_whole(&g->w, "start_cycle", (int64_t)e->start_cycles);
		if (a->type == ANALYSIS_ADJACENT)
			write_iteration(g, "start_iter_mark", e->start_iteration);
	}
	json_close_object(&g->w);
	flush(g);
}

static void write_results(struct writer *g, const result_vec *results)
{
	if (!results->len)
		return;
	json_put_object(&g->w, "analysis");
	for (size_t i = 0; i < g->j->n; i++)
		vec_each (r, results) {
			const struct analysis *a = &g->j->list[r->analysis];
			struct entry_stats s;

			if (r->analysis != g->sorted[i])
				continue;
			json_put_object(&g->w, a->name);
			json_write_key(&g->w, str_of("analysis"));
			write_analysis(g, a);
			json_put_array(&g->w, "series");
			vec_each (e, &r->entries)
				write_entry(g, a, e);
			json_close_array(&g->w);
			s = entry_stats(r);
			write_stats(g, &s, true);
			json_close_object(&g->w);
		}
	json_close_object(&g->w);
}

static void write_ops(struct writer *g, const char *name, const struct log_op *ops, size_t n,
		      enum tuple_kind kind)
{
	json_put_array(&g->w, name);
	for (size_t i = 0; i < n; i++) {
		json_open_object(&g->w);
		write_results(g, &ops[i].results);
		if (kind == TUPLE_DEVICE) {
			json_put_object(&g->w, "events");
			json_close_object(&g->w);
		}
		write_series(g, &ops[i].series, kind);
		json_close_object(&g->w);
	}
	json_close_array(&g->w);
}

/* Markers with data or of events, of the RISC that the analysis names. */
static void write_events(struct writer *g, const struct core_log *c, bool device)
{
	json_put_object(&g->w, "events");
	for (size_t i = 0; device && i < g->j->n; i++) {
		const struct analysis *a = &g->j->list[g->sorted[i]];
		bool any;

		if (a->type != ANALYSIS_EVENT)
			continue;
		any = !strcmp(a->start.risc, "ANY");
		json_put_array(&g->w, a->name);
		vec_each (at, &c->series) {
			const struct marker *m = &g->j->m->all.at[*at];

			if ((m->type == MARKER_DATA || m->type == MARKER_EVENT) &&
			    (any || str_eq(intern_get(&g->j->m->names->riscs, m->risc),
					   str_of(a->start.risc))))
				add_tuple(g, m, TUPLE_DEVICE);
		}
		json_close_array(&g->w);
	}
	json_close_object(&g->w);
}

static void write_tensix(struct writer *g, const struct core_log *c, bool device)
{
	json_put_object(&g->w, "TENSIX");
	write_results(g, &c->results);
	if (device)
		write_ops(g, "dispatch_ops", c->dispatch_ops.at, c->dispatch_ops.len, TUPLE_CORE);
	write_events(g, c, device);
	write_ops(g, "ops", c->ops.at, c->ops.len, device ? TUPLE_DEVICE : TUPLE_CORE);
	write_series(g, &c->series, device ? TUPLE_DEVICE : TUPLE_CORE);
	json_close_object(&g->w);
}

static int by_risc_name(const void *a, const void *b, void *ctx)
{
	const struct intern *riscs = ctx;

	return str_cmp(intern_get(riscs, (*(const struct risc_log *const *)a)->risc),
		       intern_get(riscs, (*(const struct risc_log *const *)b)->risc));
}

static void write_riscs(struct writer *g, const struct core_log *c, bool device)
{
	const struct intern *riscs = &g->j->m->names->riscs;
	VEC(const struct risc_log *) order = { 0 };
	bool tensix = false;

	json_put_object(&g->w, "riscs");
	vec_each (r, &c->riscs)
		*vec_push(&order) = r;
	if (order.len)
		qsort_r(order.at, order.len, sizeof(*order.at), by_risc_name,
			(void *)(uintptr_t)riscs);
	vec_each (r, &order) {
		struct str name = intern_get(riscs, (*r)->risc);

		if (!tensix && str_cmp(name, STR("TENSIX")) > 0) {
			write_tensix(g, c, device);
			tensix = true;
		}
		json_write_key(&g->w, name);
		json_open_object(&g->w);
		write_series(g, &(*r)->series, device ? TUPLE_DEVICE_RISC : TUPLE_RISC);
		json_close_object(&g->w);
	}
	if (!tensix)
		write_tensix(g, c, device);
	json_close_object(&g->w);
	vec_release(&order);
}

struct named_core {
	char name[32];
	const struct core_log *core;
};

static int by_core_name(const void *a, const void *b)
{
	return strcmp(((const struct named_core *)a)->name, ((const struct named_core *)b)->name);
}

static void write_summary(struct writer *g, const struct device_markers *d)
{
	bool any = false;

	for (size_t i = 0; i < g->j->n; i++) {
		struct entry_stats s;
		const struct analysis *a = &g->j->list[g->sorted[i]];

		if (!device_stats(d, g->sorted[i], &s))
			continue;
		if (!any) {
			json_put_object(&g->w, "analysis");
			any = true;
		}
		json_put_object(&g->w, a->name);
		json_write_key(&g->w, str_of("analysis"));
		write_analysis(g, a);
		write_stats(g, &s, false);
		json_close_object(&g->w);
	}
	if (any)
		json_close_object(&g->w);
}

static void write_device(struct writer *g, const struct device_markers *d)
{
	struct named_core *cores = mem_zero(d->cores.len ? d->cores.len : 1, sizeof(*cores));

	for (size_t i = 0; i < d->cores.len; i++) {
		snprintf(cores[i].name, sizeof(cores[i].name), "(%u, %u)", d->cores.at[i].x,
			 d->cores.at[i].y);
		cores[i].core = &d->cores.at[i];
	}
	qsort(cores, d->cores.len, sizeof(*cores), by_core_name);
	json_open_object(&g->w);
	json_put_object(&g->w, "cores");
	for (size_t i = 0; i < d->cores.len; i++) {
		json_put_object(&g->w, cores[i].name);
		write_riscs(g, cores[i].core, false);
		json_close_object(&g->w);
	}
	json_put_object(&g->w, "DEVICE");
	write_summary(g, d);
	write_riscs(g, &d->whole, true);
	json_close_object(&g->w);
	json_close_object(&g->w);
	json_close_object(&g->w);
	free(cores);
}

static void write_list(struct writer *g, const char *name, const char *const *list)
{
	json_put_array(&g->w, name);
	for (; *list; list++)
		json_write_str(&g->w, str_of(*list));
	json_close_array(&g->w);
}

static void write_setup(struct writer *g)
{
	static const char *const stats[] = { "Count", "Average", "Max",   "Median",
					     "Min",   "Sum",     "Range", NULL };
	static const char *const types[] = { "BRISC",           "NCRISC", "TRISC", "ERISC",
					     "TENSIX_RISC_AGG", "DM",     NULL };
	static const char *const fixed[] = { "BRISC",   "NCRISC",  "TRISC_0",
					     "TRISC_1", "TRISC_2", "ERISC" };

	json_put_object(&g->w, "setup");
	json_put_bool(&g->w, "detectOps", g->j->detect_ops);
	json_put_text(&g->w, "deviceAnalysisData", str_of("device_analysis_data.json"));
	json_put_text(&g->w, "deviceInputLog", str_of(g->j->input_path));
	json_put_text(&g->w, "deviceStatsTXT", str_of("device_stats.txt"));
	json_put_text(&g->w, "deviceTarball", str_of("device_perf_results.tgz"));
	write_list(g, "displayStats", stats);
	json_put_text(&g->w, "outputFolder", str_of(g->j->output_folder));
	write_list(g, "riscTypes", types);
	json_put_array(&g->w, "riscs");
	for (int i = 0; i < 6; i++)
		json_write_str(&g->w, str_of(fixed[i]));
	for (int i = 0; i < 24; i++) {
		char name[32];

		if (i < 8)
			snprintf(name, sizeof(name), "QUASAR_DM%d", i);
		else
			snprintf(name, sizeof(name), "QUASAR_NEO%d_TRISC%d", (i - 8) / 4,
				 (i - 8) % 4);
		json_write_str(&g->w, str_of(name));
	}
	json_close_array(&g->w);
	json_put_object(&g->w, "timerAnalysis");
	for (size_t i = 0; i < g->j->n; i++) {
		json_write_key(&g->w, str_of(g->j->list[g->sorted[i]].name));
		write_analysis(g, &g->j->list[g->sorted[i]]);
	}
	json_close_object(&g->w);
	json_close_object(&g->w);
}

static int by_analysis_name(const void *a, const void *b, void *ctx)
{
	const struct analysis *list = ctx;

	return strcmp(list[*(const uint32_t *)a].name, list[*(const uint32_t *)b].name);
}

static int by_device(const void *a, const void *b)
{
	const struct device_markers *l = *(struct device_markers *const *)a;
	const struct device_markers *r = *(struct device_markers *const *)b;

	return l->device < r->device ? -1 : l->device > r->device;
}

static void write_data(struct writer *g)
{
	const struct marker_log *m = g->j->m;
	VEC(const struct device_markers *) devices = { 0 };

	json_put_object(&g->w, "data");
	json_put_object(&g->w, "deviceInfo");
	json_put_text(&g->w, "arch", m->log->arch);
	json_put_whole(&g->w, "freq", m->log->freq_mhz);
	if (m->log->compute_cores > 0)
		json_put_whole(&g->w, "max_compute_cores", m->log->compute_cores);
	json_close_object(&g->w);
	json_put_object(&g->w, "devices");
	vec_each (d, &m->devices)
		*vec_push(&devices) = d;
	vec_sort(&devices, by_device);
	vec_each (d, &devices) {
		char name[16];

		snprintf(name, sizeof(name), "%u", (*d)->device);
		json_write_key(&g->w, str_of(name));
		write_device(g, *d);
	}
	json_close_object(&g->w);
	json_close_object(&g->w);
	vec_release(&devices);
}

void device_json_write(const struct device_json *j, struct out *to)
{
	struct writer g = { .j = j, .to = to };

	g.w = (struct json_writer){ .to = &g.b, .pretty = true };
	g.words = mem_zero(WORD_SLOTS, sizeof(*g.words));
	g.sorted = mem_alloc(j->n ? j->n : 1, sizeof(*g.sorted));
	for (uint32_t i = 0; i < j->n; i++)
		g.sorted[i] = i;
	if (j->n)
		qsort_r(g.sorted, j->n, sizeof(*g.sorted), by_analysis_name,
			(void *)(uintptr_t)j->list);
	json_open_object(&g.w);
	write_data(&g);
	write_setup(&g);
	json_close_object(&g.w);
	out_buf(to, &g.b);
	free(g.sorted);
	free(g.words);
	vec_release(&g.riscs);
	arena_release(&g.texts);
	buf_release(&g.b);
	buf_release(&g.text);
}
