// SPDX-License-Identifier: Apache-2.0
/*
 * A device log on the page: device → RISC → core, a lane per depth; what each RISC did per op; and per op and core what its
 * kernels took.  Zones hold cycles until the log is read and the clocks of devices are known.
 */
#include <stdlib.h>

#include "markers/log/device_log.h"
#include "markers/log/launches.h"
#include "markers/zone_class.h"
#include "web/build.h"

enum { DEPTH_MAX = 32 };

struct open_zone {
	uint64_t start;
	uint16_t zone;
};

/* A RISC of a core. */
struct core_risc {
	uint32_t device;
	uint16_t x, y, risc;
	uint32_t lane[DEPTH_MAX];
	uint8_t lanes, depth;
	struct open_zone open[DEPTH_MAX];
};

/* What a RISC did for an op, on all cores. */
struct risc_run {
	uint32_t device, op;
	uint16_t risc;
	uint64_t run_id, start, end;
};

/* A run of an op as markers name it. */
struct run_name {
	uint32_t device;
	uint64_t run_id;
	int64_t trace, session;
	uint32_t op, number; /* row + 1; index of the run */
};

struct pair {
	uint32_t device;
	uint64_t cycles;
	int64_t ns;
};

struct reading {
	struct page *p;
	struct page_sources *s;
	struct device_log *log;
	VEC(struct core_risc) riscs;
	struct u64map risc_index, run_index, core_index, risc_run_index, sights;
	VEC(struct risc_run) risc_runs;
	VEC(struct pair) pairs;
	struct run_name run; /* of the last marker */
	uint32_t runs;
	uint32_t *zone_text; /* by zone, + 1 */
	uint16_t *zone_class;
	size_t zones_known;
	uint64_t unbalanced;
	struct core_risc *last;
};

static struct core_risc *risc_at(struct reading *g, const struct marker *m)
{
	uint64_t key =
		(uint64_t)m->device << 48 ^ (uint64_t)m->x << 32 ^ (uint64_t)m->y << 16 ^ m->risc;
	bool added;
	uint32_t i;

	if (g->last && g->last->device == m->device && g->last->x == m->x && g->last->y == m->y &&
	    g->last->risc == m->risc)
		return g->last;
	i = u64map_get_or_put(&g->risc_index, key, (uint32_t)g->riscs.len, &added);
	if (added)
		*vec_push(&g->riscs) = (struct core_risc){
			.device = m->device, .x = m->x, .y = m->y, .risc = m->risc
		};
	g->last = &g->riscs.at[i];
	return g->last;
}

/* Which op a marker belongs to; markers of one op mostly follow each other. */
static const struct run_name *run_of(struct reading *g, const struct marker *m)
{
	struct run_name *r = &g->run;
	bool added;
	uint64_t key;

	if (r->number && r->device == m->device && r->run_id == m->run_id &&
	    r->trace == m->trace_id && r->session == m->session)
		return r;
	*r = (struct run_name){ m->device, m->run_id, m->trace_id, m->session, 0, 0 };
	key = op_key(r->device, r->run_id, r->trace, r->session);
	if (m->run_id)
		(void)u64map_get(&g->s->ops, key, &r->op);
	r->number = u64map_get_or_put(&g->run_index, key, g->runs + 1, &added);
	g->runs += added;
	return r;
}

static void know_zones(struct reading *g)
{
	size_t n = intern_count(&g->log->names.zones);

	if (g->zones_known >= n)
		return;
	if (!g->zone_text) {
		g->zone_text = mem_zero(MARKER_ZONES_MAX + 2u, sizeof(*g->zone_text));
		g->zone_class = mem_zero(MARKER_ZONES_MAX + 2u, sizeof(*g->zone_class));
	}
	for (; g->zones_known < n; g->zones_known++) {
		struct str name = intern_get(&g->log->names.zones, (uint32_t)g->zones_known);

		g->zone_text[g->zones_known] = page_text(g->p, name);
		g->zone_class[g->zones_known] = classify_zone(name);
	}
}

