// SPDX-License-Identifier: Apache-2.0
#include "host/push.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ttp/client.h>

#include "host/op.h"

#define LOG_AREA "device"
#include "base/log.h"

enum {
	DEPTH_MAX = 64,     /* zones of a core that are open at once */
	PLACES_MAX = 20000, /* with op ids; a trace has room for 32,766 places of all kinds */
	VALUES_MAX = 5000,  /* markers with their numbers: each is a place, too */
};

/* Of the process: how many of these there are. */
static _Atomic uint32_t places, values;

/* A RISC of a core: a read may end in the middle of its kernel. */
struct push_lane {
	ttp_device device;
	uint32_t lane;
	uint16_t open[DEPTH_MAX];
	size_t depth;
	uint64_t last;
};

struct push {
	ttp_device context[PORT_GRID_MAX][PORT_GRID_MAX]; /* [y][x] */
	struct u64map zones;                              /* zone and core -> number */
	struct u64map places;                             /* number and op -> index */
	VEC(const struct ttp_location *) at;
	unsigned passes;               /* of sync, that contexts know */
	struct push_lane *lanes, *now; /* [flat id][risc]; the one whose markers come */
	size_t lanes_n;
};

/* Orange2, SeaGreen3, SkyBlue3, Turquoise2, CadetBlue1; what the profiler itself does is Tomato3. */
static const uint32_t colors[RISCS] = { 0xEE9A00, 0x43CD80, 0x6CA6CD, 0x00E5EE, 0x98F5FF };
static const uint32_t color_profiler = 0xCD4F39;

static const struct ttp_location event_place = { "TS_EVENT", "", "", 0, 0 };

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
static void start_context(struct ttp_dev *d, ttp_device context, const struct marker *m)
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

static void take_core(struct ttp_dev *d, const struct marker *m)
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
	/* As the fork packs it; a card's places fit. */
	p->now->lane = (uint32_t)m->risc | (uint32_t)(m->tile.x & 15) << 3 |
		       (uint32_t)(m->tile.y & 15) << 7 | (uint32_t)(d->id & 255) << 11;
}

static const struct ttp_location *make_place(const struct elf_zone *z, int risc, uint32_t run)
{
	char op[32];
	int n = run ? snprintf(op, sizeof(op), "OP ID:%u", run) : 0;
	struct str name = z ? z->name : STR("unknown"), file = z ? z->file : STR("");
	bool own = str_find(name, STR("PROFILER")) != STR_NONE;

	return ttp_location_intern(name.at, name.len, op, (size_t)n, file.at, file.len,
				   z ? z->line : 0, own ? color_profiler : colors[risc]);
}

/* The same text is looked up once for each op, not for each marker. */
static const struct ttp_location *place_of(struct ttp_dev *d, const struct elf_zone *z, int risc,
					   uint32_t run)
{
	struct push *p = d->push;
	uint64_t who = (uint64_t)(uintptr_t)z * RISCS + (uint64_t)risc;
	uint32_t number, index;

	if (!u64map_get(&p->zones, who, &number)) {
		number = (uint32_t)p->zones.entries.len;
		u64map_put(&p->zones, who, number);
	}
	if (u64map_get(&p->places, (uint64_t)number << 32 | run, &index))
		return p->at.at[index];
	if (run && atomic_fetch_add(&places, 1) == PLACES_MAX) {
		log_warn("more than %d zones with op ids: further ones in the trace have none; the "
			 "device log has them all",
			 PLACES_MAX);
		ttp_message_literal("device zones have no op ids from here on: there are too many");
	}
	index = (uint32_t)p->at.len;
	*vec_push(&p->at) = make_place(z, risc, atomic_load(&places) > PLACES_MAX ? 0 : run);
	u64map_put(&p->places, (uint64_t)number << 32 | run, index);
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

static void point(struct ttp_dev *d, const struct marker *m, const struct elf_zone *z)
{
	const struct push_lane *l = d->push->now;
	const struct ttp_location *at =
		m->type == MARKER_EVENT ? &event_place : place_of(d, z, m->risc, 0);
	uint64_t value = m->type == MARKER_EVENT ? m->id : m->data[0];

	if (atomic_fetch_add(&values, 1) < VALUES_MAX)
		ttp_device_marker(l->device, l->lane, at, m->cycles, value);
	else
		ttp_device_zone(l->device, l->lane, at, m->cycles, m->cycles);
}

void push_marker(struct ttp_dev *d, const struct marker *m, const struct elf_zone *zone,
		 uint32_t run, bool moved, bool part)
{
	struct push_lane *l;

	if (moved || !d->push->now)
		take_core(d, m);
	l = d->push->now;
	if (part)
		close_open(l, 0);
	switch (m->type) {
	case MARKER_ZONE_START:
		if (l->depth == DEPTH_MAX)
			return;
		l->open[l->depth++] = m->id;
		ttp_device_zone_begin(l->device, l->lane, place_of(d, zone, m->risc, run),
				      m->cycles);
		break;
	case MARKER_ZONE_END:
		for (size_t i = l->depth; i > 0; i--)
			if (l->open[i - 1] == m->id) {
				l->last = m->cycles;
				close_open(l, i - 1);
				break;
			}
		break;
	case MARKER_DATA:
	case MARKER_DATA_16B:
		/* Thousands, and told elsewhere. */
		if (m->id == TTP_ID_NOC_TRACE || m->id == TTP_ID_NOC_LOCKS ||
		    m->id == TTP_ID_PERF_COUNTER)
			return;
		point(d, m, zone);
		break;
	case MARKER_EVENT:
		point(d, m, zone);
		break;
	default: /* a sum has no time of its own */
		return;
	}
	l->last = m->cycles;
}

void push_end(struct ttp_dev *d)
{
	for (size_t i = 0; i < d->push->lanes_n; i++)
		close_open(&d->push->lanes[i], 0);
}

void push_release(struct ttp_dev *d)
{
	if (!d->push)
		return;
	u64map_release(&d->push->zones);
	u64map_release(&d->push->places);
	vec_release(&d->push->at);
	free(d->push->lanes);
	free(d->push);
	d->push = NULL;
}
