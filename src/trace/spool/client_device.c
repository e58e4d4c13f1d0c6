// SPDX-License-Identifier: Apache-2.0
/* Items of devices: contexts, their clocks, zones by begin, end and query. */
#include <stdlib.h>

#include "trace/spool/client_events.h"

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
	struct wire_gpu_context v = wire_get_gpu_context(&c->proto, at);
	struct device_context x = { .mod = 1.0 };

	x.period = (double)v.period;
	x.has_period = v.period != 1.0F;
	x.context = (uint32_t)c->t->contexts.len;
	x.calibrated_cpu = client_ns(c, v.cpuTime);
	x.calibrated_gpu = scaled(&x, v.gpuTime);
	x.time_diff = (int64_t)((uint64_t)x.calibrated_cpu - (uint64_t)x.calibrated_gpu);
	u64map_put(&c->contexts_by_id, v.context, (uint32_t)c->contexts.len);
	*vec_push(&c->contexts) = x;
	*vec_push(&c->t->contexts) = (struct trace_context){ .process = c->process,
							     .name = TRACE_NONE,
							     .thread = v.thread,
							     .period = v.period,
							     .calibrated = v.flags & 1,
							     .type = v.type };
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

/* Notes: of a zone by its query, and what they are called. */
static void note(struct client_events *c, const struct trace_sink *sink, enum wire_item item,
		 const uint8_t *at)
{
	const struct wire_proto *p = &c->proto;
	bool name = item == WIRE_GpuAnnotationName;
	struct device_context *x = context_of(c, name ? wire_get_gpu_note_name(p, at).context
						      : wire_get_gpu_note(p, at).context);
	struct trace_note n = { 0 };

	if (!x)
		return;
	if (name) {
		*vec_push(&c->t->note_names) = (struct trace_note_name){
			.context = x->context,
			.name = trace_shared_string(c->t, buf_view(&c->single)),
			.note = wire_get_gpu_note_name(p, at).noteId,
		};
		return;
	}
	n.context = x->context;
	n.note = wire_get_gpu_note(p, at).noteId;
	n.query = wire_get_gpu_note(p, at).queryId;
	n.value = wire_get_gpu_note(p, at).value;
	c->t->notes++;
	if (sink->note)
		sink->note(sink->ctx, &n);
}

static void zone(struct client_events *c, enum wire_item item, const uint8_t *at)
{
	bool serial = item >= WIRE_GpuZoneBeginSerial && item <= WIRE_GpuZoneEndSerial;
	struct wire_gpu_edge v = wire_get_gpu_edge(&c->proto, at); /* begins have one field more */
	struct device_context *x = context_of(c, v.context);
	struct device_lane *lane;
	uint32_t number;
	int64_t ns = client_ns(c, client_step(serial ? &c->ref_serial : &c->ref_thread, v.cpuTime));

	if (!x)
		return;
	lane = lane_of(c, x, v.thread);
	if (item == WIRE_GpuZoneEnd || item == WIRE_GpuZoneEndSerial) {
		number = lane_end(lane, ns);
		if (number == TRACE_NONE) {
			c->t->skipped[TRACE_SKIP_MISPLACED]++;
			return;
		}
	} else {
		uint32_t loc = c->payload;

		if (wire_traits[item].shape == WIRE_SHAPE_gpu_begin)
			loc = client_loc(c, wire_get_gpu_begin(&c->proto, at).srcloc);
		else
			c->payload = TRACE_NONE;
		number =
			lane_begin(lane, ns, loc == TRACE_NONE ? client_loc(c, 0) : loc,
				   c->t->contexts.at[x->context].thread ? TRACE_NONE : lane->track);
		lane->tree.at[number].query = v.queryId;
		lane->tree.at[number].stack = client_take_stack(c, item);
		c->t->device_zones++;
	}
	client_seen(c, ns);
	query_put(x, (struct device_query){ .query = v.queryId,
					    .lane = (uint32_t)(lane - x->lanes.at),
					    .zone = number });
}

