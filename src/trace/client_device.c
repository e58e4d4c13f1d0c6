// SPDX-License-Identifier: Apache-2.0
/* Items of devices: contexts, their clocks, zones by begin, end and query. */
#include <stdlib.h>

#include "trace/client_events.h"

static uint32_t context_at(const struct client_events *c, const uint8_t *p)
{
	return c->proto.context_bytes == 2 ? (uint32_t)(p[0] | p[1] << 8) : p[0];
}

static struct device_context *context_of(struct client_events *c, uint32_t id)
{
	uint32_t n;

	if (!u64map_get(&c->contexts_by_id, id, &n)) {
		c->t->skipped[TRACE_SKIP_MISPLACED]++;
		return NULL;
	}
	return &c->contexts.at[n];
}

static int64_t clamp_ns(double ns)
{
	return ns > -4e18 && ns < 4e18 ? (int64_t)ns : 0;
}

static int64_t scaled(const struct device_context *x, int64_t ticks)
{
	return x->has_period ? clamp_ns(x->period * (double)ticks) : ticks;
}

static void context_new(struct client_events *c, const uint8_t *at)
{
	uint32_t id = context_at(c, at + 25), thread;
	const uint8_t *rest = at + 25 + c->proto.context_bytes;
	struct device_context x = { .mod = 1.0 };
	float period;

	memcpy(&thread, at + 17, sizeof(thread));
	memcpy(&period, at + 21, sizeof(period));
	x.period = (double)period;
	x.has_period = period != 1.0F;
	x.context = (uint32_t)c->t->contexts.len;
	x.calibrated_cpu = client_ns(c, i64_at(at + 1));
	x.calibrated_gpu = scaled(&x, i64_at(at + 9));
	x.time_diff = (int64_t)((uint64_t)x.calibrated_cpu - (uint64_t)x.calibrated_gpu);
	u64map_put(&c->contexts_by_id, id, (uint32_t)c->contexts.len);
	*vec_push(&c->contexts) = x;
	*vec_push(&c->t->contexts) = (struct trace_context){ .process = c->process,
							     .name = TRACE_NONE,
							     .thread = thread,
							     .period = period,
							     .calibrated = rest[0] & 1,
							     .type = rest[1] };
}

static int64_t device_ns(struct client_events *c, struct device_context *x, int64_t gpu)
{
	const struct trace_context *k = &c->t->contexts.at[x->context];

	/* A counter of a few bits that started over. */
	if (gpu < ns_minus(x->last_gpu, INT64_C(1) << 31)) {
		if (!x->overflow)
			x->overflow =
				UINT64_C(1)
				<< (x->last_gpu > 0 ? 64 - __builtin_clzll((uint64_t)x->last_gpu)
						    : 0);
		x->overflow_mul++;
		c->t->contexts.at[x->context].overflow = x->overflow;
	}
	x->last_gpu = gpu;
	gpu = (int64_t)((uint64_t)gpu + x->overflow * x->overflow_mul);
	if (!k->calibrated)
		return (int64_t)((uint64_t)scaled(x, gpu) + (uint64_t)x->time_diff);
	return clamp_ns((x->has_period
				 ? x->period * (double)gpu - (double)x->calibrated_gpu
				 : (double)(int64_t)((uint64_t)gpu - (uint64_t)x->calibrated_gpu)) *
				x->mod +
			(double)x->calibrated_cpu);
}

static struct device_lane *lane_of(struct client_events *c, struct device_context *x, uint32_t tid)
{
	bool added;
	uint32_t n;

	if (c->t->contexts.at[x->context].thread)
		tid = 0;
	n = u64map_get_or_put(&x->lanes_by_tid, tid, (uint32_t)x->lanes.len, &added);
	if (added)
		*vec_push(&x->lanes) =
			(struct device_lane){ .track = client_lane_track(c, tid, x->context) };
	return &x->lanes.at[n];
}

static void query_put(struct device_context *x, struct device_query q)
{
	if (!x->all && x->few.len == QUERY_FEW) {
		x->all = mem_alloc(QUERIES, sizeof(*x->all));
		for (size_t i = 0; i < QUERIES; i++)
			x->all[i].lane = TRACE_NONE;
		vec_each (old, &x->few)
			x->all[old->query] = *old;
	}
	if (x->all)
		x->all[q.query] = q;
	else
		*vec_push(&x->few) = q;
}

