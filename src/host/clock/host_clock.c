// SPDX-License-Identifier: Apache-2.0
/*
 * Host time beside a simulated device.
 *
 * A simulator is slower than what it simulates, so real host time means nothing beside it.  Host time here
 * is real time, without what was spent inside of simulators, and with the device time that the host
 * waited for.  While a simulator runs, host time stands still for all threads.  libttp takes its clock
 * from ttp_host_ns() if this library is in the process.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/exhausted.h"
#include "host/host_device.h"

static _Atomic int64_t spent_ns, passed_ns; /* inside simulators; waited for */
static _Atomic int64_t inside_since;        /* 0: not inside */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int inside;                /* threads; under the lock */
static _Atomic int64_t latest_ns; /* time never goes back */
static _Atomic int64_t scripted_ns;
static _Atomic uint64_t jitter; /* TTP_SIM_JITTER */
static _Atomic int scripted;    /* 0 not known, 1 no, 2 yes */

static int64_t real_ns(void)
{
	struct timespec t = { 0 };

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

bool clock_is_scripted(void)
{
	int known = atomic_load_explicit(&scripted, memory_order_relaxed);

	if (!known) {
		const char *v = getenv("TTP_CLOCK");

		known = v && !strcmp(v, "scripted") ? 2 : 1;
		v = getenv("TTP_SIM_JITTER");
		atomic_store(&jitter, v ? strtoull(v, NULL, 0) : 0);
		atomic_store_explicit(&scripted, known, memory_order_relaxed);
	}
	return known == 2;
}

static int64_t now_ns(void)
{
	int64_t since, t, latest;

	since = atomic_load(&inside_since);
	t = (since ? since : real_ns()) - atomic_load(&spent_ns) + atomic_load(&passed_ns);
	latest = atomic_load_explicit(&latest_ns, memory_order_relaxed);
	/* The three words are not read at once; who reads while they change gets the time before. */
	while (t > latest)
		if (atomic_compare_exchange_weak(&latest_ns, &latest, t))
			return t;
	return latest;
}

/* What a call takes: with jitter anything from half to one and a half of it, as the number of the calls so far has it. */
static int64_t scripted_step(void)
{
	static _Atomic uint64_t calls;
	uint64_t seed = atomic_load_explicit(&jitter, memory_order_relaxed), z;

	if (!seed)
		return 1000;
	/* splitmix64, by Steele, Lea and Flood */
	z = seed + atomic_fetch_add(&calls, 1) * 0x9E3779B97F4A7C15ull;
	z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
	z = (z ^ z >> 27) * 0x94D049BB133111EBull;
	return 500 + (int64_t)((z ^ z >> 31) % 1001);
}

int64_t ttp_host_ns(void)
{
	if (clock_is_scripted()) {
		int64_t step = scripted_step();

		return atomic_fetch_add(&scripted_ns, step) + step + atomic_load(&passed_ns);
	}
	return now_ns();
}

int64_t ttp_host_peek_ns(void)
{
	return clock_is_scripted() ? atomic_load(&scripted_ns) + atomic_load(&passed_ns) : now_ns();
}

static void leave(void *none);

void clock_enter(void)
{
	pthread_mutex_lock(&lock);
	if (!inside++)
		atomic_store(&inside_since, real_ns());
	pthread_mutex_unlock(&lock);
	exhausted_undo(leave, NULL);
}

void clock_leave(void)
{
	exhausted_done(leave, NULL);
	leave(NULL);
}

static void leave(void *none)
{
	(void)none;
	pthread_mutex_lock(&lock);
	if (!--inside) {
		atomic_fetch_add(&spent_ns, real_ns() - atomic_load(&inside_since));
		atomic_store(&inside_since, 0);
	}
	pthread_mutex_unlock(&lock);
}

void clock_pass(double ns)
{
	atomic_fetch_add(&passed_ns, (int64_t)(ns + 0.5));
}
