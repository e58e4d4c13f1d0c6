// SPDX-License-Identifier: Apache-2.0
#include "trace/tracy/tracy_collect.h"

#include <stdio.h>

#include "base/keyed.h"
#include "trace/tracy/tracy_container.h"

enum { ROOM = LANE_RECORD_MAX };

void collect_init(struct collect *c, struct trace *t, uint32_t version,
		  struct tracy_written *written)
{
	static const uint8_t nothing[12];

	memset(c, 0, sizeof(*c));
	c->t = t;
	c->version = version;
	c->written = written;
	spill_init(&c->store, COLLECT_MEMORY);
	(void)intern_copy(&c->texts, STR("Frame"));
	*vec_push(&c->thread_ids) = 0;
	u64map_put(&c->thread_index, 0, 0);
	*vec_push(&c->static_locs) = TRACE_NONE;
	spill_add(&c->store, &c->extras, nothing, sizeof(nothing));
	c->n_extras = 1;
}

uint32_t collect_text(struct collect *c, struct str s)
{
	uint32_t id;

	if (intern_count(&c->texts) >= STRINGS_MAX) {
		id = intern_find(&c->texts, s);
		if (id == INTERN_NONE) {
			c->written->lost_texts++;
			id = 0;
		}
		return id;
	}
	return intern_copy(&c->texts, str_n(s.at ? s.at : "", s.len));
}

uint64_t collect_pointer(struct collect *c, uint32_t text)
{
	if (keyed_is_new(&c->pointed, text))
		*vec_push(&c->pointers) = text;
	return PTR_OF(text);
}

uint32_t collect_prefixed(struct collect *c, uint32_t process, struct str name)
{
	SCOPED(buf) struct buf b = { 0 };

	trace_prefix(c->t, process, &b);
	buf_str(&b, name);
	return collect_text(c, buf_view(&b));
}

uint32_t collect_named(struct collect *c, uint32_t process, uint32_t string)
{
	return string == TRACE_NONE ? 0 : collect_prefixed(c, process, trace_str(c->t, string)) + 1;
}

uint64_t collect_pool(struct collect *c, const struct trace_memory *m)
{
	struct str name = m->pool == TRACE_NONE ? STR("memory") : trace_str(c->t, m->pool);

	if (m->pool == TRACE_NONE && !m->process)
		return 0;
	return collect_pointer(c, collect_prefixed(c, m->process, name));
}

uint64_t collect_tid(const struct collect *c, uint32_t track)
{
	const struct trace_track *k = &c->t->tracks.at[track];

	return k->tid | (uint64_t)k->process << PROCESS_SHIFT;
}

static inline struct collect_track *track_at(struct collect *c, uint32_t track)
{
	if (track < c->tracks.len)
		return &c->tracks.at[track];
	vec_reach(&c->tracks, track, (struct collect_track){ 0 });
	return &c->tracks.at[track];
}

uint32_t collect_thread_index(struct collect *c, uint32_t track)
{
	struct collect_track *k = track_at(c, track);
	uint64_t tid;

	if (k->index)
		return k->index;
	/* Threads of a file keep their numbers. */
	while (c->thread_ids.len < c->t->thread_ids.len) {
		tid = c->t->thread_ids.at[c->thread_ids.len];
		(void)u64map_get_or_put(&c->thread_index, tid, (uint32_t)c->thread_ids.len, NULL);
		*vec_push(&c->thread_ids) = tid;
	}
	tid = collect_tid(c, track);
	k->index = keyed_at(&c->thread_index, tid, &c->thread_ids, tid);
	return k->index;
}

