// SPDX-License-Identifier: Apache-2.0
/* Sections of a .tracy file in their order (docs/reference/formats/tracy.md), from what was collected. */
#include "trace/tracy/tracy_write.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/number.h"
#include "base/order.h"
#include "trace/tracy/tracy_collect.h"
#include "trace/tracy/tracy_container.h"

#define V(major, minor, patch) TRACE_VERSION(major, minor, patch)

bool tracy_write_version_parse(struct str text, uint32_t *version)
{
	uint64_t part[3];
	struct str piece;
	size_t n = 0;

	while (str_split(&text, '.', &piece))
		if (n == 3 || !number_u64(piece, &part[n++]))
			return false;
	if (n != 3 || part[0] || part[1] > 14 || part[2] > 255)
		return false;
	*version = TRACE_VERSION(part[0], part[1], part[2]);
	return *version >= TRACE_VERSION(0, 9, 0) && *version <= TRACE_VERSION(0, 14, 0);
}

uint32_t tracy_write_version(const struct trace *t)
{
	/* The last one of each protocol, but the first of 63, whose tools all read it; Tenstorrent's fork has numbers of its own for two. */
	static const struct {
		unsigned number;
		uint32_t theirs, plain;
	} versions[] = {
		{ 63, V(0, 9, 0), V(0, 9, 0) },   { 65, V(0, 10, 0), V(0, 10, 0) },
		{ 66, V(0, 10, 0), V(0, 11, 0) }, { 69, V(0, 11, 1), V(0, 11, 1) },
		{ 74, V(0, 12, 2), V(0, 12, 2) }, { 76, V(0, 12, 4), V(0, 13, 1) },
		{ 80, V(0, 13, 3), V(0, 13, 3) }, { 81, V(0, 13, 4), V(0, 13, 4) },
	};
	const char *key = t->processes.len ? t->processes.at[0].key : "";
	bool theirs = key[0] == 'T';
	unsigned long number = strtoul(theirs ? key + 2 : key, NULL, 10);

	if (t->kind == TRACE_TRACY)
		return t->version;
	if (!number) /* nobody was recorded */
		return V(0, 10, 0);
	for (size_t i = 0; i < sizeof(versions) / sizeof(*versions); i++)
		if (number <= versions[i].number)
			return theirs ? versions[i].theirs : versions[i].plain;
	return V(0, 14, 0);
}

static void text64(struct tracy_out *o, struct str s)
{
	tracy_put_u64(o, s.len);
	tracy_put(o, s.at, s.len);
}

static void numbers(struct tracy_out *o, const uint64_t *at, size_t n)
{
	tracy_put_u64(o, n);
	tracy_put(o, at, n * sizeof(*at));
}

static void head(struct tracy_out *o, struct collect *c)
{
	static const struct trace_process nobody = { .program = STR_INIT(""),
						     .host = STR_INIT("") };
	const struct trace *t = c->t;
	const struct trace_process *it = t->processes.len ? &t->processes.at[0] : &nobody;
	SCOPED(buf) struct buf name = { 0 }, program = { 0 };

	tracy_put(o, "tracy", 5);
	for (int shift = 16; shift >= 0; shift -= 8)
		tracy_put_u8(o, (uint8_t)(c->version >> shift));
	if (c->version < V(0, 12, 3))
		tracy_put_i64(o, it->delay_ns);
	TRACY_CLOCK(PUT_FIELD, )
	tracy_put_i64(o, t->last_ns);
	tracy_put_u64(o, it->frame_offset);
	TRACY_PROCESS(PUT_FIELD, )
	tracy_put(o, it->cpu_maker, 12);
	if (c->version >= V(0, 9, 2))
		tracy_put_u8(o, it->on_demand);
	buf_str(&program, it->program);
	if (t->processes.len > 1)
		buf_printf(&program, " and %zu more", t->processes.len - 1);
	if (t->capture_name.len) {
		buf_str(&name, t->capture_name);
	} else {
		time_t when = (time_t)it->epoch_s;
		struct tm tm = { 0 };
		char text[64];

		(void)localtime_r(&when, &tm);
		(void)strftime(text, sizeof(text), " @ %Y-%m-%d %H:%M:%S", &tm);
		buf_str(&name, buf_view(&program));
		buf_text(&name, text);
	}
	text64(o, str_head(buf_view(&name), 1023));
	text64(o, buf_view(&program));
	tracy_put_u64(o, it->epoch_s);
	tracy_put_u64(o, it->exe_time_s);
	buf_clear(&name);
	processes_put(t, &name);
	text64(o, buf_view(&name));
	tracy_write_topology(o, c);
	tracy_write_crash(o, c);
}

