// SPDX-License-Identifier: Apache-2.0
/*
 * A device log on the page: device → RISC → core, a lane per depth; what each RISC did per op; and per op and core what its
 * kernels took.  Sinks of one reading of the log (markers/marker_fold.h); zones are in cycles until it is read and the clocks of devices are known.
 */
#include <math.h>
#include <stdlib.h>

#include "markers/analyses/log_stats.h"
#include "markers/core_times.h"
#include "web/build.h"

enum { DEPTH_MAX = 32 };

struct cycle_zone {
	uint64_t start_cycles, took_cycles;
	uint32_t name, text; /* texts */
	uint32_t op;         /* row + 1, 0: none */
};

/* Zones of one RISC of one core, by depth. */
struct core_risc {
	struct {
		uint32_t lane;
		VEC(struct cycle_zone) zones;
	} depth[DEPTH_MAX];
	uint8_t depths;
};

/* What a RISC did for an op, on all cores. */
struct risc_run {
	uint32_t launch;
	uint16_t risc;
	uint64_t start_cycles, end_cycles;
};

struct reading {
	struct page *p;
	struct page_sources *s;
	struct device_log *log;
	struct marker_fold fold;
	VEC(struct core_risc) riscs; /* as the fold's */
	VEC(uint32_t) launch_op;     /* by launch: row + 1, 0: none */
	VEC(struct risc_run) risc_runs;
	VEC(uint32_t) zone_text; /* by zone */
	uint64_t zones, too_deep;
};

/* ---- zones ---- */

static uint32_t op_of(struct reading *g, const struct marker_fold *f, uint32_t launch)
{
	while (g->launch_op.len <= launch) {
		const struct launch_key *key = &f->launches.all.at[g->launch_op.len].key;
		uint32_t row = key->run_id ? launch_rows_find(&g->s->ops, *key) : LAUNCH_NONE;

		*vec_push(&g->launch_op) = row == LAUNCH_NONE ? 0 : row + 1;
	}
	return g->launch_op.at[launch];
}

static uint32_t text_of_zone(struct reading *g, const struct marker_fold *f, uint16_t zone)
{
	while (g->zone_text.len <= zone) {
		uint32_t text =
			page_text(g->p, intern_get(&f->names->zones, (uint32_t)g->zone_text.len));

		*vec_push(&g->zone_text) = text;
	}
	return g->zone_text.at[zone];
}

static uint32_t first_lane(struct reading *g, const struct marker_fold *f, uint32_t risc_at)
{
	const struct fold_risc *r = &f->riscs.at[risc_at];
	const struct fold_core *c = &f->cores.at[r->core];
	struct str risc = intern_get(&f->names->riscs, r->risc);

	return page_core_lane(g->p, f->devices.at[c->device].id, risc, c->x, c->y);
}

static void add_zone(struct reading *g, const struct marker_fold *f, uint32_t risc_at, size_t depth,
		     struct cycle_zone z)
{
	struct core_risc *r;

	if (depth >= DEPTH_MAX) {
		g->too_deep++;
		return;
	}
	vec_reach(&g->riscs, risc_at, (struct core_risc){ 0 });
	r = &g->riscs.at[risc_at];
	for (; r->depths <= depth; r->depths++)
		r->depth[r->depths].lane =
			r->depths ? page_lane_below(g->p, r->depth[r->depths - 1].lane)
				  : first_lane(g, f, risc_at);
	*vec_push(&r->depth[depth].zones) = z;
}

static void take_zone(void *ctx, const struct marker_fold *f, const struct fold_zone *z)
{
	struct reading *g = ctx;

	g->zones++;
	add_zone(g, f, z->risc_at, z->depth,
		 (struct cycle_zone){ .start_cycles = z->start_cycles,
				      .took_cycles = z->end_cycles - z->start_cycles,
				      .name = text_of_zone(g, f, z->zone),
				      .op = op_of(g, f, z->launch) });
}

