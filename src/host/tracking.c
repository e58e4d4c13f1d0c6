// SPDX-License-Identifier: Apache-2.0
/*
 * What the host's trace is told of the device beside zones: when metal traces are captured, replayed and released
 * (messages, with TT_METAL_PROFILER_TRACE_TRACKING), and which memory of the device is taken (memory events,
 * with TT_METAL_MEM_PROFILER).
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "host/op.h"

#define LOG_AREA "device"
#include "base/log.h"

enum { POOLS = 2 };

/* Neither may start the client by itself. */
static bool recorded(const char *variable)
{
	static atomic_bool told;

	if (op_recorded())
		return true;
	if (!atomic_exchange(&told, true))
		log_warn(
			"%s does nothing without a trace of the host: run the program with `ttprof run`, or "
			"set TTP_FILE",
			variable);
	return false;
}

void tracking_trace(const struct ttp_dev *d, const char *what, uint32_t trace)
{
	char text[96];
	int n;

	if (!d->settings.trace_tracking || !recorded("TT_METAL_PROFILER_TRACE_TRACKING"))
		return;
	n = snprintf(text, sizeof(text), "`TT_METAL_TRACE_%s: %d, %u`", what, d->id, trace);
	ttp_message(text, (size_t)n);
}

void tracking_enqueue(const struct ttp_dev *d, uint32_t trace, uint32_t id)
{
	char text[96];
	int n;

	if (!d->settings.trace_tracking || !recorded("TT_METAL_PROFILER_TRACE_TRACKING"))
		return;
	n = snprintf(text, sizeof(text), "`TT_METAL_TRACE_ENQUEUE_PROGRAM: %d, %u, %u`", d->id,
		     trace, id);
	ttp_message(text, (size_t)n);
}

/* "Device 0 DRAM"; it must stay as long as the process. */
static const char *pool_of(const struct ttp_buffer *b)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of pools */
	static char *pools[CHOICE_CHIPS_MAX][POOLS];
	char **pool = &pools[b->dev->id][b->where == TTP_DRAM];

	pthread_mutex_lock(&lock);
	if (!*pool) {
		struct buf name = { 0 };

		buf_printf(&name, "Device %d %s", b->dev->id, b->where == TTP_DRAM ? "DRAM" : "L1");
		*pool = name.at;
	}
	pthread_mutex_unlock(&lock);
	return *pool;
}

void tracking_buffer(const struct ttp_buffer *b, bool taken)
{
	const void *at = (const void *)(uintptr_t)b->address;

	if (!b->dev->settings.memory || !recorded("TT_METAL_MEM_PROFILER"))
		return;
	if (taken)
		ttp_memory_alloc(at, b->bytes, pool_of(b));
	else
		ttp_memory_free(at, pool_of(b));
}
