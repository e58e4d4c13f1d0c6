// SPDX-License-Identifier: Apache-2.0
/* Keys are sorted by their text; tuples are texts as Python prints them. */
#include <stdlib.h>

#include "compat/process_device_log/device_files.h"

struct writing {
	struct json_writer w;
	struct buf text;
	struct out *to;
	const struct marker_log *m;
	struct t0_2023 t0;
	struct times_2023 times; /* by name */
};

/* (1, 1882735032062, 'BRISC', (0, 0)); RISC and core only where they say something. */
static void put_mark(struct writing *g, const struct mark_2023 *k, bool risc, bool core)
{
	SCOPED(buf) struct buf b = { 0 };

	buf_printf(&b, "(%u, %llu", k->id, (unsigned long long)k->cycles);
	if (risc)
		buf_printf(&b, ", '%.*s'", STR_ARG(intern_get(&g->m->names->riscs, k->risc)));
	if (core)
		buf_printf(&b, ", (%u, %u)", k->core->x, k->core->y);
	buf_char(&b, ')');
	json_write_str(&g->w, buf_view(&b));
	json_flush(&g->w, g->to);
}

static void put_series(struct writing *g, const marks_2023 *marks, bool risc, bool core)
{
	json_put_array(&g->w, "timeseries");
	vec_each (k, marks)
		put_mark(g, k, risc, core);
	json_close_array(&g->w);
}

/* From one BRISC firmware start to the next. */
static void put_launches(struct writing *g, const marks_2023 *marks)
{
	bool open = false;

	json_put_array(&g->w, "launches");
	vec_each (k, marks) {
		if (k->risc == RISC_BRISC && k->id == 1) {
			if (open)
				json_close_array(&g->w);
			json_open_array(&g->w);
			open = true;
		}
		if (open)
			put_mark(g, k, true, false);
	}
	if (open)
		json_close_array(&g->w);
	json_close_array(&g->w);
}

static void put_end(struct writing *g, const char *key, const struct time_2023 *t, int risc,
		    uint32_t mark)
{
	json_put_object(&g->w, key);
	if (t->device)
		json_put_text(&g->w, "core", str_of("ANY"));
	/* T0 is said to be of BRISC */
	json_put_text(&g->w, "risc",
		      risc >= 0 ? intern_get(&g->m->names->riscs, (uint32_t)risc)
		      : mark    ? STR("ANY")
				: STR("BRISC"));
	json_put_whole(&g->w, "timerID", mark);
	json_close_object(&g->w);
}

static void put_definition(struct writing *g, const char *key, const struct time_2023 *t)
{
	static const char *const kinds[] = { "adjacent", "launch_first_last",
					     "session_first_last" };

	json_put_object(&g->w, key);
	json_put_text(&g->w, "across", str_of(t->device ? "device" : "core"));
	put_end(g, "end", t, t->end_risc, t->end);
	put_end(g, "start", t, t->start_risc, t->start);
	json_put_text(&g->w, "type", str_of(kinds[t->kind]));
	json_close_object(&g->w);
}

/* Times of one series, or of a device as a whole, which has neither a first nor a sum. */
static void put_stats(struct writing *g, const struct time_2023 *t, const struct entry_stats *s,
		      bool whole, bool *any)
{
	if (!*any)
		json_put_object(&g->w, "analysis");
	*any = true;
	json_put_object(&g->w, t->name);
	put_definition(g, "analysis", t);
	json_put_stats(&g->w, s, !whole, !whole);
	json_close_object(&g->w);
}

static int by_name(const void *a, const void *b)
{
	return strcmp((*(const struct time_2023 *const *)a)->name,
		      (*(const struct time_2023 *const *)b)->name);
}

static void put_analyses(struct writing *g, const marker_series *s, bool device)
{
	struct entry_stats found;
	bool any = false;

	for (size_t i = 0; i < g->times.len; i++)
		if (g->times.at[i]->device == device &&
		    times_2023_find(g->m, s, g->times.at[i], g->t0.cycles, &found))
			put_stats(g, g->times.at[i], &found, false, &any);
	if (any)
		json_close_object(&g->w);
}

static void put_summary(struct writing *g, const struct device_markers *d)
{
	struct entry_stats found;
	bool any = false;

	for (size_t i = 0; i < g->times.len; i++)
		if (times_2023_sum(g->m, d, g->times.at[i], g->t0.cycles, NULL, &found))
			put_stats(g, g->times.at[i], &found, true, &any);
	if (any)
		json_close_object(&g->w);
}

/* Of a core, or of all `n` that a device has. */
static void put_riscs(struct writing *g, const struct core_log *cores, size_t n,
		      const struct core_log *whole, bool device)
{
	SCOPED(vec) risc_names names = riscs_by_name(g->m, whole);

	json_put_object(&g->w, "riscs");
	vec_each (r, &names) {
		SCOPED(vec) marks_2023 marks = { 0 };

		json_write_key(&g->w, r->name);
		json_open_object(&g->w);
		marks_2023_take(g->m, cores, n, r->log, &g->t0, &marks);
		if (!r->log)
			put_analyses(g, &whole->series, device);
		if (!r->log && !device)
			put_launches(g, &marks);
		put_series(g, &marks, !r->log, device);
		json_close_object(&g->w);
	}
	json_close_object(&g->w);
}