/* Names that a file calls by pointer; all strings of these are collected before the strings are written. */
static uint64_t set_name(struct collect *c, uint32_t set)
{
	const struct trace_frames *f = &c->t->frame_sets.at[set];
	struct str name = f->name == TRACE_NONE ? STR("Frame") : trace_str(c->t, f->name);

	return set ? collect_pointer(c, collect_prefixed(c, f->process, name)) : 0;
}

static void collect_srcloc_text(struct collect *c, const struct trace_loc *l, uint32_t string)
{
	uint32_t id = collect_text(c, trace_str(c->t, string));

	if (!l->dynamic && string != TRACE_NONE)
		(void)collect_pointer(c, id);
}

static void collect_names(struct collect *c)
{
	SCOPED(buf) struct buf b = { 0 };

	for (uint32_t i = 0; i < c->t->frame_sets.len; i++)
		(void)set_name(c, i);
	vec_each (p, &c->t->plots) {
		uint32_t named = collect_named(c, p->process, p->name);

		if (named)
			(void)collect_pointer(c, named - 1);
	}
	vec_each (m, &c->memory)
		(void)collect_pool(c, m);
	for (uint32_t i = 0; i < c->t->tracks.len; i++) {
		if (!c->tracks.at[i].index || c->t->tracks.at[i].context != TRACE_NONE)
			continue;
		buf_clear(&b);
		trace_track_name(c->t, i, &b);
		*vec_push(&c->thread_names) =
			(struct u64map_entry){ .key = collect_tid(c, i),
					       .value = collect_text(c, buf_view(&b)) };
	}
	vec_each (x, &c->t->contexts)
		(void)collect_named(c, x->process, x->name);
	collect_code_names(c);
	(void)collect_text(c, STR("(more places)"));
	(void)collect_text(c, STR(""));
	for (int dynamic = 0; dynamic < 2; dynamic++) {
		size_t n = dynamic ? c->dynamic_locs.len : c->static_locs.len;

		for (size_t i = dynamic ? 0 : 1; i < n; i++) {
			uint32_t loc = dynamic ? c->dynamic_locs.at[i] : c->static_locs.at[i];
			const struct trace_loc *l;

			if (loc >= c->t->locs.len)
				continue;
			l = &c->t->locs.at[loc];
			collect_srcloc_text(c, l, l->name);
			collect_srcloc_text(c, l, l->function);
			collect_srcloc_text(c, l, l->file);
		}
	}
}

static void frames(struct tracy_out *o, struct collect *c)
{
	size_t sets = c->t->frame_sets.len;
	SCOPED(u64map) struct u64map images = { 0 };

	for (uint32_t i = 0; i < c->images.len; i++)
		if (c->images.at[i].set != TRACE_NONE)
			u64map_put(&images,
				   (uint64_t)c->images.at[i].set << 32 | c->images.at[i].frame, i);
	tracy_put_u64(o, sets ? sets : 1);
	if (!sets) { /* there is always the one */
		tracy_put_u64(o, 0);
		tracy_put_u8(o, 1);
		tracy_put_u64(o, 0);
	}
	for (uint32_t i = 0; i < sets; i++) {
		static const struct collect_frames empty;
		const struct collect_frames *f = i < c->frames.len ? &c->frames.at[i] : &empty;
		bool continuous = c->t->frame_sets.at[i].continuous;
		uint64_t ref = 0;

		tracy_put_u64(o, set_name(c, i));
		tracy_put_u8(o, continuous);
		tracy_put_u64(o, f->starts.len);
		for (size_t k = 0; k < f->starts.len; k++) {
			int64_t end_ns = f->ends.at[k];
			uint32_t image = UINT32_MAX;

			tracy_put_step(o, &ref, f->starts.at[k]);
			if (!continuous)
				tracy_put_step(o, &ref, end_ns == TRACE_OPEN ? -1 : end_ns);
			(void)u64map_get(&images, (uint64_t)i << 32 | k, &image);
			tracy_put_u32(o, image);
		}
	}
	tracy_write_sections(o, c);
}

