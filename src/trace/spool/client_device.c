// SPDX-License-Identifier: Apache-2.0
/* Items of devices: contexts, their clocks, zones by begin, end and query. */
#include <stdlib.h>

#include "base/keyed.h"
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

CLIENT_TAKE(device_new)
{
	struct wire_gpu_context v = CLIENT_GET(gpu_context);
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
	if (c->t->contexts.at[x->context].thread)
		tid = 0;
	return keyed_item(&x->lanes_by_tid, tid, &x->lanes,
			  (struct device_lane){ .track = client_lane_track(c, tid, x->context) });
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
CLIENT_TAKE(note_name)
{
	struct wire_gpu_note_name v = CLIENT_GET(gpu_note_name);
	struct device_context *x = context_of(c, v.context);

	if (x)
		*vec_push(&c->t->note_names) = (struct trace_note_name){
			.context = x->context,
			.name = trace_shared_string(c->t, buf_view(&c->single)),
			.note = v.noteId,
		};
}

CLIENT_TAKE(note)
{
	struct wire_gpu_note v = CLIENT_GET(gpu_note);
	struct device_context *x = context_of(c, v.context);
	struct trace_note n = { .query = v.queryId, .note = v.noteId, .value = v.value };

	if (!x)
		return;
	n.context = x->context;
	c->t->notes++;
	TRACE_TELL(c->sink, note, &n);
}

CLIENT_TAKE(device_zone)
{
	enum wire_item item = got->item;
	bool serial = item >= WIRE_GpuZoneBeginSerial && item <= WIRE_GpuZoneEndSerial;
	struct wire_gpu_edge v = CLIENT_GET(gpu_edge); /* begins have one field more */
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
			loc = client_loc(c, CLIENT_GET(gpu_begin).srcloc);
		else
			c->payload = TRACE_NONE;
		number =
			lane_begin(lane, ns, loc == TRACE_NONE ? client_loc(c, 0) : loc,
				   c->t->contexts.at[x->context].thread ? TRACE_NONE : lane->track);
		lane->tree.at[number].query = v.queryId;
		lane->tree.at[number].stack = client_stack_for(c, item);
		c->t->device_zones++;
	}
	client_seen(c, ns);
	query_put(x, (struct device_query){ .query = v.queryId,
					    .lane = (uint32_t)(lane - x->lanes.at),
					    .zone = number });
}

CLIENT_TAKE(device_time)
{
	struct wire_gpu_time v = CLIENT_GET(gpu_time);
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
	lane_report(&x->lanes.at[q.lane], c->sink, false);
}

/* Tenstorrent's from 79 on: a whole zone, in the order of ends. */
CLIENT_TAKE(device_whole)
{
	struct wire_gpu_zone v = CLIENT_GET(gpu_zone);
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
		lane_report(lane, c->sink, true);
	lane_add_whole(lane, z);
}

CLIENT_TAKE(calibration)
{
	struct wire_gpu_calibration v = CLIENT_GET(gpu_calibration);
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

CLIENT_TAKE(time_sync)
{
	struct wire_gpu_time_sync v = CLIENT_GET(gpu_time_sync);
	struct device_context *x = context_of(c, v.context);

	if (x)
		x->time_diff = (int64_t)((uint64_t)client_ns(c, v.cpuTime) -
					 (uint64_t)scaled(x, v.gpuTime));
}

CLIENT_TAKE(device_name)
{
	struct device_context *x = context_of(c, CLIENT_GET(gpu_context_name).context);

	if (x)
		c->t->contexts.at[x->context].name = trace_string(c->t, buf_view(&c->single));
}

/* The source location of a marker came right before it. */
CLIENT_TAKE(marker)
{
	if (got->item == WIRE_GpuMarker)
		c->payload = TRACE_NONE;
	c->t->skipped[TRACE_SKIP_MARKERS]++;
}

void client_device_end(struct client_events *c)
{
	vec_each (x, &c->contexts) {
		vec_each (lane, &x->lanes)
			lane_report(lane, c->sink, true);
	}
}

void client_device_free(struct client_events *c)
{
	vec_each (x, &c->contexts) {
		vec_each (lane, &x->lanes)
			lane_release(lane);
		RELEASE(vec, &x->lanes, &x->few);
		u64map_release(&x->lanes_by_tid);
		free(x->all);
	}
	vec_release(&c->contexts);
	u64map_release(&c->contexts_by_id);
}
