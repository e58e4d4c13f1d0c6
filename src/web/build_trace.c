// SPDX-License-Identifier: Apache-2.0
/*
 * A trace on the page: a lane per thread and depth, messages, signposts, frames, plots, the tree of all zones; and zones of
 * devices where there is no log of theirs.
 *
 * Names of source locations come after their first use, so zones carry its number until the trace is read, marked by
 * a bit where it is a text already.
 */
#include <stdlib.h>

#include "base/json.h"
#include "base/keyed.h"
#include "base/order.h"
#include "markers/marker.h"
#include "runs/host_gap_zones.h"
#include "runs/trace_cores.h"
#include "trace/trace.h"
#include "web/build_memory.h"

#define NAME_IS_TEXT (1u << 31)

struct open_zone {
	int64_t start_ns;
	uint32_t loc, flame;
};

struct track {
	VEC(uint32_t) lanes; /* by depth */
	VEC(struct open_zone) open;
};

/* A kernel of a launch on one core. */
struct kernel {
	int64_t start_ns, end_ns;
	uint32_t launch, op; /* op: row + 1 */
	uint16_t x, y;
	uint8_t risc;
};

struct reading {
	struct page *p;
	struct page_sources *s;
	struct trace *t;
	bool devices;
	struct zone_covers covers; /* of gaps before ops */
	VEC(struct track) tracks;
	VEC(uint32_t) processes; /* lanes */
	struct u64map flame;     /* node by parent and source location */
	VEC(uint32_t) flame_loc;
	struct trace_cores cores;
	struct u64map plots;
	struct launch_index launches;
	VEC(struct kernel) kernels;
	struct json_writer fact_writer;
};

static uint32_t process_lane(struct reading *g, uint32_t process)
{
	SCOPED(buf) struct buf b = { 0 };
	const struct trace_process *k;

	vec_reach(&g->processes, process, PAGE_NONE);
	if (g->processes.at[process] != PAGE_NONE)
		return g->processes.at[process];
	k = process < g->t->processes.len ? &g->t->processes.at[process] : NULL;
	if (k && k->program.len)
		buf_printf(&b, "%.*s (%llu)", STR_ARG(str_head(k->program, 200)),
			   (unsigned long long)k->pid);
	else
		buf_text(&b, "host");
	g->processes.at[process] =
		page_lane(g->p, LANE_PROCESS, PAGE_NONE, page_text(g->p, buf_view(&b)), process);
	return g->processes.at[process];
}

static struct track *track_at(struct reading *g, uint32_t track)
{
	vec_reach(&g->tracks, track, (struct track){ 0 });
	return &g->tracks.at[track];
}

/* Threads get their names when all is read. */
static uint32_t lane_at(struct reading *g, uint32_t track, size_t depth)
{
	struct track *k = track_at(g, track);

	while (k->lanes.len <= depth) {
		uint32_t lane;

		if (!k->lanes.len) {
			uint32_t process =
				track < g->t->tracks.len ? g->t->tracks.at[track].process : 0;

			lane = page_lane(g->p, LANE_THREAD, process_lane(g, process), 0, track);
		} else {
			lane = page_lane_below(g->p, k->lanes.at[k->lanes.len - 1]);
		}
		*vec_push(&k->lanes) = lane;
	}
	return k->lanes.at[depth];
}

static uint32_t flame_node(struct reading *g, uint32_t parent, uint32_t loc)
{
	bool added;
	uint32_t node = u64map_get_or_put(&g->flame, (uint64_t)(parent + 1) << 32 | loc,
					  (uint32_t)g->p->flame.len, &added);

	if (added) {
		*vec_push(&g->p->flame) = (struct page_flame){ .parent = parent + 1 };
		*vec_push(&g->flame_loc) = loc;
	}
	return node;
}

static void zone_begin(void *ctx, uint32_t track, int64_t ns, uint32_t loc)
{
	struct reading *g = ctx;
	struct track *k = track_at(g, track);
	uint32_t parent = k->open.len ? k->open.at[k->open.len - 1].flame : PAGE_NONE;

	zone_covers_enter(&g->covers, track, ns, loc);
	*vec_push(&k->open) = (struct open_zone){ ns, loc, flame_node(g, parent, loc) };
}

