// SPDX-License-Identifier: Apache-2.0
#include "host/logs/marker_results.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include <ttp/client.h>

#include "host/ops/op.h"

#define LOG_AREA "device"
#include "base/log.h"
#include "base/order.h"

enum {
	DEPTH_MAX = 64,        /* zones of a core that are open at once */
	LOCATIONS_MAX = 20000, /* with op ids; a trace holds 32,766 source locations of all kinds */
	VALUES_MAX = 5000,     /* markers with their numbers: each is a source location, too */
	FAR_BACK = 1 << 30, /* cycles; Tracy takes twice as many for a counter that started over */
};

/* Of the process: how many of these there are. */
static _Atomic uint32_t locations, values;

/* A RISC of a core: a read may end in the middle of its kernel. */
struct push_lane {
	ttp_device device;
	uint32_t lane;
	uint16_t open[DEPTH_MAX];
	size_t depth;
	uint64_t last;
	uint64_t turn; /* of its newest event that waits */
	bool part;     /* another program's markers begin with the next event */
};

enum event_kind { EVENT_BEGIN, EVENT_END, EVENT_MARKER, EVENT_POINT };

/* What waits until all RISCs of the core were read. */
struct event {
	struct push_lane *lane;
	const struct ttp_location *at;
	uint64_t cycles, value;
	uint64_t turn; /* its time, or that of the lane's event before it */
	uint32_t number;
	uint16_t id;
	uint8_t kind; /* enum event_kind */
	bool part;    /* of another program than the lane's event before */
};

struct push {
	ttp_device context[PORT_GRID_MAX][PORT_GRID_MAX]; /* [y][x] */
	struct u64map zones;                              /* zone and core -> number */
	struct u64map locations;                          /* number and op -> index */
	VEC(const struct ttp_location *) at;
	unsigned passes;               /* of sync, that contexts know */
	struct push_lane *lanes, *now; /* [flat id][risc]; the one whose markers come */
	size_t lanes_n;
	VEC(struct event) events; /* of one core */
	struct tile tile;         /* that core */
	bool far_back;            /* among them are steps back in time that readers would misread */
	uint64_t newest;
};

/* Orange2, SeaGreen3, SkyBlue3, Turquoise2, CadetBlue1; what the profiler itself does is Tomato3. */
static const uint32_t colors[RISCS] = { 0xEE9A00, 0x43CD80, 0x6CA6CD, 0x00E5EE, 0x98F5FF };
static const uint32_t color_profiler = 0xCD4F39;

static const struct ttp_location event_location = { "TS_EVENT", "", "", 0, 0 };

/* A moment of our clock on libttp's. */
static int64_t ticks_of(const struct ttp_dev *d, int64_t host_ns)
{
	if (!d->first_launch_ticks)
		return host_ns;
	return d->first_launch_ticks +
	       (int64_t)((double)(host_ns - d->first_launch_ns) / ttp_ns_per_tick());
}

bool push_begin(struct ttp_dev *d)
{
	struct push *p = d->push;

	if (d->settings.no_push || !op_recorded())
		return false;
	if (!p) {
		p = d->push = mem_zero(1, sizeof(*p));
		p->lanes_n = (size_t)d->profiler.flat_ids * RISCS;
		p->lanes = mem_zero(p->lanes_n, sizeof(*p->lanes));
	}
	p->now = NULL;
	/* Contexts that began with an earlier sync learn of this one. */
	if (p->passes && p->passes != d->sync.passes && d->sync.synced) {
		int64_t now = ttp_host_peek_ns();

		for (int y = 0; y < PORT_GRID_MAX; y++)
			for (int x = 0; x < PORT_GRID_MAX; x++)
				ttp_device_calibrate(p->context[y][x], ticks_of(d, now),
						     sync_fit_cycles(&d->sync.fit, now),
						     d->sync.fit.ghz);
		p->passes = d->sync.passes;
	}
	return true;
}

