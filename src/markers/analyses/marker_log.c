// SPDX-License-Identifier: Apache-2.0
#include "markers/analyses/marker_log.h"

#include <stdlib.h>

#include "markers/analyses/dispatch.h"
#include "markers/analyses/marker_ops.h"
#include "markers/analyses/series.h"

struct reading {
	struct marker_log *m;
	struct u64map devices, cores; /* the latter: number among its device's */
	/* of the marker before: logs come core by core */
	uint64_t last_key;
	uint32_t last_device, last_core;
	bool started;
};

static uint32_t device_of(struct reading *g, uint32_t device)
{
	bool added;
	uint32_t i = u64map_get_or_put(&g->devices, device, (uint32_t)g->m->devices.len, &added);

	if (added)
		*vec_push(&g->m->devices) = (struct device_markers){ .device = device };
	return i;
}

static struct core_log *core_of(struct reading *g, const struct marker *k)
{
	uint64_t key = (uint64_t)k->device << 32 | (uint64_t)k->x << 16 | k->y;

	if (!g->started || key != g->last_key) {
		uint32_t device = device_of(g, k->device);
		struct device_markers *d = &g->m->devices.at[device];
		bool added;

		g->last_core = u64map_get_or_put(&g->cores, key, (uint32_t)d->cores.len, &added);
		if (added)
			*vec_push(&d->cores) = (struct core_log){ .x = k->x, .y = k->y };
		g->last_device = device;
		g->last_key = key;
		g->started = true;
	}
	return &g->m->devices.at[g->last_device].cores.at[g->last_core];
}

static void sort_into_series(struct reading *g)
{
	struct marker_log *m = g->m;

	for (uint32_t i = 0; i < m->all.len; i++) {
		const struct marker *k = &m->all.at[i];
		struct core_log *core = core_of(g, k);
		struct risc_log *risc = NULL;

		vec_each (r, &core->riscs)
			if (r->risc == k->risc)
				risc = r;
		if (!risc) {
			risc = vec_push(&core->riscs);
			*risc = (struct risc_log){ .risc = k->risc };
		}
		*vec_push(&risc->series) = i;
	}
}

/* A core of the command queue, by the names of its zones; ethernet cores don't count. */
static bool is_dispatch(const struct marker_log *m, const struct core_log *c, uint8_t *zone)
{
	vec_each (r, &c->riscs) {
		if (str_has(intern_get(&m->names->riscs, r->risc), STR("ERISC")))
			continue;
		vec_each (i, &r->series) {
			uint16_t z = m->all.at[*i].zone;

			if (!zone[z]) {
				struct str name = intern_get(&m->names->zones, z);

				zone[z] = str_has(name, STR("CQ-DISPATCH")) ||
							  str_has(name, STR("CQ-PREFETCH"))
						  ? 2
						  : 1;
			}
			if (zone[z] == 2)
				return true;
		}
	}
	return false;
}

static void take_dispatch_ops(struct marker_log *m, struct core_log *c)
{
	dispatch_vec found = { 0 };

	dispatch_ops_detect(m->all.at, &c->series, &m->names->zones, &found);
	vec_each (op, &found) {
		*vec_push(&c->ops) = (struct log_op){ .series = op->series };
		op->series = (marker_series){ 0 };
	}
	dispatch_vec_release(&found);
}

static int by_first_marker(const void *a, const void *b, void *ctx)
{
	const struct marker *all = ctx;
	const struct log_op *l = a, *r = b;
	uint64_t x = all[l->series.at[0]].time_cycles, y = all[r->series.at[0]].time_cycles;

	return x < y ? -1 : x > y;
}

static void make_core(struct marker_log *m, struct core_log *c, bool detect, uint8_t *zone)
{
	vec_each (r, &c->riscs) {
		series_sort(&r->series, m->all.at);
		series_append(&c->series, &r->series);
	}
	series_sort(&c->series, m->all.at);
	c->dispatch = is_dispatch(m, c, zone);
	if (detect && c->dispatch)
		take_dispatch_ops(m, c);
	else if (detect)
		marker_ops_detect(m, c, false);
}

static void make_device(struct marker_log *m, struct device_markers *d, bool detect)
{
	struct core_log *w = &d->whole;

	vec_each (c, &d->cores) {
		vec_each (r, &c->riscs) {
			struct risc_log *all = NULL;

			vec_each (x, &w->riscs)
				if (x->risc == r->risc)
					all = x;
			if (!all) {
				all = vec_push(&w->riscs);
				*all = (struct risc_log){ .risc = r->risc };
			}
			series_append(&all->series, &r->series);
		}
		series_append(&w->series, &c->series);
		if (c->dispatch)
			vec_each (op, &c->ops) {
				struct log_op copy = { 0 };

				series_append(&copy.series, &op->series);
				*vec_push(&w->dispatch_ops) = copy;
			}
	}
	vec_each (r, &w->riscs)
		series_sort(&r->series, m->all.at);
	series_sort(&w->series, m->all.at);
	if (w->dispatch_ops.len)
		qsort_r(w->dispatch_ops.at, w->dispatch_ops.len, sizeof(*w->dispatch_ops.at),
			by_first_marker, m->all.at);
	if (detect)
		marker_ops_detect(m, w, true);
}

void marker_log_read(struct marker_log *m, struct device_log *log, bool detect)
{
	enum { BATCH = 256 };
	struct marker_source source = device_log_source(log);
	struct reading g = { .m = m };
	uint8_t *zone;
	size_t n;

	*m = (struct marker_log){ .log = log, .names = &log->names };
	do {
		vec_reserve(&m->all, m->all.len + BATCH);
		n = source.next(source.self, m->all.at + m->all.len, BATCH);
		m->all.len += n;
	} while (n);
	sort_into_series(&g);
	zone = mem_zero(MARKER_ZONES_MAX + 1u, 1);
	vec_each (d, &m->devices) {
		vec_each (c, &d->cores)
			make_core(m, c, detect, zone);
		make_device(m, d, detect);
	}
	free(zone);
	u64map_release(&g.devices);
	u64map_release(&g.cores);
}

static void release_results(result_vec *v)
{
	vec_each (r, v)
		vec_release(&r->entries);
	vec_release(v);
}

static void release_core(struct core_log *c)
{
	vec_each (r, &c->riscs)
		vec_release(&r->series);
	vec_each (op, &c->ops) {
		vec_release(&op->series);
		release_results(&op->results);
	}
	vec_each (op, &c->dispatch_ops) {
		vec_release(&op->series);
		release_results(&op->results);
	}
	vec_release(&c->riscs);
	vec_release(&c->series);
	vec_release(&c->ops);
	vec_release(&c->dispatch_ops);
	release_results(&c->results);
}

void marker_log_release(struct marker_log *m)
{
	vec_each (d, &m->devices) {
		vec_each (c, &d->cores)
			release_core(c);
		vec_release(&d->cores);
		release_core(&d->whole);
		vec_release(&d->found);
	}
	vec_release(&m->devices);
	vec_release(&m->all);
}
