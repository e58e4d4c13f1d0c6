// SPDX-License-Identifier: Apache-2.0
/* Lanes of devices: from a device log, or from an ops report alone. */
#include <stdlib.h>

#include "draw/lanes.h"

struct device_lanes {
	uint32_t ops;
	VEC(uint32_t) riscs; /* by RISC: lane + 1, 0: none */
	bool wanted;
};

/* RISCs in the order of the log's dictionary, which is that of a core. */
static void make_lanes(struct lanes *l, const struct core_times *t, struct device_lanes *d,
		       uint32_t *core_lane, uint32_t number)
{
	uint32_t id = t->devices.at[number].id, cores = t->devices.at[number].cores;
	SCOPED(buf) struct buf name = { 0 };

	d->ops = UINT32_MAX;
	if (l->kinds & 1u << LANE_OPS) {
		buf_printf(&name, "device %u ops", id);
		d->ops = lanes_add(l, LANE_OPS, buf_view(&name), true, id);
	}
	for (size_t i = 0; i < t->riscs.len; i++) {
		uint32_t lane = UINT32_MAX;

		if (t->riscs.at[i].len && l->kinds & 1u << LANE_RISC_SUM)
			lane = lanes_add(l, LANE_RISC_SUM, t->riscs.at[i], false, id);
		if (lane != UINT32_MAX)
			l->all.at[lane].weight = cores ? cores : 1;
		*vec_push(&d->riscs) = lane;
	}
	for (uint32_t i = 0; l->kinds & 1u << LANE_CORE && i < cores; i++) {
		uint32_t core = t->device_cores.at[t->devices.at[number].first_core + i];

		buf_set(&name, "core %u,%u", t->cores.at[core].x, t->cores.at[core].y);
		core_lane[core] = lanes_add(l, LANE_CORE, buf_view(&name), true, id);
	}
}

/* One core in one op: each RISC by itself; the core as long as any of them. */
static void add_part(struct lanes *l, const struct core_times *t, const struct core_part *p,
		     const struct device_lanes *d, uint32_t core_lane, uint32_t name,
		     const struct device_clock *clock, int64_t zero_ns)
{
	double from = 0, to = -1;

	for (uint32_t i = 0; i < p->count; i++) {
		const struct core_span *s = &t->spans.at[p->first + i];
		double a = clock_ns_since(clock, s->start_cycles, zero_ns);
		double b = clock_ns_since(clock, s->end_cycles, zero_ns);

		lanes_busy(l, d->riscs.at[s->risc], a, b, UINT32_MAX);
		if (to < from) {
			from = a;
			to = b;
		} else if (a > to) {
			lanes_busy(l, core_lane, from, to, name);
			from = a;
			to = b;
		} else if (b > to) {
			to = b;
		}
	}
	if (to > from)
		lanes_busy(l, core_lane, from, to, name);
}

void lanes_of_cores(struct lanes *l, const struct core_times *t, struct op_names *names,
		    struct clock_map *clocks, int64_t zero_ns, int64_t device)
{
	SCOPED(mem) struct device_lanes *d = mem_zero(t->devices.len + 1, sizeof(*d));
	SCOPED(mem) uint32_t *core_lane = mem_alloc(t->cores.len + 1, sizeof(*core_lane));

	memset(core_lane, 0xff, (t->cores.len + 1) * sizeof(*core_lane));
	for (uint32_t i = 0; i < t->devices.len; i++) {
		d[i].wanted = device < 0 || device == t->devices.at[i].id;
		if (d[i].wanted)
			make_lanes(l, t, &d[i], core_lane, i);
	}
	vec_each (o, &t->ops) {
		const struct device_clock *clock =
			clock_map_device(clocks, t->devices.at[o->device].id);
		struct op_name op;
		uint32_t name;

		if (!d[o->device].wanted || o->first_cycles > o->last_cycles)
			continue;
		op = op_names_find(names, &o->key);
		name = lanes_op(l, &op);
		lanes_busy(l, d[o->device].ops, clock_ns_since(clock, o->first_cycles, zero_ns),
			   clock_ns_since(clock, o->last_cycles, zero_ns), name);
		for (uint32_t i = 0; i < o->parts; i++) {
			const struct core_part *p = &t->parts.at[o->first_part + i];

			add_part(l, t, p, &d[o->device], core_lane[p->core],
				 d[o->device].ops == UINT32_MAX ? name : UINT32_MAX, clock,
				 zero_ns);
		}
	}
	for (size_t i = 0; i < t->devices.len; i++)
		vec_release(&d[i].riscs);
}

/* ---- of a report alone ---- */

/* The report has cycles and, of the same thing, ns. */
static double ns_per_cycle(const struct op_names *n)
{
	vec_each (r, &n->rows) {
		double start, end, ns;

		if (ops_real(n->table, OPS_FW_START, r->row, &start) &&
		    ops_real(n->table, OPS_FW_END, r->row, &end) && end > start &&
		    ops_real(n->table, OPS_FW_DURATION, r->row, &ns) && ns > 0)
			return ns / (end - start);
	}
	return 1;
}

static bool op_times_of(const struct op_names *n, uint32_t row, double per_cycle, double *from_ns,
			double *to_ns)
{
	double start = 0, end = 0;
	bool ok = ops_real(n->table, OPS_FW_START, row, &start) &&
		  ops_real(n->table, OPS_FW_END, row, &end) && end >= start;

	*from_ns = start * per_cycle;
	*to_ns = end * per_cycle;
	return ok;
}

bool report_span(const struct op_names *names, double *first_ns, double *last_ns)
{
	double per_cycle;
	bool any = false;

	if (!names->table)
		return false;
	per_cycle = ns_per_cycle(names);
	vec_each (r, &names->rows) {
		double a, b;

		if (!op_times_of(names, r->row, per_cycle, &a, &b))
			continue;
		*first_ns = any && *first_ns < a ? *first_ns : a;
		*last_ns = any && *last_ns > b ? *last_ns : b;
		any = true;
	}
	return any;
}

void lanes_of_report(struct lanes *l, struct op_names *names, double zero_ns, int64_t device)
{
	double per_cycle = ns_per_cycle(names);
	SCOPED(u64map) struct u64map lane_of = { 0 };
	SCOPED(buf) struct buf name = { 0 };

	l->firmware = true;
	vec_each (r, &names->rows) {
		struct op_name op;
		int64_t id = 0;
		uint32_t lane;
		double a, b;

		(void)ops_i64(names->table, OPS_DEVICE_ID, r->row, &id);
		if ((device >= 0 && id != device) || !op_times_of(names, r->row, per_cycle, &a, &b))
			continue;
		if (!u64map_get(&lane_of, (uint64_t)id, &lane)) {
			buf_set(&name, "device %lld ops", (long long)id);
			lane = lanes_add(l, LANE_OPS, buf_view(&name), true, (uint32_t)id);
			u64map_put(&lane_of, (uint64_t)id, lane);
		}
		op = op_names_of(names, &names->calls.all.at[r->call]);
		lanes_busy(l, lane, a - zero_ns, b - zero_ns, lanes_op(l, &op));
	}
}
