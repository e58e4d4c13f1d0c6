// SPDX-License-Identifier: Apache-2.0
/*
 * Device zones.  Times come in cycles and are stored in ns of the device's clock (cycles / GHz), as
 * Tenstorrent's client sends them, so a server needs no frequency.
 */
#include "client/device.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "client/intern.h"
#include "client/stream.h"
#include "client/ticks.h"
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

static int64_t ns_of(const struct device *d, uint64_t cycles)
{
	uint64_t bits = atomic_load_explicit(&d->ghz_bits, memory_order_relaxed);
	double ghz;

	memcpy(&ghz, &bits, sizeof(ghz));
	/* Half up; cycles of a device fit 53 bits for a hundred days. */
	return (int64_t)((double)cycles / ghz + 0.5);
}

static void set_ghz(struct device *d, double ghz)
{
	uint64_t bits;

	if (!(ghz > 1e-6 && ghz < 1e6))
		ghz = 1.0;
	memcpy(&bits, &ghz, sizeof(bits));
	atomic_store_explicit(&d->ghz_bits, bits, memory_order_relaxed);
}

void ttp_device_start(ttp_device handle, int64_t host_ticks, uint64_t cycles, double ghz)
{
	struct device *d = device_of(handle);
	struct stream *s;
	uint64_t *w;

	if (!d || atomic_load_explicit(&d->started, memory_order_relaxed))
		return;
	set_ghz(d, ghz);
	d->host_ticks = host_ticks;
	d->device_ns = ns_of(d, cycles);
	atomic_store_explicit(&d->last_host_ticks, host_ticks, memory_order_relaxed);
	/* Pairs with the acquire in the drain. */
	atomic_store_explicit(&d->started, 1, memory_order_release);
	w = stream_open(&s, 1, DROP_OTHER);
	if (!w)
		return;
	w[0] = record_head(RECORD_DEVICE_START, handle);
	stream_close(s, w + 1);
}

void ttp_device_calibrate(ttp_device handle, int64_t host_ticks, uint64_t cycles, double ghz)
{
	struct device *d = device_of(handle);
	struct stream *s;
	int64_t before;
	uint64_t *w;

	if (!d || !atomic_load_explicit(&d->started, memory_order_acquire))
		return;
	set_ghz(d, ghz);
	before = atomic_exchange_explicit(&d->last_host_ticks, host_ticks, memory_order_relaxed);
	w = stream_open(&s, 4, DROP_DEVICE);
	if (!w)
		return;
	w[0] = record_head(RECORD_DEVICE_CALIBRATE, handle);
	w[1] = (uint64_t)host_ticks;
	w[2] = (uint64_t)ns_of(d, cycles);
	w[3] = (uint64_t)(host_ticks - before);
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
	/* Device zones have no text; the number goes where tt-metal puts an op's id. */
	const char *name = location->name ? location->name : location->function;
	char data[32];
	int n = snprintf(data, sizeof(data), "DATA:%llu", (unsigned long long)value);

	ttp_device_zone(handle, lane,
			ttp_location_intern(name, strlen(name), data, (size_t)n, location->file,
					    strlen(location->file), location->line,
					    location->color),
			cycles, cycles);
}
