// SPDX-License-Identifier: Apache-2.0
#include "compat/process_ops_logs/exact_runs.h"

#include <stdlib.h>

#include "base/order.h"
#include "markers/analyses/marker_log.h"

#define FIRST(run) op_run_time(in, &in->runs.at[run], TIME_FIRST)

ORDER_IN(by_id_and_time, uint32_t, struct op_times, op_run_device(in, &in->runs.at[*it]),
	 in->runs.at[*it].run_id, FIRST(*it))

ORDER_IN(by_time, uint32_t, struct op_times, FIRST(*it), *it)

/* Closes with its last marker, and with no other. */
static bool run_closes(const struct op_times *t, const struct op_run *r)
{
	for (uint32_t i = 0; i < op_run_cores(t, r); i++) {
		const struct op_core *c = &t->cores.at[r->first_core + i];

		if (c->master_starts != 1 || c->master_ends != 1)
			return false;
	}
	return r->last_is_end && !r->last_is_shared;
}

static uint64_t set_of_cores(const struct op_times *t, const struct op_run *r)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < op_run_cores(t, r); i++) {
		uint64_t h = t->cores.at[r->first_core + i].core + 1ull;

		h *= 0x9e3779b97f4a7c15u;
		sum += h ^ h >> 29;
	}
	return sum;
}

/* Runs of one id follow each other, on the same cores. */
static bool repeats_follow(const struct op_times *t)
{
	SCOPED(mem) uint32_t *runs = order_numbers(t->runs.len, by_id_and_time, t);
	bool ok = true;

	for (size_t i = 1; i < t->runs.len && ok; i++) {
		const struct op_run *l = &t->runs.at[runs[i - 1]], *r = &t->runs.at[runs[i]];

		if (op_run_device(t, l) == op_run_device(t, r) && l->run_id == r->run_id)
			ok = op_run_time(t, l, TIME_LAST) < op_run_time(t, r, TIME_FIRST) &&
			     op_run_cores(t, l) == op_run_cores(t, r) &&
			     set_of_cores(t, l) == set_of_cores(t, r);
	}
	return ok;
}

/* Runs of one core follow each other: between them is a gap. */
static bool cores_follow(const struct op_times *t)
{
	SCOPED(mem) uint32_t *runs = order_numbers(t->runs.len, by_time, t);
	SCOPED(mem) uint64_t *last = mem_zero(t->places.len + 1, sizeof(*last));
	bool ok = true;

	for (size_t i = 0; i < t->runs.len && ok; i++) {
		const struct op_run *r = &t->runs.at[runs[i]];

		for (uint32_t k = 0; k < op_run_cores(t, r); k++) {
			const struct op_core *c = &t->cores.at[r->first_core + k];

			ok &= op_core_time(t, c, CORE_FIRST) > last[c->core];
			last[c->core] = op_core_time(t, c, CORE_LAST);
		}
	}
	return ok;
}

bool runs_are_exact(const struct op_times *t)
{
	if (t->irregular)
		return false;
	vec_each (r, &t->runs)
		if (!run_closes(t, r))
			return false;
	return repeats_follow(t) && cores_follow(t);
}

struct grouped_run {
	uint32_t run, group;
	uint64_t group_first;
};

ORDER_IN(by_group, struct grouped_run, struct op_times, it->group_first, it->group, FIRST(it->run),
	 it->run)

uint32_t *runs_in_detection_order(const struct op_times *t)
{
	uint32_t *runs = order_numbers(t->runs.len, by_id_and_time, t);
	SCOPED(mem) struct grouped_run *all = mem_alloc(t->runs.len + 1, sizeof(*all));

	for (size_t i = 0; i < t->runs.len; i++) {
		const struct op_run *r = &t->runs.at[runs[i]];
		const struct op_run *before = i ? &t->runs.at[runs[i - 1]] : NULL;

		if (before && before->run_id == r->run_id &&
		    op_run_device(t, before) == op_run_device(t, r))
			all[i] = (struct grouped_run){ runs[i], all[i - 1].group,
						       all[i - 1].group_first };
		else
			all[i] = (struct grouped_run){ runs[i], runs[i],
						       op_run_time(t, r, TIME_FIRST) };
	}
	if (t->runs.len)
		qsort_r(all, t->runs.len, sizeof(*all), by_group, (void *)(uintptr_t)t);
	for (size_t i = 0; i < t->runs.len; i++)
		runs[i] = all[i].run;
	return runs;
}

static void take_gaps(struct detected_runs *x, const struct marker_log *m,
		      const struct device_markers *d)
{
	vec_each (c, &d->cores) {
		uint32_t core = 0;

		(void)u64map_get(&x->times.place_index,
				 (uint64_t)d->device << 32 | (uint64_t)c->x << 16 | c->y, &core);
		vec_each (r, &c->results)
			vec_each (e, &r->entries) {
				const struct marker *all = m->all.at;

				/* within one iteration of the firmware it is no gap between ops */
				if (e->start_iteration == UINT32_MAX ||
				    e->end_iteration == UINT32_MAX ||
				    all[e->start_iteration].time_cycles ==
					    all[e->end_iteration].time_cycles)
					continue;
				*vec_push(&x->gaps) =
					(struct core_gap){ .core = core,
							   .start = e->start_cycles,
							   .took = (uint64_t)e->took_cycles,
							   .from = all[e->start].run_id,
							   .to = all[e->end].run_id };
			}
	}
}

