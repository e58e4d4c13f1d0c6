// SPDX-License-Identifier: Apache-2.0
/* Items of one client to events. */
#include <stdlib.h>

#include "trace/spool/client_events.h"
#include "trace/spool/spool_events.h"
#include "wire/frame.h"
#include "wire/welcome.h"

uint32_t client_lane_track(struct client_events *c, uint64_t tid, uint32_t context)
{
	uint32_t track = (uint32_t)c->t->tracks.len;

	*vec_push(&c->t->tracks) = (struct trace_track){
		.process = c->process,
		.name = TRACE_NONE,
		.tid = tid,
		.context = context,
		.index = track + 1,
	};
	return track;
}

struct client_thread *client_thread_of(struct client_events *c, uint64_t tid)
{
	bool added;
	uint32_t n = u64map_get_or_put(&c->threads_by_tid, tid, (uint32_t)c->threads.len, &added);

	if (added)
		*vec_push(&c->threads) =
			(struct client_thread){ .track = client_lane_track(c, tid, TRACE_NONE),
						.fiber = TRACE_NONE };
	return &c->threads.at[n];
}

uint32_t client_track(struct client_events *c, uint64_t tid)
{
	return client_thread_of(c, tid)->track;
}

struct client_thread *client_first_thread(struct client_events *c)
{
	c->now = (uint32_t)(client_thread_of(c, 0) - c->threads.at);
	return &c->threads.at[c->now];
}

uint32_t client_string(struct client_events *c, uint64_t ptr)
{
	bool added;
	uint32_t id;

	if (!ptr)
		return TRACE_NONE;
	id = u64map_get_or_put(&c->strings, ptr, (uint32_t)c->t->strings.len, &added);
	if (added) /* its text is to come */
		*vec_push(&c->t->strings) = STR("???");
	return id;
}

/* A source location by its cookie.  Who asks does so in the order of first use, and answers carry no name. */
uint32_t client_loc(struct client_events *c, uint64_t ptr)
{
	struct loc_cache *cache =
		&c->cache[ptr * UINT64_C(0x9E3779B97F4A7C15) >> (64 - LOC_CACHE_BITS)];
	bool added;

	if (cache->ptr == ptr && cache->loc)
		return cache->loc - 1;
	cache->ptr = ptr;
	cache->loc = u64map_get_or_put(&c->locs, ptr, (uint32_t)c->t->locs.len, &added) + 1;
	if (added) {
		*vec_push(&c->t->locs) = (struct trace_loc){ .name = TRACE_NONE,
							     .function = TRACE_NONE,
							     .file = TRACE_NONE,
							     .process = c->process };
		if (!c->unasked && ptr) /* nobody asks what 0 is */
			*vec_push(&c->asked) = cache->loc - 1;
		if (c->late.len) {
			uint32_t loc = cache->loc - 1;

			client_loc_used(c, ptr, loc);
			return loc;
		}
	}
	return cache->loc - 1;
}

static void zone_begin(struct client_events *c, const struct trace_sink *sink, int64_t step,
		       uint32_t loc)
{
	struct client_thread *th = client_current(c);
	int64_t ns = client_ns(c, client_step(&c->ref_thread, step));

	client_seen(c, ns);
	th->depth++;
	c->t->zones++;
	if (sink->zone_begin)
		sink->zone_begin(sink->ctx, th->track, ns, loc);
}

/* What was added to the innermost zone of a thread, which ends; NULL for nothing. */
static struct trace_extra *take_extra(struct client_thread *th, struct trace_extra *x)
{
	struct open_extra *o;

	if (!th->extras_used || th->extras.at[th->extras_used - 1].depth != th->depth)
		return NULL;
	o = &th->extras.at[--th->extras_used];
	*x = (struct trace_extra){ .color = o->color, .stack = o->stack };
	if (o->has_text)
		x->text = buf_view(&o->text);
	if (o->has_name)
		x->name = buf_view(&o->name);
	return x;
}

static void zone_end(struct client_events *c, const struct trace_sink *sink, int64_t step)
{
	struct client_thread *th = client_current(c);
	struct trace_extra x, *given;
	int64_t ns = client_ns(c, client_step(&c->ref_thread, step));

	if (!th->depth) {
		c->t->skipped[TRACE_SKIP_MISPLACED]++;
		return;
	}
	client_seen(c, ns);
	given = take_extra(th, &x);
	th->depth--;
	if (sink->zone_end)
		sink->zone_end(sink->ctx, th->track, ns, given);
}

