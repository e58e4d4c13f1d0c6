// SPDX-License-Identifier: Apache-2.0
#include "client/record/ticks.h"

#include <stdatomic.h>

#ifdef __x86_64__
#include <cpuid.h>
#endif

int64_t (*ticks_hook)(void);

/* Of libttpdev, if it is in the process: host time beside a simulated device. */
extern int64_t ttp_host_ns(void) __attribute__((weak));
/* The same without a scripted clock going on. */
extern int64_t ttp_host_peek_ns(void) __attribute__((weak));

static int64_t (*asked_hook)(void);
static bool started, is_scripted;
static struct ticks_pair base;
static _Atomic int64_t scripted_ns;

static int64_t clock_ns(clockid_t id)
{
	struct timespec t = { 0 };

	clock_gettime(id, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int64_t mono_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

int64_t raw_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC_RAW);
}

struct timespec realtime_in(int64_t ns)
{
	int64_t then = clock_ns(CLOCK_REALTIME) + ns;

	return (struct timespec){ .tv_sec = then / 1000000000, .tv_nsec = then % 1000000000 };
}

static int64_t scripted(void)
{
	return atomic_fetch_add_explicit(&scripted_ns, 1000, memory_order_relaxed) + 1000;
}

/* Does the counter run at one speed, whatever the processor does? */
static bool counter_is_invariant(void)
{
#if defined(__x86_64__)
	unsigned a, b, c, d;

	return __get_cpuid(0x80000007, &a, &b, &c, &d) && d & (1U << 8);
#elif defined(__aarch64__)
	return true;
#else
	return false;
#endif
}

void ticks_pair_take(struct ticks_pair *pair)
{
	int64_t best = INT64_MAX;

	if (is_scripted) {
		*pair = (struct ticks_pair){ ticks_peek(), ticks_peek(), 0 };
		return;
	}
	/* The narrowest of a few: who is interrupted in between is not taken. */
	for (int i = 0; i < 5; i++) {
		int64_t before = ticks_now(), ns = raw_ns(), after = ticks_now();

		if (after - before < best) {
			best = after - before;
			pair->ticks = before + (after - before) / 2;
			pair->mono_ns = ns;
		}
	}
	pair->wall_ns = clock_ns(CLOCK_REALTIME);
}

void ticks_init(bool script)
{
	is_scripted = script;
	if (!asked_hook && ttp_host_ns)
		asked_hook = ttp_host_ns;
	if (script)
		ticks_hook = asked_hook && ttp_host_peek_ns ? asked_hook : scripted;
	else if (asked_hook)
		ticks_hook = asked_hook;
	else if (!counter_is_invariant())
		ticks_hook = raw_ns;
	ticks_pair_take(&base);
	started = true;
}

bool ticks_set_hook(int64_t (*now_ns)(void))
{
	if (started)
		return false;
	asked_hook = now_ns;
	return true;
}

int64_t ticks_peek(void)
{
	if (!is_scripted)
		return ticks_now();
	return ticks_hook == scripted ? atomic_load_explicit(&scripted_ns, memory_order_relaxed)
				      : ttp_host_peek_ns();
}

const struct ticks_pair *ticks_base(void)
{
	return &base;
}

int64_t ticks_age_ns(void)
{
	return ticks_hook ? INT64_MAX : raw_ns() - base.mono_ns;
}

double ticks_ns_per_tick(void)
{
	struct ticks_pair now;

	if (ticks_hook)
		return 1.0;
	ticks_pair_take(&now);
	if (now.ticks <= base.ticks || now.mono_ns <= base.mono_ns)
		return 1.0;
	return (double)(now.mono_ns - base.mono_ns) / (double)(now.ticks - base.ticks);
}

int64_t ticks_jumped(struct ticks_watch *w, const struct ticks_pair *now, double ns_per_tick)
{
	int64_t passed = now->mono_ns - w->mono_ns, off, step, allowed;

	if (w->mono_ns && passed < 1000000000)
		return 0;
	off = (int64_t)((double)(now->ticks - base.ticks) * ns_per_tick) -
	      (now->mono_ns - base.mono_ns);
	step = w->mono_ns ? off - w->off_ns : 0;
	w->mono_ns = now->mono_ns;
	w->off_ns = off;
	/* A millisecond for being interrupted between the two, and 200 in a million of drift. */
	allowed = 1000000 + passed / 5000;
	return step > allowed || step < -allowed ? step : 0;
}

int ticks_kind(void)
{
	return is_scripted ? 2 : asked_hook ? 1 : 0;
}
