// SPDX-License-Identifier: Apache-2.0
/*
 * Device zones.  Times come in cycles and are stored in ns of the device's clock (cycles / GHz), as
 * Tenstorrent's client sends them, so a server needs no frequency.  What these are on the host's clock is found
 * from calibrations, by the server and, where it must be known here, in drain_device.c.
 */
#include "client/record/device_context.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "client/record/intern.h"
#include "client/record/stream.h"
#include "client/record/ticks.h"
#include "ttp/client.h"

enum { DEVICES_MAX = 65535 };

static _Atomic(struct device *) devices; /* mapped by the first one */
static _Atomic uint32_t made;

struct device *device_of(uint32_t handle)
{
	struct device *all = atomic_load_explicit(&devices, memory_order_acquire);

	if (!handle || handle > atomic_load_explicit(&made, memory_order_acquire))
		return NULL;
	return &all[handle - 1];
}

ttp_device ttp_device_new(uint32_t chip)
{
	struct device *all = atomic_load_explicit(&devices, memory_order_acquire);
	uint32_t i;

	if (!all) {
		struct device *mine =
			mmap(NULL, DEVICES_MAX * sizeof(struct device), PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

		if (mine == MAP_FAILED)
			return 0;
		if (atomic_compare_exchange_strong(&devices, &all, mine))
			all = mine;
		else
			munmap(mine, DEVICES_MAX * sizeof(struct device));
	}
	i = atomic_load_explicit(&made, memory_order_relaxed);
	do {
		if (i >= DEVICES_MAX)
			return 0;
	} while (!atomic_compare_exchange_weak_explicit(&made, &i, i + 1, memory_order_acq_rel,
							memory_order_relaxed));
	all[i].chip = chip;
	return i + 1;
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
	struct stream *s;
	uint64_t *w;

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
	w = stream_open(&s, 1, DROP_OTHER);
	if (!w)
		return;
	w[0] = record_head(RECORD_DEVICE_START, handle);
	stream_close(s, w + 1);
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

void ttp_device_calibrate(ttp_device handle, int64_t host_ticks, uint64_t cycles, double ghz)
{
	struct device *d = device_of(handle);
	struct stream *s;
	bool changed;
	int64_t ns;
	uint64_t *w;

	if (!d || !atomic_load_explicit(&d->started, memory_order_acquire))
		return;
	/* Two at one moment say the same. */
	if (atomic_exchange_explicit(&d->calibrating, true, memory_order_acquire))
		return;
	ns = ns_of(d, cycles);
	changed = change_ghz(d, cycles, ns, ghz);
	atomic_store_explicit(&d->calibrating, false, memory_order_release);
	w = stream_open(&s, 4, DROP_DEVICE);
	if (!w)
		return;
	w[0] = record_head(RECORD_DEVICE_CALIBRATE, handle);
	w[1] = (uint64_t)host_ticks;
	w[2] = (uint64_t)ns;
	w[3] = changed;
	stream_close(s, w + 4);
}

void ttp_device_zone_begin(ttp_device handle, uint32_t lane, const struct ttp_location *location,
			   uint64_t cycles)
{
	struct device *d = device_of(handle);
	struct stream *s;
	uint64_t *w;

	if (!d || !atomic_load_explicit(&d->started, memory_order_acquire))
		return;
	w = stream_device_begin(&s, (uint64_t)handle << 32 | lane);
	if (!w)
		return;
	w[0] = record_head(RECORD_DEVICE_BEGIN, (uint64_t)(uintptr_t)location);
	w[1] = (uint64_t)ticks_now();
	w[2] = (uint64_t)handle << 32 | lane;
	w[3] = (uint64_t)ns_of(d, cycles);
	stream_close(s, w + 4);
}

void ttp_device_zone_end(ttp_device handle, uint32_t lane, uint64_t cycles)
{
	struct device *d = device_of(handle);
	struct stream *s;
	uint64_t *w;

	if (!d || !atomic_load_explicit(&d->started, memory_order_acquire))
		return;
	w = stream_device_end(&s, (uint64_t)handle << 32 | lane);
	if (!w)
		return;
	w[0] = record_head(RECORD_DEVICE_END, (uint64_t)ticks_now());
	w[1] = (uint64_t)handle << 32 | lane;
	w[2] = (uint64_t)ns_of(d, cycles);
	stream_close(s, w + 3);
}

void ttp_device_zone(ttp_device handle, uint32_t lane, const struct ttp_location *location,
		     uint64_t begin_cycles, uint64_t end_cycles)
{
	struct device *d = device_of(handle);
	struct stream *s;
	uint64_t *w;

	if (!d || !atomic_load_explicit(&d->started, memory_order_acquire))
		return;
	w = stream_open(&s, 5, DROP_DEVICE);
	if (!w)
		return;
	w[0] = record_head(RECORD_DEVICE_ZONE, (uint64_t)(uintptr_t)location);
	w[1] = (uint64_t)ticks_now();
	w[2] = (uint64_t)handle << 32 | lane;
	w[3] = (uint64_t)ns_of(d, begin_cycles);
	w[4] = (uint64_t)ns_of(d, end_cycles);
	stream_close(s, w + 5);
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
