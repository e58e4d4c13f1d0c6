// SPDX-License-Identifier: Apache-2.0
#include "compat/process_device_log/device_files.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/order.h"
#include "ops/py_text.h"

enum { WORD_SLOTS = 4096 };

/* Words that markers of one source location share, quoted and escaped. */
struct word_text {
	struct str text; /* .at NULL: none yet */
	uint32_t timer_id, line, file;
	uint16_t zone;
	uint8_t type;
};

struct writer {
	const struct device_analysed *a;
	struct out *to;
	struct buf b, text;
	struct json_writer w;
	uint32_t *sorted; /* analyses by name */
	struct arena texts;
	VEC(struct str) riscs; /* names, quoted and escaped */
	struct word_text *words;
};

/* Text as it stands between the quotes of a JSON string, of a text in Python's quotes. */
static void add_python(struct buf *to, struct str s)
{
	SCOPED(buf) struct buf plain = { 0 }, quoted = { 0 };

	py_quote(&plain, s);
	json_quote(&quoted, buf_view(&plain));
	buf_add(to, quoted.at + 1, quoted.len - 2);
}

static struct str keep(struct writer *g, struct buf *text)
{
	struct str kept = str_n(arena_dup(&g->texts, text->at, text->len), text->len);

	buf_release(text);
	return kept;
}

static const struct word_text *keep_words(struct writer *g, struct word_text *slot,
					  const struct marker *m)
{
	const struct marker_names *n = g->a->markers->names;
	struct buf b = { 0 };

	buf_printf(&b, "{'id': %u, 'zone_name': ", m->timer_id);
	add_python(&b, intern_get(&n->zones, m->zone));
	buf_printf(&b, ", 'type': '%s', 'src_line': %u, 'src_file': ",
		   marker_type_name((enum marker_type)m->type), m->line);
	add_python(&b, m->file == UINT32_MAX ? STR("") : intern_get(&n->files, m->file));
	buf_text(&b, ", 'run_host_id': ");
	*slot = (struct word_text){ .timer_id = m->timer_id,
				    .line = m->line,
				    .file = m->file,
				    .zone = m->zone,
				    .type = m->type,
				    .text = keep(g, &b) };
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

	if (!w->text.at || w->timer_id != m->timer_id || w->line != m->line || w->file != m->file ||
	    w->zone != m->zone || w->type != m->type)
		w = keep_words(g, slot, m);
	buf_str(b, w->text);
	buf_add_u64(b, m->run_id);
	buf_text(b, ", 'trace_id': ");
	buf_add_i64(b, m->trace_id);
	buf_text(b, ", 'trace_id_count': ");
	buf_add_i64(b, m->session);
	buf_text(b, ", 'meta_data': ");
	if (m->meta.len)
		add_python(b, m->meta);
	else
		buf_text(b, "''");
	buf_char(b, '}');
}

enum tuple_kind { TUPLE_RISC, TUPLE_CORE, TUPLE_DEVICE_RISC, TUPLE_DEVICE };

/* The name of a RISC in Python's quotes, escaped. */
static void add_risc(struct writer *g, struct buf *b, uint16_t risc)
{
	while (g->riscs.len <= risc) {
		struct buf name = { 0 };

		add_python(&name, intern_get(&g->a->markers->names->riscs, (uint32_t)g->riscs.len));
		*vec_push(&g->riscs) = keep(g, &name);
	}
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
	json_flush(&g->w, g->to);
}

static void write_series(struct writer *g, const marker_series *s, enum tuple_kind kind)
{
	json_put_array(&g->w, "timeseries");
	vec_each (i, s)
		add_tuple(g, &g->a->markers->all.at[*i], kind);
	json_close_array(&g->w);
}

static void write_side(struct json_writer *w, const char *name, const struct analysis_side *s)
{
	json_put_object(w, name);
	if (s->any_core)
		json_put_text(w, "core", str_of("ANY"));
	json_put_text(w, "risc", str_of(s->risc));
	if (s->zones[0]) {
		json_write_key(w, str_of("zone_name"));
		if (s->zone_list) {
			json_open_array(w);
			for (int i = 0; i < ANALYSIS_ZONES_MAX && s->zones[i]; i++)
				json_write_str(w, str_of(s->zones[i]));
			json_close_array(w);
		} else {
			json_write_str(w, str_of(s->zones[0]));
		}
	}
	if (s->phase)
		json_put_text(w, "zone_phase", str_of(s->phase));
	json_close_object(w);
}

void json_write_analysis(struct json_writer *w, const struct analysis *a)
{
	json_open_object(w);
	json_put_text(w, "across", str_of(across_name(a->across)));
	if (a->type == ANALYSIS_SUM || a->type == ANALYSIS_EVENT) {
		write_side(w, "marker", &a->start);
	} else {
		write_side(w, "end", &a->end);
		write_side(w, "start", &a->start);
	}
	json_put_text(w, "type", str_of(analysis_type_name(a->type)));
	json_close_object(w);
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
	add_dict(g, &g->text, &g->a->markers->all.at[at]);
	buf_printf(&g->text, ", %llu)\"",
		   (unsigned long long)g->a->markers->all.at[at].time_cycles);
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
		add_dict(g, &g->text, &g->a->markers->all.at[e->start]);
		buf_text(&g->text, ", ");
		add_dict(g, &g->text, &g->a->markers->all.at[e->end]);
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
	json_flush(&g->w, g->to);
}

