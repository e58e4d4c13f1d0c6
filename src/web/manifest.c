// SPDX-License-Identifier: Apache-2.0
#include "web/manifest.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "base/map.h"
#include "base/order.h"
#include "chip/grid.h"

static void put_column(struct json_writer *w, const char *name, int column)
{
	json_write_key(w, str_of(name));
	if (column == COLUMN_NONE)
		json_write_null(w);
	else
		json_write_i64(w, column);
}

static void put_null(struct json_writer *w, const char *name)
{
	json_put_raw(w, name, STR("null"));
}

/* A table of `n` rows; true: its columns follow, then the end of the object.  One without rows is null. */
static bool open_table(struct json_writer *w, const char *name, size_t n)
{
	if (!n) {
		put_null(w, name);
		return false;
	}
	json_put_object(w, name);
	json_put_whole(w, "n", (int64_t)n);
	return true;
}

/* A value that is JSON already. */
static void put_raw(struct json_writer *w, const char *name, const struct buf *json)
{
	json_put_raw(w, name, json->len ? str_trim(buf_view(json)) : STR("null"));
}

static struct str text_of(const struct page *p, uint32_t id)
{
	return intern_get(&p->strings, id);
}

/* ---- zones, as they stand in the page: lane after lane ---- */

static const struct page_lane *lane_with(const struct page *p, uint64_t zone, size_t *at)
{
	size_t low = 0, high = p->order.len;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (p->lanes.at[p->order.at[middle]].first <= zone)
			low = middle;
		else
			high = middle;
	}
	*at = low;
	return &p->lanes.at[p->order.at[low]];
}

/* A column of zones: of each zone `z`, number `i` of its lane `l`, the value. */
#define FILL(what, value)                                                            \
	static void fill_##what(const void *ctx, uint64_t first, size_t n, void *to) \
	{                                                                            \
		const struct page *p = ctx;                                          \
		uint64_t *v = to;                                                    \
		size_t place;                                                        \
		const struct page_lane *l = lane_with(p, first, &place);             \
		size_t i = (size_t)(first - l->first);                               \
                                                                                     \
		for (size_t k = 0; k < n; i = 0) {                                   \
			for (; i < l->zones.len && k < n; i++, k++) {                \
				const struct page_zone *z = &l->zones.at[i];         \
                                                                                     \
				(void)z;                                             \
				v[k] = (value);                                      \
			}                                                            \
			if (k < n)                                                   \
				l = &p->lanes.at[p->order.at[++place]];              \
		}                                                                    \
	}
FILL(start, (uint64_t)(z->start_ns - (i ? z[-1].start_ns : l->t0_ns)))
FILL(dur, (uint64_t)z->dur_ns)
FILL(name, z->name)
FILL(text, i < l->texts.len ? l->texts.at[i] : 0)
FILL(op, zigzag((int64_t)z->op - (i ? z[-1].op : 0)))

static void write_zones(struct page *p, struct columns *c, struct json_writer *w)
{
#define OF_ZONES(...) columns_add(c, (struct column){ .ctx = p, .n = p->zones, __VA_ARGS__ })
	json_put_object(w, "zones");
	json_put_whole(w, "n", (int64_t)p->zones);
	put_column(w, "start",
		   OF_ZONES(.fill = fill_start, .delta = COLUMN_RISING, .per_lane = true));
	put_column(w, "dur", OF_ZONES(.fill = fill_dur));
	put_column(w, "name", OF_ZONES(.fill = fill_name));
	put_column(w, "op",
		   p->has_zone_ops
			   ? OF_ZONES(.fill = fill_op, .delta = COLUMN_SIGNED, .per_lane = true)
			   : COLUMN_NONE);
	put_column(w, "text", p->has_texts ? OF_ZONES(.fill = fill_text) : COLUMN_NONE);
	json_close_object(w);
}