/* Which moment of the host the first marker belongs to: that of the first launch, if sync knows nothing better. */
static void start_context(struct ttp_dev *d, ttp_device context, const struct device_marker *m)
{
	struct push *p = d->push;

	if (d->sync.synced) {
		ttp_device_start(context, ticks_of(d, d->sync.fit.host), d->sync.fit.device,
				 d->sync.fit.ghz);
		p->passes = d->sync.passes;
		return;
	}
	if (!d->anchored) {
		char text[160];
		int n = snprintf(
			text, sizeof(text),
			"device %d is not synced with the host (TT_METAL_PROFILER_SYNC=1): its "
			"zones are placed by its first launch",
			d->id);

		ttp_app_info(text, (size_t)n);
		log_info("%s", text);
		d->anchored = true;
		d->anchor_cycles = m->cycles;
	}
	ttp_device_start(context, ticks_of(d, d->first_launch_ns), d->anchor_cycles,
			 d->port->info.clock_mhz / 1000);
}

static void take_core(struct ttp_dev *d, const struct device_marker *m)
{
	struct push *p = d->push;
	ttp_device *context = &p->context[m->tile.y][m->tile.x];

	if (!*context) {
		struct logical_tile l = { 0 };
		char name[96];
		int n;

		(void)coord_logical(&d->device.coord, m->tile, &l);
		n = snprintf(name, sizeof(name), "Device: %d, Logical (%d,%d) Physical (%d,%d)",
			     d->id, l.x, l.y, m->tile.x, m->tile.y);
		*context = ttp_device_new((uint32_t)d->id);
		ttp_device_name(*context, name, (size_t)n);
		start_context(d, *context, m);
	}
	p->now = &p->lanes[coord_flat_id(&d->port->info, m->tile, NULL) * RISCS + m->risc];
	p->now->device = *context;
	/* As the fork packs it; a card's coordinates fit. */
	p->now->lane = (uint32_t)m->risc | (uint32_t)(m->tile.x & 15) << 3 |
		       (uint32_t)(m->tile.y & 15) << 7 | (uint32_t)(d->id & 255) << 11;
}

static const struct ttp_location *make_location(const struct elf_zone *z, int risc, uint32_t run)
{
	char op[32];
	int n = run ? snprintf(op, sizeof(op), "OP ID:%u", run) : 0;
	struct str name = z ? z->name : STR("unknown"), file = z ? z->file : STR("");
	bool own = str_find(name, STR("PROFILER")) != STR_NONE;

	return ttp_location_intern(name.at, name.len, op, (size_t)n, file.at, file.len,
				   z ? z->line : 0, own ? color_profiler : colors[risc]);
}

/* The same text is looked up once for each op, not for each marker. */
static const struct ttp_location *location_of(struct ttp_dev *d, const struct elf_zone *z, int risc,
					      uint32_t run)
{
	struct push *p = d->push;
	uint64_t who = (uint64_t)(uintptr_t)z * RISCS + (uint64_t)risc;
	uint32_t number, index;

	if (!u64map_get(&p->zones, who, &number)) {
		number = (uint32_t)p->zones.entries.len;
		u64map_put(&p->zones, who, number);
	}
	if (u64map_get(&p->locations, (uint64_t)number << 32 | run, &index))
		return p->at.at[index];
	if (run && atomic_fetch_add(&locations, 1) == LOCATIONS_MAX) {
		log_warn("more than %d zones with op ids: further ones in the trace have none; the "
			 "device log has them all",
			 LOCATIONS_MAX);
		ttp_message_literal("device zones have no op ids from here on: there are too many");
	}
	index = (uint32_t)p->at.len;
	*vec_push(&p->at) =
		make_location(z, risc, atomic_load(&locations) > LOCATIONS_MAX ? 0 : run);
	u64map_put(&p->locations, (uint64_t)number << 32 | run, index);
	return p->at.at[index];
}

/* Ends that never came: their markers were lost. */
static void close_open(struct push_lane *l, size_t down_to)
{
	while (l->depth > down_to) {
		l->depth--;
		ttp_device_zone_end(l->device, l->lane, l->last);
	}
}