/* A moment with a value: a zone of no length inside of what is open, its value as its text. */
static void take_value(void *ctx, const struct marker_fold *f, const struct fold_moment *at)
{
	const struct marker *m = at->marker;
	struct reading *g = ctx;
	SCOPED(buf) struct buf b = { 0 };

	if (m->type == MARKER_ZONE_TOTAL || m->timer_id == MARKER_PERF_COUNTER_ID)
		return; /* counters have columns of the ops report */
	buf_printf(&b, m->type == MARKER_DATA ? "data %llu (0x%llx)" : "event",
		   (unsigned long long)m->data, (unsigned long long)m->data);
	add_zone(g, f, at->risc_at, at->depth,
		 (struct cycle_zone){ .start_cycles = m->time_cycles,
				      .name = text_of_zone(g, f, m->zone),
				      .text = page_text(g->p, buf_view(&b)),
				      .op = op_of(g, f, at->launch) });
}

/* The clock of a RISC's device. */
static struct device_clock *clock_of(struct reading *g, size_t risc_at)
{
	uint32_t device = g->fold.cores.at[g->fold.riscs.at[risc_at].core].device;

	return clock_map_device(g->s->clocks, g->fold.devices.at[device].id);
}

/* The page's devices know what the log says of them. */
static void describe_devices(struct reading *g)
{
	vec_each (d, &g->p->devices) {
		const struct device_clock *c = clock_map_device(g->s->clocks, d->id);

		if (d->mhz <= 0)
			d->mhz = (double)g->log->freq_mhz;
		d->workers = g->log->compute_cores;
		if (!d->arch.len)
			d->arch = intern_get(&g->p->strings, page_text(g->p, g->log->arch));
		if (!c->known && g->p->has_trace)
			page_note(
				g->p, "device",
				"device %u: nothing of the trace tells how its clock stands to the "
				"host's: it begins at 0",
				d->id);
	}
}

static void convert(struct reading *g)
{
	vec_each (r, &g->riscs) {
		const struct device_clock clock = *clock_of(g, (size_t)(r - g->riscs.at));

		for (unsigned d = 0; d < r->depths; d++) {
			uint32_t lane = r->depth[d].lane;

			vec_reserve(&g->p->lanes.at[lane].zones, r->depth[d].zones.len);
			vec_each (z, &r->depth[d].zones)
				if (page_zone(g->p, lane, clock_ns(&clock, z->start_cycles),
					      clock_ns(&clock, z->start_cycles + z->took_cycles),
					      z->name, z->op))
					page_zone_text(g->p, lane, z->text);
			vec_release(&r->depth[d].zones);
		}
	}
}

/* ---- per op and core ---- */

static uint32_t whole_ns(const struct core_times *t, uint64_t cycles)
{
	double ns = round(core_ns(t, (double)cycles));

	return ns < (double)UINT32_MAX ? (uint32_t)ns : UINT32_MAX;
}

static void add_op_core(struct reading *g, const struct core_times *t, const struct core_op *o,
			const struct core_part *p, const struct core_balance *b)
{
	const struct fold_core *c = &t->cores.at[p->core];
	struct core_sum s = core_part_sum(t, p, 0, UINT64_MAX);
	uint64_t risc[PAGE_RISCS] = { 0 };
	struct page_op_core *k;

	if (!s.any) /* waiting, without a kernel */
		return;
	for (uint32_t i = 0; i < p->count; i++) {
		const struct core_span *span = &t->spans.at[p->first + i];

		if (span->risc < PAGE_RISCS)
			risc[span->risc] += span->end_cycles - span->start_cycles;
	}
	k = vec_push(&g->p->op_cores);
	*k = (struct page_op_core){ .op = op_of(g, &g->fold, (uint32_t)(o - t->ops.at)),
				    .device = o->key.device,
				    .x = c->x,
				    .y = c->y,
				    .start_ns = whole_ns(t, s.first - o->first_cycles),
				    .span_ns = whole_ns(t, s.last - s.first),
				    .busy_ns = whole_ns(t, s.busy),
				    .wait_ns = whole_ns(t, p->wait_cycles),
				    .over_ns = core_ns(t, core_over(&s, b)),
				    .slowest = core_is_slowest(&s, b) };
	for (int r = 0; r < PAGE_RISCS; r++)
		k->risc_ns[r] = whole_ns(t, risc[r]);
}