/* Where a zone begins whose source location came right before it. */
static uint32_t take_payload(struct client_events *c)
{
	uint32_t loc;

	if (c->payload == TRACE_NONE)
		client_payload(c, str_n("\0\0\0\0\0\0\0\0??\0\0", 12));
	loc = c->payload;
	c->payload = TRACE_NONE;
	return loc;
}

static void zone_item(struct client_events *c, const struct trace_sink *sink, enum wire_item item,
		      const uint8_t *at)
{
	enum wire_shape shape = wire_traits[item].shape;
	uint64_t srcloc;
	uint32_t stack;
	int64_t step;

	if (wire_end(&c->proto, shape, at, &step)) {
		zone_end(c, sink, step);
		return;
	}
	if (wire_begin(&c->proto, shape, at, &step, &srcloc))
		zone_begin(c, sink, step, client_loc(c, srcloc));
	else
		zone_begin(c, sink, wire_get_zone_alloc(&c->proto, at).time, take_payload(c));
	stack = client_take_stack(c, item);
	if (stack)
		client_extra_of(c)->stack = stack;
}

/* What has no part of its own. */
static void other(struct client_events *c, const struct trace_sink *sink, enum wire_item item,
		  const uint8_t *at)
{
	const struct wire_proto *p = &c->proto;

	switch (item) {
	case WIRE_ThreadContext:
		c->ref_thread = 0;
		c->now = (uint32_t)(client_thread_of(c, wire_get_thread_context(p, at).thread) -
				    c->threads.at);
		break;
	case WIRE_MessageAppInfo:
		if (sink->app_info)
			sink->app_info(sink->ctx, c->process, buf_view(&c->single));
		break;
	case WIRE_FrameVsync:
		c->t->skipped[TRACE_SKIP_VSYNC]++;
		break;
	case WIRE_SourceLocation:
		client_loc_answer(c, at);
		break;
	case WIRE_FiberEnter: {
		struct wire_fiber_enter v = wire_get_fiber_enter(p, at);

		client_step(&c->ref_thread, v.time);
		client_fiber_enter(c, v.fiber, v.thread);
		break;
	}
	case WIRE_FiberLeave: {
		struct wire_fiber_leave v = wire_get_fiber_leave(p, at);

		client_step(&c->ref_thread, v.time);
		client_thread_of(c, v.thread)->fiber = TRACE_NONE;
		break;
	}
	case WIRE_Crash:
		c->t->crashed = true;
		break;
	default: /* says nothing of the program */
		break;
	}
}

/* Its source location came right before it. */
static void marker(struct client_events *c, enum wire_item item)
{
	if (item == WIRE_GpuMarker)
		c->payload = TRACE_NONE;
	c->t->skipped[TRACE_SKIP_MARKERS]++;
}

/* An item with a fixed size goes to the part that its family names. */
static void fixed(struct client_events *c, const struct trace_sink *sink, enum wire_item item,
		  const uint8_t *at)
{
	switch (item) {
#define TAKE_ZONE    zone_item(c, sink, item, at)
#define TAKE_TEXT    client_zone_extra(c, item, at)
#define TAKE_MESSAGE client_message(c, sink, item, at)
#define TAKE_PLOT    client_plot(c, sink, item, at)
#define TAKE_FRAME   client_frame_item(c, sink, item, at)
#define TAKE_LOCK    client_lock(c, sink, item, at)
#define TAKE_MEMORY  client_memory(c, sink, item, at)
#define TAKE_DEVICE  client_device(c, sink, item, at)
#define TAKE_MARKER  marker(c, item)
#define TAKE_CODE    client_code(c, sink, item, at)
#define TAKE_SWITCH  client_switch(c, sink, item, at)
#define TAKE_OTHER   other(c, sink, item, at)
#define SHAPE(name, fields)
#define ITEM(name, class, protocols, shape, family, ...) \
	case WIRE_##name:                                \
		TAKE_##family;                           \
		break;
#include "wire/tracy_items.def"
	case WIRE_ITEMS:
		break;
	}
}