static void put(const struct event *v)
{
	struct push_lane *l = v->lane;

	if (v->part)
		close_open(l, 0);
	switch ((enum event_kind)v->kind) {
	case EVENT_BEGIN:
		if (l->depth == DEPTH_MAX)
			return;
		l->open[l->depth++] = v->id;
		ttp_device_zone_begin(l->device, l->lane, v->at, v->cycles);
		break;
	case EVENT_END:
		for (size_t i = l->depth; i > 0; i--)
			if (l->open[i - 1] == v->id) {
				l->last = v->cycles;
				close_open(l, i - 1);
				break;
			}
		break;
	case EVENT_MARKER:
		ttp_device_marker(l->device, l->lane, v->at, v->cycles, v->value);
		break;
	case EVENT_POINT:
		ttp_device_zone(l->device, l->lane, v->at, v->cycles, v->cycles);
		break;
	}
	l->last = v->cycles;
}

ORDER_BY(in_time, struct event, turn, number)

/*
 * RISCs come one after the other, each from its first marker to its last.  Where seconds lie between these, a reader that
 * knows counters of 32 bits would take the next RISC's first for one that started over: then they go out by time.
 */
static void put_core(struct push *p)
{
	if (p->far_back)
		vec_sort(&p->events, in_time);
	vec_each (v, &p->events) {
		v->lane->turn = 0;
		put(v);
	}
	p->events.len = 0;
	p->far_back = false;
	p->newest = 0;
}

static enum event_kind kind_of_value(void)
{
	return atomic_fetch_add(&values, 1) < VALUES_MAX ? EVENT_MARKER : EVENT_POINT;
}

void push_marker(struct ttp_dev *d, const struct device_marker *m, const struct elf_zone *zone,
		 uint32_t run, bool moved, bool part)
{
	struct push *p = d->push;
	struct event v = { .cycles = m->cycles, .id = m->id };

	if (moved || !p->now) {
		if (p->tile.x != m->tile.x || p->tile.y != m->tile.y)
			put_core(p);
		p->tile = m->tile;
		take_core(d, m);
	}
	p->now->part = p->now->part || part;
	switch (m->type) {
	case MARKER_ZONE_START:
		v.kind = EVENT_BEGIN;
		v.at = location_of(d, zone, m->risc, run);
		break;
	case MARKER_ZONE_END:
		v.kind = EVENT_END;
		break;
	case MARKER_DATA:
	case MARKER_DATA_16B:
		/* Thousands, and reported elsewhere. */
		if (m->id == TTP_ID_NOC_TRACE || m->id == TTP_ID_NOC_LOCKS ||
		    m->id == TTP_ID_PERF_COUNTER)
			return;
		v.kind = kind_of_value();
		v.at = location_of(d, zone, m->risc, 0);
		v.value = m->data[0];
		break;
	case MARKER_EVENT:
		v.kind = kind_of_value();
		v.at = &event_location;
		v.value = m->id;
		break;
	default: /* a sum has no time of its own */
		return;
	}
	v.lane = p->now;
	v.part = p->now->part;
	p->now->part = false;
	v.turn = m->cycles > p->now->turn ? m->cycles : p->now->turn;
	v.number = (uint32_t)p->events.len;
	p->now->turn = v.turn;
	p->far_back = p->far_back || m->cycles + FAR_BACK < p->newest;
	if (m->cycles > p->newest)
		p->newest = m->cycles;
	*vec_push(&p->events) = v;
}

void push_flush(struct ttp_dev *d)
{
	put_core(d->push);
}

void push_end(struct ttp_dev *d)
{
	put_core(d->push);
	for (size_t i = 0; i < d->push->lanes_n; i++)
		close_open(&d->push->lanes[i], 0);
}

void push_release(struct ttp_dev *d)
{
	if (!d->push)
		return;
	RELEASE(u64map, &d->push->zones, &d->push->locations);
	RELEASE(vec, &d->push->at, &d->push->events);
	RELEASE(mem, &d->push->lanes, &d->push);
	d->push = NULL;
}