static uint32_t lane_of_risc(struct reading *g, struct core_risc *c, unsigned depth)
{
	while (c->lanes <= depth) {
		if (c->lanes) {
			c->lane[c->lanes] = page_lane_below(g->p, c->lane[c->lanes - 1]);
		} else {
			struct str risc = intern_get(&g->log->names.riscs, c->risc);
			struct page_lane *l;
			struct buf b = { 0 };

			buf_printf(&b, "core %u,%u", c->x, c->y);
			c->lane[0] = page_lane(
				g->p, LANE_CORE, page_risc_lane(g->p, c->device, risc),
				page_text(g->p, buf_view(&b)), (uint64_t)c->y << 16 | c->x);
			l = &g->p->lanes.at[c->lane[0]];
			l->device = (int32_t)c->device;
			l->x = c->x;
			l->y = c->y;
			l->risc = page_text(g->p, risc);
			buf_release(&b);
		}
		c->lanes++;
	}
	return c->lane[depth];
}

/* Kernels of a core, for op_cores; start and end are cycles until clocks are known. */
static struct page_op_core *op_core(struct reading *g, const struct marker *m,
				    const struct run_name *r)
{
	uint64_t key = (uint64_t)r->number << 32 | (uint64_t)(m->x & 0xff) << 8 | (m->y & 0xff);
	bool added;
	uint32_t i = u64map_get_or_put(&g->core_index, key, (uint32_t)g->p->op_cores.len, &added);

	if (added)
		*vec_push(&g->p->op_cores) = (struct page_op_core){ .op = r->op,
								    .device = m->device,
								    .x = m->x,
								    .y = m->y,
								    .start_ns = INT64_MAX,
								    .end_ns = INT64_MIN };
	return &g->p->op_cores.at[i];
}

static void add_kernel(struct reading *g, const struct marker *m, uint64_t start)
{
	const struct run_name *r = run_of(g, m);
	struct page_op_core *k;
	struct risc_run *a;
	bool added;
	uint32_t i;

	if (!m->run_id)
		return;
	k = op_core(g, m, r);
	k->start_ns = (int64_t)start < k->start_ns ? (int64_t)start : k->start_ns;
	k->end_ns = (int64_t)m->time_cycles > k->end_ns ? (int64_t)m->time_cycles : k->end_ns;
	if (m->risc <= RISC_ERISC) {
		uint64_t took = m->time_cycles - start;

		k->risc_ns[m->risc] += took > UINT32_MAX ? UINT32_MAX : (uint32_t)took;
	}
	i = u64map_get_or_put(&g->risc_run_index, (uint64_t)r->number << 16 | m->risc,
			      (uint32_t)g->risc_runs.len, &added);
	if (added)
		*vec_push(&g->risc_runs) = (struct risc_run){ m->device, r->op, m->risc,
							      m->run_id, start, m->time_cycles };
	a = &g->risc_runs.at[i];
	a->start = start < a->start ? start : a->start;
	a->end = m->time_cycles > a->end ? m->time_cycles : a->end;
}

static uint64_t sight_key(uint32_t device, unsigned x, unsigned y, unsigned risc, uint64_t run_id)
{
	return op_key(device, run_id, (int64_t)x << 16 | y, risc);
}

/* The same zone is in the trace: that is how clocks compare. */
static void compare_clocks(struct reading *g, const struct marker *m)
{
	uint32_t i;

	if (g->sights.entries.len && m->run_id &&
	    u64map_get(&g->sights, sight_key(m->device, m->x, m->y, m->risc, m->run_id), &i) &&
	    i != UINT32_MAX) {
		*vec_push(&g->pairs) =
			(struct pair){ m->device, m->time_cycles, g->s->sights.at[i].start_ns };
		/* an op that ran again is another sight */
		u64map_put(&g->sights, sight_key(m->device, m->x, m->y, m->risc, m->run_id),
			   UINT32_MAX);
	}
}

/* A moment with a value: a zone of no length inside of what is open, its value as its text. */
static void add_mark(struct reading *g, struct core_risc *c, const struct marker *m)
{
	struct buf b = { 0 };
	struct page_lane *l;
	uint32_t lane;

	if (m->timer_id == MARKER_PERF_COUNTER_ID || c->depth == DEPTH_MAX)
		return; /* counters have columns of the ops report */
	lane = lane_of_risc(g, c, c->depth);
	l = &g->p->lanes.at[lane];
	*vec_push(&l->zones) = (struct page_zone){ (int64_t)m->time_cycles, 0,
						   g->zone_text[m->zone], run_of(g, m)->op };
	buf_printf(&b, m->type == MARKER_TS_DATA ? "data %llu (0x%llx)" : "event",
		   (unsigned long long)m->data, (unsigned long long)m->data);
	page_zone_text(g->p, lane, page_text(g->p, buf_view(&b)));
	buf_release(&b);
}