static void transfer(struct client_events *c, const struct trace_sink *sink,
		     const struct wire_got *got)
{
	switch (got->item) {
	case WIRE_StringData:
		client_string_answer(c, got->ptr, got->text);
		u64map_put(&c->answered_strings, got->ptr, 1);
		client_report_waiting(c, sink, got->ptr);
		break;
	case WIRE_PlotName:
	case WIRE_FrameName:
		client_string_answer(c, got->ptr, got->text);
		break;
	case WIRE_ThreadName: {
		uint32_t track = client_thread_of(c, got->ptr)->track;

		c->t->tracks.at[track].name = trace_string(c->t, got->text);
		break;
	}
	case WIRE_FiberName: {
		uint32_t n;

		if (u64map_get(&c->fibers, got->ptr, &n)) {
			uint32_t track = c->threads.at[n].track;

			c->t->tracks.at[track].name = trace_string(c->t, got->text);
		}
		break;
	}
	case WIRE_SourceLocationPayload:
		client_payload(c, got->text);
		break;
	case WIRE_CallstackPayload:
		client_stack(c, got->text);
		break;
	case WIRE_CallstackAllocPayload:
		client_stack_of_names(c, got->text);
		break;
	case WIRE_ExternalName:
	case WIRE_ExternalThreadName:
		client_external_name(c, got->ptr, got->text, got->item == WIRE_ExternalThreadName);
		break;
	case WIRE_FrameImageData:
		buf_clear(&c->image);
		buf_str(&c->image, got->text);
		break;
	default:
		break;
	}
}

static bool items(struct client_events *c, const struct trace_sink *sink, const uint8_t *at,
		  size_t len)
{
	struct cursor cur = cursor_of(at, len);
	struct wire_got got;

	while (cursor_left(&cur)) {
		const uint8_t *here = cur.at;
		size_t size = c->proto.fixed_size[*here];

		if (c->proto.zones[*here] && !c->gaps) {
			cur.at = client_zones(c, sink, here, cur.end);
			if (cur.at != here)
				continue;
		}
		if (size && cursor_left(&cur) >= size) {
			cur.at += size;
			if (!c->gaps || client_can_take(c, c->proto.item[*here]))
				fixed(c, sink, c->proto.item[*here], here);
			continue;
		}
		if (!wire_next(&c->proto, &cur, &got))
			break;
		switch (got.item) {
		case WIRE_SingleStringData:
		case WIRE_SingleStringData8:
			buf_clear(&c->single);
			buf_str(&c->single, got.text);
			break;
		case WIRE_SecondStringData:
		case WIRE_SecondStringData8:
			buf_clear(&c->second);
			buf_str(&c->second, got.text);
			break;
		default:
			transfer(c, sink, &got);
		}
	}
	if (!cur.bad)
		return true;
	if (cursor_left(&cur) && c->proto.item[*cur.at] == WIRE_NONE)
		(void)ttp_fail(
			&c->t->damage, TTP_FORMAT,
			"pid %llu: item %u is unknown to protocol %s (byte %zu of a frame of %zu)",
			(unsigned long long)c->pid, *cur.at, c->proto.key, (size_t)(cur.at - at),
			len);
	else
		(void)ttp_fail(&c->t->damage, TTP_FORMAT,
			       "pid %llu: an item is cut by the end of its frame of %zu bytes",
			       (unsigned long long)c->pid, len);
	return false;
}

static void first_frames(struct client_events *c, const struct trace_sink *sink);

bool client_events_frame(struct client_events *c, const struct trace_sink *sink,
			 const uint8_t *block, size_t len, bool chained)
{
	long n;

	if (c->broken)
		return false;
	if (!c->started)
		first_frames(c, sink);
	/* The last 64 KiB stand before what comes, wherever that is. */
	if (c->filled > FRAME_HISTORY + WIRE_FRAME_MAX) {
		memmove(c->bytes, c->bytes + c->filled - FRAME_HISTORY, FRAME_HISTORY);
		c->filled = FRAME_HISTORY;
	}
	n = frame_unpack(block, len, c->bytes + c->filled, WIRE_FRAME_MAX,
			 !chained                    ? 0
			 : c->filled < FRAME_HISTORY ? c->filled
						     : (size_t)FRAME_HISTORY);
	if (n < 0) {
		(void)ttp_fail(&c->t->damage, TTP_FORMAT,
			       "pid %llu: a frame of %zu bytes can't be decompressed",
			       (unsigned long long)c->pid, len);
		c->t->damaged = c->broken = true;
		return false;
	}
	c->filled += (size_t)n;
	if (!items(c, sink, c->bytes + c->filled - n, (size_t)n))
		c->t->damaged = c->broken = true;
	return !c->broken;
}