static void add_zone(struct reading *g, uint32_t track, size_t depth, const struct open_zone *o,
		     int64_t end_ns, const struct trace_extra *x)
{
	uint32_t lane = lane_at(g, track, depth);
	uint32_t name = o->loc & ~NAME_IS_TEXT;
	struct page_flame *f;
	int64_t took;

	if (x && x->name.len)
		name = page_text(g->p, x->name) | NAME_IS_TEXT;
	if (!page_zone(g->p, lane, o->start_ns, end_ns, name, 0))
		return;
	if (x && x->text.len)
		page_zone_text(g->p, lane, page_text(g->p, x->text));
	took = end_ns > o->start_ns ? end_ns - o->start_ns : 0;
	f = &g->p->flame.at[o->flame];
	f->calls++;
	f->total_ns += took;
	if (f->parent)
		g->p->flame.at[f->parent - 1].child_ns += took;
}

static void zone_end(void *ctx, uint32_t track, int64_t ns, const struct trace_extra *x)
{
	struct reading *g = ctx;
	struct track *k = track_at(g, track);
	struct open_zone o;

	zone_covers_leave(&g->covers, track, ns);
	if (!k->open.len)
		return;
	o = k->open.at[--k->open.len];
	add_zone(g, track, k->open.len, &o, ns == TRACE_OPEN ? g->t->last_ns : ns, x);
}

static void message(void *ctx, const struct trace_message *m)
{
	struct reading *g = ctx;
	uint32_t lane = PAGE_NONE, c = m->color;
	size_t at;

	if (!page_time_ok(g->p, m->time_ns)) {
		g->p->far_off++;
		return;
	}
	if (m->track != TRACE_NONE && m->track < g->t->tracks.len)
		lane = lane_at(g, m->track, 0);
	c = c == UINT32_MAX ? 0 : (c & 0xff) << 16 | (c & 0xff00) | (c >> 16 & 0xff);
	*vec_push(&g->p->messages) =
		(struct page_message){ m->time_ns, page_text(g->p, m->text), lane, c };
	at = str_find(str_head(m->text, 64), STR("TT_SIGNPOST:"));
	if (at != STR_NONE) {
		struct str name = str_trim(str_from(m->text, at + 12));

		name = str_head(name, str_find_char(name, '\n'));
		if (name.len && name.at[name.len - 1] == '`')
			name.len--;
		*vec_push(&g->p->signposts) =
			(struct page_mark){ m->time_ns, page_text(g->p, name) };
	}
}

static void frame(void *ctx, uint32_t set, int64_t start_ns, int64_t end_ns)
{
	struct reading *g = ctx;

	(void)end_ns;
	if (page_time_ok(g->p, start_ns))
		*vec_push(&g->p->frames) = (struct page_mark){ start_ns, set };
}

static void memory(void *ctx, const struct trace_memory *m)
{
	struct reading *g = ctx;

	page_take_memory(g->p, m);
}

static void plot(void *ctx, uint32_t id, int64_t ns, double v)
{
	struct reading *g = ctx;
	uint32_t k =
		keyed_at(&g->plots, id, &g->p->plots, (struct page_plot){ .name = id, .unit = "" });

	if (page_time_ok(g->p, ns))
		*vec_push(&g->p->plots.at[k].points) = (struct page_point){ ns, v };
}

static void app_info(void *ctx, uint32_t process, struct str text)
{
	struct reading *g = ctx;

	(void)process;
	json_write_str(&g->fact_writer, str_head(text, 4096));
}

/* ---- zones of devices ---- */

