// SPDX-License-Identifier: Apache-2.0
/*
 * Device zones.  Times come in cycles and are stored in ns of the device's clock (cycles / GHz), as
 * Tenstorrent's client sends them, so a server needs no frequency.  What these are on the host's clock is found
 * from calibrations, by the server and, where it must be known here, in drain_device.c.
 */
#include "client/send/client_session.h"

#include <stdio.h>
#include <string.h>

#include "client/record/handles.h"
#include "client/record/intern.h"
#include "client/record/stream.h"
#include "client/record/ticks.h"
#include "ttp/client.h"

enum { DEVICES_MAX = 65535 };

static struct handles made = { .most = DEVICES_MAX, .bytes = sizeof(struct device) };

struct device *device_of(uint32_t handle)
{
	return handle_at(&made, sizeof(struct device), handle);
}

ttp_device ttp_device_new(uint32_t chip)
{
	uint32_t handle = handle_new(&made);
	struct device *d = device_of(handle);

	if (d)
		d->chip = chip;
	return handle;
}

void device_set_type(uint32_t handle, uint8_t type)
{
	struct device *d = device_of(handle);

	if (d)
		d->type = type;
}

void ttp_device_name(ttp_device handle, const char *name, size_t len)
{
	struct device *d = device_of(handle);
	const char *copy;

	if (!d)
		return;
	copy = intern_copy(name, len < 255 ? len : 255);
	if (copy)
		atomic_store_explicit(&d->name, copy, memory_order_release);
}

static double load_ghz(const _Atomic uint64_t *bits)
{
	uint64_t b = atomic_load_explicit(bits, memory_order_acquire);
	double ghz;

	memcpy(&ghz, &b, sizeof(ghz));
	return ghz;
}

static void store_ghz(_Atomic uint64_t *bits, double ghz)
{
	uint64_t b;

	memcpy(&b, &ghz, sizeof(b));
	atomic_store_explicit(bits, b, memory_order_release);
}

static bool is_frequency(double ghz)
{
	return ghz > 1e-6 && ghz < 1e6;
}

/*
 * One function of the cycles, whenever it is asked: it goes on where another frequency begins, so what is later in
 * cycles is never earlier in ns.  Cycles of a device fit 53 bits for a hundred days.
 */
static int64_t ns_of(const struct device *d, uint64_t cycles)
{
	const double far = 4e18;
	uint32_t turn;
	uint64_t from;
	int64_t at;
	double ghz, before, ns;

	/* A handler that interrupts the calibration finds the old turn, and does not wait. */
	do {
		const struct device_clock *c;

		turn = atomic_load_explicit(&d->turn, memory_order_acquire);
		c = &d->clock[turn % 2];
		from = atomic_load_explicit(&c->cycles, memory_order_acquire);
		at = atomic_load_explicit(&c->ns, memory_order_acquire);
		ghz = load_ghz(&c->ghz_bits);
		before = load_ghz(&c->before_bits);
	} while (atomic_load_explicit(&d->turn, memory_order_relaxed) != turn);
	ns = (double)(int64_t)(cycles - from);
	ns = ns < 0 ? ns / before - 0.5 : ns / ghz + 0.5;
	ns = ns > far ? far : ns < -far ? -far : ns;
	return (int64_t)((uint64_t)at + (uint64_t)(int64_t)ns);
}

void ttp_device_start(ttp_device handle, int64_t host_ticks, uint64_t cycles, double ghz)
{
	struct device *d = device_of(handle);

	if (!d || atomic_load_explicit(&d->started, memory_order_relaxed))
		return;
	if (!is_frequency(ghz))
		ghz = 1.0;
	store_ghz(&d->clock[0].ghz_bits, ghz);
	store_ghz(&d->clock[0].before_bits, ghz);
	d->host_ticks = d->anchor_ticks = host_ticks;
	d->device_ns = d->anchor_ns = ns_of(d, cycles);
	d->host_per_device = 1.0;
	/* Pairs with the acquire in the drain. */
	atomic_store_explicit(&d->started, 1, memory_order_release);
	STREAM_PUT(DROP_OTHER, record_head(RECORD_DEVICE_START, handle));
}