static void write_lanes(const struct page *p, struct json_writer *w)
{
	static const char *const kinds[] = {
#define X(id, name) name,
		LANE_KIND_LIST(X)
#undef X
	};

	json_put_array(w, "lanes");
	vec_each (o, &p->order) {
		const struct page_lane *l = &p->lanes.at[*o];

		json_open_object(w);
		json_put_whole(w, "id", l->id);
		json_put_whole(w, "parent",
			       l->parent == PAGE_NONE ? -1 : (int64_t)p->lanes.at[l->parent].id);
		json_put_text(w, "kind", str_of(kinds[l->kind]));
		json_put_text(w, "name", text_of(p, l->name));
		json_put_whole(w, "track", l->track);
		json_put_whole(w, "depth", l->depth);
		if (l->device >= 0)
			json_put_whole(w, "device", l->device);
		if (l->x >= 0) {
			json_put_whole(w, "x", l->x);
			json_put_whole(w, "y", l->y);
		}
		if (l->risc)
			json_put_text(w, "risc", text_of(p, l->risc));
		json_put_whole(w, "first", (int64_t)l->first);
		json_put_whole(w, "count", (int64_t)l->zones.len);
		json_put_whole(w, "t0", l->t0_ns);
		json_put_whole(w, "busy_ns", l->busy_ns);
		json_close_object(w);
	}
	json_close_array(w);
}

/* ---- devices, each with the map of its chip if what ran there fits it ---- */

static const char *cell_kind(char tile, bool used)
{
	switch (tile) {
	case 'w':
		return used ? "tensix" : "harvested";
	case 'e':
		return "eth";
	case 'p':
		return "pcie";
	case 'a':
		return "arc";
	case '.':
		return "router";
	default:
		return "dram";
	}
}

/* Whether each tile that did something is a core of the chip's: else the map is of another one, or coordinates are logical. */
struct fit {
	const struct chip_grid *g;
	uint64_t lines; /* rows, or columns, in which something ran */
	bool fits;
};

static void place(struct fit *f, int x, int y)
{
	char tile = chip_grid_tile(f->g, x, y);
	int line = f->g->columns_fail ? x : y;

	f->fits &= tile == 'w' || tile == 'e';
	if (tile == 'w' && line >= 0 && line < 64)
		f->lines |= 1ull << line;
}

/* A tile of a device, by the device's number in the page. */
struct spot {
	uint32_t device;
	int x, y;
};
typedef VEC(struct spot) spots;

ORDER_BY(by_device, struct spot, device)

/* All that did something, so that each device need not look at what the others did. */
static void find_spots(const struct page *p, spots *all)
{
	SCOPED(u64map) struct u64map index = { 0 };
	uint32_t i;

	vec_each (d, &p->devices)
		u64map_put(&index, d->id, (uint32_t)(d - p->devices.at));
	vec_each (k, &p->op_cores)
		if (u64map_get(&index, k->device, &i))
			*vec_push(all) = (struct spot){ i, k->x, k->y };
	vec_each (l, &p->lanes)
		if (l->kind == LANE_CORE && l->device >= 0 && l->x >= 0 &&
		    u64map_get(&index, (uint64_t)l->device, &i))
			*vec_push(all) = (struct spot){ i, l->x, l->y };
	vec_sort(all, by_device);
}

static void write_cells(struct json_writer *w, const struct chip_grid *g, uint64_t off)
{
	for (int y = 0; y < g->height; y++)
		for (int x = 0; x < g->width; x++) {
			int line = g->columns_fail ? x : y;

			json_open_array(w);
			json_write_i64(w, x);
			json_write_i64(w, y);
			json_write_str(
				w, str_of(cell_kind(chip_grid_tile(g, x, y), !(off >> line & 1))));
			json_close_array(w);
		}
}

static void write_device(const struct page_device *d, const struct spot *at, size_t n,
			 struct json_writer *w)
{
	struct chip_grid g;
	bool known = chip_grid_find(d->arch, &g), shown;
	struct fit f = { .g = &g, .fits = true };

	for (size_t i = 0; i < n; i++)
		place(&f, at[i].x, at[i].y);
	shown = known && f.fits;
	json_open_object(w);
	json_put_whole(w, "id", d->id);
	json_put_text(w, "arch", d->arch);
	json_put_number(w, "mhz", d->mhz > 0 ? d->mhz : (double)NAN); /* null */
	json_put_whole(w, "workers", d->workers);
	json_put_bool(w, "synced", d->synced);
	json_put_text(w, "map", shown ? STR("chip") : known ? STR("misfit") : STR("unknown"));
	json_put_whole(w, "width", shown ? (uint64_t)g.width : 0);
	json_put_whole(w, "height", shown ? (uint64_t)g.height : 0);
	json_put_array(w, "cells");
	if (shown)
		write_cells(w, &g, chip_grid_off(&g, f.lines, d->workers));
	json_close_array(w);
	json_close_object(w);
}