static bool query_take(struct device_context *x, uint16_t query, struct device_query *q)
{
	if (x->all) {
		*q = x->all[query];
		x->all[query].lane = TRACE_NONE;
		return q->lane != TRACE_NONE;
	}
	for (size_t i = x->few.len; i-- > 0;) {
		if (x->few.at[i].query == query) {
			*q = x->few.at[i];
			x->few.at[i] = x->few.at[--x->few.len];
			return true;
		}
	}
	return false;
}

static uint32_t stack_of(struct client_events *c, enum wire_item item)
{
	switch (item) {
	case WIRE_GpuZoneBeginCallstack:
	case WIRE_GpuZoneBeginAllocSrcLocCallstack:
		return client_take_stack(c);
	case WIRE_GpuZoneBeginCallstackSerial:
	case WIRE_GpuZoneBeginAllocSrcLocCallstackSerial:
		return client_take_serial_stack(c);
	default:
		return 0;
	}
}

/* Notes: of a zone by its query, and what they are called. */
static void note(struct client_events *c, const struct trace_sink *sink, enum wire_item item,
		 const uint8_t *at)
{
	bool name = item == WIRE_GpuAnnotationName;
	struct device_context *x = context_of(c, at[name ? 9 : 23]); /* one byte in all protocols */
	struct trace_note n = { .note = i64_at(at + 1) };

	if (!x)
		return;
	if (name) {
		*vec_push(&c->t->note_names) = (struct trace_note_name){
			.context = x->context,
			.name = trace_shared_string(c->t, buf_view(&c->single)),
			.note = n.note,
		};
		return;
	}
	n.context = x->context;
	n.query = u16_at(at + 21);
	memcpy(&n.value, at + 9, sizeof(n.value));
	c->t->notes++;
	if (sink->note)
		sink->note(sink->ctx, &n);
}

static void zone(struct client_events *c, const struct trace_sink *sink, enum wire_item item,
		 const uint8_t *at)
{
	bool serial = item >= WIRE_GpuZoneBeginSerial && item <= WIRE_GpuZoneEndSerial;
	int64_t *ref = serial ? &c->ref_serial : &c->ref_thread;
	struct device_context *x = context_of(c, context_at(c, at + 15));
	struct device_lane *lane;
	uint32_t tid, number;
	uint16_t query;
	int64_t ns;

	*ref = (int64_t)((uint64_t)*ref + (uint64_t)i64_at(at + 1));
	memcpy(&tid, at + 9, sizeof(tid));
	memcpy(&query, at + 13, sizeof(query));
	ns = client_ns(c, *ref);
	if (!x)
		return;
	lane = lane_of(c, x, tid);
	if (item == WIRE_GpuZoneEnd || item == WIRE_GpuZoneEndSerial) {
		number = lane_end(lane, ns);
		if (number == TRACE_NONE) {
			c->t->skipped[TRACE_SKIP_MISPLACED]++;
			return;
		}
	} else {
		uint32_t loc = c->payload;

		if (item == WIRE_GpuZoneBegin || item == WIRE_GpuZoneBeginCallstack ||
		    item == WIRE_GpuZoneBeginSerial || item == WIRE_GpuZoneBeginCallstackSerial)
			loc = client_loc(c, (uint64_t)i64_at(at + 15 + c->proto.context_bytes));
		else
			c->payload = TRACE_NONE;
		number =
			lane_begin(lane, ns, loc == TRACE_NONE ? client_loc(c, 0) : loc,
				   c->t->contexts.at[x->context].thread ? TRACE_NONE : lane->track);
		lane->tree.at[number].query = query;
		lane->tree.at[number].stack = stack_of(c, item);
		c->t->device_zones++;
	}
	client_seen(c, ns);
	query_put(x, (struct device_query){ .query = query,
					    .lane = (uint32_t)(lane - x->lanes.at),
					    .zone = number });
	(void)sink;
}

