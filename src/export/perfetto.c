// SPDX-License-Identifier: Apache-2.0
/*
 * Perfetto's protobuf, written field by field.  Numbers of fields are those of protos/perfetto/trace:
 *
 *	Trace            1 packet
 *	TracePacket      8 timestamp  10 trusted_packet_sequence_id  11 track_event  60 track_descriptor
 *	TrackDescriptor  1 uuid  2 name  3 process{1 pid, 6 process_name}  4 thread{1 pid, 2 tid, 5 thread_name}
 *	                 5 parent_uuid  8 counter
 *	TrackEvent       4 debug_annotations{10 name, 6 string_value}  9 type  11 track_uuid  23 name
 *	                 44 double_counter_value;  types: 1 begin, 2 end, 3 instant, 4 counter
 */
#include "export/chrome_perfetto.h"

enum { BEGIN = 1, END = 2, INSTANT = 3, COUNTER = 4, ENOUGH = 64 << 10 };

struct perfetto {
	struct trace *t;
	struct out *to;
	struct buf head, packet, part, inner;
	seen_vec tracks, plots, sets, contexts;
};

/* Numbers of tracks: a space for each kind. */
enum track_kind { TRACK, PLOT, FRAMES, CONTEXT };

static uint64_t uuid(enum track_kind kind, uint32_t n)
{
	return ((uint64_t)n + 1) << 32 | kind;
}

static uint64_t process_uuid(uint32_t n)
{
	return (uint64_t)n + 1;
}

static void varint(struct buf *b, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		buf_char(b, (char)(v | 0x80));
	buf_char(b, (char)v);
}

static void number(struct buf *b, unsigned field, uint64_t v)
{
	varint(b, field << 3);
	varint(b, v);
}

static void bytes(struct buf *b, unsigned field, struct str s)
{
	varint(b, field << 3 | 2);
	varint(b, s.len);
	buf_add(b, s.at ? s.at : "", s.len);
}

/* Texts must be UTF-8 there. */
static void text(struct buf *b, unsigned field, struct str s)
{
	SCOPED(buf) struct buf clean = { 0 };

	if (str_is_utf8(s)) {
		bytes(b, field, s);
		return;
	}
	buf_add_utf8(&clean, s);
	bytes(b, field, buf_view(&clean));
}

static void put_packet(struct perfetto *p)
{
	number(&p->packet, 10, 1);
	varint(&p->head, 1 << 3 | 2);
	varint(&p->head, p->packet.len);
	out_buf(p->to, &p->head);
	out_buf(p->to, &p->packet);
}

/* Writes what is in p->part as the description of a track. */
static void put_track(struct perfetto *p)
{
	bytes(&p->packet, 60, buf_view(&p->part));
	put_packet(p);
	buf_clear(&p->part);
}

static void describe_process(struct perfetto *p, uint32_t n)
{
	const struct trace_process *k = &p->t->processes.at[n];

	buf_clear(&p->inner);
	number(&p->inner, 1, k->pid & 0x7FFFFFFF);
	text(&p->inner, 6, k->program);
	number(&p->part, 1, process_uuid(n));
	bytes(&p->part, 3, buf_view(&p->inner));
	put_track(p);
}

static void describe_track(struct perfetto *p, uint32_t n)
{
	const struct trace_track *k = &p->t->tracks.at[n];
	SCOPED(buf) struct buf name = { 0 };

	if (!first_time(&p->tracks, n))
		return;
	if (k->context != TRACE_NONE) {
		const struct trace_context *x = &p->t->contexts.at[k->context];

		if (first_time(&p->contexts, k->context)) {
			number(&p->part, 1, uuid(CONTEXT, k->context));
			text(&p->part, 2, timeline_name(p->t, x->name, STR("device")));
			put_track(p);
		}
		buf_printf(&name, "lane %llu", (unsigned long long)k->tid);
		number(&p->part, 1, uuid(TRACK, n));
		text(&p->part, 2, buf_view(&name));
		number(&p->part, 5, uuid(CONTEXT, k->context));
	} else {
		timeline_thread(p->t, k, &name);
		buf_clear(&p->inner);
		number(&p->inner, 1, p->t->processes.at[k->process].pid & 0x7FFFFFFF);
		number(&p->inner, 2, k->tid & 0x7FFFFFFF);
		text(&p->inner, 5, buf_view(&name));
		number(&p->part, 1, uuid(TRACK, n));
		bytes(&p->part, 4, buf_view(&p->inner));
	}
	put_track(p);
}

static void annotate(struct perfetto *p, const char *key, struct str value)
{
	buf_clear(&p->inner);
	bytes(&p->inner, 10, str_of(key));
	text(&p->inner, 6, value);
	bytes(&p->part, 4, buf_view(&p->inner));
}

