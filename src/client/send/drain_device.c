// SPDX-License-Identifier: Apache-2.0
/*
 * A server finds the host's time of a device's as
 *
 *	(device - anchor of the device) × scale + anchor of the host
 *
 * when the event arrives; a calibration moves the anchors, and its scale is the host's step that we send over the
 * device's step since the anchor before.  So a calibration without a step must not be sent, and what was scaled by a
 * new frequency already must not be scaled again.
 *
 * Protocols with 8 bits for a context have 255.  Cores beyond that share one, with the anchors of the device that came first; times
 * of the others, which may have clocks and calibrations of their own, are sent as what that device's clock showed then,
 * and their lanes get numbers that no other has.
 *
 * A step back of more than 2^31 ns looks to a server like a counter that overflowed: it is made to forget the last time
 * before (GpuTimeSync; the other effect of that is on contexts without calibration only).
 */
#include "client/send/drain.h"

#include "client/send/sender.h"

static struct names_map open_zones; /* device and lane → open zones + 1, in this session */
static struct names_map lane_ids;   /* device and lane → its number in a shared context, + 1 */
static struct names_map ids_taken;  /* context and number → 1 */

void drain_device_init(void)
{
	open_zones = lane_ids = ids_taken = (struct names_map){ 0 };
}

void drain_device_begin(void)
{
	names_map_clear(&open_zones);
	names_map_clear(&lane_ids);
	names_map_clear(&ids_taken);
}

static int64_t minus(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a - (uint64_t)b);
}

static int64_t plus(int64_t a, double b)
{
	const double far = 4e18;

	b += b < 0 ? -0.5 : 0.5;
	b = b > far ? far : b < -far ? -far : b;
	return (int64_t)((uint64_t)a + (uint64_t)(int64_t)b);
}

/* The lane's own number, unless another device of the context has that. */
static uint32_t lane_id(uint64_t who, uint16_t context)
{
	uint32_t id = names_map_get(&lane_ids, who);
	uint64_t taken = (uint64_t)context << 32;

	if (id)
		return id - 1;
	id = (uint32_t)who;
	if (id == UINT32_MAX || names_map_get(&ids_taken, taken | id)) {
		id += (uint32_t)(who >> 32) << 20;
		while (id == UINT32_MAX || names_map_get(&ids_taken, taken | id))
			id++;
	}
	names_map_put(&ids_taken, taken | id, 1);
	names_map_put(&lane_ids, who, id + 1);
	return id;
}

/* What the clock of `first` showed when that of `d` showed `ns`. */
static int64_t shared_ns(const struct session *s, const struct device *d,
			 const struct device *first, int64_t ns)
{
	double host_ns;

	if (d == first ||
	    (d->anchor_ticks == first->anchor_ticks && d->anchor_ns == first->anchor_ns &&
	     d->host_per_device - first->host_per_device == 0))
		return ns;
	host_ns = (double)minus(d->anchor_ticks, first->anchor_ticks) * s->ns_per_tick +
		  (double)minus(ns, d->anchor_ns) * d->host_per_device;
	return plus(first->anchor_ns, host_ns / first->host_per_device);
}

static void put_edge(struct session *s, enum wire_item item, int64_t ticks, uint64_t who,
		     uint32_t location, int64_t device_ns)
{
	struct device *d = device_of((uint32_t)(who >> 32)), *first;
	uint16_t context = session_device(s, (uint32_t)(who >> 32), d);
	uint32_t open = names_map_get(&open_zones, who), lane = (uint32_t)who;
	uint64_t srcloc = location ? session_location(s, location) : 0;
	struct wire_out *o;

	if (item == WIRE_GpuZoneBeginSerial)
		open = open ? open + 1 : 2;
	else if (open < 2)
		return; /* it began before the session, or its begin was dropped */
	else
		open--;
	if (!names_map_put(&open_zones, who, open))
		return;
	first = session_device_first(s, d);
	if (s->proto.context_bytes == 1) {
		lane = lane_id(who, context);
		device_ns = shared_ns(s, d, first, device_ns);
	}
	o = session_out(s, 0);
	if (first->last_ns > INT64_MIN / 2 && device_ns < first->last_ns - INT32_MAX &&
	    s->proto.id[WIRE_GpuTimeSync] != WIRE_NONE) {
		PUT(o, WIRE_GpuTimeSync, gpu_time_sync, first->anchor_ns, first->anchor_ticks,
		    context);
	}
	first->last_ns = device_ns;
	if (item == WIRE_GpuZoneBeginSerial && session_location_text(s, location))
		PUT(session_out(s, 0), WIRE_GpuZoneBeginAllocSrcLocSerial, gpu_edge,
		    minus(ticks, s->ref_serial), lane, d->query, context);
	else if (item == WIRE_GpuZoneBeginSerial)
		PUT(o, item, gpu_begin, minus(ticks, s->ref_serial), lane, d->query, context,
		    srcloc);
	else
		PUT(o, item, gpu_edge, minus(ticks, s->ref_serial), lane, d->query, context);
	s->ref_serial = ticks;
	PUT(o, WIRE_GpuTime, gpu_time, minus(device_ns, s->ref_device), d->query, context);
	s->ref_device = device_ns;
	d->query++;
}

static void calibrate(struct session *s, uint32_t handle, const uint64_t *w)
{
	struct device *d = device_of(handle);
	int64_t device_step = minus((int64_t)w[2], d->anchor_ns);
	double scale = s ? s->ns_per_tick : sender_ns_per_tick();
	double host_step = (double)minus((int64_t)w[1], d->anchor_ticks) * scale;

	if (s)
		session_device(s, handle, d);
	if (host_step < 1 || !device_step)
		return;
	/* With another frequency, or a clock that was set back, what was before says nothing of what comes. */
	if (w[3] || device_step < 0)
		host_step = (double)device_step;
	d->anchor_ticks = (int64_t)w[1];
	d->anchor_ns = (int64_t)w[2];
	d->host_per_device = host_step / (double)device_step;
	if (s && d == session_device_first(s, d))
		session_calibrate(s, d, plus(0, host_step));
}

void drain_device(struct session *s, enum record_kind kind, const uint64_t *w, int64_t ticks)
{
	uint32_t handle = (uint32_t)record_argument(w[0]);
	uint32_t location;

	if (kind == RECORD_DEVICE_CALIBRATE) {
		calibrate(s, handle, w);
		return;
	}
	if (!s)
		return;
	switch (kind) {
	case RECORD_DEVICE_START:
		session_device(s, handle, device_of(handle));
		break;
	case RECORD_DEVICE_BEGIN:
		location = names_location(record_argument(w[0]));
		put_edge(s, WIRE_GpuZoneBeginSerial, ticks, w[2], location, (int64_t)w[3]);
		break;
	case RECORD_DEVICE_END:
		put_edge(s, WIRE_GpuZoneEndSerial, ticks, w[1], 0, (int64_t)w[2]);
		break;
	default: /* RECORD_DEVICE_ZONE */
		location = names_location(record_argument(w[0]));
		put_edge(s, WIRE_GpuZoneBeginSerial, ticks, w[2], location, (int64_t)w[3]);
		put_edge(s, WIRE_GpuZoneEndSerial, ticks, w[2], 0, (int64_t)w[4]);
		break;
	}
}
