// SPDX-License-Identifier: Apache-2.0
/* Items of one client to events. */
#include <stdlib.h>

#include "base/keyed.h"
#include "trace/spool/client_events.h"
#include "wire/tracy.h"
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
	return keyed_item(&c->threads_by_tid, tid, &c->threads,
			  (struct client_thread){ .track = client_lane_track(c, tid, TRACE_NONE),
						  .fiber = TRACE_NONE });
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
	if (!ptr)
		return TRACE_NONE;
	/* a new one's text is to come */
	return keyed_at(&c->strings, ptr, &c->t->strings, STR("???"));
}

/* Who asks does so in the order of first use, and answers carry no name. */
uint32_t client_loc_new(struct client_events *c, uint64_t ptr)
{
	struct loc_cache *cache = client_cached(c, ptr);
	bool added;

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

static void zone_begin(struct client_events *c, int64_t step, uint32_t loc)
{
	struct client_thread *th = client_current(c);
	int64_t ns = client_ns(c, client_step(&c->ref_thread, step));

	client_seen(c, ns);
	th->depth++;
	c->t->zones++;
	TRACE_TELL(c->sink, zone_begin, th->track, ns, loc);
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

static void zone_end(struct client_events *c, int64_t step)
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
	TRACE_TELL(c->sink, zone_end, th->track, ns, given);
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

CLIENT_TAKE(zone)
{
	enum wire_shape shape = wire_traits[got->item].shape;
	uint64_t srcloc;
	uint32_t stack;
	int64_t step;

	if (wire_end(&c->proto, shape, got->at, &step)) {
		zone_end(c, step);
		return;
	}
	if (wire_begin(&c->proto, shape, got->at, &step, &srcloc))
		zone_begin(c, step, client_loc(c, srcloc));
	else
		zone_begin(c, CLIENT_GET(zone_alloc).time, take_payload(c));
	stack = client_stack_for(c, got->item);
	if (stack)
		client_extra_of(c)->stack = stack;
}

CLIENT_TAKE(thread)
{
	c->ref_thread = 0;
	c->now = (uint32_t)(client_thread_of(c, CLIENT_GET(thread_context).thread) - c->threads.at);
}

CLIENT_TAKE(app_info)
{
	(void)got;
	TRACE_TELL(c->sink, app_info, c->process, buf_view(&c->single));
}

CLIENT_TAKE(vsync)
{
	(void)got;
	c->t->skipped[TRACE_SKIP_VSYNC]++;
}

/* Of what says nothing of the program. */
CLIENT_TAKE(nothing)
{
	(void)c;
	(void)got;
}

static void take(struct client_events *c, const struct wire_got *got)
{
	switch (got->item) {
#define SHAPE(name, fields)
#define ITEM(name, class, protocols, shape, taker, ...) \
	case WIRE_##name:                               \
		client_take_##taker(c, got);            \
		break;
#include "wire/tracy_items.def"
	case WIRE_ITEMS:
		break;
	}
}

static bool items(struct client_events *c, const uint8_t *at, size_t len)
{
	struct cursor cur = cursor_of(at, len);
	struct wire_got got;

	while (cursor_left(&cur)) {
		const uint8_t *here = cur.at;
		size_t size = c->proto.fixed_size[*here];

		if (c->proto.zones[*here] && !c->gaps) {
			cur.at = client_zones(c, here, cur.end);
			if (cur.at != here)
				continue;
		}
		if (size && cursor_left(&cur) >= size) {
			cur.at += size;
			got = (struct wire_got){ .item = c->proto.item[*here], .at = here };
		} else if (!wire_next(&c->proto, &cur, &got)) {
			break;
		}
		if (!c->gaps || client_can_take(c, got.item))
			take(c, &got);
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

static void first_frames(struct client_events *c);

bool client_events_frame(struct client_events *c, const uint8_t *block, size_t len, bool chained)
{
	long n;

	if (c->broken)
		return false;
	if (!c->started)
		first_frames(c);
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
	if (!items(c, c->bytes + c->filled - n, (size_t)n))
		c->t->damaged = c->broken = true;
	return !c->broken;
}

struct client_events *client_events_new(struct trace *t, const struct spool_session *s,
					const struct trace_sink *sink, struct ttp_err *e)
{
	struct client_events *c;
	struct wire_welcome w;
	enum wire_key key;

	if (!wire_key_parse(s->key, strlen(s->key), &key)) {
		(void)ttp_fail(e, TTP_VERSION, "a session of protocol \"%s\", which is %s", s->key,
			       wire_key_is_newer(s->key) ? "newer than this ttprof" : "unknown");
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
	c->sink = sink;
	c->pid = w.pid;
	c->init_begin = w.init_begin;
	c->init_end = w.init_end;
	c->ns_per_tick = w.ns_per_tick;
	c->unasked = s->flags & SPOOL_UNASKED;
	if (s->on_demand) {
		c->on_demand = true;
		memcpy(&c->frame_offset, s->on_demand, 8);
		memcpy(&c->on_demand_ticks, s->on_demand + 8, 8);
	}
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

/* Frames that nobody marks: before and after the client was ready, and, on demand, since somebody was there. */
static void first_frames(struct client_events *c)
{
	c->started = true;
	client_frame(c, client_frames_of(c, 0, true), c->shift_ns, TRACE_OPEN);
	client_frame(c, client_frames_of(c, 0, true), client_ns(c, c->init_end), TRACE_OPEN);
	if (c->on_demand)
		client_frame(c, client_frames_of(c, 0, true), client_ns(c, c->on_demand_ticks),
			     TRACE_OPEN);
}

static void end_zones(struct client_events *c)
{
	for (size_t i = 0; i < c->threads.len; i++) {
		struct client_thread *th = &c->threads.at[i];

		for (; th->depth; th->depth--) {
			struct trace_extra x, *given = take_extra(th, &x);

			TRACE_TELL(c->sink, zone_end, th->track, TRACE_OPEN, given);
		}
	}
}

void client_events_gap(struct client_events *c)
{
	end_zones(c); /* when they did is not known */
	client_fibers_end(c);
	client_device_end(c);
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

void client_events_end(struct client_events *c)
{
	client_report_waiting(c, 0);
	client_memory_end(c);
	client_device_end(c);
	client_fibers_end(c);
	client_switches_end(c);
	client_code_end(c);
	end_zones(c);
	client_name_locs(c);
}

void client_events_free(struct client_events *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->threads.len; i++) {
		vec_each (o, &c->threads.at[i].extras)
			RELEASE(buf, &o->text, &o->name);
		vec_release(&c->threads.at[i].extras);
	}
	client_device_free(c);
#define X(kind, type, name) kind##_release(&c->name);
	CLIENT_OWNS(X)
#undef X
	RELEASE(mem, &c->bytes, &c);
}
