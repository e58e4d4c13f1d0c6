// SPDX-License-Identifier: Apache-2.0
/*
 * Tracy's C functions for devices of graphics interfaces.  They tell a zone's begin and end first, by a number, and
 * their times later; ours are recorded when the time is known, in the order in which they came.
 */
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "client/life/lifecycle.h"
#include "client/life/system_memory.h"
#include "client/record/signal_guard.h"
#include "client/record/stream.h"
#include "client/send/client_session.h"
#include "tracy/TracyC.h"

enum { EDGES = 65536 }; /* as many as there are numbers of queries */

struct edge {
	const struct ttp_location *location; /* NULL: an end */
	int64_t time;
	uint32_t lane; /* the thread, as Tracy's servers have it */
	uint16_t query;
	bool known;
};

/* Edges first … last - 1 wait for the time of the first one. */
struct context {
	ttp_device device;
	double ghz;
	int64_t last_time;
	uint32_t first, last;
	uint32_t at[EDGES]; /* query → edge */
	struct edge edges[EDGES];
};

static struct context *contexts[256];
struct guard gpu_guard;

/* The context, locked; NULL if there is none, or for a handler that interrupted one of these functions. */
static struct context *enter(uint8_t number)
{
	if (!guard_take(&gpu_guard)) {
		stream_lost(DROP_IN_SIGNAL, 1);
		return NULL;
	}
	if (contexts[number])
		return contexts[number];
	guard_give(&gpu_guard);
	return NULL;
}

static void record_first(struct context *c)
{
	struct edge *e = &c->edges[c->first++ % EDGES];

	/* Without a time of its own, when there are too many of those: nesting stays intact. */
	if (!e->known)
		e->time = c->last_time;
	c->last_time = e->time;
	if (e->location)
		ttp_device_zone_begin(c->device, e->lane, e->location, (uint64_t)e->time);
	else
		ttp_device_zone_end(c->device, e->lane, (uint64_t)e->time);
}

static void wait_for_time(uint8_t number, uint16_t query, const struct ttp_location *location)
{
	KEEP_ERRNO;
	struct context *c = enter(number);

	if (c) {
		if (c->last - c->first == EDGES)
			record_first(c);
		c->at[query] = c->last;
		c->edges[c->last++ % EDGES] = (struct edge){ .location = location,
							     .lane = (uint32_t)syscall(SYS_gettid),
							     .query = query };
		guard_give(&gpu_guard);
	}
}

static void time_is(struct ___tracy_gpu_time_data data)
{
	KEEP_ERRNO;
	struct context *c = enter(data.context);

	if (c) {
		uint32_t at = c->at[data.queryId];
		struct edge *e = &c->edges[at % EDGES];

		if (at - c->first < c->last - c->first && e->query == data.queryId) {
			e->time = data.gpuTime;
			e->known = true;
		}
		while (c->first != c->last && c->edges[c->first % EDGES].known)
			record_first(c);
		guard_give(&gpu_guard);
	}
}

static size_t length(const char *text)
{
	return text ? strlen(text) : 0;
}

/* A copy: the library of the location may be gone before the time is known. */
static const struct ttp_location *kept_location(uint64_t srcloc)
{
	const struct ttp_location *l = (const struct ttp_location *)(uintptr_t)srcloc;

	if (!l)
		return ttp_location_intern("?", 1, NULL, 0, NULL, 0, 0, 0);
	return ttp_location_intern(l->name, length(l->name), l->function, length(l->function),
				   l->file, length(l->file), l->line, l->color);
}

static void begin(uint8_t context, uint16_t query, uint64_t srcloc)
{
	wait_for_time(context, query, kept_location(srcloc));
}

/* What was made by ___tracy_alloc_srcloc stays anyway. */
static void begin_alloc(uint8_t context, uint16_t query, uint64_t srcloc)
{
	if (srcloc)
		wait_for_time(context, query, (const struct ttp_location *)(uintptr_t)srcloc);
	else
		begin(context, query, 0);
}

static void make(struct ___tracy_gpu_new_context_data data)
{
	KEEP_ERRNO;
	struct context *c;

	if (!guard_take(&gpu_guard)) {
		stream_lost(DROP_IN_SIGNAL, 1);
		return;
	}
	c = contexts[data.context];
	if (!c) {
		c = own_space(sizeof(*c));
		contexts[data.context] = c;
	}
	if (c) {
		c->first = c->last = 0;
		c->last_time = data.gpuTime;
		c->ghz = data.period > 0 ? 1.0 / (double)data.period : 1.0;
		/* Chips of ours count from 0, these from the other side. */
		c->device = ttp_device_new(255U - data.context);
		device_set_type(c->device, data.type);
		ttp_device_start(c->device, ttp_now(), (uint64_t)data.gpuTime, c->ghz);
	}
	guard_give(&gpu_guard);
}

static void name(struct ___tracy_gpu_context_name_data data)
{
	KEEP_ERRNO;
	struct context *c = enter(data.context);

	if (c) {
		ttp_device device = c->device;

		/* That locks, too, and a fork from a handler may hold its lock and wait for ours. */
		guard_give(&gpu_guard);
		ttp_device_name(device, data.name, data.len);
	}
}

static void calibrate(uint8_t context, int64_t time)
{
	KEEP_ERRNO;
	struct context *c = enter(context);

	if (c) {
		ttp_device_calibrate(c->device, ttp_now(), (uint64_t)time, c->ghz);
		guard_give(&gpu_guard);
	}
}

/* "Serial" says in which of Tracy's queues an event goes; ours is one. */
#define BOTH(call, data, what)                                                            \
	void ___tracy_emit_gpu_##call(const struct ___tracy_gpu_##data##_data d)          \
	{                                                                                 \
		what;                                                                     \
	}                                                                                 \
	void ___tracy_emit_gpu_##call##_serial(const struct ___tracy_gpu_##data##_data d) \
	{                                                                                 \
		what;                                                                     \
	}
BOTH(zone_begin, zone_begin, begin(d.context, d.queryId, d.srcloc))
BOTH(zone_begin_callstack, zone_begin_callstack, begin(d.context, d.queryId, d.srcloc))
BOTH(zone_begin_alloc, zone_begin, begin_alloc(d.context, d.queryId, d.srcloc))
BOTH(zone_begin_alloc_callstack, zone_begin_callstack, begin_alloc(d.context, d.queryId, d.srcloc))
BOTH(zone_end, zone_end, wait_for_time(d.context, d.queryId, NULL))
BOTH(time, time, time_is(d))
BOTH(new_context, new_context, make(d))
BOTH(context_name, context_name, name(d))
BOTH(calibration, calibration, calibrate(d.context, d.gpuTime))
BOTH(time_sync, time_sync, calibrate(d.context, d.gpuTime))