static void write_devices(const struct page *p, struct json_writer *w)
{
	spots all = { 0 };
	size_t at = 0, end;

	find_spots(p, &all);
	for (size_t i = 0; i < p->devices.len; i++, at = end) {
		for (end = at; end < all.len && all.at[end].device == i;)
			end++;
		write_device(&p->devices.at[i], all.len ? all.at + at : NULL, end - at, w);
	}
	vec_release(&all);
}

/* ---- tables ---- */

static int column_f64(struct columns *c, const double *at, size_t n)
{
	return columns_add_f64(c, (double *)(uintptr_t)at, n, false);
}

static void write_ops(struct page *p, struct columns *c, struct json_writer *w)
{
	static const char *const from[] = { "csv", "report", "page" };

	if (!p->has_ops) {
		put_null(w, "ops");
		return;
	}
	json_put_object(w, "ops");
	json_put_whole(w, "n", (int64_t)p->ops_n);
	json_put_array(w, "fields");
	vec_each (f, &p->fields) {
		json_open_object(w);
		json_put_text(w, "key", f->key);
		json_put_text(w, "kind", f->number ? STR("number") : STR("text"));
		json_put_text(w, "unit", str_of(f->unit ? f->unit : ""));
		json_put_text(w, "from", str_of(from[f->from]));
		if (f->says)
			json_put_text(w, "says", str_of(f->says));
		put_column(w, "column",
			   f->number ? column_f64(c, f->number, p->ops_n)
				     : columns_add_u32(c, f->text, p->ops_n, false, false));
		json_close_object(w);
	}
	json_close_array(w);
	json_close_object(w);
}

