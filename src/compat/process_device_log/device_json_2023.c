// SPDX-License-Identifier: Apache-2.0
/* Keys are sorted by their text; tuples are texts as Python prints them. */
#include "compat/process_device_log/device_json_2023.h"

#include <stdlib.h>

#include "base/json.h"
#include "base/number.h"
#include "base/order.h"
#include "compat/process_device_log/device_stats_2023.h"
#include "compat/process_device_log/marks_2023.h"

struct writing {
	struct json_writer w;
	struct buf text;
	struct out *to;
	const struct marker_log *m;
	struct t0_2023 t0;
	struct times_2023 times; /* by name */
};

static void put_float(struct writing *g, const char *key, double v)
{
	struct buf b = { 0 };

	number_shortest(&b, v);
	json_put_raw(&g->w, key, buf_view(&b));
	buf_release(&b);
}

static void flush(struct writing *g)
{
	if (g->text.len > 1 << 18)
		out_buf(g->to, &g->text);
}

/* (1, 1882735032062, 'BRISC', (0, 0)); RISC and core only where they say something. */
static void put_mark(struct writing *g, const struct mark_2023 *k, bool risc, bool core)
{
	struct buf b = { 0 };

	buf_printf(&b, "(%u, %llu", k->id, (unsigned long long)k->cycles);
	if (risc)
		buf_printf(&b, ", '%.*s'", STR_ARG(intern_get(&g->m->names->riscs, k->risc)));
	if (core)
		buf_printf(&b, ", (%u, %u)", k->core->x, k->core->y);
	buf_char(&b, ')');
	json_write_str(&g->w, buf_view(&b));
	buf_release(&b);
	flush(g);
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

static int64_t sum_of(const times_vec *v)
{
	int64_t sum = 0;

	vec_each (t, v)
		sum += *t;
	return sum;
}

/* Times of one series; those of a device as a whole have neither a first nor a sum. */
static void put_stats(struct writing *g, const struct time_2023 *t, times_vec *v, double *median)
{
	int64_t first = v->at[0], sum = sum_of(v);

	qsort(v->at, v->len, sizeof(int64_t), order_i64);
	json_put_object(&g->w, t->name);
	put_definition(g, "analysis", t);
	json_put_object(&g->w, "stats");
	put_float(g, "Average", (double)sum / (double)v->len);
	json_put_whole(&g->w, "Count", (int64_t)v->len);
	if (!median)
		json_put_whole(&g->w, "First", first);
	json_put_whole(&g->w, "Max", v->at[v->len - 1]);
	put_float(g, "Median", median ? *median : times_2023_median(v));
	json_put_whole(&g->w, "Min", v->at[0]);
	json_put_whole(&g->w, "Range", v->at[v->len - 1] - v->at[0]);
	if (!median)
		json_put_whole(&g->w, "Sum", sum);
	json_close_object(&g->w);
	json_close_object(&g->w);
}

static int by_name(const void *a, const void *b)
{
	return strcmp((*(const struct time_2023 *const *)a)->name,
		      (*(const struct time_2023 *const *)b)->name);
}

static void put_analyses(struct writing *g, const marker_series *s, bool device)
{
	const struct time_2023 *const *list = g->times.at;
	bool any = false;

	for (size_t i = 0; i < g->times.len; i++) {
		times_vec v = { 0 };

		if (list[i]->device == device)
			times_2023_find(g->m, s, list[i], g->t0.cycles, &v);
		if (v.len) {
			if (!any)
				json_put_object(&g->w, "analysis");
			any = true;
			put_stats(g, list[i], &v, NULL);
		}
		vec_release(&v);
	}
	if (any)
		json_close_object(&g->w);
}

/* Over all cores; the median is that of the cores' medians. */
static void put_summary(struct writing *g, const struct device_markers *d)
{
	const struct time_2023 *const *list = g->times.at;
	bool any = false;

	for (size_t i = 0; i < g->times.len; i++) {
		times_vec all = { 0 }, v = { 0 };
		VEC(double) medians = { 0 };
		size_t parts = list[i]->device ? 1 : d->cores.len;

		for (size_t c = 0; c < parts; c++) {
			vec_clear(&v);
			times_2023_find(g->m,
					list[i]->device ? &d->whole.series : &d->cores.at[c].series,
					list[i], g->t0.cycles, &v);
			if (!v.len)
				continue;
			qsort(v.at, v.len, sizeof(int64_t), order_i64);
			*vec_push(&medians) = times_2023_median(&v);
			vec_each (t, &v)
				*vec_push(&all) = *t;
		}
		if (all.len) {
			size_t n = medians.len;
			double median;

			qsort(medians.at, n, sizeof(double), order_double);
			median = n % 2 ? medians.at[n / 2]
				       : (medians.at[n / 2 - 1] + medians.at[n / 2]) / 2;
			if (!any)
				json_put_object(&g->w, "analysis");
			any = true;
			put_stats(g, list[i], &all, &median);
		}
		vec_release(&all);
		vec_release(&v);
		vec_release(&medians);
	}
	if (any)
		json_close_object(&g->w);
}

struct named_risc {
	struct str name;
	int risc; /* MARKS_OF_ALL: all of them, called TENSIX */
};

typedef VEC(struct named_risc) risc_names;

static int by_risc_name(const void *a, const void *b)
{
	return str_cmp(((const struct named_risc *)a)->name, ((const struct named_risc *)b)->name);
}

static void add_riscs(const struct writing *g, const struct core_log *c, risc_names *out)
{
	vec_each (r, &c->riscs) {
		bool known = false;

		vec_each (n, out)
			known |= n->risc == r->risc;
		if (!known)
			*vec_push(out) =
				(struct named_risc){ intern_get(&g->m->names->riscs, r->risc),
						     r->risc };
	}
}

static void put_riscs(struct writing *g, const struct core_log *cores, size_t n,
		      const struct core_log *series_of, bool device)
{
	risc_names names = { 0 };

	*vec_push(&names) = (struct named_risc){ STR("TENSIX"), MARKS_OF_ALL };
	for (size_t c = 0; c < n; c++)
		add_riscs(g, &cores[c], &names);
	vec_sort(&names, by_risc_name);
	json_put_object(&g->w, "riscs");
	vec_each (r, &names) {
		bool all = r->risc == MARKS_OF_ALL;
		marks_2023 marks = { 0 };

		json_write_key(&g->w, r->name);
		json_open_object(&g->w);
		marks_2023_take(g->m, cores, n, r->risc, &g->t0, &marks);
		if (all)
			put_analyses(g, &series_of->series, device);
		if (all && !device)
			put_launches(g, &marks);
		put_series(g, &marks, all, device);
		json_close_object(&g->w);
		vec_release(&marks);
	}
	json_close_object(&g->w);
	vec_release(&names);
}

static void core_name(struct buf *b, const struct core_log *c)
{
	buf_clear(b);
	buf_printf(b, "(%u, %u)", c->x, c->y);
}

static int by_core_name(const void *a, const void *b)
{
	struct buf l = { 0 }, r = { 0 };
	int c;

	core_name(&l, *(const struct core_log *const *)a);
	core_name(&r, *(const struct core_log *const *)b);
	c = strcmp(l.at, r.at);
	buf_release(&l);
	buf_release(&r);
	return c;
}

static void put_device(struct writing *g, const struct device_markers *d)
{
	const struct core_log **cores = mem_alloc(d->cores.len + 1, sizeof(*cores));
	struct buf name = { 0 };

	buf_printf(&name, "%u", d->device);
	json_put_object(&g->w, name.at);
	json_put_object(&g->w, "cores");
	for (size_t i = 0; i < d->cores.len; i++)
		cores[i] = &d->cores.at[i];
	qsort(cores, d->cores.len, sizeof(*cores), by_core_name);
	for (size_t i = 0; i < d->cores.len; i++) {
		core_name(&name, cores[i]);
		json_put_object(&g->w, name.at);
		put_riscs(g, cores[i], 1, cores[i], false);
		json_close_object(&g->w);
	}
	json_put_object(&g->w, "DEVICE");
	put_summary(g, d);
	put_riscs(g, d->cores.at, d->cores.len, &d->whole, true);
	json_close_object(&g->w);
	json_close_object(&g->w);
	json_put_object(&g->w, "metadata");
	json_put_object(&g->w, "global_min");
	core_name(&name, g->t0.core);
	json_put_text(&g->w, "core", str_of(name.at));
	json_put_text(&g->w, "risc", intern_get(&g->m->names->riscs, g->t0.risc));
	json_put_count(&g->w, "ts", g->t0.cycles);
	json_close_object(&g->w);
	json_close_object(&g->w);
	json_close_object(&g->w);
	buf_release(&name);
	free(cores);
}

static void put_setup(struct writing *g, const char *input_path, const char *output_folder)
{
	static const char *const shown[] = { "Count", "Average", "Max", "Median", "Min" };
	static const char *const riscs[][2] = {
		{ "BRISC", "light:g" },      { "NCRISC", "light:r" },
		{ "TENSIX", "light:b" },     { "TRISC_0", "light:gray" },
		{ "TRISC_1", "light:gray" }, { "TRISC_2", "light:gray" },
	};
	static const char *const labels[] = { "Start", "Firmware Start", "Kernel start",
					      "Kernel End", "Firmware End" };
	const struct time_2023 *const *list = g->times.at;

	json_put_object(&g->w, "setup");
	json_put_text(&g->w, "deviceAnalysisData", str_of("device_analysis_data.json"));
	json_put_text(&g->w, "deviceChromeTracing", str_of("device_chrome_tracing.json"));
	json_put_text(&g->w, "deviceInputLog", str_of(input_path));
	json_put_text(&g->w, "devicePerfHTML", str_of("timeline.html"));
	json_put_text(&g->w, "deviceRearranged", str_of("device_rearranged_timestamps.csv"));
	json_put_text(&g->w, "deviceStatsTXT", str_of("device_stats.txt"));
	json_put_text(&g->w, "deviceTarball", str_of("device_perf_results.tgz"));
	json_put_array(&g->w, "displayStats");
	for (int i = 0; i < 5; i++)
		json_write_str(&g->w, str_of(shown[i]));
	json_close_array(&g->w);
	json_put_text(&g->w, "outputFolder", str_of(output_folder));
	json_put_whole(&g->w, "plotBaseHeight", 200);
	json_put_whole(&g->w, "plotPerCoreHeight", 100);
	json_put_array(&g->w, "riscs");
	for (int i = 0; i < 6; i++)
		if (i != 2)
			json_write_str(&g->w, str_of(riscs[i][0]));
	json_close_array(&g->w);
	json_put_object(&g->w, "riscsData");
	for (int i = 0; i < 6; i++) {
		json_put_object(&g->w, riscs[i][0]);
		json_put_text(&g->w, "color", str_of(riscs[i][1]));
		json_close_object(&g->w);
	}
	json_close_object(&g->w);
	json_put_object(&g->w, "timerAnalysis");
	for (size_t i = 0; i < g->times.len; i++)
		put_definition(g, list[i]->name, list[i]);
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

/* T0 is found in the order of the log, and devices are written by their numbers. */
struct device_t0 {
	const struct device_markers *markers;
	struct t0_2023 t0;
};

static int by_device(const void *a, const void *b)
{
	uint32_t l = ((const struct device_t0 *)a)->markers->device;
	uint32_t r = ((const struct device_t0 *)b)->markers->device;

	return l < r ? -1 : l > r;
}

void device_json_2023_write(const struct marker_log *m, const char *setup, const char *input_path,
			    const char *output_folder, struct out *to)
{
	struct writing g = { .to = to, .m = m, .t0 = { .cycles = UINT64_MAX } };
	struct device_t0 *devices = mem_alloc(m->devices.len + 1, sizeof(*devices));

	times_2023_of(setup, &g.times);
	vec_sort(&g.times, by_name);
	g.w = (struct json_writer){ .to = &g.text, .pretty = true };
	json_open_object(&g.w);
	json_put_object(&g.w, "data");
	json_put_object(&g.w, "deviceInfo");
	json_put_text(&g.w, "arch", m->log->arch);
	json_put_whole(&g.w, "freq", m->log->freq_mhz);
	json_close_object(&g.w);
	json_put_object(&g.w, "devices");
	for (size_t i = 0; i < m->devices.len; i++) {
		t0_2023_find(m, &m->devices.at[i], &g.t0);
		devices[i] = (struct device_t0){ &m->devices.at[i], g.t0 };
	}
	qsort(devices, m->devices.len, sizeof(*devices), by_device);
	for (size_t i = 0; i < m->devices.len; i++) {
		g.t0 = devices[i].t0;
		put_device(&g, devices[i].markers);
	}
	json_close_object(&g.w);
	json_close_object(&g.w);
	put_setup(&g, input_path, output_folder);
	json_close_object(&g.w);
	out_buf(to, &g.text);
	buf_release(&g.text);
	free(devices);
}