/* A kernel on a core, for op_cores: a log has more to say, but there may be none. */
static void add_kernel(struct reading *g, uint32_t lane, const struct trace_device_zone *z,
		       uint64_t run_id, uint32_t op)
{
	const struct trace_core c = trace_cores_lane(&g->cores, g->t, lane);
	unsigned risc = trace_lane_risc(g->t, lane, z->loc);
	struct launch_key key;

	if (c.device < 0 || c.x < 0 || !str_ends(trace_loc_name(g->t, z->loc), STR("-KERNEL")))
		return;
	key = (struct launch_key){ .run_id = run_id, .device = (uint32_t)c.device };
	*vec_push(&g->kernels) = (struct kernel){ .start_ns = z->gpu_start_ns,
						  .end_ns = z->gpu_end_ns,
						  .launch = launch_put(&g->launches, &key),
						  .op = op,
						  .x = (uint16_t)c.x,
						  .y = (uint16_t)c.y,
						  .risc = (uint8_t)risc };
}

ORDER_BY(by_core_and_start, struct kernel, launch, y, x, start_ns, risc)

static uint32_t add_32(uint32_t to, int64_t ns)
{
	return ns > UINT32_MAX - (int64_t)to ? UINT32_MAX : to + (uint32_t)ns;
}

/* Kernels of one launch on one core: `at`, up to `end`. */
static void add_op_core(struct reading *g, const struct kernel *at, const struct kernel *end,
			int64_t first_ns)
{
	int64_t covered_ns = at->start_ns; /* up to here */
	struct page_op_core k = { .op = at->op,
				  .device = g->launches.all.at[at->launch].key.device,
				  .x = at->x,
				  .y = at->y,
				  .start_ns = add_32(0, at->start_ns - first_ns) };

	for (const struct kernel *i = at; i < end; i++) {
		int64_t from_ns = i->start_ns > covered_ns ? i->start_ns : covered_ns;

		if (i->risc < PAGE_RISCS)
			k.risc_ns[i->risc] = add_32(k.risc_ns[i->risc], i->end_ns - i->start_ns);
		if (i->end_ns > from_ns) {
			k.busy_ns = add_32(k.busy_ns, i->end_ns - from_ns);
			covered_ns = i->end_ns;
		}
	}
	k.span_ns = add_32(0, covered_ns - at->start_ns);
	*vec_push(&g->p->op_cores) = k;
}

static void add_op_cores(struct reading *g)
{
	SCOPED(mem) int64_t *first_ns = mem_alloc(g->launches.all.len + 1, sizeof(*first_ns));
	size_t n = g->kernels.len, end;

	for (size_t i = 0; i < g->launches.all.len; i++)
		first_ns[i] = INT64_MAX;
	vec_each (k, &g->kernels)
		if (k->start_ns < first_ns[k->launch])
			first_ns[k->launch] = k->start_ns;
	vec_sort(&g->kernels, by_core_and_start);
	for (size_t i = 0; i < n; i = end) {
		const struct kernel *k = &g->kernels.at[i];

		for (end = i; end < n && g->kernels.at[end].launch == k->launch &&
			      g->kernels.at[end].x == k->x && g->kernels.at[end].y == k->y;)
			end++;
		add_op_core(g, k, g->kernels.at + end, first_ns[k->launch]);
	}
}

static void add_device_zone(struct reading *g, uint32_t lane, size_t depth,
			    const struct trace_device_zone *z, uint64_t run_id)
{
	struct track *k = track_at(g, lane);

	while (k->lanes.len <= depth) {
		const struct trace_core c = trace_cores_lane(&g->cores, g->t, lane);
		uint32_t at;

		if (!k->lanes.len) {
			struct str risc =
				str_of(risc_log_name(trace_lane_risc(g->t, lane, z->loc)));
			uint32_t device = c.device < 0 ? 0 : (uint32_t)c.device;

			(void)page_risc_lane(g->p, device, risc);
			at = page_core_lane(g->p, device, risc, c.x, c.y);
			if (c.x < 0) {
				SCOPED(buf) struct buf b = { 0 };

				trace_context_name(g->t, g->t->tracks.at[lane].context, &b);
				g->p->lanes.at[at].name = page_text(g->p, buf_view(&b));
				g->p->lanes.at[at].order = lane;
			}
		} else {
			at = page_lane_below(g->p, k->lanes.at[k->lanes.len - 1]);
		}
		*vec_push(&k->lanes) = at;
	}
	if (page_zone(g->p, k->lanes.at[depth], z->gpu_start_ns, z->gpu_end_ns,
		      z->loc & ~NAME_IS_TEXT, 0) &&
	    run_id) {
		const struct trace_core c = trace_cores_lane(&g->cores, g->t, lane);
		struct page_lane *l = &g->p->lanes.at[k->lanes.at[depth]];
		uint32_t row = launch_rows_find(
			&g->s->ops,
			(struct launch_key){ .run_id = run_id,
					     .device = c.device < 0 ? 0 : (uint32_t)c.device,
					     .trace_id = -1,
					     .session = -1 });

		l->zones.at[l->zones.len - 1].op = row == LAUNCH_NONE ? 0 : row + 1;
		add_kernel(g, lane, z, run_id, l->zones.at[l->zones.len - 1].op);
	}
}