/* Of the cores of a launch, from the `first` on. */
static void mark_leader(struct page *p, size_t first)
{
	for (size_t i = first; i < p->op_cores.len; i++)
		if (p->op_cores.at[i].slowest) {
			p->op_cores.at[i].leads = true;
			return;
		}
}

static void add_to_field(struct page_field *f, uint32_t op, double ns)
{
	double *at = &f->number[op - 1];

	*at = isnan(*at) ? ns : *at + ns;
}

/* Times per core; and, per op, how evenly it is divided, as `ttprof heat` has it. */
static void add_op_cores(struct reading *g, const struct core_times *t)
{
	struct page *p = g->p;
	size_t fields = p->fields.len;

	(void)page_field(p, STR("core_time_ns"), "ns", FROM_PAGE,
			 "busy time of its cores, added up", true);
	(void)page_field(p, STR("lost_core_ns"), "ns", FROM_PAGE,
			 "what its cores were busy less than the busiest, added up", true);
	vec_each (o, &t->ops) {
		struct core_balance b = core_op_balance(t, o, 0, UINT64_MAX);
		uint32_t op = op_of(g, &g->fold, (uint32_t)(o - t->ops.at));
		size_t first = p->op_cores.len;

		for (uint32_t i = 0; o->key.run_id && i < o->parts; i++)
			add_op_core(g, t, o, &t->parts.at[o->first_part + i], &b);
		mark_leader(p, first);
		if (!op || !b.cores)
			continue;
		add_to_field(&p->fields.at[fields], op, core_ns(t, (double)b.busy));
		add_to_field(&p->fields.at[fields + 1], op, core_ns(t, (double)core_lost(&b)));
	}
}

/* ---- what a RISC did, per op ---- */

static int by_risc_and_start(const void *a, const void *b, void *ctx)
{
	const struct launch_entry *launches = ctx;
	const struct risc_run *x = a, *y = b;
	const struct launch_key *k = &launches[x->launch].key, *l = &launches[y->launch].key;

	if (k->device != l->device)
		return k->device < l->device ? -1 : 1;
	if (x->risc != y->risc)
		return x->risc < y->risc ? -1 : 1;
	if (x->start_cycles != y->start_cycles)
		return x->start_cycles < y->start_cycles ? -1 : 1;
	return k->run_id < l->run_id ? -1 : k->run_id > l->run_id;
}

/* Per launch and RISC from the first kernel start to the last end. */
static void find_risc_runs(struct reading *g, const struct core_times *t, const struct core_op *o)
{
	uint32_t launch = (uint32_t)(o - t->ops.at);
	size_t first = g->risc_runs.len;

	for (uint32_t p = o->first_part; p < o->first_part + o->parts; p++)
		for (uint32_t i = 0; i < t->parts.at[p].count; i++) {
			const struct core_span *s = &t->spans.at[t->parts.at[p].first + i];
			struct risc_run *r = NULL;

			for (size_t k = first; k < g->risc_runs.len && !r; k++)
				if (g->risc_runs.at[k].risc == s->risc)
					r = &g->risc_runs.at[k];
			if (!r) {
				r = vec_push(&g->risc_runs);
				*r = (struct risc_run){ launch, s->risc, s->start_cycles,
							s->end_cycles };
			}
			r->start_cycles = s->start_cycles < r->start_cycles ? s->start_cycles
									    : r->start_cycles;
			r->end_cycles =
				s->end_cycles > r->end_cycles ? s->end_cycles : r->end_cycles;
		}
}

