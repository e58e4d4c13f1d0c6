// SPDX-License-Identifier: Apache-2.0
/* What a client says beside zones: names and source locations, texts, messages, plots, frames, fibers. */
#include <math.h>
#include <stdio.h>

#include "trace/spool/client_events.h"

enum { PLAIN_META = 0x20 }; /* of messages that do not say their source and severity */
#define OPAQUE 0xFF000000U

/* Blue first since 64; files keep 0xBBGGRR, with what the wire calls blue on top. */
static uint32_t color_of(const struct client_events *c, uint32_t wire)
{
	return c->proto.number >= 64 ? (wire & 0xFF) << 16 | (wire & 0xFF00) | wire >> 16 : wire;
}

void client_string_answer(struct client_events *c, uint64_t ptr, struct str text)
{
	uint32_t id = client_string(c, ptr);

	if (id != TRACE_NONE)
		c->t->strings.at[id] = str_n(arena_dup(&c->t->texts, text.at, text.len), text.len);
}

void client_loc_answer(struct client_events *c, const uint8_t *at)
{
	bool late = c->unasked && c->gaps;
	uint32_t n = c->answered++, id = 0;
	struct wire_source_location v = wire_get_source_location(&c->proto, at);
	struct late_loc l = { .line = v.line, .color = color_of(c, v.color) };

	if (c->unasked && !late) {
		id = client_loc(c, (uint64_t)n + 1);
	} else if (!late && n < c->asked.len) {
		id = c->asked.at[n];
	} else if (!late) {
		c->t->skipped[TRACE_SKIP_MISPLACED]++;
		return;
	}
	l.name = client_string(c, v.name);
	l.function = client_string(c, v.function);
	l.file = client_string(c, v.file);
	if (late)
		*vec_push(&c->late) = l;
	else
		client_name_loc(&c->t->locs.at[id], &l);
}

/* u32 color, u32 line, function and file with their NULs, name. */
void client_payload(struct client_events *c, struct str text)
{
	struct trace *t = c->t;
	struct cursor head = cursor_of((const uint8_t *)text.at, text.len);
	uint32_t before = intern_count(&t->payloads), id, color, line;
	struct str rest, function, file;
	struct buf key = { 0 };

	if (text.len < 10) {
		t->skipped[TRACE_SKIP_MISPLACED]++;
		return;
	}
	buf_add(&key, (const char *)&c->process, sizeof(c->process));
	buf_str(&key, text);
	id = intern_copy(&t->payloads, buf_view(&key));
	buf_release(&key);
	if (id < before) {
		c->payload = t->payload_locs.at[id];
		return;
	}
	rest = str_from(intern_get(&t->payloads, id), sizeof(c->process) + 8);
	function = file = str_n("", 0);
	(void)str_split(&rest, 0, &function);
	(void)str_split(&rest, 0, &file);
	color = cursor_u32(&head);
	line = cursor_u32(&head);
	c->payload = (uint32_t)t->locs.len;
	*vec_push(&t->payload_locs) = c->payload;
	{
		uint32_t name_id = TRACE_NONE, function_id, file_id;

		if (rest.len && rest.at) {
			name_id = (uint32_t)t->strings.len;
			*vec_push(&t->strings) = rest;
		}
		function_id = (uint32_t)t->strings.len;
		*vec_push(&t->strings) = function;
		file_id = (uint32_t)t->strings.len;
		*vec_push(&t->strings) = file;
		*vec_push(&t->locs) = (struct trace_loc){
			.name = name_id,
			.function = function_id,
			.file = file_id,
			.line = line,
			/* 0xRRGGBB here, 0xBBGGRR in tables */
			.color = (color & 0xFF) << 16 | (color & 0xFF00) | (color >> 16 & 0xFF),
			.process = c->process,
			.dynamic = true,
		};
	}
}

/* What is added to the innermost zone; NULL without one. */
struct open_extra *client_extra_of(struct client_events *c)
{
	struct client_thread *th = client_current(c);
	struct open_extra *o;

	if (!th->depth) {
		c->t->skipped[TRACE_SKIP_MISPLACED]++;
		return NULL;
	}
	if (th->extras_used && th->extras.at[th->extras_used - 1].depth == th->depth)
		return &th->extras.at[th->extras_used - 1];
	if (th->extras_used == th->extras.len)
		*vec_push(&th->extras) = (struct open_extra){ 0 };
	o = &th->extras.at[th->extras_used++];
	o->depth = th->depth;
	o->has_text = o->has_name = false;
	o->color = o->stack = 0;
	return o;
}

static void zone_text(struct client_events *c, struct str text)
{
	struct open_extra *o = client_extra_of(c);

	if (!o)
		return;
	if (o->has_text)
		buf_char(&o->text, '\n');
	else
		buf_clear(&o->text);
	o->has_text = true;
	buf_str(&o->text, text);
}

static void zone_value(struct client_events *c, uint64_t value)
{
	char text[48];
	int n = snprintf(text, sizeof(text), "%llu", (unsigned long long)value);

	if (c->proto.number >= 74)
		n += snprintf(text + n, sizeof(text) - (size_t)n, " [0x%llx]",
			      (unsigned long long)value);
	zone_text(c, str_n(text, (size_t)n));
}