static void put_event(struct perfetto *p, int64_t ns, unsigned type, uint64_t track)
{
	number(&p->packet, 8, ns < 0 ? 0 : (uint64_t)ns);
	number(&p->part, 9, type);
	number(&p->part, 11, track);
	bytes(&p->packet, 11, buf_view(&p->part));
	put_packet(p);
	buf_clear(&p->part);
}

static void zone_begin(void *ctx, uint32_t track, int64_t ns, uint32_t loc)
{
	struct perfetto *p = ctx;

	describe_track(p, track);
	text(&p->part, 23, trace_loc_name(p->t, loc));
	put_event(p, ns, BEGIN, uuid(TRACK, track));
}

static void zone_end(void *ctx, uint32_t track, int64_t ns, const struct trace_extra *x)
{
	struct perfetto *p = ctx;

	if (x && x->text.at)
		annotate(p, "text", x->text);
	if (x && x->name.at)
		annotate(p, "name", x->name);
	put_event(p, ns == TRACE_OPEN ? p->t->last_ns : ns, END, uuid(TRACK, track));
}

static void device_tree(void *ctx, uint32_t lane, const struct trace_device_zone *z, size_t n)
{
	struct perfetto *p = ctx;
	SCOPED(vec) VEC(size_t) open = { 0 };

	describe_track(p, lane);
	for (size_t i = 0; i <= n; i++) {
		while (open.len && (i == n || z[i].depth <= z[open.at[open.len - 1]].depth)) {
			put_event(p, z[open.at[open.len - 1]].gpu_end_ns, END, uuid(TRACK, lane));
			open.len--;
		}
		if (i == n || z[i].gpu_start_ns < 0 || z[i].gpu_end_ns < z[i].gpu_start_ns)
			continue;
		text(&p->part, 23, trace_loc_name(p->t, z[i].loc));
		if (z[i].loc < p->t->locs.len)
			annotate(p, "function",
				 trace_str(p->t, trace_loc_at(p->t, z[i].loc)->function));
		put_event(p, z[i].gpu_start_ns, BEGIN, uuid(TRACK, lane));
		*vec_push(&open) = i;
	}
}

static void message(void *ctx, const struct trace_message *m)
{
	struct perfetto *p = ctx;

	if (m->track != TRACE_NONE)
		describe_track(p, m->track);
	text(&p->part, 23, m->text);
	put_event(p, m->time_ns, INSTANT,
		  m->track == TRACE_NONE ? process_uuid(0) : uuid(TRACK, m->track));
}

static void plot(void *ctx, uint32_t id, int64_t ns, double v)
{
	struct perfetto *p = ctx;
	const struct trace_plot *k = &p->t->plots.at[id];

	if (first_time(&p->plots, id)) {
		number(&p->part, 1, uuid(PLOT, id));
		text(&p->part, 2, timeline_name(p->t, k->name, STR("CPU usage")));
		number(&p->part, 5, process_uuid(k->process));
		bytes(&p->part, 8, STR(""));
		put_track(p);
	}
	varint(&p->part, 44 << 3 | 1);
	buf_add(&p->part, (const char *)&v, 8);
	put_event(p, ns, COUNTER, uuid(PLOT, id));
}

static void frame(void *ctx, uint32_t set, int64_t start_ns, int64_t end_ns)
{
	struct perfetto *p = ctx;
	const struct trace_frames *f = &p->t->frame_sets.at[set];
	struct str name = timeline_name(p->t, f->name, STR("Frame"));

	if (first_time(&p->sets, set)) {
		number(&p->part, 1, uuid(FRAMES, set));
		text(&p->part, 2, name);
		number(&p->part, 5, process_uuid(f->process));
		put_track(p);
	}
	text(&p->part, 23, name);
	put_event(p, start_ns, end_ns == TRACE_OPEN ? INSTANT : BEGIN, uuid(FRAMES, set));
	if (end_ns != TRACE_OPEN)
		put_event(p, end_ns, END, uuid(FRAMES, set));
}

enum ttp_rc export_perfetto(struct trace *t, struct out *to, struct ttp_err *e)
{
	struct perfetto p = { .t = t, .to = to };
	struct trace_sink sink = { .ctx = &p,
				   .zone_begin = zone_begin,
				   .zone_end = zone_end,
				   .device_tree = device_tree,
				   .message = message,
				   .plot = plot,
				   .frame = frame };
	enum ttp_rc rc;

	TTP_TRY(trace_names(t, e));
	for (uint32_t i = 0; i < t->processes.len; i++)
		describe_process(&p, i);
	rc = trace_read(t, &sink, e);
	RELEASE(buf, &p.head, &p.packet, &p.part, &p.inner);
	RELEASE(vec, &p.tracks, &p.plots, &p.sets, &p.contexts);
	return rc;
}