/* The source location of the same name, file and line, without the function that made it one of too many. */
static int32_t plain_srcloc(struct collect *c, uint32_t loc)
{
	const struct trace_loc *l = &c->t->locs.at[loc];
	struct str name = trace_loc_name(c->t, loc), file = trace_str(c->t, l->file);
	SCOPED(buf) struct buf key = { 0 };
	uint32_t id, before = intern_count(&c->plain);

	c->written->lost_places++;
	buf_str(&key, name);
	buf_char(&key, 0);
	buf_str(&key, file);
	buf_printf(&key, "%c%u", 0, l->line);
	id = intern_copy(&c->plain, buf_view(&key));
	if (id == before) {
		uint32_t number = (uint32_t)c->dynamic_locs.len;

		if (number >= SRCLOCS_MAX) {
			*vec_push(&c->plain_srcloc) = number - 1;
		} else {
			*vec_push(&c->plain_srcloc) = number;
			*vec_push(&c->dynamic_locs) = loc;
			*vec_push(&c->plain_dynamic) = 1;
		}
	}
	return -(int32_t)c->plain_srcloc.at[id] - 1;
}

int32_t collect_srcloc_new(struct collect *c, uint32_t loc)
{
	int32_t *srcloc;

	if (loc == TRACE_NONE)
		loc = 0;
	vec_reach(&c->srcloc_of_loc, loc, 0);
	srcloc = &c->srcloc_of_loc.at[loc];
	if (*srcloc)
		return *srcloc;
	if (loc < c->t->locs.len && c->t->locs.at[loc].dynamic) {
		if (c->dynamic_locs.len < DYNAMIC_MAX) {
			*vec_push(&c->dynamic_locs) = loc;
			*vec_push(&c->plain_dynamic) = 0;
			*srcloc = -(int32_t)c->dynamic_locs.len;
		} else {
			*srcloc = plain_srcloc(c, loc);
		}
	} else if (c->static_locs.len <= SRCLOCS_MAX) {
		*srcloc = (int32_t)c->static_locs.len;
		*vec_push(&c->static_locs) = loc;
	} else {
		c->written->lost_places++;
		*srcloc = SRCLOCS_MAX;
	}
	return *srcloc;
}

static inline uint64_t step_to(uint64_t *ref, int64_t to)
{
	uint64_t step = zigzag((int64_t)((uint64_t)to - *ref));

	*ref = (uint64_t)to;
	return step;
}

/* One record; there is room. */
static inline void record(struct spill_log *l, enum lane_kind kind, int32_t srcloc, uint64_t first,
			  uint64_t second)
{
	uint64_t number = zigzag(srcloc);
	unsigned wide = number > 0xFF, one = spill_size_code(first), two = spill_size_code(second);
	uint8_t *at = l->at;

	*at++ = (uint8_t)(kind | one << 2 | two << 4 | (wide ? LANE_WIDE_PLACE : 0U));
	if (kind != LANE_END)
		at = spill_put_sized(at, number, wide);
	at = spill_put_sized(at, first, one);
	if (kind == LANE_LEAF || kind == LANE_LEAF_EXTRA)
		at = spill_put_sized(at, second, two);
	l->at = at;
}

/* Something begins inside of the innermost zone: that is no leaf. */
static inline void count_child(struct collect *c, struct collect_track *k)
{
	struct collect_open *outer;

	k->zones++;
	if (!k->open.len) {
		k->roots++;
		return;
	}
	outer = &k->open.at[k->open.len - 1];
	outer->children++;
	if (!outer->begun) {
		static const struct zone_facts later;

		spill_room(&c->store, &k->log, ROOM);
		record(&k->log, LANE_BEGIN, outer->srcloc, step_to(&k->ref, outer->start_ns), 0);
		outer->begun = true;
		outer->slot = (uint32_t)k->parents++;
		spill_add(&c->store, &k->facts, &later, sizeof(later));
	}
}

struct collect_track *collect_used(struct collect *c, uint32_t track)
{
	struct collect_track *k = track_at(c, track);

	if (__builtin_expect(!k->used, 0)) {
		k->used = true;
		(void)collect_thread_index(c, track);
	}
	return k;
}

static void zone_begin(void *ctx, uint32_t track, int64_t ns, uint32_t loc)
{
	struct collect *c = ctx;
	struct collect_track *k = collect_used(c, track);

	count_child(c, k);
	*vec_push(&k->open) =
		(struct collect_open){ .start_ns = ns, .srcloc = collect_srcloc(c, loc) };
}