bool exact_runs_read(struct detected_runs *x, struct device_log *log, const struct op_times *like)
{
	struct analysis op2op = { 0 };
	struct marker_log m;
	uint64_t rows = log->rows, bad = log->bad_rows;
	bool ok;

	*x = (struct detected_runs){ .times.any_phase = true };
	for (const struct analysis *a = setup_default_analyses(); a->name; a++)
		if (!strcmp(a->name, "op2op"))
			op2op = *a;
	device_log_rewind(log);
	marker_log_read(&m, log, true);
	log->rows = rows;
	log->bad_rows = bad;
	ok = !m.broken;
	if (ok) {
		vec_each (p, &like->places)
			op_times_add_place(&x->times, p->device, p->x, p->y);
		marker_log_analyse(&m, &op2op, 1);
		vec_each (d, &m.devices) {
			vec_each (op, &d->whole.ops) {
				op_times_begin_run(&x->times, &m.all.at[op->series.at[0]]);
				vec_each (i, &op->series)
					op_times_add_to_run(&x->times, &m.all.at[*i], m.names);
				*vec_push(&x->last_id) =
					m.all.at[op->series.at[op->series.len - 1]].run_id;
			}
			take_gaps(x, &m, d);
		}
		op_times_finish(&x->times);
		for (size_t i = 0; i < like->places.len; i++)
			x->times.places.at[i].dispatch = like->places.at[i].dispatch;
		x->times.any_dispatch = like->any_dispatch;
	}
	marker_log_release(&m);
	if (!ok)
		detected_runs_release(x);
	return ok;
}

bool exact_runs_keep_ids(const struct detected_runs *x)
{
	for (size_t i = 0; i < x->times.runs.len; i++)
		if (x->times.runs.at[i].run_id != x->last_id.at[i])
			return false;
	return true;
}

/* One trace of one device: which of its ops came in the replay that is going on. */
struct trace_state {
	int64_t device, trace_id;
	uint32_t replay;
};

struct counting {
	const struct op_times *t;
	const struct host_events *h;
	VEC(struct trace_state) traces;
	struct u64map seen; /* number of the op, to the replay in which it came last */
	struct op_replay *found;
};

static struct trace_state *trace_of(struct counting *g, const struct host_program *op)
{
	vec_each (s, &g->traces)
		if (s->device == op->device && s->trace_id == op->trace_id)
			return s;
	*vec_push(&g->traces) =
		(struct trace_state){ .device = op->device, .trace_id = op->trace_id, .replay = 1 };
	return &g->traces.at[g->traces.len - 1];
}

static bool count_run(struct counting *g, uint32_t run)
{
	uint32_t number = host_op_find(g->h, g->t->runs.at[run].run_id), was = 0;
	const struct host_replays *replays;
	const struct host_program *op;
	struct trace_state *s;

	if (number == HOST_NONE)
		return true;
	op = host_op_program(g->h, &g->h->ops.at[number]);
	if (op->trace_id < 0 || op->device != op_run_device(g->t, &g->t->runs.at[run]))
		return true;
	s = trace_of(g, op);
	replays = host_replays_find(g->h, op->device, op->trace_id);
	if (u64map_get(&g->seen, number, &was) && was == s->replay)
		s->replay++;
	u64map_put(&g->seen, number, s->replay);
	if (!replays || s->replay > replays->times_ns.len)
		return false;
	g->found[run] = (struct op_replay){ op->trace_id, s->replay, 0 };
	return true;
}

typedef VEC(uint64_t) id_vec;

/* Without replays the ops of host and device are the same, one to one. */
static bool ops_are_the_hosts(const struct op_times *t, const struct host_events *h)
{
	SCOPED(vec) id_vec of_host = { 0 }, of_device = { 0 };
	SCOPED(u64map) struct u64map devices = { 0 };
	bool same;

	vec_each (op, &h->ops) {
		int64_t device = host_op_program(h, op)->device;

		if (device >= 0) {
			*vec_push(&of_host) = op->id;
			u64map_put(&devices, (uint64_t)device, 0);
		}
	}
	vec_each (r, &t->runs) {
		uint32_t v;

		if (u64map_get(&devices, op_run_device(t, r), &v))
			*vec_push(&of_device) = r->run_id;
	}
	same = of_host.len == of_device.len;
	if (same && of_host.len) {
		qsort(of_host.at, of_host.len, sizeof(uint64_t), order_u64);
		qsort(of_device.at, of_device.len, sizeof(uint64_t), order_u64);
		same = !memcmp(of_host.at, of_device.at, of_host.len * sizeof(uint64_t));
	}
	return same;
}

bool count_replays(const struct op_times *t, const struct host_events *h, struct op_replay **found)
{
	struct counting g = { .t = t, .h = h };
	uint32_t *runs;
	bool ok = true, any = false;

	vec_each (r, &h->replays)
		any |= r->times_ns.len > 0;
	if (!any && !ops_are_the_hosts(t, h))
		return false;
	g.found = mem_alloc(t->runs.len + 1, sizeof(*g.found));
	for (size_t i = 0; i < t->runs.len; i++)
		g.found[i] = (struct op_replay){ -1, -1, 0 };
	if (any) {
		runs = order_numbers(t->runs.len, by_time, t);
		for (size_t i = 0; i < t->runs.len && ok; i++)
			ok = count_run(&g, runs[i]);
		free(runs);
	}
	if (ok)
		*found = g.found;
	else
		free(g.found);
	vec_release(&g.traces);
	u64map_release(&g.seen);
	return ok;
}
