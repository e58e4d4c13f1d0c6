// SPDX-License-Identifier: Apache-2.0
#include "host/api/guarded_calls.h"

#include <stdatomic.h>

#include "base/exhausted.h"
#include "host/host_device.h"

static atomic_uint times;

unsigned host_exhausted(void)
{
	return atomic_load(&times);
}

static void count(void)
{
	atomic_fetch_add(&times, 1);
	(void)host_failed("out of memory");
}

enum ttp_rc host_guarded(enum ttp_rc (*fn)(void *ctx, struct ttp_err *e), void *ctx,
			 struct ttp_err *e)
{
	struct exhausted_point point;
	enum ttp_rc rc;

	if (exhausted_catch(&point)) {
		count();
		return ttp_fail(e, TTP_LIMIT, "out of memory");
	}
	rc = fn(ctx, e);
	exhausted_end(&point);
	return rc;
}

#define X(type, failed, name, parameters, arguments) \
	type ttp_##name parameters                   \
	{                                            \
		struct exhausted_point point;        \
		type made;                           \
                                                     \
		calls_enter();                       \
		if (exhausted_catch(&point)) {       \
			count();                     \
			calls_leave();               \
			return failed;               \
		}                                    \
		made = call_##name arguments;        \
		exhausted_end(&point);               \
		calls_leave();                       \
		return made;                         \
	}
HOST_CALLS(X)
#undef X