static void zone_leaf(void *ctx, uint32_t track, int64_t start_ns, int64_t end_ns, uint32_t loc)
{
	struct collect *c = ctx;
	struct collect_track *k = collect_used(c, track);
	int32_t srcloc = collect_srcloc(c, loc);
	uint64_t begins, ends;

	count_child(c, k);
	c->zones_at[srcloc + 32768]++;
	begins = step_to(&k->ref, start_ns);
	ends = step_to(&k->ref, end_ns);
	spill_room(&c->store, &k->log, ROOM);
	record(&k->log, LANE_LEAF, srcloc, begins, ends);
}

static uint32_t extra_of(struct collect *c, const struct trace_extra *x)
{
	uint8_t bytes[12] = { 0 };
	uint32_t text = x->text.at ? collect_text(c, x->text) + 1 : 0;
	uint32_t name = x->name.at ? collect_text(c, x->name) + 1 : 0;

	memcpy(bytes, &x->stack, 3);
	memcpy(bytes + 3, &text, 3);
	memcpy(bytes + 6, &name, 3);
	memcpy(bytes + 9, &x->color, 3);
	spill_add(&c->store, &c->extras, bytes, sizeof(bytes));
	return (uint32_t)c->n_extras++;
}

static void zone_end(void *ctx, uint32_t track, int64_t ns, const struct trace_extra *x)
{
	struct collect *c = ctx;
	struct collect_track *k = track_at(c, track);
	struct collect_open o;
	uint32_t extra = x ? extra_of(c, x) : 0;

	if (!k->open.len)
		return;
	o = k->open.at[--k->open.len];
	if (ns == TRACE_OPEN)
		ns = -1;
	spill_room(&c->store, &k->log, ROOM);
	c->zones_at[o.srcloc + 32768]++;
	if (o.begun) {
		struct zone_facts facts = { .extra = extra, .children = o.children };

		spill_patch(&c->store, &k->facts, (uint64_t)o.slot * sizeof(facts), &facts,
			    sizeof(facts));
		record(&k->log, LANE_END, 0, step_to(&k->ref, ns), 0);
		return;
	}
	{
		uint64_t begins = step_to(&k->ref, o.start_ns), ends = step_to(&k->ref, ns);

		record(&k->log, extra ? LANE_LEAF_EXTRA : LANE_LEAF, o.srcloc, begins, ends);
	}
	if (extra) {
		spill_varint(&k->log, zigzag((int64_t)extra - (int64_t)k->last_extra));
		k->last_extra = extra;
	}
}

static void put(struct collect *c, struct spill_log *l, const void *bytes, size_t n)
{
	spill_room(&c->store, l, ROOM);
	memcpy(l->at, bytes, n);
	l->at += n;
}

static void device_end(struct collect *c, struct collect_track *k,
		       const struct trace_device_zone *z)
{
	uint8_t bytes[18];
	uint64_t cpu = (uint64_t)z->cpu_end_ns - k->cpu_ref,
		 gpu = (uint64_t)z->gpu_end_ns - k->gpu_ref;

	k->cpu_ref = (uint64_t)z->cpu_end_ns;
	k->gpu_ref = (uint64_t)z->gpu_end_ns;
	memcpy(bytes, &cpu, 8);
	memcpy(bytes + 8, &gpu, 8);
	memcpy(bytes + 16, &z->query, 2);
	put(c, &k->device, bytes, c->version >= TRACE_VERSION(0, 12, 4) ? 18 : 16);
}