static void write_results(struct writer *g, const result_vec *results)
{
	if (!results->len)
		return;
	json_put_object(&g->w, "analysis");
	for (size_t i = 0; i < g->a->n; i++)
		vec_each (r, results) {
			const struct analysis *a = &g->a->list[r->analysis];
			struct entry_stats s;

			if (r->analysis != g->sorted[i])
				continue;
			json_put_object(&g->w, a->name);
			json_write_key(&g->w, str_of("analysis"));
			json_write_analysis(&g->w, a);
			json_put_array(&g->w, "series");
			vec_each (e, &r->entries)
				write_entry(g, a, e);
			json_close_array(&g->w);
			s = entry_stats(r);
			json_put_stats(&g->w, &s, true, true);
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
	for (size_t i = 0; device && i < g->a->n; i++) {
		const struct analysis *a = &g->a->list[g->sorted[i]];
		bool any;

		if (a->type != ANALYSIS_EVENT)
			continue;
		any = !strcmp(a->start.risc, "ANY");
		json_put_array(&g->w, a->name);
		vec_each (at, &c->series) {
			const struct marker *m = &g->a->markers->all.at[*at];

			if ((m->type == MARKER_DATA || m->type == MARKER_EVENT) &&
			    (any || str_eq(intern_get(&g->a->markers->names->riscs, m->risc),
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

static void write_riscs(struct writer *g, const struct core_log *c, bool device)
{
	SCOPED(vec) risc_names names = riscs_by_name(g->a->markers, c);

	json_put_object(&g->w, "riscs");
	vec_each (r, &names) {
		if (!r->log) {
			write_tensix(g, c, device);
			continue;
		}
		json_write_key(&g->w, r->name);
		json_open_object(&g->w);
		write_series(g, &r->log->series, device ? TUPLE_DEVICE_RISC : TUPLE_RISC);
		json_close_object(&g->w);
	}
	json_close_object(&g->w);
}

static void write_summary(struct writer *g, const struct device_markers *d)
{
	bool any = false;

	for (size_t i = 0; i < g->a->n; i++) {
		struct entry_stats s;
		const struct analysis *a = &g->a->list[g->sorted[i]];

		if (!device_stats(d, g->sorted[i], &s))
			continue;
		if (!any) {
			json_put_object(&g->w, "analysis");
			any = true;
		}
		json_put_object(&g->w, a->name);
		json_write_key(&g->w, str_of("analysis"));
		json_write_analysis(&g->w, a);
		json_put_stats(&g->w, &s, false, true);
		json_close_object(&g->w);
	}
	if (any)
		json_close_object(&g->w);
}

static void write_device(struct writer *g, const struct device_markers *d)
{
	SCOPED(mem) uint32_t *order = cores_by_name(d);

	json_open_object(&g->w);
	json_put_object(&g->w, "cores");
	for (size_t i = 0; i < d->cores.len; i++) {
		const struct core_log *c = &d->cores.at[order[i]];

		json_put_object(&g->w, core_name(c).text);
		write_riscs(g, c, false);
		json_close_object(&g->w);
	}
	json_put_object(&g->w, "DEVICE");
	write_summary(g, d);
	write_riscs(g, &d->whole, true);
	json_close_object(&g->w);
	json_close_object(&g->w);
	json_close_object(&g->w);
}

void json_put_setup_lists(struct json_writer *w, const char *output_folder)
{
	static const char *const stats[] = { "Count", "Average", "Max",  "Median",
					     "Min",   "Sum",     "Range" };
	static const char *const types[] = { "BRISC", "NCRISC",          "TRISC",
					     "ERISC", "TENSIX_RISC_AGG", "DM" };
#define DM(n)                "QUASAR_DM" #n
#define NEO(n)               QUASAR_TRISC(n, 0), QUASAR_TRISC(n, 1), QUASAR_TRISC(n, 2), QUASAR_TRISC(n, 3)
#define QUASAR_TRISC(neo, n) "QUASAR_NEO" #neo "_TRISC" #n
	static const char *const riscs[] = {
		"BRISC", "NCRISC", "TRISC_0", "TRISC_1", "TRISC_2", "ERISC", DM(0),  DM(1),  DM(2),
		DM(3),   DM(4),    DM(5),     DM(6),     DM(7),     NEO(0),  NEO(1), NEO(2), NEO(3),
	};
#define COUNT(list) sizeof(list) / sizeof(*(list))

	json_put_texts(w, "displayStats", stats, COUNT(stats));
	json_put_text(w, "outputFolder", str_of(output_folder));
	json_put_texts(w, "riscTypes", types, COUNT(types));
	json_put_texts(w, "riscs", riscs, COUNT(riscs));
}

static void write_setup(struct writer *g)
{
	json_put_object(&g->w, "setup");
	json_put_bool(&g->w, "detectOps", g->a->detect_ops);
	json_put_text(&g->w, "deviceAnalysisData", str_of("device_analysis_data.json"));
	json_put_text(&g->w, "deviceInputLog", str_of(g->a->input_path));
	json_put_text(&g->w, "deviceStatsTXT", str_of("device_stats.txt"));
	json_put_text(&g->w, "deviceTarball", str_of("device_perf_results.tgz"));
	json_put_setup_lists(&g->w, g->a->output_folder);
	json_put_object(&g->w, "timerAnalysis");
	for (size_t i = 0; i < g->a->n; i++) {
		json_write_key(&g->w, str_of(g->a->list[g->sorted[i]].name));
		json_write_analysis(&g->w, &g->a->list[g->sorted[i]]);
	}
	json_close_object(&g->w);
	json_close_object(&g->w);
}

static int by_analysis_name(const void *a, const void *b, void *ctx)
{
	const struct analysis *list = ctx;

	return strcmp(list[*(const uint32_t *)a].name, list[*(const uint32_t *)b].name);
}

static void write_data(struct writer *g)
{
	const struct marker_log *m = g->a->markers;
	SCOPED(mem) uint32_t *order = devices_by_id(m);

	json_put_object(&g->w, "data");
	json_put_object(&g->w, "deviceInfo");
	json_put_text(&g->w, "arch", m->log->arch);
	json_put_whole(&g->w, "freq", m->log->freq_mhz);
	if (m->log->compute_cores > 0)
		json_put_whole(&g->w, "max_compute_cores", m->log->compute_cores);
	json_close_object(&g->w);
	json_put_object(&g->w, "devices");
	for (size_t i = 0; i < m->devices.len; i++) {
		const struct device_markers *d = &m->devices.at[order[i]];
		char name[16];

		snprintf(name, sizeof(name), "%u", d->device);
		json_write_key(&g->w, str_of(name));
		write_device(g, d);
	}
	json_close_object(&g->w);
	json_close_object(&g->w);
}

void device_json_write(const struct device_analysed *a, struct out *to)
{
	struct writer g = { .a = a,
			    .to = to,
			    .words = mem_zero(WORD_SLOTS, sizeof(*g.words)),
			    .sorted = order_numbers(a->n, by_analysis_name, a->list) };

	g.w = (struct json_writer){ .to = &g.b, .pretty = true };
	json_open_object(&g.w);
	write_data(&g);
	write_setup(&g);
	json_close_object(&g.w);
	out_buf(to, &g.b);
	RELEASE(mem, &g.sorted, &g.words);
	vec_release(&g.riscs);
	arena_release(&g.texts);
	RELEASE(buf, &g.b, &g.text);
}

/* ---- parts of both forms ---- */

struct core_name core_name(const struct core_log *c)
{
	struct core_name name;

	snprintf(name.text, sizeof(name.text), "(%u, %u)", c->x, c->y);
	return name;
}

static int by_core_name(const void *a, const void *b, void *in)
{
	const struct core_log *cores = in;

	return strcmp(core_name(&cores[*(const uint32_t *)a]).text,
		      core_name(&cores[*(const uint32_t *)b]).text);
}

uint32_t *cores_by_name(const struct device_markers *d)
{
	return order_numbers(d->cores.len, by_core_name, d->cores.at);
}

ORDER_IN(by_device, uint32_t, struct device_markers, in[*it].device)

uint32_t *devices_by_id(const struct marker_log *m)
{
	return order_numbers(m->devices.len, by_device, m->devices.at);
}

static int by_risc_name(const void *a, const void *b)
{
	return str_cmp(((const struct named_risc *)a)->name, ((const struct named_risc *)b)->name);
}

risc_names riscs_by_name(const struct marker_log *m, const struct core_log *c)
{
	risc_names names = { 0 };

	vec_each (r, &c->riscs)
		*vec_push(&names) = (struct named_risc){ intern_get(&m->names->riscs, r->risc), r };
	*vec_push(&names) = (struct named_risc){ STR("TENSIX"), NULL };
	vec_sort(&names, by_risc_name);
	return names;
}

void json_put_texts(struct json_writer *w, const char *key, const char *const *texts, size_t n)
{
	json_put_array(w, key);
	for (size_t i = 0; i < n; i++)
		json_write_str(w, str_of(texts[i]));
	json_close_array(w);
}

void json_put_stats(struct json_writer *w, const struct entry_stats *s, bool first, bool sum)
{
	json_put_object(w, "stats");
	json_put_number(w, "Average", s->average);
	json_put_whole(w, "Count", (int64_t)s->count);
	if (first)
		json_put_whole(w, "First", s->first);
	json_put_whole(w, "Max", s->max);
	json_put_number(w, "Median", s->median);
	json_put_whole(w, "Min", s->min);
	json_put_whole(w, "Range", s->max - s->min);
	if (sum)
		json_put_whole(w, "Sum", s->sum);
	json_close_object(w);
}

void json_flush(struct json_writer *w, struct out *to)
{
	if (w->to->len > 1 << 18)
		out_buf(to, w->to);
}