static void strings(struct tracy_out *o, struct collect *c)
{
	uint32_t n = intern_count(&c->texts);

	tracy_put_u64(o, n);
	for (uint32_t i = 0; i < n; i++) {
		tracy_put_u64(o, KEY_OF(i));
		text64(o, intern_get(&c->texts, i));
	}
	tracy_put_u64(o, (uint64_t)c->pointers.len + 1);
	tracy_put_u64(o, 0);
	tracy_put_u64(o, KEY_OF(0));
	vec_each (text, &c->pointers) {
		tracy_put_u64(o, PTR_OF(*text));
		tracy_put_u64(o, KEY_OF(*text));
	}
}

static void threads(struct tracy_out *o, struct collect *c)
{
	tracy_put_u64(o, c->thread_names.len);
	vec_each (x, &c->thread_names) {
		tracy_put_u64(o, x->key);
		tracy_put_u64(o, KEY_OF(x->value));
	}
	tracy_write_externals(o, c);
	numbers(o, c->thread_ids.at, c->thread_ids.len);
	numbers(o, c->external_ids.at, c->external_ids.len);
}

static void text_ref(struct tracy_out *o, struct collect *c, struct str text)
{
	tracy_put_u64(o, collect_text(c, text));
	tracy_put_u8(o, 3);
}

/* A string; where there is none, but one is needed, an empty one. */
static void ref(struct tracy_out *o, struct collect *c, uint32_t string, bool by_pointer,
		bool needed)
{
	if (string == TRACE_NONE && !needed) {
		tracy_put_u64(o, 0);
		tracy_put_u8(o, 0);
	} else if (string == TRACE_NONE || !by_pointer) {
		text_ref(o, c, trace_str(c->t, string));
	} else {
		tracy_put_u64(o, collect_pointer(c, collect_text(c, trace_str(c->t, string))));
		tracy_put_u8(o, 2);
	}
}

static void source_location(struct tracy_out *o, struct collect *c, uint32_t loc, bool plain)
{
	const struct trace_loc *l;

	if (loc >= c->t->locs.len) {
		for (int i = 0; i < 3; i++)
			text_ref(o, c, i ? STR("") : STR("(more places)"));
		tracy_put_u64(o, 0);
		return;
	}
	l = &c->t->locs.at[loc];
	ref(o, c, l->name == TRACE_NONE && plain ? l->function : l->name, !l->dynamic, false);
	/* csvexport asks for these without a look */
	ref(o, c, plain ? TRACE_NONE : l->function, !l->dynamic, true);
	ref(o, c, l->file, !l->dynamic, true);
	tracy_put_u32(o, l->line);
	tracy_put_u32(o, l->color);
}

