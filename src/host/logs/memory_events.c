// SPDX-License-Identifier: Apache-2.0
/* Buffers of the device as memory events of the host's trace, with TT_METAL_MEM_PROFILER. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/exhausted.h"
#include "host/ops/op.h"

#define LOG_AREA "device"
#include "base/log.h"

enum { POOLS = 2 };

/* This must not start the client by itself. */
static bool recorded(void)
{
	static atomic_bool logged;

	if (op_recorded())
		return true;
	if (!atomic_exchange(&logged, true))
		log_warn(
			"TT_METAL_MEM_PROFILER does nothing without a trace of the host: run the program with "
			"`ttprof run`, or set TTP_FILE");
	return false;
}

/* "Device 0 DRAM"; it must stay as long as the process. */
static const char *pool_of(const struct ttp_buffer *b)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of pools */
	static char *pools[CHOICE_CHIPS_MAX][POOLS];
	char **pool = &pools[b->dev->id][b->where == TTP_DRAM];

	held_lock(&lock);
	if (!*pool) {
		struct buf name = { 0 };

		buf_printf(&name, "Device %d %s", b->dev->id, b->where == TTP_DRAM ? "DRAM" : "L1");
		*pool = name.at;
	}
	held_unlock(&lock);
	return *pool;
}

void memory_event(const struct ttp_buffer *b, bool taken)
{
	const void *at = (const void *)(uintptr_t)b->address;

	if (!b->dev->settings.memory || !recorded())
		return;
	if (taken)
		ttp_memory_alloc(at, b->bytes, pool_of(b));
	else
		ttp_memory_free(at, pool_of(b));
}