static uint32_t name_of_launch(struct reading *g, const struct page_field *code, uint32_t launch)
{
	uint32_t op = op_of(g, &g->fold, launch);
	SCOPED(buf) struct buf b = { 0 };

	if (op && code)
		return code->text[op - 1];
	buf_printf(&b, "op %llu", (unsigned long long)g->fold.launches.all.at[launch].key.run_id);
	return page_text(g->p, buf_view(&b));
}

static void add_risc_runs(struct reading *g, const struct core_times *t)
{
	const struct page_field *code = NULL;
	struct page_stack stack = { 0 };
	uint64_t last = UINT64_MAX;

	vec_each (f, &g->p->fields)
		if (f->text && str_eq(f->key, STR("OP CODE")))
			code = f;
	vec_each (o, &t->ops)
		if (o->key.run_id)
			find_risc_runs(g, t, o);
	if (g->risc_runs.len)
		qsort_r(g->risc_runs.at, g->risc_runs.len, sizeof(*g->risc_runs.at),
			by_risc_and_start, g->fold.launches.all.at);
	vec_each (r, &g->risc_runs) {
		uint32_t device = g->fold.launches.all.at[r->launch].key.device;
		const struct device_clock *clock = clock_map_device(g->s->clocks, device);
		uint64_t key = (uint64_t)device << 16 | r->risc;

		if (key != last) {
			vec_release(&stack.lanes);
			*vec_push(&stack.lanes) = page_risc_lane(
				g->p, device, intern_get(&g->fold.names->riscs, r->risc));
			last = key;
		}
		(void)page_stack_zone(g->p, &stack, clock_ns(clock, r->start_cycles),
				      clock_ns(clock, r->end_cycles),
				      name_of_launch(g, code, r->launch),
				      op_of(g, &g->fold, r->launch));
	}
	vec_release(&stack.lanes);
}

static void add_notes(struct page *p, const struct device_log *log, uint64_t zones,
		      uint64_t unpaired)
{
	const char *path = log->in.name;

	if (!zones)
		page_note(p, "device", "%s has %s: there is nothing of cores to show", path,
			  log->rows ? "no whole zone" : "no markers");
	if (unpaired)
		page_note(p, "device",
			  "%s: %llu zones lack their start or their end, and are not shown", path,
			  (unsigned long long)unpaired);
}

static void release(struct reading *g)
{
	marker_fold_release(&g->fold);
	RELEASE(vec, &g->riscs, &g->launch_op, &g->risc_runs, &g->zone_text);
}

void page_add_log(struct page *p, struct page_sources *s, struct device_log *log, struct buf *stats)
{
	struct reading g = { .p = p, .s = s, .log = log };
	struct core_want kernels = { 0 };
	struct core_times_reading cores;
	struct core_times t;
	struct log_stats *all = stats ? log_stats_new() : NULL;
	struct marker_sink sinks[] = {
		{ .ctx = &g, .zone = take_zone, .value = take_value },
		core_times_begin(&cores, &t, &kernels),
		clock_map_sink(s->clocks),
		all ? log_stats_sink(all) : (struct marker_sink){ 0 },
	};

	marker_fold_read(&g.fold, log, sinks, sizeof(sinks) / sizeof(*sinks));
	if (all)
		(void)log_stats_json(all, &g.fold, log, stats);
	log_stats_free(all);
	core_times_end(&cores, &g.fold, log);
	clock_map_fit(s->clocks, &g.fold, log->freq_mhz);
	describe_devices(&g);
	convert(&g);
	add_op_cores(&g, &t);
	page_find_cores(p);
	add_risc_runs(&g, &t);
	p->has_log = true;
	add_notes(p, log, g.zones, g.fold.unpaired + g.too_deep);
	core_times_release(&t);
	release(&g);
}