static void source_locations(struct tracy_out *o, struct collect *c)
{
	uint64_t n = 0;

	tracy_put_u64(o, c->static_locs.len - 1);
	for (size_t i = 1; i < c->static_locs.len; i++) {
		tracy_put_u64(o, 0x10000 + i);
		source_location(o, c, c->static_locs.at[i], false);
	}
	tracy_put_u64(o, c->static_locs.len);
	for (size_t i = 0; i < c->static_locs.len; i++)
		tracy_put_u64(o, i ? 0x10000 + i : 0);
	tracy_put_u64(o, c->dynamic_locs.len);
	for (size_t i = 0; i < c->dynamic_locs.len; i++)
		source_location(o, c, c->dynamic_locs.at[i], c->plain_dynamic.at[i]);
	for (size_t i = 0; i < 65536; i++)
		n += c->zones_at[i] != 0;
	tracy_put_u64(o, n);
	for (int i = 0; i < 65536; i++) {
		if (!c->zones_at[i])
			continue;
		tracy_put_i16(o, (int16_t)(i - 32768));
		tracy_put_u64(o, c->zones_at[i]);
	}
	tracy_put_u64(o, 0); /* of devices: readers count */
	tracy_write_locks(o, c);
}

ORDER_BY(by_time, struct collect_message, time_ns, number)

static void messages(struct tracy_out *o, struct collect *c)
{
	uint64_t before = 0;

	vec_sort(&c->messages, by_time);
	tracy_put_u64(o, c->messages.len);
	for (size_t i = 0; i < c->messages.len; i++) {
		const struct collect_message *m = &c->messages.at[i];

		tracy_put_u64(o, i + 1);
		tracy_put_step(o, &before, m->time_ns);
		tracy_put_u64(o, m->text);
		tracy_put_u8(o, 3);
		tracy_put_u32(o, m->color);
		tracy_put_u24(o, m->stack);
		if (c->version >= V(0, 13, 2)) {
			tracy_put_u8(o, m->source);
			tracy_put_u8(o, m->severity);
		}
		if (m->track != TRACE_NONE)
			*vec_push(&c->tracks.at[m->track].messages) = i + 1;
	}
}

void tracy_copy_log(struct tracy_out *o, struct collect *c, const struct spill_log *l)
{
	SCOPED(spill_reader) struct spill_reader r = spill_read(&c->store, l);

	while (spill_more_to_read(&r)) {
		tracy_put(o, r.at, (size_t)(r.end - r.at));
		r.at = r.end;
	}
}

/* The log of a thread to zones as they stand in a file: 18 bytes, children, 8 bytes. */
static void timeline(struct tracy_out *o, struct collect *c, struct collect_track *k)
{
	uint32_t last_extra = 0;
	uint8_t apart[26];
	SCOPED(spill_reader) struct spill_reader r = spill_read(&c->store, &k->log);
	SCOPED(spill_reader) struct spill_reader facts = spill_read(&c->store, &k->facts);

	while (spill_more_to_read(&r) && !r.bad) {
		uint64_t number = 0, first, second;
		const uint8_t *at = r.at;
		unsigned head = *at++;
		enum lane_kind kind = head & 3;
		uint8_t *zone;
		int64_t step;
		int16_t id;

		if (kind != LANE_END)
			at = spill_get_sized(at, &number, head >> 6 & 1);
		at = spill_get_sized(at, &first, head >> 2 & 3);
		step = unzigzag(first);
		if (kind == LANE_END) {
			r.at = at;
			tracy_put_i64(o, step);
			continue;
		}
		id = (int16_t)unzigzag(number);
		/* In place where it fits: what was written in small pieces is slow to copy as a whole. */
		zone = tracy_room(o, sizeof(apart));
		if (!zone)
			zone = apart;
		memcpy(zone, &id, 2);
		memcpy(zone + 2, &step, 8);
		if (kind == LANE_BEGIN) {
			const uint8_t *f = spill_take(&facts, sizeof(struct zone_facts));

			r.at = at;
			if (!f)
				break;
			memcpy(zone + 10, f, 8);
			if (zone == apart)
				tracy_put(o, apart, 18);
			else
				tracy_wrote(o, 18);
		} else {
			uint64_t extra = 0;
			int64_t end;

			r.at = spill_get_sized(at, &second, head >> 4 & 3);
			end = unzigzag(second);
			if (kind == LANE_LEAF_EXTRA)
				extra = last_extra = (uint32_t)((int64_t)last_extra +
								unzigzag(spill_get_varint(&r)));
			memcpy(zone + 10, &extra, 8); /* and no children */
			memcpy(zone + 18, &end, 8);
			if (zone == apart)
				tracy_put(o, apart, 26);
			else
				tracy_wrote(o, 26);
		}
	}
}