void client_zone_extra(struct client_events *c, enum wire_item item, const uint8_t *at)
{
	struct open_extra *o;

	if (item == WIRE_ZoneText) {
		zone_text(c, buf_view(&c->single));
		return;
	}
	if (item == WIRE_ZoneValue) {
		zone_value(c, wire_get_zone_value(&c->proto, at).value);
		return;
	}
	o = client_extra_of(c);
	if (o && item == WIRE_ZoneColor) {
		o->color = color_of(c, wire_get_zone_color(&c->proto, at).color);
	} else if (o) {
		buf_clear(&o->name);
		buf_str(&o->name, buf_view(&c->single));
		o->has_name = true;
	}
}

static void message(struct client_events *c, const struct trace_sink *sink,
		    const struct waiting_message *w, struct str text)
{
	struct trace_message m = { .track = client_current(c)->track,
				   .time_ns = client_ns(c, w->ticks),
				   .text = text,
				   .color = w->color,
				   .source = w->meta & 15,
				   .severity = w->meta >> 4,
				   .stack = w->stack };

	client_seen(c, m.time_ns);
	c->t->messages++;
	if (sink->message)
		sink->message(sink->ctx, &m);
}

/*
 * Text of a literal is asked for and so comes later: such messages wait until it is there.  They are reported when the
 * answer comes, or with ??? at the end.
 */
static void literal(struct client_events *c, const struct trace_sink *sink,
		    struct waiting_message *w, uint64_t word)
{
	uint32_t answered;

	w->ptr = word;
	if (c->proto.tag_shift) {
		w->ptr = word >> 8;
		w->meta = (uint8_t)word;
	} else if (c->proto.message_meta) {
		w->ptr = word & UINT64_C(0x00FFFFFFFFFFFFFF);
		w->meta = (uint8_t)(word >> 56);
	}
	(void)client_string(c, w->ptr);
	if (u64map_get(&c->answered_strings, w->ptr, &answered)) {
		message(c, sink, w, trace_str(c->t, client_string(c, w->ptr)));
		return;
	}
	w->thread = (uint32_t)(client_current(c) - c->threads.at);
	*vec_push(&c->waiting) = *w;
}

void client_message(struct client_events *c, const struct trace_sink *sink, enum wire_item item,
		    const uint8_t *at)
{
	const struct wire_proto *p = &c->proto;
	struct waiting_message w = { .ticks = wire_get_message(p, at).time, /* of all of them */
				     .color = UINT32_MAX,
				     .stack = client_take_stack(c, item),
				     .meta = PLAIN_META };

	switch (wire_traits[item].shape) {
	case WIRE_SHAPE_message:
		if (p->message_meta)
			w.meta = wire_get_message(p, at).metadata;
		break;
	case WIRE_SHAPE_message_color:
		w.color = OPAQUE | color_of(c, wire_get_message_color(p, at).color);
		if (p->message_meta)
			w.meta = wire_get_message_color(p, at).metadata;
		break;
	case WIRE_SHAPE_literal:
		literal(c, sink, &w, wire_get_literal(p, at).text);
		return;
	default:
		w.color = OPAQUE | color_of(c, wire_get_literal_color(p, at).color);
		literal(c, sink, &w, wire_get_literal_color(p, at).text);
		return;
	}
	message(c, sink, &w, buf_view(&c->single));
}

/* Reports messages that wait for `ptr`; all of them when it is 0. */
void client_report_waiting(struct client_events *c, const struct trace_sink *sink, uint64_t ptr)
{
	size_t kept = 0;
	uint32_t now = c->now;

	for (size_t i = 0; i < c->waiting.len; i++) {
		struct waiting_message m = c->waiting.at[i];

		if (ptr && m.ptr != ptr) {
			c->waiting.at[kept++] = m;
			continue;
		}
		c->now = m.thread;
		message(c, sink, &m, trace_str(c->t, client_string(c, m.ptr)));
	}
	c->waiting.len = kept;
	c->now = now;
}

static uint32_t plot_of(struct client_events *c, uint64_t name, uint8_t type)
{
	bool added;
	uint32_t id =
		u64map_get_or_put(&c->plots, name << 2 | type, (uint32_t)c->t->plots.len, &added);

	if (added)
		*vec_push(&c->t->plots) = (struct trace_plot){ .process = c->process,
							       .name = client_string(c, name),
							       .type = type,
							       .format = type == 2   ? 2
									 : type == 3 ? 3
										     : 0,
							       .fill = 1 };
	return id;
}

static void point(struct client_events *c, const struct trace_sink *sink, uint32_t id, int64_t ns,
		  double value)
{
	client_seen(c, ns);
	c->t->plot_points++;
	if (sink->plot)
		sink->plot(sink->ctx, id, ns, value);
}

static void plot_value(struct client_events *c, const struct trace_sink *sink, uint64_t name,
		       int64_t step, double value)
{
	client_step(&c->ref_thread, step);
	if (isfinite(value))
		point(c, sink, plot_of(c, name, 0), client_ns(c, c->ref_thread), value);
}

