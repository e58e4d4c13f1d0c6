// SPDX-License-Identifier: Apache-2.0
#include "markers/analyses/marker_log.h"

#include <stdlib.h>

#include "base/keyed.h"
#include "base/order.h"
#include "markers/zone_class.h"

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
	return keyed_at(&g->devices, device, &g->m->devices,
			(struct device_markers){ .device = device });
}

static struct core_log *core_of(struct reading *g, const struct marker *k)
{
	uint64_t key = (uint64_t)k->device << 32 | (uint64_t)k->x << 16 | k->y;

	if (!g->started || key != g->last_key) {
		uint32_t device = device_of(g, k->device);
		struct device_markers *d = &g->m->devices.at[device];

		g->last_core = keyed_at(&g->cores, key, &d->cores,
					(struct core_log){ .x = k->x, .y = k->y });
		g->last_device = device;
		g->last_key = key;
		g->started = true;
	}
	return &g->m->devices.at[g->last_device].cores.at[g->last_core];
}

/* Of one RISC of a core, or of a device. */
static marker_series *series_of(struct core_log *c, uint16_t risc)
{
	vec_each (r, &c->riscs)
		if (r->risc == risc)
			return &r->series;
	*vec_push(&c->riscs) = (struct risc_log){ .risc = risc };
	return &c->riscs.at[c->riscs.len - 1].series;
}

static void sort_into_series(struct reading *g)
{
	struct marker_log *m = g->m;

	for (uint32_t i = 0; i < m->all.len; i++) {
		const struct marker *k = &m->all.at[i];
		marker_series *to = series_of(core_of(g, k), k->risc);

		*vec_push(to) = i;
	}
}

/* A core of the command queue, by the names of its zones; ethernet cores don't count. */
static bool is_dispatch(const struct marker_log *m, const struct core_log *c, const bool *queues)
{
	vec_each (r, &c->riscs) {
		if (str_has(intern_get(&m->names->riscs, r->risc), STR("ERISC")))
			continue;
		vec_each (i, &r->series)
			if (queues[m->all.at[*i].zone])
				return true;
	}
	return false;
}

static void take_dispatch_ops(struct marker_log *m, struct core_log *c)
{
	SCOPED(dispatch_vec) dispatch_vec found = { 0 };

	dispatch_ops_detect(m->all.at, &c->series, &m->names->zones, &found);
	vec_each (op, &found) {
		*vec_push(&c->ops) = (struct log_op){ .series = op->series };
		op->series = (marker_series){ 0 };
	}
}

ORDER_IN(by_first_marker, struct log_op, struct marker, in[it->series.at[0]].time_cycles)

static void make_core(struct marker_log *m, struct core_log *c, bool detect, const bool *queues)
{
	vec_each (r, &c->riscs) {
		series_sort(&r->series, m->all.at);
		series_append(&c->series, &r->series);
	}
	series_sort(&c->series, m->all.at);
	c->dispatch = is_dispatch(m, c, queues);
	if (detect && c->dispatch)
		take_dispatch_ops(m, c);
	else if (detect)
		marker_ops_detect(m, c, false);
}

static void make_device(struct marker_log *m, struct device_markers *d, bool detect)
{
	struct core_log *w = &d->whole;

	vec_each (c, &d->cores) {
		vec_each (r, &c->riscs)
			series_append(series_of(w, r->risc), &r->series);
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
	vec_sort_in(&w->dispatch_ops, by_first_marker, m->all.at);
	if (detect)
		marker_ops_detect(m, w, true);
}

void marker_log_read(struct marker_log *m, struct device_log *log, bool detect)
{
	enum { BATCH = 256 };
	struct reading g = { .m = m };
	bool *queues; /* by zone: it is one of the command queue */
	size_t n;

	*m = (struct marker_log){ .log = log, .names = &log->names };
	do {
		vec_reserve(&m->all, m->all.len + BATCH);
		n = device_log_next(log, m->all.at + m->all.len, BATCH);
		m->all.len += n;
	} while (n);
	sort_into_series(&g);
	queues = mem_zero(MARKER_ZONES_MAX + 1u, sizeof(*queues));
	for (uint32_t i = 0; i < intern_count(&m->names->zones); i++)
		queues[i] = classify_zone(intern_get(&m->names->zones, i)) & ZONE_IS_DISPATCH;
	vec_each (d, &m->devices) {
		vec_each (c, &d->cores)
			make_core(m, c, detect, queues);
		make_device(m, d, detect);
	}
	free(queues);
	RELEASE(u64map, &g.devices, &g.cores);
}

static void release_results(result_vec *v)
{
	vec_each (r, v)
		vec_release(&r->entries);
	vec_release(v);
}

static void release_core(struct core_log *c)
{
	vec_release_with(&c->riscs, series);
	vec_each (op, &c->ops) {
		vec_release(&op->series);
		release_results(&op->results);
	}
	vec_each (op, &c->dispatch_ops) {
		vec_release(&op->series);
		release_results(&op->results);
	}
	RELEASE(vec, &c->series, &c->ops, &c->dispatch_ops);
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
	RELEASE(vec, &m->devices, &m->all);
}