static void device_tree(void *ctx, uint32_t lane, const struct trace_device_zone *at, size_t n)
{
	struct collect *c = ctx;
	struct collect_track *k = track_at(c, lane);
	SCOPED(vec) VEC(size_t) open = { 0 };
	SCOPED(vec) VEC(uint32_t) left = { 0 };

	k->used = true;
	for (size_t i = 0; i < n; i++) {
		uint8_t bytes[31];
		uint64_t cpu = (uint64_t)at[i].cpu_start_ns - k->cpu_ref,
			 gpu = (uint64_t)at[i].gpu_start_ns - k->gpu_ref, children = at[i].children;
		int16_t srcloc = (int16_t)collect_srcloc(c, at[i].loc);
		uint16_t thread = at[i].thread == TRACE_NONE
					  ? 0
					  : (uint16_t)collect_thread_index(c, at[i].thread);

		k = track_at(c, lane);
		k->cpu_ref = (uint64_t)at[i].cpu_start_ns;
		k->gpu_ref = (uint64_t)at[i].gpu_start_ns;
		memcpy(bytes, &cpu, 8);
		memcpy(bytes + 8, &gpu, 8);
		memcpy(bytes + 16, &srcloc, 2);
		memcpy(bytes + 18, &at[i].stack, 3);
		memcpy(bytes + 21, &thread, 2);
		memcpy(bytes + 23, &children, 8);
		put(c, &k->device, bytes, sizeof(bytes));
		k->device_zones++;
		k->device_parents += children != 0;
		if (!open.len)
			k->device_roots++;
		*vec_push(&open) = i;
		*vec_push(&left) = at[i].children;
		while (open.len && !left.at[left.len - 1]) {
			device_end(c, k, &at[open.at[--open.len]]);
			left.len--;
			if (open.len)
				left.at[left.len - 1]--;
		}
	}
	while (open.len) /* a tree that says it had more */
		device_end(c, k, &at[open.at[--open.len]]);
}

static void message(void *ctx, const struct trace_message *m)
{
	struct collect *c = ctx;
	uint32_t text = collect_text(c, m->text);

	*vec_push(&c->messages) = (struct collect_message){ .time_ns = m->time_ns,
							    .number = c->messages.len,
							    .text = text,
							    .color = m->color,
							    .track = m->track,
							    .source = m->source,
							    .severity = m->severity,
							    .stack = m->stack };
	if (m->track != TRACE_NONE)
		(void)collect_used(c, m->track);
}

static void plot(void *ctx, uint32_t id, int64_t ns, double v)
{
	struct collect *c = ctx;

	vec_reach(&c->plots, id, (struct collect_plot){ 0 });
	*vec_push(&c->plots.at[id].points) = (struct collect_point){ ns, v };
}

static void frame(void *ctx, uint32_t set, int64_t start_ns, int64_t end_ns)
{
	struct collect *c = ctx;

	vec_reach(&c->frames, set, (struct collect_frames){ 0 });
	*vec_push(&c->frames.at[set].starts) = start_ns;
	*vec_push(&c->frames.at[set].ends) = end_ns;
}

static void memory(void *ctx, const struct trace_memory *m)
{
	struct collect *c = ctx;

	*vec_push(&c->memory) = *m;
	if (m->alloc_track != TRACE_NONE)
		(void)collect_thread_index(c, m->alloc_track);
}

static void app_info(void *ctx, uint32_t process, struct str text)
{
	struct collect *c = ctx;

	(void)process;
	*vec_push(&c->app_info) = collect_text(c, text);
}

void collect_sink(struct collect *c, struct trace_sink *sink)
{
	*sink = (struct trace_sink){ .ctx = c,
				     .zone_begin = zone_begin,
				     .zone_end = zone_end,
				     .zone_leaf = zone_leaf,
				     .device_tree = device_tree,
				     .message = message,
				     .plot = plot,
				     .frame = frame,
				     .memory = memory,
				     .app_info = app_info };
	collect_code_sink(sink);
}

void collect_release(struct collect *c)
{
	collect_code_release(c);
	vec_each (k, &c->tracks) {
		spill_log_release(&c->store, &k->log);
		spill_log_release(&c->store, &k->facts);
		spill_log_release(&c->store, &k->device);
		RELEASE(vec, &k->open, &k->messages);
	}
	vec_each (p, &c->plots)
		vec_release(&p->points);
	vec_each (f, &c->frames)
		RELEASE(vec, &f->starts, &f->ends);
	spill_log_release(&c->store, &c->extras);
#define X(kind, type, name) kind##_release(&c->name);
	COLLECT_OWNS(X)
#undef X
	spill_release(&c->store);
}