static void device_time(struct client_events *c, const struct trace_sink *sink, const uint8_t *at)
{
	struct wire_gpu_time v = wire_get_gpu_time(&c->proto, at);
	struct device_context *x = context_of(c, v.context);
	struct device_query q;
	int64_t ns;

	client_step(&c->ref_gpu, v.gpuTime);
	if (!x)
		return;
	ns = device_ns(c, x, c->ref_gpu);
	if (!query_take(x, v.queryId, &q) || q.zone >= x->lanes.at[q.lane].tree.len) {
		c->t->skipped[TRACE_SKIP_MISPLACED]++;
		return;
	}
	client_seen(c, ns);
	(void)lane_time(&x->lanes.at[q.lane], q.zone, ns);
	lane_report(&x->lanes.at[q.lane], sink, false);
}

/* Tenstorrent's from 79 on: a whole zone, in the order of ends. */
static void whole_zone(struct client_events *c, const struct trace_sink *sink, const uint8_t *at)
{
	struct wire_gpu_zone v = wire_get_gpu_zone(&c->proto, at);
	uint32_t loc = client_loc(c, v.srcloc);
	struct device_context *x = context_of(c, v.context);
	struct trace_device_zone z = { .loc = loc };
	struct device_lane *lane;

	if (!x)
		return;
	lane = lane_of(c, x, v.thread);
	z.thread = lane->track;
	z.gpu_start_ns = device_ns(c, x, v.gpuStart);
	z.gpu_end_ns = device_ns(c, x, v.gpuEnd);
	z.cpu_start_ns = z.gpu_start_ns;
	z.cpu_end_ns = z.gpu_end_ns;
	client_seen(c, z.gpu_end_ns);
	c->t->device_zones++;
	if (lane->tree.len >= LANE_KEPT_MAX)
		lane_report(lane, sink, true);
	lane_add_whole(lane, z);
}

static void calibrate(struct client_events *c, const uint8_t *at)
{
	struct wire_gpu_calibration v = wire_get_gpu_calibration(&c->proto, at);
	struct device_context *x = context_of(c, v.context);
	int64_t gpu;
	double step;

	if (!x)
		return;
	gpu = scaled(x, v.gpuTime);
	step = (double)gpu - (double)x->calibrated_gpu;
	if (step != 0.0)
		x->mod = (double)v.cpuDelta / step;
	x->calibrated_gpu = gpu;
	x->calibrated_cpu = client_ns(c, v.cpuTime);
}

static void synchronize(struct client_events *c, const uint8_t *at)
{
	struct wire_gpu_time_sync v = wire_get_gpu_time_sync(&c->proto, at);
	struct device_context *x = context_of(c, v.context);

	if (x)
		x->time_diff = (int64_t)((uint64_t)client_ns(c, v.cpuTime) -
					 (uint64_t)scaled(x, v.gpuTime));
}

static void context_name(struct client_events *c, const uint8_t *at)
{
	struct device_context *x = context_of(c, wire_get_gpu_context_name(&c->proto, at).context);

	if (x)
		c->t->contexts.at[x->context].name = trace_string(c->t, buf_view(&c->single));
}

void client_device(struct client_events *c, const struct trace_sink *sink, enum wire_item item,
		   const uint8_t *at)
{
	switch (item) {
	case WIRE_GpuNewContext:
		context_new(c, at);
		break;
	case WIRE_GpuContextName:
		context_name(c, at);
		break;
	case WIRE_GpuTime:
		device_time(c, sink, at);
		break;
	case WIRE_GpuCalibration:
		calibrate(c, at);
		break;
	case WIRE_GpuTimeSync:
		synchronize(c, at);
		break;
	case WIRE_GpuZone:
		whole_zone(c, sink, at);
		break;
	case WIRE_GpuAnnotationName:
	case WIRE_GpuZoneAnnotation:
		note(c, sink, item, at);
		break;
	default:
		zone(c, item, at);
	}
}

void client_device_end(struct client_events *c, const struct trace_sink *sink)
{
	vec_each (x, &c->contexts) {
		vec_each (lane, &x->lanes)
			lane_report(lane, sink, true);
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
