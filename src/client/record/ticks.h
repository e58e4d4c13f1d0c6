// SPDX-License-Identifier: Apache-2.0
/*
 * Host time.  Ticks are the processor's counter where it is invariant; otherwise, and with a hook, they
 * are ns.  A pair of (ticks, ns) is taken at the start and another one later, in the background, so
 * nothing waits for a calibration but the one who sends.
 */
#ifndef TTP_CLIENT_RECORD_TICKS_H
#define TTP_CLIENT_RECORD_TICKS_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

extern int64_t (*ticks_hook)(void); /* set once, before the first event */

/* The processor's counter; only where there is no hook. */
static inline int64_t ticks_counter(void)
{
#if defined(__x86_64__)
	return (int64_t)__builtin_ia32_rdtsc();
#elif defined(__aarch64__)
	uint64_t t;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(t));
	return (int64_t)t;
#else
	return 0;
#endif
}

static inline int64_t ticks_now(void)
{
	return __builtin_expect(!ticks_hook, 1) ? ticks_counter() : ticks_hook();
}

struct ticks_pair {
	int64_t ticks, mono_ns, wall_ns;
};

/* Chooses the clock and takes the first pair; `scripted`: each call is 1,000 ns after the last. */
void ticks_init(bool scripted);
/* False when events have been recorded with another clock. */
bool ticks_set_hook(int64_t (*now_ns)(void));
/* As ticks_now, but a scripted clock does not move. */
int64_t ticks_peek(void);
void ticks_pair_take(struct ticks_pair *pair);
/* The first pair. */
const struct ticks_pair *ticks_base(void);
/* How far the first pair is away, in ns: what a calibration is worth. */
int64_t ticks_age_ns(void);
/* From the first pair and now; 1 when ticks are ns. */
double ticks_ns_per_tick(void);
/* What the last look at both clocks said; zeros at first. */
struct ticks_watch {
	int64_t mono_ns, off_ns;
};
/* Once a second: ns by which ticks went ahead of the kernel's clock since the last look, or 0 if that is no
 * more than clocks drift. */
int64_t ticks_jumped(struct ticks_watch *w, const struct ticks_pair *now, double ns_per_tick);
/* 0 real, 1 from a hook, 2 scripted: as in enum spool_time. */
int ticks_kind(void);
int64_t mono_ns(void);
int64_t raw_ns(void);
/* For waits with an end: so many ns from now. */
struct timespec realtime_in(int64_t ns);

#endif /* TTP_CLIENT_RECORD_TICKS_H */