static void take(struct reading *g, const struct marker *m)
{
	struct core_risc *c = risc_at(g, m);
	uint16_t class;

	know_zones(g);
	class = g->zone_class[m->zone];
	switch ((enum marker_type)m->type) {
	case MARKER_ZONE_START:
		if (c->depth == DEPTH_MAX) {
			g->unbalanced++;
			return;
		}
		/* firmware begins at the bottom, whatever was lost before */
		if (c->depth && (class & ZONE_HOLDS_FW) && !(class & ZONE_IS_KERNEL)) {
			g->unbalanced += c->depth;
			c->depth = 0;
		}
		if (!c->depth)
			compare_clocks(g, m);
		c->open[c->depth++] = (struct open_zone){ m->time_cycles, m->zone };
		return;
	case MARKER_ZONE_END: {
		unsigned d = c->depth;
		const struct run_name *r;
		struct page_lane *l;
		uint32_t lane;

		while (d && c->open[d - 1].zone != m->zone)
			d--;
		if (!d || m->time_cycles < c->open[d - 1].start) {
			g->unbalanced++;
			return;
		}
		g->unbalanced += c->depth - d;
		c->depth = (uint8_t)(d - 1);
		r = run_of(g, m);
		lane = lane_of_risc(g, c, d - 1);
		l = &g->p->lanes.at[lane];
		*vec_push(&l->zones) =
			(struct page_zone){ (int64_t)c->open[d - 1].start,
					    (int64_t)(m->time_cycles - c->open[d - 1].start),
					    g->zone_text[m->zone], r->op };
		if (class & ZONE_IS_KERNEL)
			add_kernel(g, m, c->open[d - 1].start);
		if ((class & (ZONE_CB_WAIT | ZONE_CB_RESERVE)) && m->run_id)
			op_core(g, m, r)->wait_ns +=
				(uint32_t)(m->time_cycles - c->open[d - 1].start);
		return;
	}
	case MARKER_ZONE_TOTAL:
		if ((class & (ZONE_CB_WAIT | ZONE_CB_RESERVE)) && m->run_id && m->data < UINT32_MAX)
			op_core(g, m, run_of(g, m))->wait_ns += (uint32_t)m->data;
		return;
	case MARKER_TS_DATA:
	case MARKER_TS_EVENT:
		add_mark(g, c, m);
		return;
	case MARKER_NONE:
	case MARKER_TYPES:
		return;
	}
}

/* ---- clocks ---- */

static int by_cycles(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;

	if (x->device != y->device)
		return x->device < y->device ? -1 : 1;
	return x->cycles < y->cycles ? -1 : x->cycles > y->cycles;
}