static void device_tree(void *ctx, uint32_t lane, const struct trace_device_zone *z, size_t n)
{
	struct reading *g = ctx;
	SCOPED(vec) VEC(uint32_t) left = { 0 }; /* children to come of each open one */

	if (lane >= g->t->tracks.len)
		return;
	if (!g->devices) { /* the log has them */
		trace_cores_sights(&g->cores, g->t, lane, z, n, g->s->clocks);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		bool timed = z[i].gpu_start_ns >= 0 && z[i].gpu_end_ns >= z[i].gpu_start_ns;
		uint64_t run_id = trace_loc_run_id(g->t, z[i].loc);

		while (left.len && !left.at[left.len - 1])
			left.len--;
		if (left.len)
			left.at[left.len - 1]--;
		if (timed)
			add_device_zone(g, lane, left.len, &z[i], run_id);
		*vec_push(&left) = z[i].children;
	}
}

/* ---- when all is read ---- */

static void resolve_names(struct reading *g, size_t first_lane)
{
	size_t n = g->t->locs.len;
	SCOPED(mem) uint32_t *text = mem_alloc(n + 1, sizeof(*text));

	for (uint32_t i = 0; i < n; i++)
		text[i] = page_text(g->p, trace_loc_name(g->t, i));
	text[n] = page_text_of(g->p, "???");
	for (size_t i = first_lane; i < g->p->lanes.len; i++)
		vec_each (z, &g->p->lanes.at[i].zones)
			z->name = z->name & NAME_IS_TEXT ? z->name & ~NAME_IS_TEXT
							 : text[z->name < n ? z->name : n];
	for (size_t i = 0; i < g->p->flame.len; i++)
		g->p->flame.at[i].name = text[g->flame_loc.at[i] < n ? g->flame_loc.at[i] : n];
	vec_each (m, &g->p->frames)
		m->name = m->name < g->t->frame_sets.len &&
					  g->t->frame_sets.at[m->name].name != TRACE_NONE
				  ? page_text(g->p,
					      trace_str(g->t, g->t->frame_sets.at[m->name].name))
				  : page_text_of(g->p, "Frame");
	vec_each (k, &g->p->plots) {
		const struct trace_plot *plot = &g->t->plots.at[k->name];

		k->unit = plot->format == 1 ? "B" : plot->format == 2 ? "%" : "";
		k->name = plot->name == TRACE_NONE ? page_text_of(g->p, "CPU usage")
						   : page_text(g->p, trace_str(g->t, plot->name));
	}
}

/* Zones of Python are known by their files. */
static bool is_python(const struct reading *g, uint32_t loc)
{
	return str_ends(trace_str(g->t, trace_loc_at(g->t, loc)->file), STR(".py"));
}