static void plot_config(struct client_events *c, const uint8_t *at)
{
	struct wire_plot_config v = wire_get_plot_config(&c->proto, at);
	uint32_t id = plot_of(c, v.name, 0);
	struct trace_plot *p = &c->t->plots.at[id];

	p->format = v.type;
	p->step = v.step;
	p->fill = v.fill;
	p->color = v.color & 0xFFFFFF;
}

static void sys_time(struct client_events *c, const struct trace_sink *sink, const uint8_t *at)
{
	struct wire_sys_time v = wire_get_sys_time(&c->proto, at);

	if (isfinite((double)v.sysTime))
		point(c, sink, plot_of(c, 0, 2), client_ns(c, v.time), (double)v.sysTime);
}

static void sys_power(struct client_events *c, const struct trace_sink *sink, const uint8_t *at)
{
	struct wire_sys_power v = wire_get_sys_power(&c->proto, at);
	uint32_t id = plot_of(c, v.name, 3);
	int64_t ns = client_ns(c, v.time), last;

	while (c->power_at.len <= id)
		*vec_push(&c->power_at) = TRACE_OPEN;
	last = c->power_at.at[id];
	c->power_at.at[id] = ns;
	if (last != TRACE_OPEN && ns > last) /* µJ per ns are kW */
		point(c, sink, id, ns, (double)v.delta * 1000.0 / (double)ns_minus(ns, last));
}

void client_plot(struct client_events *c, const struct trace_sink *sink, enum wire_item item,
		 const uint8_t *at)
{
	switch (item) {
	case WIRE_PlotDataInt: {
		struct wire_plot_int v = wire_get_plot_int(&c->proto, at);

		plot_value(c, sink, v.name, v.time, (double)v.val);
		break;
	}
	case WIRE_PlotDataFloat: {
		struct wire_plot_float v = wire_get_plot_float(&c->proto, at);

		plot_value(c, sink, v.name, v.time, (double)v.val);
		break;
	}
	case WIRE_PlotDataDouble: {
		struct wire_plot_double v = wire_get_plot_double(&c->proto, at);

		plot_value(c, sink, v.name, v.time, v.val);
		break;
	}
	case WIRE_PlotConfig:
		plot_config(c, at);
		break;
	case WIRE_SysTimeReport:
		sys_time(c, sink, at);
		break;
	default:
		sys_power(c, sink, at);
	}
}

uint32_t client_frames_of(struct client_events *c, uint64_t name, bool continuous)
{
	bool added;
	uint32_t id =
		u64map_get_or_put(&c->frame_sets, name, (uint32_t)c->t->frame_sets.len, &added);

	if (added)
		*vec_push(&c->t->frame_sets) =
			(struct trace_frames){ .process = c->process,
					       .name = client_string(c, name),
					       .continuous = continuous };
	return id;
}

void client_frame(struct client_events *c, const struct trace_sink *sink, uint32_t set,
		  int64_t start_ns, int64_t end_ns)
{
	client_seen(c, end_ns == TRACE_OPEN ? start_ns : end_ns);
	c->t->frames++;
	if (sink->frame)
		sink->frame(sink->ctx, set, start_ns, end_ns);
}

void client_frame_item(struct client_events *c, const struct trace_sink *sink, enum wire_item item,
		       const uint8_t *at)
{
	bool continuous = item == WIRE_FrameMarkMsg;
	struct wire_frame_mark v = wire_get_frame_mark(&c->proto, at);
	uint32_t set = client_frames_of(c, v.name, continuous);
	int64_t ns = client_ns(c, v.time), *start;

	while (c->frame_starts.len <= set)
		*vec_push(&c->frame_starts) = TRACE_OPEN;
	start = &c->frame_starts.at[set];
	if (c->t->frame_sets.at[set].continuous != continuous) {
		c->t->skipped[TRACE_SKIP_MISPLACED]++;
	} else if (continuous) {
		client_frame(c, sink, set, ns, TRACE_OPEN);
	} else if (item == WIRE_FrameMarkMsgStart) {
		*start = ns;
		client_seen(c, ns);
	} else if (*start == TRACE_OPEN) {
		c->t->skipped[TRACE_SKIP_MISPLACED]++;
	} else {
		client_frame(c, sink, set, *start, ns);
		*start = TRACE_OPEN;
	}
}

void client_fiber_enter(struct client_events *c, uint64_t fiber, uint32_t tid)
{
	struct client_thread *th;
	uint32_t thread = (uint32_t)(client_thread_of(c, tid) - c->threads.at);
	bool added;
	uint32_t n = u64map_get_or_put(&c->fibers, fiber, (uint32_t)c->threads.len, &added);

	if (added) {
		uint64_t made = UINT64_C(1) << 32 | n;

		th = client_thread_of(c, made);
		n = (uint32_t)(th - c->threads.at);
		u64map_put(&c->fibers, fiber, n);
		c->t->tracks.at[th->track].fiber = true;
	}
	c->threads.at[thread].fiber = n;
}