static int by_offset(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

/* The middle of ns - cycles · rate, with cycles from `zero`. */
static int64_t middle_offset(const struct pair *p, size_t n, uint64_t zero, double rate)
{
	int64_t *off = mem_alloc(n, sizeof(*off)), middle;

	for (size_t i = 0; i < n; i++)
		off[i] = p[i].ns - (int64_t)((double)(p[i].cycles - zero) * rate);
	qsort(off, n, sizeof(*off), by_offset);
	middle = off[n / 2];
	free(off);
	return middle;
}

static void set_clock(struct device_clock *c, const struct pair *p, size_t n, double nominal)
{
	size_t part = n / 10 + 1;
	uint64_t zero = p[0].cycles, far = p[n - 1].cycles - zero;
	int64_t first = middle_offset(p, part, zero, nominal);
	int64_t last = middle_offset(p + n - part, part, zero, nominal);

	c->known = true;
	c->zero_cycles = zero;
	c->zero_ns = first;
	c->ns_per_cycle = nominal;
	/* a crystal is off by millionths; what is beyond is no drift */
	if (n >= 20 && far && llabs(last - first) < (int64_t)((double)far * nominal / 1000))
		c->ns_per_cycle = nominal + (double)(last - first) / (double)far;
}

/* When each device began, as cycles, by its place among the clocks; 0 if it has no zones. */
static uint64_t *first_cycles(struct reading *g)
{
	uint64_t *first;

	vec_each (d, &g->p->devices)
		(void)device_clock(g->s, d->id);
	vec_each (c, &g->riscs)
		(void)device_clock(g->s, c->device);
	first = mem_alloc(g->s->clocks.len + 1, sizeof(*first));
	for (size_t i = 0; i < g->s->clocks.len; i++)
		first[i] = UINT64_MAX;
	vec_each (c, &g->riscs) {
		size_t i = (size_t)(device_clock(g->s, c->device) - g->s->clocks.at);

		for (unsigned d = 0; d < c->lanes; d++) {
			const struct page_lane *l = &g->p->lanes.at[c->lane[d]];

			if (l->zones.len && (uint64_t)l->zones.at[0].start_ns < first[i])
				first[i] = (uint64_t)l->zones.at[0].start_ns;
		}
	}
	for (size_t i = 0; i < g->s->clocks.len; i++)
		first[i] = first[i] == UINT64_MAX ? 0 : first[i];
	return first;
}

static void find_clocks(struct reading *g)
{
	double nominal = g->log->freq_mhz > 0 ? 1000.0 / (double)g->log->freq_mhz : 1.0;
	size_t n = g->pairs.len;
	uint64_t *first;

	if (n)
		qsort(g->pairs.at, n, sizeof(*g->pairs.at), by_cycles);
	for (size_t i = 0; i < n;) {
		size_t end = i;

		while (end < n && g->pairs.at[end].device == g->pairs.at[i].device)
			end++;
		set_clock(device_clock(g->s, g->pairs.at[i].device), &g->pairs.at[i], end - i,
			  nominal);
		i = end;
	}
	first = first_cycles(g);
	vec_each (d, &g->p->devices) {
		struct device_clock *c = device_clock(g->s, d->id);

		if (d->mhz <= 0)
			d->mhz = (double)g->log->freq_mhz;
		d->workers = g->log->compute_cores;
		if (!d->arch.len)
			d->arch = intern_get(&g->p->strings, page_text(g->p, g->log->arch));
		if (c->known)
			continue;
		c->known = true;
		c->ns_per_cycle = nominal;
		c->zero_cycles = first[c - g->s->clocks.at];
		c->zero_ns = 0;
		if (g->p->has_trace)
			page_note(
				g->p, "device",
				"device %u: nothing of the trace tells how its clock stands to the "
				"host's: it begins at 0",
				d->id);
	}
	free(first);
}

static void convert(struct reading *g)
{
	vec_each (c, &g->riscs) {
		const struct device_clock *clock = device_clock(g->s, c->device);

		for (unsigned d = 0; d < c->lanes; d++) {
			struct page_lane *l = &g->p->lanes.at[c->lane[d]];
			size_t n = 0;

			vec_each (z, &l->zones) {
				uint64_t start = (uint64_t)z->start_ns;
				int64_t from = device_ns(clock, start);
				int64_t to = device_ns(clock, start + (uint64_t)z->dur_ns);
				size_t i;

				if (!page_time_ok(g->p, from) || !page_time_ok(g->p, to)) {
					g->p->far_off++;
					continue;
				}
				i = (size_t)(z - l->zones.at);
				if (i < l->texts.len)
					l->texts.at[n] = l->texts.at[i];
				z->start_ns = from;
				z->dur_ns = to > from ? to - from : 0;
				l->zones.at[n++] = *z;
			}
			l->zones.len = n;
			l->texts.len = l->texts.len < n ? l->texts.len : n;
		}
	}
	size_t n = 0;

	vec_each (k, &g->p->op_cores) {
		const struct device_clock *clock = device_clock(g->s, k->device);

		if (k->end_ns == INT64_MIN) /* waiting, without a kernel */
			continue;
		k->start_ns = device_ns(clock, (uint64_t)k->start_ns);
		k->end_ns = device_ns(clock, (uint64_t)k->end_ns);
		for (int r = 0; r < 6; r++)
			k->risc_ns[r] = (uint32_t)((double)k->risc_ns[r] * clock->ns_per_cycle);
		k->wait_ns = (uint32_t)((double)k->wait_ns * clock->ns_per_cycle);
		g->p->op_cores.at[n++] = *k;
	}
	g->p->op_cores.len = n;
}

/* ---- what a RISC did, per op ---- */

static int by_risc_and_start(const void *a, const void *b)
{
	const struct risc_run *x = a, *y = b;

	if (x->device != y->device)
		return x->device < y->device ? -1 : 1;
	if (x->risc != y->risc)
		return x->risc < y->risc ? -1 : 1;
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->run_id < y->run_id ? -1 : x->run_id > y->run_id;
}

static void add_risc_runs(struct reading *g)
{
	const struct page_field *code = NULL;
	struct page_stack stack = { 0 };
	uint64_t last = UINT64_MAX;

	vec_each (f, &g->p->fields)
		if (f->text && str_eq(buf_view(&f->key), STR("OP CODE")))
			code = f;
	if (g->risc_runs.len)
		qsort(g->risc_runs.at, g->risc_runs.len, sizeof(*g->risc_runs.at),
		      by_risc_and_start);
	vec_each (r, &g->risc_runs) {
		const struct device_clock *clock = device_clock(g->s, r->device);
		uint64_t key = (uint64_t)r->device << 16 | r->risc;
		uint32_t name;

		if (key != last) {
			vec_release(&stack.lanes);
			*vec_push(&stack.lanes) = page_risc_lane(
				g->p, r->device, intern_get(&g->log->names.riscs, r->risc));
			last = key;
		}
		if (r->op && code) {
			name = code->text[r->op - 1];
		} else {
			struct buf b = { 0 };

			buf_printf(&b, "op %llu", (unsigned long long)r->run_id);
			name = page_text(g->p, buf_view(&b));
			buf_release(&b);
		}
		(void)page_stack_zone(g->p, &stack, device_ns(clock, r->start),
				      device_ns(clock, r->end), name, r->op);
	}
	vec_release(&stack.lanes);
}

static void release(struct reading *g)
{
	vec_release(&g->riscs);
	u64map_release(&g->risc_index);
	u64map_release(&g->run_index);
	u64map_release(&g->core_index);
	u64map_release(&g->risc_run_index);
	u64map_release(&g->sights);
	vec_release(&g->risc_runs);
	vec_release(&g->pairs);
	free(g->zone_text);
	free(g->zone_class);
}

void page_add_log(struct page *p, struct page_sources *s, struct device_log *log)
{
	enum { BATCH = 256 };
	struct reading g = { .p = p, .s = s, .log = log };
	const char *path = log->in.name;
	struct marker_source source;
	struct marker batch[BATCH];
	size_t n;

	if (log->numbered_marks)
		launches_number(log);
	for (uint32_t i = 0; i < s->sights.len; i++) {
		const struct device_sight *k = &s->sights.at[i];

		(void)u64map_get_or_put(
			&g.sights, sight_key(k->device, k->x, k->y, k->risc, k->run_id), i, NULL);
	}
	source = device_log_source(g.log);
	while ((n = source.next(source.self, batch, BATCH)))
		for (size_t i = 0; i < n; i++)
			take(&g, &batch[i]);
	vec_each (c, &g.riscs)
		g.unbalanced += c->depth;
	find_clocks(&g);
	convert(&g);
	add_risc_runs(&g);
	p->has_log = true;
	if (!g.log->freq_mhz)
		page_note(p, "device", "%s does not tell the clock: 1000 MHz are taken", path);
	if (g.log->bad_rows)
		page_note(p, "device", "%s: %llu rows can't be read, the first is line %llu", path,
			  (unsigned long long)g.log->bad_rows,
			  (unsigned long long)g.log->bad_line[0]);
	if (g.unbalanced)
		page_note(p, "device",
			  "%s: %llu zones lack their start or their end, and are not shown", path,
			  (unsigned long long)g.unbalanced);
	if (input_shrunk(&g.log->in))
		page_note(p, "device", "%s got shorter while it was read", path);
	release(&g);
}