static void zones(struct tracy_out *o, struct collect *c)
{
	uint64_t total = 0, parents = 0, used = 0;

	tracy_put_u64(o, c->n_extras);
	tracy_copy_log(o, c, &c->extras);
	for (uint32_t i = 0; i < c->tracks.len; i++) {
		const struct collect_track *k = &c->tracks.at[i];

		used += c->t->tracks.at[i].context == TRACE_NONE && k->used;
		total += k->zones;
		parents += k->parents;
	}
	tracy_put_u64(o, total);
	tracy_put_u64(o, parents);
	tracy_put_u64(o, used);
	for (uint32_t i = 0; i < c->tracks.len; i++) {
		struct collect_track *k = &c->tracks.at[i];

		if (c->t->tracks.at[i].context != TRACE_NONE || !k->used)
			continue;
		tracy_put_u64(o, collect_tid(c, i));
		tracy_put_u64(o, k->zones);
		tracy_put_u64(o, tracy_kernel_samples(c, k));
		tracy_put_u8(o, c->t->tracks.at[i].fiber);
		if (c->version >= V(0, 11, 1))
			tracy_put_i32(o, c->t->tracks.at[i].group);
		tracy_put_u32(o, (uint32_t)k->roots);
		timeline(o, c, k);
		numbers(o, k->messages.at, k->messages.len);
		tracy_write_samples(o, c, k);
		spill_log_release(&c->store, &k->log);
		spill_log_release(&c->store, &k->facts);
	}
}

/* Numbers of kinds moved between versions; Tenstorrent's own kind is shown as Custom by upstream. */
static uint8_t context_type(const struct collect *c, uint8_t type)
{
	const char *key = c->t->processes.len ? c->t->processes.at[0].key : "";
	bool old = c->t->kind == TRACE_TRACY ? c->t->version < V(0, 12, 0) : !strcmp(key, "TT66");
	bool theirs =
		c->t->kind == TRACE_TRACY ? old || c->t->version == V(0, 12, 4) : key[0] == 'T';
	bool device = theirs && type == (old ? 6 : 10);

	if (c->version < V(0, 12, 0))
		return device ? 6 : type > 5 ? 2 : type;
	if (device)
		return c->version == V(0, 12, 4) || c->version == c->t->version ? 10 : 7;
	return type;
}

static void devices(struct tracy_out *o, struct collect *c)
{
	uint64_t total = 0, parents = 0;

	vec_each (k, &c->tracks) {
		total += k->device_zones;
		parents += k->device_parents;
	}
	tracy_put_u64(o, total);
	tracy_put_u64(o, parents);
	tracy_put_u64(o, c->t->contexts.len);
	for (uint32_t i = 0; i < c->t->contexts.len; i++) {
		const struct trace_context *x = &c->t->contexts.at[i];
		uint64_t count = 0, lanes = 0;

		for (uint32_t k = 0; k < c->tracks.len; k++) {
			if (c->t->tracks.at[k].context == i && c->tracks.at[k].device_zones) {
				count += c->tracks.at[k].device_zones;
				lanes++;
			}
		}
		tracy_put_u64(o, x->thread);
		tracy_put_u8(o, x->calibrated);
		tracy_put_u64(o, count);
		tracy_put_f32(o, x->period);
		tracy_put_u8(o, context_type(c, x->type));
		tracy_put_u24(o, collect_named(c, x->process, x->name));
		tracy_put_u64(o, x->overflow);
		tracy_write_note_names(o, c, i);
		tracy_put_u64(o, lanes);
		for (uint32_t k = 0; k < c->tracks.len; k++) {
			struct collect_track *lane = &c->tracks.at[k];

			if (c->t->tracks.at[k].context != i || !lane->device_zones)
				continue;
			tracy_put_u64(o, collect_tid(c, k));
			tracy_put_u64(o, lane->device_roots);
			tracy_copy_log(o, c, &lane->device);
		}
		tracy_write_notes(o, c, i);
	}
}