static void put_device(struct writing *g, const struct device_markers *d)
{
	SCOPED(mem) uint32_t *order = cores_by_name(d);
	char name[16];

	snprintf(name, sizeof(name), "%u", d->device);
	json_put_object(&g->w, name);
	json_put_object(&g->w, "cores");
	for (size_t i = 0; i < d->cores.len; i++) {
		const struct core_log *c = &d->cores.at[order[i]];

		json_put_object(&g->w, core_name(c).text);
		put_riscs(g, c, 1, c, false);
		json_close_object(&g->w);
	}
	json_put_object(&g->w, "DEVICE");
	put_summary(g, d);
	put_riscs(g, d->cores.at, d->cores.len, &d->whole, true);
	json_close_object(&g->w);
	json_close_object(&g->w);
	json_put_object(&g->w, "metadata");
	json_put_object(&g->w, "global_min");
	json_put_text(&g->w, "core", str_of(core_name(g->t0.core).text));
	json_put_text(&g->w, "risc", intern_get(&g->m->names->riscs, g->t0.risc));
	json_put_count(&g->w, "ts", g->t0.cycles);
	json_close_object(&g->w);
	json_close_object(&g->w);
	json_close_object(&g->w);
}

static void put_setup(struct writing *g, const struct device_analysed *a)
{
	static const char *const shown[] = { "Count", "Average", "Max", "Median", "Min" };
	static const char *const riscs[] = { "BRISC", "NCRISC", "TRISC_0", "TRISC_1", "TRISC_2" };
	static const char *const colours[][2] = {
		{ "BRISC", "light:g" },      { "NCRISC", "light:r" },
		{ "TENSIX", "light:b" },     { "TRISC_0", "light:gray" },
		{ "TRISC_1", "light:gray" }, { "TRISC_2", "light:gray" },
	};
	static const char *const labels[] = { "Start", "Firmware Start", "Kernel start",
					      "Kernel End", "Firmware End" };

	json_put_object(&g->w, "setup");
	json_put_text(&g->w, "deviceAnalysisData", str_of("device_analysis_data.json"));
	json_put_text(&g->w, "deviceChromeTracing", str_of("device_chrome_tracing.json"));
	json_put_text(&g->w, "deviceInputLog", str_of(a->input_path));
	json_put_text(&g->w, "devicePerfHTML", str_of("timeline.html"));
	json_put_text(&g->w, "deviceRearranged", str_of("device_rearranged_timestamps.csv"));
	json_put_text(&g->w, "deviceStatsTXT", str_of("device_stats.txt"));
	json_put_text(&g->w, "deviceTarball", str_of("device_perf_results.tgz"));
	json_put_texts(&g->w, "displayStats", shown, 5);
	json_put_text(&g->w, "outputFolder", str_of(a->output_folder));
	json_put_whole(&g->w, "plotBaseHeight", 200);
	json_put_whole(&g->w, "plotPerCoreHeight", 100);
	json_put_texts(&g->w, "riscs", riscs, 5);
	json_put_object(&g->w, "riscsData");
	for (int i = 0; i < 6; i++) {
		json_put_object(&g->w, colours[i][0]);
		json_put_text(&g->w, "color", str_of(colours[i][1]));
		json_close_object(&g->w);
	}
	json_close_object(&g->w);
	json_put_object(&g->w, "timerAnalysis");
	for (size_t i = 0; i < g->times.len; i++)
		put_definition(g, g->times.at[i]->name, g->times.at[i]);
	json_close_object(&g->w);
	json_put_array(&g->w, "timerIDLabels");
	for (int i = 0; i < 5; i++) {
		json_open_array(&g->w);
		json_write_i64(&g->w, i);
		json_write_str(&g->w, str_of(labels[i]));
		json_close_array(&g->w);
	}
	json_close_array(&g->w);
	json_put_whole(&g->w, "webappPort", 8050);
	json_close_object(&g->w);
}

void device_json_2023_write(const struct device_analysed *a, struct out *to)
{
	const struct marker_log *m = a->markers;
	struct writing g = { .to = to, .m = m, .t0 = { .cycles = UINT64_MAX } };
	SCOPED(mem) struct t0_2023 *t0 = mem_alloc(m->devices.len + 1, sizeof(*t0));
	SCOPED(mem) uint32_t *order = devices_by_id(m);

	times_2023_of(a->setup, &g.times);
	vec_sort(&g.times, by_name);
	g.w = (struct json_writer){ .to = &g.text, .pretty = true };
	json_open_object(&g.w);
	json_put_object(&g.w, "data");
	json_put_object(&g.w, "deviceInfo");
	json_put_text(&g.w, "arch", m->log->arch);
	json_put_whole(&g.w, "freq", m->log->freq_mhz);
	json_close_object(&g.w);
	json_put_object(&g.w, "devices");
	/* T0 is found in the order of the log, and devices are written by their numbers */
	for (size_t i = 0; i < m->devices.len; i++) {
		t0_2023_find(m, &m->devices.at[i], &g.t0);
		t0[i] = g.t0;
	}
	for (size_t i = 0; i < m->devices.len; i++) {
		g.t0 = t0[order[i]];
		put_device(&g, &m->devices.at[order[i]]);
	}
	json_close_object(&g.w);
	json_close_object(&g.w);
	put_setup(&g, a);
	json_close_object(&g.w);
	out_buf(to, &g.text);
	buf_release(&g.text);
}