/* From `cycles` on, which is `ns`, at another frequency; false if it is the same. */
static bool change_ghz(struct device *d, uint64_t cycles, int64_t ns, double ghz)
{
	uint32_t turn = atomic_load_explicit(&d->turn, memory_order_relaxed);
	double before = load_ghz(&d->clock[turn % 2].ghz_bits);
	struct device_clock *c = &d->clock[(turn + 1) % 2];

	if (!is_frequency(ghz) || !(ghz < before || ghz > before))
		return false;
	/* Released one by one: who still reads this slot and sees any of it, sees that the turn is not what it was. */
	atomic_store_explicit(&c->cycles, cycles, memory_order_release);
	atomic_store_explicit(&c->ns, ns, memory_order_release);
	store_ghz(&c->ghz_bits, ghz);
	store_ghz(&c->before_bits, before);
	atomic_store_explicit(&d->turn, turn + 1, memory_order_release);
	return true;
}

/* NULL for one that has not started. */
static inline struct device *started_of(ttp_device handle)
{
	struct device *d = device_of(handle);

	return d && atomic_load_explicit(&d->started, memory_order_acquire) ? d : NULL;
}

void ttp_device_calibrate(ttp_device handle, int64_t host_ticks, uint64_t cycles, double ghz)
{
	struct device *d = started_of(handle);
	bool changed;
	int64_t ns;

	/* Two at one moment say the same. */
	if (!d || atomic_exchange_explicit(&d->calibrating, true, memory_order_acquire))
		return;
	ns = ns_of(d, cycles);
	changed = change_ghz(d, cycles, ns, ghz);
	atomic_store_explicit(&d->calibrating, false, memory_order_release);
	STREAM_PUT(DROP_DEVICE, record_head(RECORD_DEVICE_CALIBRATE, handle), (uint64_t)host_ticks,
		   (uint64_t)ns, changed);
}

void ttp_device_zone_begin(ttp_device handle, uint32_t lane, const struct ttp_location *location,
			   uint64_t cycles)
{
	struct device *d = started_of(handle);
	uint64_t who = (uint64_t)handle << 32 | lane;

	if (d)
		STREAM_PUT_AT(stream_device_begin(who),
			      record_head(RECORD_DEVICE_BEGIN, stream_pointer(location)),
			      (uint64_t)ticks_now(), who, (uint64_t)ns_of(d, cycles));
}

void ttp_device_zone_end(ttp_device handle, uint32_t lane, uint64_t cycles)
{
	struct device *d = started_of(handle);
	uint64_t who = (uint64_t)handle << 32 | lane;

	if (d)
		STREAM_PUT_AT(stream_device_end(who),
			      record_head(RECORD_DEVICE_END, (uint64_t)ticks_now()), who,
			      (uint64_t)ns_of(d, cycles));
}

void ttp_device_zone(ttp_device handle, uint32_t lane, const struct ttp_location *location,
		     uint64_t begin_cycles, uint64_t end_cycles)
{
	struct device *d = started_of(handle);

	if (d)
		STREAM_PUT(DROP_DEVICE, record_head(RECORD_DEVICE_ZONE, stream_pointer(location)),
			   (uint64_t)ticks_now(), (uint64_t)handle << 32 | lane,
			   (uint64_t)ns_of(d, begin_cycles), (uint64_t)ns_of(d, end_cycles));
}

void ttp_device_marker(ttp_device handle, uint32_t lane, const struct ttp_location *location,
		       uint64_t cycles, uint64_t value)
{
	static const struct ttp_location nowhere;
	const struct ttp_location *l = location ? location : &nowhere;
	/* Device zones have no text; the number goes where tt-metal puts an op's id. */
	const char *name = l->name ? l->name : l->function ? l->function : "";
	const char *file = l->file ? l->file : "";
	char data[32];
	int n = snprintf(data, sizeof(data), "DATA:%llu", (unsigned long long)value);

	ttp_device_zone(handle, lane,
			ttp_location_intern(name, strlen(name), data, (size_t)n, file, strlen(file),
					    l->line, l->color),
			cycles, cycles);
}