ORDER_BY(by_point_time, struct collect_point, time_ns)

static void plots(struct tracy_out *o, struct collect *c)
{
	uint64_t n = 0;

	vec_each (p, &c->plots)
		n += p->points.len != 0;
	tracy_put_u64(o, n);
	for (size_t i = 0; i < c->plots.len; i++) {
		struct collect_plot *p = &c->plots.at[i];
		const struct trace_plot *it = &c->t->plots.at[i];
		double min, max, sum = 0;
		uint64_t before = 0;
		uint32_t named;

		if (!p->points.len)
			continue;
		vec_sort(&p->points, by_point_time);
		min = max = p->points.at[0].value;
		vec_each (x, &p->points) {
			min = x->value < min ? x->value : min;
			max = x->value > max ? x->value : max;
			sum += x->value;
		}
		TRACY_PLOT(PUT_FIELD, )
		named = collect_named(c, it->process, it->name);
		tracy_put_u64(o, named ? collect_pointer(c, named - 1) : 0);
		tracy_put_f64(o, min);
		tracy_put_f64(o, max);
		tracy_put_f64(o, sum);
		tracy_put_u64(o, p->points.len);
		vec_each (x, &p->points) {
			tracy_put_step(o, &before, x->time_ns);
			tracy_put_f64(o, x->value);
		}
	}
}

static void rest(struct tracy_out *o, struct collect *c)
{
	tracy_write_stacks(o, c);
	tracy_put_u64(o, c->app_info.len);
	vec_each (text, &c->app_info) {
		tracy_put_u64(o, *text);
		tracy_put_u8(o, 3);
	}
	tracy_write_images(o, c);
	tracy_write_processors(o, c);
	tracy_write_symbols(o, c);
}

struct tracy_writer {
	struct collect c;
};

struct tracy_writer *tracy_writer_new(struct trace *t, uint32_t version, struct tracy_written *w,
				      struct trace_sink *sink)
{
	struct tracy_writer *writer = mem_alloc(1, sizeof(*writer));

	*w = (struct tracy_written){ 0 };
	collect_init(&writer->c, t, version, w);
	collect_sink(&writer->c, sink);
	return writer;
}

enum ttp_rc tracy_writer_write(struct tracy_writer *writer, enum trace_container container,
			       struct out *to, struct ttp_err *e)
{
	struct collect *c = &writer->c;
	struct tracy_out o;

	TTP_TRY(spill_check(&c->store, e));
	vec_each (m, &c->memory)
		if (m->free_track != TRACE_NONE)
			(void)collect_thread_index(c, m->free_track);
	while (c->tracks.len < c->t->tracks.len)
		*vec_push(&c->tracks) = (struct collect_track){ 0 };
	collect_carriers(c);
	collect_names(c);
	tracy_out_open(&o, to, container);
	head(&o, c);
	frames(&o, c);
	strings(&o, c);
	threads(&o, c);
	source_locations(&o, c);
	messages(&o, c);
	zones(&o, c);
	devices(&o, c);
	plots(&o, c);
	tracy_write_memory(&o, c);
	rest(&o, c);
	tracy_out_close(&o);
	c->written->raw_bytes = o.raw_bytes;
	return spill_check(&c->store, e);
}

void tracy_writer_free(struct tracy_writer *writer)
{
	collect_release(&writer->c);
	free(writer);
}

enum ttp_rc tracy_write(struct trace *t, uint32_t version, enum trace_container container,
			struct out *to, struct tracy_written *w, struct ttp_err *e)
{
	struct trace_sink sink;
	struct tracy_writer *writer = tracy_writer_new(t, version, w, &sink);
	enum ttp_rc rc = trace_read(t, &sink, e);

	if (!rc)
		rc = tracy_writer_write(writer, container, to, e);
	tracy_writer_free(writer);
	return rc;
}
