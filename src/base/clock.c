// SPDX-License-Identifier: Apache-2.0
#include "base/clock.h"

#include <time.h>

static int64_t read_ns(clockid_t id)
{
	struct timespec t = { 0 };

	clock_gettime(id, &t); /* cannot fail: these clocks exist, and t is ours */
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int64_t clock_mono_ns(void)
{
	return read_ns(CLOCK_MONOTONIC);
}

int64_t clock_wall_ns(void)
{
	return read_ns(CLOCK_REALTIME);
}

int64_t clock_process_cpu_ns(void)
{
	return read_ns(CLOCK_PROCESS_CPUTIME_ID);
}