struct client_events *client_events_new(struct trace *t, const struct spool_session *s,
					struct ttp_err *e)
{
	struct client_events *c;
	struct wire_welcome w;
	enum wire_key key;

	if (!wire_key_parse(s->key, strlen(s->key), &key)) {
		(void)ttp_fail(e, TTP_VERSION, "a session of protocol \"%s\", which is unknown",
			       s->key);
		return NULL;
	}
	c = mem_zero(1, sizeof(*c));
	wire_proto_init(&c->proto, key);
	if (s->welcome_len < c->proto.welcome_bytes) {
		(void)ttp_fail(e, TTP_FORMAT, "a welcome of %zu bytes, protocol %s has %u",
			       s->welcome_len, s->key, c->proto.welcome_bytes);
		free(c);
		return NULL;
	}
	wire_welcome_get(&c->proto, s->welcome, &w);
	c->t = t;
	c->pid = w.pid;
	c->init_begin = w.init_begin;
	c->init_end = w.init_end;
	c->ns_per_tick = w.ns_per_tick;
	c->unasked = s->flags & SPOOL_UNASKED;
	c->now = c->payload = TRACE_NONE;
	c->bytes = mem_alloc(FRAME_HISTORY + 2 * (size_t)WIRE_FRAME_MAX + 1, 1);
	return c;
}

void client_events_identify(struct client_events *c, uint32_t process, int64_t shift_ns)
{
	c->process = process;
	c->shift_ns = shift_ns;
	(void)client_frames_of(c, 0, true); /* the set that is always there */
}

/* Two frames that nobody marks: before and after the client was ready. */
static void first_frames(struct client_events *c, const struct trace_sink *sink)
{
	c->started = true;
	client_frame(c, sink, client_frames_of(c, 0, true), c->shift_ns, TRACE_OPEN);
	client_frame(c, sink, client_frames_of(c, 0, true), client_ns(c, c->init_end), TRACE_OPEN);
}

static void end_zones(struct client_events *c, const struct trace_sink *sink)
{
	for (size_t i = 0; i < c->threads.len; i++) {
		struct client_thread *th = &c->threads.at[i];

		for (; th->depth; th->depth--) {
			struct trace_extra x, *given = take_extra(th, &x);

			if (sink->zone_end)
				sink->zone_end(sink->ctx, th->track, TRACE_OPEN, given);
		}
	}
}

void client_events_gap(struct client_events *c, const struct trace_sink *sink)
{
	end_zones(c, sink); /* when they did is not known */
	client_device_end(c, sink);
	client_device_free(c);
	c->now = c->payload = TRACE_NONE;
	buf_clear(&c->single);
	c->stack = c->serial_stack = 0;
	c->lines_left = 0;
	for (size_t i = 0; i < c->threads.len; i++)
		c->threads.at[i].stack = 0;
	for (size_t i = 0; i < c->locks.len; i++)
		c->locks.at[i].holder = TRACE_NONE;
	c->threadless = true;
	c->gaps++;
}

void client_events_end(struct client_events *c, const struct trace_sink *sink)
{
	client_report_waiting(c, sink, 0);
	client_memory_end(c, sink);
	client_device_end(c, sink);
	client_switches_end(c, sink);
	client_code_end(c, sink);
	end_zones(c, sink);
	client_name_locs(c);
}

void client_events_free(struct client_events *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->threads.len; i++) {
		vec_each (o, &c->threads.at[i].extras) {
			buf_release(&o->text);
			buf_release(&o->name);
		}
		vec_release(&c->threads.at[i].extras);
	}
	client_memory_free(c);
	client_device_free(c);
	client_locks_free(c);
	client_code_free(c);
	client_switches_free(c);
	vec_release(&c->threads);
	vec_release(&c->asked);
	vec_release(&c->waiting);
	vec_release(&c->late);
	vec_release(&c->frame_starts);
	vec_release(&c->power_at);
	u64map_release(&c->threads_by_tid);
	u64map_release(&c->strings);
	u64map_release(&c->answered_strings);
	u64map_release(&c->locs);
	u64map_release(&c->plots);
	u64map_release(&c->frame_sets);
	u64map_release(&c->fibers);
	buf_release(&c->single);
	free(c->bytes);
	free(c);
}
