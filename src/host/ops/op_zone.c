// SPDX-License-Identifier: Apache-2.0
#include "host/ops/op.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/exhausted.h"

#define PLACE(name, function)                         \
	{                                             \
		name, function, __FILE__, __LINE__, 0 \
	}
static const struct ttp_location locations[] = {
	[OP_ZONE_COMPILE] = PLACE("CompileProgram", "ttp_enqueue"),
	[OP_ZONE_CONFIGURE] = PLACE("ConfigureDeviceWithProgram", "ttp_enqueue"),
	[OP_ZONE_LAUNCH] = PLACE("LaunchProgram", "ttp_enqueue"),
	[OP_ZONE_READ] = PLACE("ReadFromDevice", "ttp_buffer_read"),
	[OP_ZONE_WRITE] = PLACE("WriteToDevice", "ttp_buffer_write"),
	[OP_ZONE_DUMP] = PLACE("DumpDeviceProfileResults", "ttp_dev_read_profiler"),
};

static pthread_once_t asked_once = PTHREAD_ONCE_INIT;
static bool asked;
static atomic_bool used;

/* The client starts with the process when one of these is there (docs/guide/client.md). */
static void look(void)
{
	static const char *const names[] = { "TRACY_PORT", "TTP_FILE", "TTP_SESSION", "TTP_LISTEN",
					     "TTP_LISTEN_FD" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const char *v = getenv(names[i]);

		asked |= v && *v;
	}
}

void op_used(void)
{
	atomic_store_explicit(&used, true, memory_order_relaxed);
}

bool op_recorded(void)
{
	pthread_once(&asked_once, look);
	return asked || atomic_load_explicit(&used, memory_order_relaxed) || ttp_connected();
}

const char *op_zone_name(enum op_zone which)
{
	return locations[which].name;
}

static void end(void *none);

bool op_zone_begin(enum op_zone which)
{
	struct ttp_op *op = ttp_op_current();

	if (!op_recorded())
		return false;
	if (op && op->start_ns)
		*vec_push(&op->calls) = (struct op_call){ which, ttp_host_ns(), 0 };
	ttp_zone_begin(&locations[which]);
	exhausted_undo(end, NULL);
	return true;
}

void op_zone_end(bool begun)
{
	if (!begun)
		return;
	exhausted_done(end, NULL);
	end(NULL);
}

static void end(void *none)
{
	struct ttp_op *op = ttp_op_current();

	(void)none;
	ttp_zone_end();
	/* the last one that has not ended: they nest */
	for (size_t i = op && op->start_ns ? op->calls.len : 0; i-- > 0;)
		if (!op->calls.at[i].stop_ns) {
			op->calls.at[i].stop_ns = ttp_host_ns();
			break;
		}
}
