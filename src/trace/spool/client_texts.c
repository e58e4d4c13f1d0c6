// SPDX-License-Identifier: Apache-2.0
/* What a client says beside zones: names and source locations, texts, messages, plots, frames. */
#include <math.h>
#include <stdio.h>

#include "base/keyed.h"
#include "trace/spool/client_events.h"
#include "trace/trace_readers.h"

enum { PLAIN_META = 0x20 }; /* of messages that do not say their source and severity */
#define OPAQUE 0xFF000000U

/* Blue first; files keep 0xBBGGRR.  63 calls its first byte red, and sends blue all the same. */
static uint32_t color_of(uint32_t wire)
{
	return (wire & 0xFF) << 16 | (wire & 0xFF00) | wire >> 16;
}

CLIENT_TAKE(single)
{
	buf_set_str(&c->single, got->text);
}

CLIENT_TAKE(second)
{
	buf_set_str(&c->second, got->text);
}

CLIENT_TAKE(name)
{
	uint32_t id = client_string(c, got->ptr);

	if (id != TRACE_NONE)
		c->t->strings.at[id] = trace_keep(c->t, got->text);
}

CLIENT_TAKE(string)
{
	client_take_name(c, got);
	u64map_put(&c->answered_strings, got->ptr, 1);
	client_report_waiting(c, got->ptr);
}

CLIENT_TAKE(location)
{
	bool late = c->unasked && c->gaps;
	uint32_t n = c->answered++, id = 0;
	struct wire_source_location v = CLIENT_GET(source_location);
	struct late_loc l = { .line = v.line, .color = color_of(v.color) };

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
	SCOPED(buf) struct buf key = { 0 };

	if (text.len < 10) {
		t->skipped[TRACE_SKIP_MISPLACED]++;
		return;
	}
	buf_add(&key, (const char *)&c->process, sizeof(c->process));
	buf_str(&key, text);
	id = intern_copy(&t->payloads, buf_view(&key));
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

CLIENT_TAKE(payload)
{
	client_payload(c, got->text);
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

static void add_text(struct client_events *c, struct str text)
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

CLIENT_TAKE(zone_text)
{
	(void)got;
	add_text(c, buf_view(&c->single));
}

CLIENT_TAKE(zone_value)
{
	unsigned long long value = CLIENT_GET(zone_value).value;
	char text[48];
	int n = c->proto.number >= 74 ? snprintf(text, sizeof(text), "%llu [0x%llx]", value, value)
				      : snprintf(text, sizeof(text), "%llu", value);

	add_text(c, str_n(text, (size_t)n));
}

CLIENT_TAKE(zone_color)
{
	struct open_extra *o = client_extra_of(c);

	if (o)
		o->color = color_of(CLIENT_GET(zone_color).color);
}

CLIENT_TAKE(zone_name)
{
	struct open_extra *o = client_extra_of(c);

	(void)got;
	if (!o)
		return;
	buf_set_str(&o->name, buf_view(&c->single));
	o->has_name = true;
}

static void message(struct client_events *c, const struct waiting_message *w, struct str text)
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
	trace_take_drops(c->t, c->process, m.time_ns, text);
	TRACE_TELL(c->sink, message, &m);
}

/* What all messages have; their time is the first field of each. */
static struct waiting_message message_of(struct client_events *c, const struct wire_got *got)
{
	return (struct waiting_message){ .ticks = CLIENT_GET(message).time,
					 .color = UINT32_MAX,
					 .stack = client_stack_for(c, got->item),
					 .meta = PLAIN_META };
}

/*
 * Text of a literal is asked for and so comes later: such messages wait until it is there.  They are reported when the
 * answer comes, or with ??? at the end.
 */
CLIENT_TAKE(literal)
{
	bool colored = wire_traits[got->item].shape == WIRE_SHAPE_literal_color;
	uint64_t word = colored ? CLIENT_GET(literal_color).text : CLIENT_GET(literal).text;
	struct waiting_message w = message_of(c, got);
	uint32_t answered;

	if (colored)
		w.color = OPAQUE | color_of(CLIENT_GET(literal_color).color);
	w.ptr = word;
	if (c->proto.tag_shift) {
		w.ptr = word >> 8;
		w.meta = (uint8_t)word;
	} else if (c->proto.message_meta) {
		w.ptr = word & UINT64_C(0x00FFFFFFFFFFFFFF);
		w.meta = (uint8_t)(word >> 56);
	}
	(void)client_string(c, w.ptr);
	if (u64map_get(&c->answered_strings, w.ptr, &answered)) {
		message(c, &w, trace_str(c->t, client_string(c, w.ptr)));
		return;
	}
	w.thread = (uint32_t)(client_current(c) - c->threads.at);
	*vec_push(&c->waiting) = w;
}

CLIENT_TAKE(message)
{
	bool colored = wire_traits[got->item].shape == WIRE_SHAPE_message_color;
	struct waiting_message w = message_of(c, got);

	if (colored)
		w.color = OPAQUE | color_of(CLIENT_GET(message_color).color);
	if (c->proto.message_meta)
		w.meta =
			colored ? CLIENT_GET(message_color).metadata : CLIENT_GET(message).metadata;
	message(c, &w, buf_view(&c->single));
}

/* Reports messages that wait for `ptr`; all of them when it is 0. */
void client_report_waiting(struct client_events *c, uint64_t ptr)
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
		message(c, &m, trace_str(c->t, client_string(c, m.ptr)));
	}
	c->waiting.len = kept;
	c->now = now;
}

