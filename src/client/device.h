// SPDX-License-Identifier: Apache-2.0
/* Device contexts: what was said about each, for the drain to tell a server when it first needs it. */
#ifndef TTP_CLIENT_DEVICE_H
#define TTP_CLIENT_DEVICE_H

#include <stdatomic.h>
#include <stdint.h>

struct device {
	/* Written once by ttp_device_start, then `started` with release. */
	int64_t host_ticks, device_ns;
	_Atomic uint32_t started;
	uint32_t chip;
	_Atomic uint64_t ghz_bits; /* of a double */
	_Atomic int64_t last_host_ticks;
	_Atomic(const char *) name;
	/* The drain's. */
	uint32_t session; /* in which it was announced */
	uint16_t query, context;
};

/* Handle → context; NULL for 0 and for what was never made. */
struct device *device_of(uint32_t handle);

#endif /* TTP_CLIENT_DEVICE_H */