static void device_time(struct client_events *c, const struct trace_sink *sink, const uint8_t *at)
{
	struct device_context *x = context_of(c, context_at(c, at + 11));
	struct device_query q;
	uint16_t query;
	int64_t ns;

	memcpy(&query, at + 9, sizeof(query));
	c->ref_gpu = (int64_t)((uint64_t)c->ref_gpu + (uint64_t)i64_at(at + 1));
	if (!x)
		return;
	ns = device_ns(c, x, c->ref_gpu);
	if (!query_take(x, query, &q) || q.zone >= x->lanes.at[q.lane].tree.len) {
		c->t->skipped[TRACE_SKIP_MISPLACED]++;
		return;
	}
	client_seen(c, ns);
	(void)lane_time(&x->lanes.at[q.lane], q.zone, ns);
	lane_tell(&x->lanes.at[q.lane], sink, false);
}

/* Tenstorrent's from 79 on: a whole zone, in the order of ends. */
static void whole_zone(struct client_events *c, const struct trace_sink *sink, const uint8_t *at)
{
	uint32_t loc = client_loc(c, (uint64_t)i64_at(at + 17)), tid;
	struct device_context *x = context_of(c, context_at(c, at + 29));
	struct trace_device_zone z = { .loc = loc };
	struct device_lane *lane;

	if (!x)
		return;
	memcpy(&tid, at + 25, sizeof(tid));
	lane = lane_of(c, x, tid);
	z.thread = lane->track;
	z.gpu_start_ns = device_ns(c, x, i64_at(at + 1));
	z.gpu_end_ns = device_ns(c, x, i64_at(at + 9));
	z.cpu_start_ns = z.gpu_start_ns;
	z.cpu_end_ns = z.gpu_end_ns;
	client_seen(c, z.gpu_end_ns);
	c->t->device_zones++;
	if (lane->tree.len >= LANE_KEPT_MAX)
		lane_tell(lane, sink, true);
	lane_add_whole(lane, z);
}

void client_device(struct client_events *c, const struct trace_sink *sink, enum wire_item item,
		   const uint8_t *at)
{
	struct device_context *x;

	switch (item) {
	case WIRE_GpuNewContext:
		context_new(c, at);
		break;
	case WIRE_GpuContextName:
		x = context_of(c, context_at(c, at + 1));
		if (x)
			c->t->contexts.at[x->context].name =
				trace_string(c->t, buf_view(&c->single));
		break;
	case WIRE_GpuTime:
		device_time(c, sink, at);
		break;
	case WIRE_GpuCalibration:
		x = context_of(c, context_at(c, at + 25));
		if (x) {
			int64_t gpu = scaled(x, i64_at(at + 1));
			double step = (double)gpu - (double)x->calibrated_gpu;

			if (step != 0.0)
				x->mod = (double)i64_at(at + 17) / step;
			x->calibrated_gpu = gpu;
			x->calibrated_cpu = client_ns(c, i64_at(at + 9));
		}
		break;
	case WIRE_GpuTimeSync:
		x = context_of(c, context_at(c, at + 17));
		if (x)
			x->time_diff = (int64_t)((uint64_t)client_ns(c, i64_at(at + 9)) -
						 (uint64_t)scaled(x, i64_at(at + 1)));
		break;
	case WIRE_GpuZone:
		whole_zone(c, sink, at);
		break;
	case WIRE_GpuAnnotationName:
	case WIRE_GpuZoneAnnotation:
		note(c, sink, item, at);
		break;
	default:
		zone(c, sink, item, at);
	}
}

void client_device_end(struct client_events *c, const struct trace_sink *sink)
{
	vec_each (x, &c->contexts) {
		vec_each (lane, &x->lanes)
			lane_tell(lane, sink, true);
	}
}

void client_device_free(struct client_events *c)
{
	vec_each (x, &c->contexts) {
		vec_each (lane, &x->lanes)
			lane_release(lane);
		vec_release(&x->lanes);
		vec_release(&x->few);
		u64map_release(&x->lanes_by_tid);
		free(x->all);
	}
	vec_release(&c->contexts);
	u64map_release(&c->contexts_by_id);
}