static void name_threads(struct reading *g)
{
	for (uint32_t i = 0; i < g->tracks.len; i++) {
		struct track *k = &g->tracks.at[i];
		SCOPED(buf) struct buf b = { 0 };
		bool python = false;
		uint32_t name;

		if (!k->lanes.len || i >= g->t->tracks.len ||
		    g->t->tracks.at[i].context != TRACE_NONE)
			continue;
		if (g->t->tracks.at[i].name != TRACE_NONE)
			buf_str(&b, trace_str(g->t, g->t->tracks.at[i].name));
		else
			buf_printf(&b, "thread %llu", (unsigned long long)g->t->tracks.at[i].tid);
		name = page_text(g->p, buf_view(&b));
		vec_each (lane, &k->lanes) {
			const struct page_lane *l = &g->p->lanes.at[*lane];

			for (size_t z = 0; z < l->zones.len && z < 1000 && !python; z++)
				python = !(l->zones.at[z].name & NAME_IS_TEXT) &&
					 is_python(g, l->zones.at[z].name);
		}
		vec_each (lane, &k->lanes) {
			g->p->lanes.at[*lane].name = name;
			if (python)
				g->p->lanes.at[*lane].kind = LANE_PYTHON;
		}
	}
}

static void tell_programs(struct reading *g)
{
	static const char *const kinds[] = { "real", "modelled", "scripted" };
	struct json_writer w = { .to = &g->p->programs };

	json_open_array(&w);
	vec_each (k, &g->t->processes) {
		uint64_t dropped = 0;

		json_open_object(&w);
		json_put_text(&w, "program", k->program);
		json_put_text(&w, "host", str_head(k->host, 4096));
		json_put_count(&w, "pid", k->pid);
		json_put_text(&w, "protocol", str_of(k->key));
		json_put_number(&w, "ns_per_tick", k->ns_per_tick);
		json_put_whole(&w, "delay_ns", k->delay_ns);
		json_put_whole(&w, "error_ns", k->error_ns);
		json_put_bool(&w, "ended", k->ended);
		json_put_count(&w, "zones", k->zones);
		for (size_t i = 0; i < sizeof(k->dropped) / sizeof(*k->dropped); i++)
			dropped += k->dropped[i];
		json_put_count(&w, "dropped", dropped);
		json_close_object(&w);
		if (g->t->kind == TRACE_SPOOL && k->time_kind < 3)
			g->p->time_kind = kinds[k->time_kind];
	}
	json_close_array(&w);
}

static void release(struct reading *g)
{
	vec_each (k, &g->tracks)
		RELEASE(vec, &k->lanes, &k->open);
	RELEASE(vec, &g->tracks, &g->processes);
	u64map_release(&g->flame);
	vec_release(&g->flame_loc);
	trace_cores_release(&g->cores);
	u64map_release(&g->plots);
	launch_index_release(&g->launches);
	vec_release(&g->kernels);
}

enum ttp_rc page_add_trace(struct page *p, struct page_sources *s, struct trace *t, bool devices,
			   struct ttp_err *e)
{
	struct reading g = { .p = p,
			     .s = s,
			     .t = t,
			     .devices = devices,
			     .cores = { .processes = s->clocks->processes } };
	struct trace_sink sink = { .ctx = &g,
				   .zone_begin = zone_begin,
				   .zone_end = zone_end,
				   .device_tree = device_tree,
				   .message = message,
				   .plot = plot,
				   .memory = memory,
				   .frame = frame,
				   .app_info = app_info };
	size_t first_lane = p->lanes.len;
	struct zone_stretch *at;
	enum ttp_rc rc;

	g.fact_writer.to = &p->facts;
	json_open_array(&g.fact_writer);
	at = s->host ? host_gap_stretches(s->host) : NULL;
	zone_covers_init(&g.covers, at, at ? s->host->all.len : 0);
	rc = trace_read(t, &sink, e);
	zone_covers_finish(&g.covers, t);
	if (!rc && at)
		host_gaps_take(s->host, at, t);
	free(at);
	json_close_array(&g.fact_writer);
	/* zones that never ended, where the reader leaves them open */
	for (uint32_t i = 0; i < g.tracks.len; i++)
		while (g.tracks.at[i].open.len)
			zone_end(&g, i, t->last_ns, NULL);
	if (!rc) {
		name_threads(&g);
		resolve_names(&g, first_lane);
		tell_programs(&g);
		add_op_cores(&g);
		page_place_memory(p, s, t);
		p->has_trace = true;
	}
	release(&g);
	return rc;
}