/* A column from one member of each element of a vec, of 32 or 64 bits. */
#define MEMBER(bits, json, vec, delta, expr)                                            \
	do {                                                                            \
		uint##bits##_t *out_ = mem_alloc((vec).len + 1, sizeof(*out_));         \
		size_t n_ = 0;                                                          \
                                                                                        \
		vec_each (k, &(vec))                                                    \
			out_[n_++] = (uint##bits##_t)(expr);                            \
		put_column(w, (json), columns_add_u##bits(c, out_, n_, (delta), true)); \
	} while (0)

ORDER_BY(by_op, struct page_op_core, op, device, y, x)

static void write_op_cores(struct page *p, struct columns *c, struct json_writer *w)
{
	static const char *const riscs[] = { "brisc",  "ncrisc", "trisc0",
					     "trisc1", "trisc2", "erisc" };
	size_t n = p->op_cores.len;

	if (!open_table(w, "op_cores", n))
		return;
	vec_sort(&p->op_cores, by_op);
	MEMBER(32, "op", p->op_cores, true, k->op);
	MEMBER(32, "device", p->op_cores, false, k->device);
	MEMBER(32, "x", p->op_cores, false, k->x);
	MEMBER(32, "y", p->op_cores, false, k->y);
	MEMBER(32, "start", p->op_cores, false, k->start_ns);
	MEMBER(32, "dur", p->op_cores, false, k->span_ns);
	MEMBER(32, "busy", p->op_cores, false, k->busy_ns);
	for (int r = 0; r < PAGE_RISCS; r++)
		MEMBER(32, riscs[r], p->op_cores, false, k->risc_ns[r]);
	MEMBER(32, "wait", p->op_cores, false, k->wait_ns);
	json_close_object(w);
}

ORDER_BY(by_message_time, struct page_message, time_ns)
ORDER_BY(by_mark_time, struct page_mark, time_ns)
ORDER_BY(by_flow_time, struct page_flow, time_ns, op)
ORDER_BY(by_point_time, struct page_point, time_ns)

static void write_marks(page_marks *v, struct columns *c, struct json_writer *w, const char *name)
{
	if (!open_table(w, name, v->len))
		return;
	vec_sort(v, by_mark_time);
	MEMBER(64, "time", *v, true, k->time_ns);
	MEMBER(32, "name", *v, false, k->name);
	json_close_object(w);
}

static void write_messages(struct page *p, struct columns *c, struct json_writer *w)
{
	if (!open_table(w, "messages", p->messages.len))
		return;
	vec_sort(&p->messages, by_message_time);
	MEMBER(64, "time", p->messages, true, k->time_ns);
	MEMBER(32, "text", p->messages, false, k->text);
	MEMBER(32, "lane", p->messages, false,
	       k->lane == PAGE_NONE ? PAGE_NONE : p->lanes.at[k->lane].id);
	MEMBER(32, "colour", p->messages, false, k->colour);
	json_close_object(w);
}

static void write_plots(struct page *p, struct columns *c, struct json_writer *w)
{
	if (!p->plots.len) {
		put_null(w, "plots");
		return;
	}
	json_put_array(w, "plots");
	vec_each (plot, &p->plots) {
		size_t n = plot->points.len, i = 0;
		double *values = mem_alloc(n + 1, sizeof(*values));

		vec_sort(&plot->points, by_point_time);
		vec_each (v, &plot->points)
			values[i++] = v->value;
		json_open_object(w);
		json_put_text(w, "name", text_of(p, plot->name));
		json_put_text(w, "unit", str_of(plot->unit));
		json_put_whole(w, "n", (int64_t)n);
		MEMBER(64, "time", plot->points, true, k->time_ns);
		put_column(w, "value", columns_add_f64(c, values, n, true));
		json_close_object(w);
	}
	json_close_array(w);
}

static void write_flows(struct page *p, struct columns *c, struct json_writer *w)
{
	if (!open_table(w, "flows", p->flows.len))
		return;
	vec_sort(&p->flows, by_flow_time);
	MEMBER(32, "lane", p->flows, false, p->lanes.at[k->lane].id);
	MEMBER(64, "time", p->flows, true, k->time_ns);
	MEMBER(32, "op", p->flows, true, k->op);
	json_close_object(w);
}

static void write_memory(struct page *p, struct columns *c, struct json_writer *w)
{
	json_put_array(w, "pools");
	vec_each (k, &p->pools) {
		json_open_object(w);
		json_put_text(w, "name", text_of(p, k->name));
		JSON_MEMBERS(w, k, allocations, peak_bytes, open_bytes, largest_bytes, peak_ns);
		json_close_object(w);
	}
	json_close_array(w);
	if (!open_table(w, "memory", p->memory.len))
		return;
	MEMBER(32, "pool", p->memory, true, k->pool);
	MEMBER(64, "address", p->memory, false, k->address & ((1ull << 53) - 1));
	MEMBER(64, "bytes", p->memory, false, k->bytes);
	MEMBER(64, "time", p->memory, false, k->alloc_ns);
	MEMBER(64, "life", p->memory, false,
	       k->free_ns == INT64_MAX ? 0 : k->free_ns - k->alloc_ns + 1);
	MEMBER(32, "op", p->memory, false, k->op);
	json_close_object(w);
}

static void write_flame(struct page *p, struct columns *c, struct json_writer *w)
{
	if (!open_table(w, "flame", p->flame.len))
		return;
	MEMBER(32, "parent", p->flame, false, k->parent);
	MEMBER(32, "name", p->flame, false, k->name);
	MEMBER(64, "calls", p->flame, false, k->calls);
	MEMBER(64, "total", p->flame, false, k->total_ns);
	MEMBER(64, "self", p->flame, false,
	       k->total_ns > k->child_ns ? k->total_ns - k->child_ns : 0);
	json_close_object(w);
}

/* From the first to the last zone of what devices ran, or else of any lane. */
static bool work_of(const struct page *p, bool devices, int64_t *from, int64_t *to)
{
	*from = INT64_MAX;
	*to = INT64_MIN;
	vec_each (l, &p->lanes) {
		const struct page_zone *last;

		if (!l->zones.len || (devices && l->kind != LANE_OPS && l->kind != LANE_CORE))
			continue;
		last = &l->zones.at[l->zones.len - 1];
		*from = l->zones.at[0].start_ns < *from ? l->zones.at[0].start_ns : *from;
		*to = last->start_ns + last->dur_ns > *to ? last->start_ns + last->dur_ns : *to;
	}
	return *from < *to;
}

/* What there is to see first: reading the profiler's buffers afterwards can take far longer, and recording may begin long before. */
static void write_focus(const struct page *p, struct json_writer *w)
{
	int64_t from, to;
	bool any = (p->ops_n && work_of(p, true, &from, &to)) || work_of(p, false, &from, &to);

	json_put_array(w, "focus_ns");
	json_write_i64(w, any ? from : 0);
	json_write_i64(w, any ? to : p->span_ns);
	json_close_array(w);
}

static void write_facts(struct page *p, struct json_writer *w, int64_t made_s)
{
	time_t t = (time_t)made_s;
	struct tm tm;
	char text[32];
	SCOPED(buf) struct buf origin = { 0 }, note = { 0 };

	gmtime_r(&t, &tm);
	(void)strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm);
	json_put_text(w, "made", str_of(text));
	buf_add_i64(&origin, p->origin_ns);
	json_put_text(w, "origin_ns", buf_view(&origin));
	json_put_whole(w, "span_ns", p->span_ns);
	write_focus(p, w);
	if (p->time_kind)
		json_put_text(w, "time_kind", str_of(p->time_kind));
	else
		put_null(w, "time_kind");
	buf_printf(&note, "simulated chip, %s", p->clock_note ? p->clock_note : "");
	if (p->clock_note)
		json_put_text(w, "clock_note", buf_view(&note));
	put_raw(w, "run", &p->run);
	put_raw(w, "programs", &p->programs);
	put_raw(w, "facts", &p->facts);
	put_raw(w, "cost", &p->cost);
	put_raw(w, "report", &p->report);
	put_raw(w, "host", &p->host);
	put_raw(w, "parts", &p->parts);
	put_raw(w, "usual", &p->usual);
	put_raw(w, "steps", &p->steps);
	put_raw(w, "core_findings", &p->core_findings);
	put_raw(w, "account", &p->account);
	put_raw(w, "device_analysis", &p->device_analysis);
	json_put_array(w, "notes");
	vec_each (n, &p->notes) {
		json_open_object(w);
		json_put_text(w, "part", str_of(n->part));
		json_put_text(w, "text", str_of(n->text));
		json_close_object(w);
	}
	json_close_array(w);
	json_put_array(w, "files");
	vec_each (f, &p->files) {
		json_open_object(w);
		json_put_text(w, "name", str_of(f->name));
		json_put_whole(w, "bytes", (int64_t)f->bytes);
		json_close_object(w);
	}
	json_close_array(w);
	json_put_array(w, "devices");
	write_devices(p, w);
	json_close_array(w);
}

/* Only texts can hold these characters, so they can be written otherwise wherever they stand. */
void page_json_without_markup(struct buf *b)
{
	struct buf to = { 0 };
	size_t from = 0;

	buf_reserve(&to, b->len + 64);
	for (size_t i = 0; i < b->len; i++) {
		char ch = b->at[i];

		if (ch != '<' && ch != '>' && ch != '&')
			continue;
		buf_add(&to, b->at + from, i - from);
		buf_printf(&to, "\\u%04x", (unsigned)ch);
		from = i + 1;
	}
	buf_add(&to, b->at + from, b->len - from);
	buf_release(b);
	*b = to;
}

void page_pack(struct packed_page *to, struct page *p, const char *tool, int64_t made_s,
	       bool served)
{
	struct json_writer w = { .to = &to->manifest };
	struct columns *c = &to->columns;
	int strings;

	json_open_object(&w);
	json_put_whole(&w, "schema", 1);
	json_put_text(&w, "tool", str_of(tool));
	json_put_text(&w, "title", buf_view(&p->title));
	json_put_bool(&w, "served", served);
	write_facts(p, &w, made_s);
	write_lanes(p, &w);
	write_zones(p, c, &w);
	write_ops(p, c, &w);
	write_op_cores(p, c, &w);
	write_messages(p, c, &w);
	write_marks(&p->signposts, c, &w, "signposts");
	write_marks(&p->frames, c, &w, "frames");
	write_plots(p, c, &w);
	write_flows(p, c, &w);
	write_memory(p, c, &w);
	write_flame(p, c, &w);
	json_put_object(&w, "order");
	put_column(&w, "by_duration",
		   columns_add_u32(c, p->longest.at, p->longest.len, false, false));
	json_close_object(&w);
	vec_each (s, &p->strings.names)
		buf_add(&to->strings, s->len ? s->at : "", s->len + 1);
	strings = columns_add_utf8(c, to->strings.at, to->strings.len);
	put_column(&w, "strings", strings);
	columns_pack(c);
	json_write_key(&w, STR("columns"));
	columns_json(c, &w);
	json_close_object(&w);
	page_json_without_markup(&to->manifest);
}

void packed_page_release(struct packed_page *k)
{
	RELEASE(buf, &k->manifest, &k->strings);
	columns_release(&k->columns);
}
