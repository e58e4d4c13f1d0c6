// SPDX-License-Identifier: Apache-2.0
/* Device contexts: what was said about each, for the drain to tell a server when it first needs it. */
#ifndef TTP_CLIENT_RECORD_DEVICE_CONTEXT_H
#define TTP_CLIENT_RECORD_DEVICE_CONTEXT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Cycles → ns: from a point on with one frequency, before it with another. */
struct device_clock {
	_Atomic uint64_t cycles;
	_Atomic int64_t ns;
	_Atomic uint64_t ghz_bits, before_bits; /* of doubles */
};

struct device {
	/* Written once by ttp_device_start, then `started` with release. */
	int64_t host_ticks, device_ns;
	_Atomic uint32_t started;
	uint32_t chip;
	/* clock[turn % 2] is in use; the other one is written, then `turn` with release. */
	struct device_clock clock[2];
	_Atomic uint32_t turn;
	_Atomic bool calibrating;
	_Atomic(const char *) name;
	/* The drain's; the first three are set by ttp_device_start. */
	int64_t anchor_ticks, anchor_ns; /* of the last calibration */
	double host_per_device;          /* ns of the host in one of the device, since then */
	int64_t last_ns;                 /* what went out last in this context */
	uint32_t session;                /* in which it was announced */
	uint16_t query, context;
};

/* Handle → context; NULL for 0 and for what was never made. */
struct device *device_of(uint32_t handle);

#endif /* TTP_CLIENT_RECORD_DEVICE_CONTEXT_H */
