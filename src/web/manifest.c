// SPDX-License-Identifier: Apache-2.0
#include "web/manifest.h"

#include <stdlib.h>
#include <time.h>

#include "web/device_map.h"

static void key(struct json_writer *w, const char *name)
{
	json_write_key(w, str_of(name));
}

static void put_column(struct json_writer *w, const char *name, int column)
{
	key(w, name);
	if (column == COLUMN_NONE)
		json_write_null(w);
	else
		json_write_i64(w, column);
}

static void put_null(struct json_writer *w, const char *name)
{
	key(w, name);
	json_write_null(w);
}

/* A value that is JSON already. */
static void put_raw(struct json_writer *w, const char *name, const struct buf *json)
{
	key(w, name);
	if (json->len)
		json_write_raw(w, str_trim(buf_view(json)));
	else
		json_write_null(w);
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

/* Runs `body` with `z` (and its number `i` in lane `l`) for zones [first, first + n) and `k` counting them. */
#define ZONES_EACH(p, first, n, body)                                         \
	do {                                                                  \
		size_t place_, k = 0;                                         \
		const struct page_lane *l = lane_with((p), (first), &place_); \
		size_t i = (size_t)((first)-l->first);                        \
                                                                              \
		while (k < (n)) {                                             \
			for (; i < l->zones.len && k < (n); i++, k++) {       \
				const struct page_zone *z = &l->zones.at[i];  \
				body;                                         \
			}                                                     \
			if (k < (n))                                          \
				l = &(p)->lanes.at[(p)->order.at[++place_]];  \
			if (k < (n))                                          \
				i = 0;                                        \
		}                                                             \
	} while (0)

static void fill_start(const void *ctx, uint64_t first, size_t n, void *to)
{
	const struct page *p = ctx;
	uint64_t *v = to;

	ZONES_EACH(p, first, n, v[k] = (uint64_t)(z->start_ns - (i ? z[-1].start_ns : l->t0_ns)));
}

static void fill_dur(const void *ctx, uint64_t first, size_t n, void *to)
{
	const struct page *p = ctx;
	uint64_t *v = to;

	ZONES_EACH(p, first, n, v[k] = (uint64_t)z->dur_ns);
}

static void fill_name(const void *ctx, uint64_t first, size_t n, void *to)
{
	const struct page *p = ctx;
	uint64_t *v = to;

	ZONES_EACH(p, first, n, v[k] = z->name);
}

static void fill_text(const void *ctx, uint64_t first, size_t n, void *to)
{
	const struct page *p = ctx;
	uint64_t *v = to;

	ZONES_EACH(p, first, n, (void)z; v[k] = i < l->texts.len ? l->texts.at[i] : 0);
}

static void fill_op(const void *ctx, uint64_t first, size_t n, void *to)
{
	const struct page *p = ctx;
	uint64_t *v = to;

	ZONES_EACH(p, first, n, v[k] = zigzag((int64_t)z->op - (i ? z[-1].op : 0)));
}

static void write_zones(struct page *p, struct columns *c, struct json_writer *w)
{
	struct column start = { .fill = fill_start,
				.ctx = p,
				.n = p->zones,
				.delta = COLUMN_RISING,
				.per_lane = true };
	struct column op = {
		.fill = fill_op, .ctx = p, .n = p->zones, .delta = COLUMN_SIGNED, .per_lane = true
	};
	struct column dur = { .fill = fill_dur, .ctx = p, .n = p->zones };
	struct column name = { .fill = fill_name, .ctx = p, .n = p->zones };
	struct column text = { .fill = fill_text, .ctx = p, .n = p->zones };

	key(w, "zones");
	json_open_object(w);
	json_put_whole(w, "n", (int64_t)p->zones);
	put_column(w, "start", columns_add(c, start));
	put_column(w, "dur", columns_add(c, dur));
	put_column(w, "name", columns_add(c, name));
	put_column(w, "op", p->has_zone_ops ? columns_add(c, op) : COLUMN_NONE);
	put_column(w, "text", p->has_texts ? columns_add(c, text) : COLUMN_NONE);
	json_close_object(w);
}

static void write_lanes(const struct page *p, struct json_writer *w)
{
	static const char *const kinds[] = {
#define X(id, name) name,
		LANE_KIND_LIST(X)
#undef X
	};

	key(w, "lanes");
	json_open_array(w);
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
	key(w, "ops");
	json_open_object(w);
	json_put_whole(w, "n", (int64_t)p->ops_n);
	key(w, "fields");
	json_open_array(w);
	vec_each (f, &p->fields) {
		json_open_object(w);
		json_put_text(w, "key", buf_view(&f->key));
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

/* Columns from one member of each element of a vec, as u32 or, rising, u64. */
#define MEMBER_U32(c, w, json, vec, delta, expr)                                        \
	do {                                                                            \
		uint32_t *out_ = mem_alloc((vec).len + 1, sizeof(*out_));               \
		size_t n_ = 0;                                                          \
                                                                                        \
		vec_each (k, &(vec))                                                    \
			out_[n_++] = (uint32_t)(expr);                                  \
		put_column((w), (json), columns_add_u32((c), out_, n_, (delta), true)); \
	} while (0)
#define MEMBER_U64(c, w, json, vec, delta, expr)                                        \
	do {                                                                            \
		uint64_t *out_ = mem_alloc((vec).len + 1, sizeof(*out_));               \
		size_t n_ = 0;                                                          \
                                                                                        \
		vec_each (k, &(vec))                                                    \
			out_[n_++] = (uint64_t)(expr);                                  \
		put_column((w), (json), columns_add_u64((c), out_, n_, (delta), true)); \
	} while (0)

static int by_op(const void *a, const void *b)
{
	const struct page_op_core *x = a, *y = b;

	if (x->op != y->op)
		return x->op < y->op ? -1 : 1;
	if (x->device != y->device)
		return x->device < y->device ? -1 : 1;
	if (x->y != y->y)
		return x->y < y->y ? -1 : 1;
	return x->x < y->x ? -1 : x->x > y->x;
}

static void write_op_cores(struct page *p, struct columns *c, struct json_writer *w)
{
	static const char *const riscs[] = { "brisc",  "ncrisc", "trisc0",
					     "trisc1", "trisc2", "erisc" };
	size_t n = p->op_cores.len;

	if (!n) {
		put_null(w, "op_cores");
		return;
	}
	qsort(p->op_cores.at, n, sizeof(*p->op_cores.at), by_op);
	key(w, "op_cores");
	json_open_object(w);
	json_put_whole(w, "n", (int64_t)n);
	MEMBER_U32(c, w, "op", p->op_cores, true, k->op);
	MEMBER_U32(c, w, "device", p->op_cores, false, k->device);
	MEMBER_U32(c, w, "x", p->op_cores, false, k->x);
	MEMBER_U32(c, w, "y", p->op_cores, false, k->y);
	MEMBER_U32(c, w, "start", p->op_cores, false, k->start_ns);
	MEMBER_U32(c, w, "dur", p->op_cores, false, k->span_ns);
	MEMBER_U32(c, w, "busy", p->op_cores, false, k->busy_ns);
	for (int r = 0; r < PAGE_RISCS; r++)
		MEMBER_U32(c, w, riscs[r], p->op_cores, false, k->risc_ns[r]);
	MEMBER_U32(c, w, "wait", p->op_cores, false, k->wait_ns);
	json_close_object(w);
}

static int by_message_time(const void *a, const void *b)
{
	const struct page_message *x = a, *y = b;

	return x->time_ns < y->time_ns ? -1 : x->time_ns > y->time_ns;
}

static int by_mark_time(const void *a, const void *b)
{
	const struct page_mark *x = a, *y = b;

	return x->time_ns < y->time_ns ? -1 : x->time_ns > y->time_ns;
}

static int by_flow_time(const void *a, const void *b)
{
	const struct page_flow *x = a, *y = b;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	return x->op < y->op ? -1 : x->op > y->op;
}

static int by_point_time(const void *a, const void *b)
{
	const struct page_point *x = a, *y = b;

	return x->time_ns < y->time_ns ? -1 : x->time_ns > y->time_ns;
}

static void write_marks(page_marks *v, struct columns *c, struct json_writer *w, const char *name)
{
	if (!v->len) {
		put_null(w, name);
		return;
	}
	qsort(v->at, v->len, sizeof(*v->at), by_mark_time);
	key(w, name);
	json_open_object(w);
	json_put_whole(w, "n", (int64_t)v->len);
	MEMBER_U64(c, w, "time", *v, true, k->time_ns);
	MEMBER_U32(c, w, "name", *v, false, k->name);
	json_close_object(w);
}

static void write_messages(struct page *p, struct columns *c, struct json_writer *w)
{
	if (!p->messages.len) {
		put_null(w, "messages");
		return;
	}
	qsort(p->messages.at, p->messages.len, sizeof(*p->messages.at), by_message_time);
	key(w, "messages");
	json_open_object(w);
	json_put_whole(w, "n", (int64_t)p->messages.len);
	MEMBER_U64(c, w, "time", p->messages, true, k->time_ns);
	MEMBER_U32(c, w, "text", p->messages, false, k->text);
	MEMBER_U32(c, w, "lane", p->messages, false,
		   k->lane == PAGE_NONE ? PAGE_NONE : p->lanes.at[k->lane].id);
	MEMBER_U32(c, w, "colour", p->messages, false, k->colour);
	json_close_object(w);
}

static void write_plots(struct page *p, struct columns *c, struct json_writer *w)
{
	if (!p->plots.len) {
		put_null(w, "plots");
		return;
	}
	key(w, "plots");
	json_open_array(w);
	vec_each (plot, &p->plots) {
		size_t n = plot->points.len, i = 0;
		double *values = mem_alloc(n + 1, sizeof(*values));

		if (n)
			qsort(plot->points.at, n, sizeof(*plot->points.at), by_point_time);
		vec_each (v, &plot->points)
			values[i++] = v->value;
		json_open_object(w);
		json_put_text(w, "name", text_of(p, plot->name));
		json_put_text(w, "unit", str_of(plot->unit));
		json_put_whole(w, "n", (int64_t)n);
		MEMBER_U64(c, w, "time", plot->points, true, k->time_ns);
		put_column(w, "value", columns_add_f64(c, values, n, true));
		json_close_object(w);
	}
	json_close_array(w);
}

static void write_flows(struct page *p, struct columns *c, struct json_writer *w)
{
	if (!p->flows.len) {
		put_null(w, "flows");
		return;
	}
	qsort(p->flows.at, p->flows.len, sizeof(*p->flows.at), by_flow_time);
	key(w, "flows");
	json_open_object(w);
	json_put_whole(w, "n", (int64_t)p->flows.len);
	MEMBER_U32(c, w, "lane", p->flows, false, p->lanes.at[k->lane].id);
	MEMBER_U64(c, w, "time", p->flows, true, k->time_ns);
	MEMBER_U32(c, w, "op", p->flows, true, k->op);
	json_close_object(w);
}

static void write_flame(struct page *p, struct columns *c, struct json_writer *w)
{
	if (!p->flame.len) {
		put_null(w, "flame");
		return;
	}
	key(w, "flame");
	json_open_object(w);
	json_put_whole(w, "n", (int64_t)p->flame.len);
	MEMBER_U32(c, w, "parent", p->flame, false, k->parent);
	MEMBER_U32(c, w, "name", p->flame, false, k->name);
	MEMBER_U64(c, w, "calls", p->flame, false, k->calls);
	MEMBER_U64(c, w, "total", p->flame, false, k->total_ns);
	MEMBER_U64(c, w, "self", p->flame, false,
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

	key(w, "focus_ns");
	json_open_array(w);
	json_write_i64(w, any ? from : 0);
	json_write_i64(w, any ? to : p->span_ns);
	json_close_array(w);
}

static void write_facts(struct page *p, struct json_writer *w, int64_t made_s)
{
	time_t t = (time_t)made_s;
	struct tm tm;
	char text[32];
	struct buf origin = { 0 };

	gmtime_r(&t, &tm);
	(void)strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm);
	json_put_text(w, "made", str_of(text));
	buf_add_i64(&origin, p->origin_ns);
	json_put_text(w, "origin_ns", buf_view(&origin));
	buf_release(&origin);
	json_put_whole(w, "span_ns", p->span_ns);
	write_focus(p, w);
	if (p->time_kind)
		json_put_text(w, "time_kind", str_of(p->time_kind));
	else
		put_null(w, "time_kind");
	put_raw(w, "run", &p->run);
	put_raw(w, "programs", &p->programs);
	put_raw(w, "facts", &p->facts);
	put_raw(w, "cost", &p->cost);
	put_raw(w, "report", &p->report);
	put_raw(w, "parts", &p->parts);
	put_raw(w, "account", &p->account);
	put_raw(w, "device_analysis", &p->device_analysis);
	key(w, "notes");
	json_open_array(w);
	vec_each (n, &p->notes) {
		json_open_object(w);
		json_put_text(w, "part", str_of(n->part));
		json_put_text(w, "text", str_of(n->text));
		json_close_object(w);
	}
	json_close_array(w);
	key(w, "files");
	json_open_array(w);
	vec_each (f, &p->files) {
		json_open_object(w);
		json_put_text(w, "name", str_of(f->name));
		json_put_whole(w, "bytes", (int64_t)f->bytes);
		json_close_object(w);
	}
	json_close_array(w);
	key(w, "devices");
	json_open_array(w);
	page_write_devices(p, w);
	json_close_array(w);
}

/* Only texts can hold these characters, so they can be written otherwise wherever they stand. */
static void without_markup(struct buf *b)
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
	key(&w, "served");
	json_write_bool(&w, served);
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
	write_flame(p, c, &w);
	key(&w, "order");
	json_open_object(&w);
	put_column(&w, "by_duration",
		   columns_add_u32(c, p->longest.at, p->longest.len, false, false));
	json_close_object(&w);
	vec_each (s, &p->strings.names)
		buf_add(&to->strings, s->len ? s->at : "", s->len + 1);
	strings = columns_add_utf8(c, to->strings.at, to->strings.len);
	put_column(&w, "strings", strings);
	columns_pack(c);
	key(&w, "columns");
	columns_json(c, &w);
	json_close_object(&w);
	without_markup(&to->manifest);
}

void packed_page_release(struct packed_page *k)
{
	buf_release(&k->manifest);
	buf_release(&k->strings);
	columns_release(&k->columns);
}