static uint32_t plot_of(struct client_events *c, uint64_t name, uint8_t type)
{
	return keyed_at(&c->plots, name << 2 | type, &c->t->plots,
			(struct trace_plot){ .process = c->process,
					     .name = client_string(c, name),
					     .type = type,
					     .format = type == 2   ? 2
						       : type == 3 ? 3
								   : 0,
					     .fill = 1 });
}

static void point(struct client_events *c, uint32_t id, int64_t ns, double value)
{
	client_seen(c, ns);
	c->t->plot_points++;
	TRACE_TELL(c->sink, plot, id, ns, value);
}

static void plot_value(struct client_events *c, uint64_t name, int64_t step, double value)
{
	client_step(&c->ref_thread, step);
	if (isfinite(value))
		point(c, plot_of(c, name, 0), client_ns(c, c->ref_thread), value);
}

#define TAKE_PLOT(type)                                              \
	CLIENT_TAKE(plot_##type)                                     \
	{                                                            \
		struct wire_plot_##type v = CLIENT_GET(plot_##type); \
                                                                     \
		plot_value(c, v.name, v.time, (double)v.val);        \
	}
TAKE_PLOT(int)
TAKE_PLOT(float)
TAKE_PLOT(double)

CLIENT_TAKE(plot_config)
{
	struct wire_plot_config v = CLIENT_GET(plot_config);
	uint32_t id = plot_of(c, v.name, 0);
	struct trace_plot *p = &c->t->plots.at[id];

	p->format = v.type;
	p->step = v.step;
	p->fill = v.fill;
	p->color = v.color & 0xFFFFFF;
	if (c->proto.number >=
	    82) /* 0xRRGGBB; files have red last, which older servers overlooked */
		p->color = color_of(p->color);
}

CLIENT_TAKE(sys_time)
{
	struct wire_sys_time v = CLIENT_GET(sys_time);

	if (isfinite((double)v.sysTime))
		point(c, plot_of(c, 0, 2), client_ns(c, v.time), (double)v.sysTime);
}

CLIENT_TAKE(sys_power)
{
	struct wire_sys_power v = CLIENT_GET(sys_power);
	uint32_t id = plot_of(c, v.name, 3);
	int64_t ns = client_ns(c, v.time), last;

	vec_reach(&c->power_at, id, TRACE_OPEN);
	last = c->power_at.at[id];
	c->power_at.at[id] = ns;
	if (last != TRACE_OPEN && ns > last) /* µJ per ns are kW */
		point(c, id, ns, (double)v.delta * 1000.0 / (double)ns_minus(ns, last));
}

uint32_t client_frames_of(struct client_events *c, uint64_t name, bool continuous)
{
	return keyed_at(&c->frame_sets, name, &c->t->frame_sets,
			(struct trace_frames){ .process = c->process,
					       .name = client_string(c, name),
					       .continuous = continuous });
}

void client_frame(struct client_events *c, uint32_t set, int64_t start_ns, int64_t end_ns)
{
	client_seen(c, end_ns == TRACE_OPEN ? start_ns : end_ns);
	c->t->frames++;
	TRACE_TELL(c->sink, frame, set, start_ns, end_ns);
}

CLIENT_TAKE(frame)
{
	bool continuous = got->item == WIRE_FrameMarkMsg;
	struct wire_frame_mark v = CLIENT_GET(frame_mark);
	uint32_t set = client_frames_of(c, v.name, continuous);
	int64_t ns = client_ns(c, v.time), *start;

	vec_reach(&c->frame_starts, set, TRACE_OPEN);
	start = &c->frame_starts.at[set];
	if (c->t->frame_sets.at[set].continuous != continuous) {
		c->t->skipped[TRACE_SKIP_MISPLACED]++;
	} else if (continuous) {
		client_frame(c, set, ns, TRACE_OPEN);
	} else if (got->item == WIRE_FrameMarkMsgStart) {
		*start = ns;
		client_seen(c, ns);
	} else if (*start == TRACE_OPEN) {
		c->t->skipped[TRACE_SKIP_MISPLACED]++;
	} else {
		client_frame(c, set, *start, ns);
		*start = TRACE_OPEN;
	}
}

CLIENT_TAKE(thread_name)
{
	uint32_t track = client_track(c, got->ptr);

	c->t->tracks.at[track].name = trace_string(c->t, got->text);
}
