// SPDX-License-Identifier: Apache-2.0
/*
 * A chip's clock beside host time.
 *
 * Alone, an embedded chip's time stands still while the host does something else: its log is the same in every
 * run.  When host and device are to be seen on one timeline, its clock goes on as a card's does:
 *
 *	cycles = cycles at the start + (host ns - host ns at the start) x its true frequency
 *
 * The host's part of that is whatever ttp_host_ns() says; the chip is brought there before the host does something to
 * it.  A program that was waited for may have taken the chip further than the host is: then the host is taken
 * there when it waits itself.
 */
#include "host/op.h"

#define LOG_AREA "device"
#include "base/log.h"

enum ttp_rc pace_begin(struct ttp_dev *d, struct ttp_err *e)
{
	const struct port_info *info = &d->port->info;
	bool can = d->port->ops->pass && info->true_mhz > 0;

	d->pace.runs = can && (d->settings.clock_runs > 0 ||
			       (d->settings.clock_runs < 0 &&
				(d->settings.sync || op_recorded())));
	if (d->settings.sync && !d->settings.clock_runs)
		return ttp_fail(e, TTP_USAGE,
				"TT_METAL_PROFILER_SYNC needs a clock that goes on: unset "
				"TTP_SIM_CLOCK_RUNS");
	d->pace.ns = ttp_host_peek_ns();
	d->pace.cycles = d->port->ops->now(d->port);
	d->pace.ghz = info->true_mhz / 1000;
	if (d->pace.runs)
		log_debug("device %d: its clock began at %llu; at %llu the host has %lld ns; it goes at "
			  "%.15f GHz",
			  d->id, (unsigned long long)info->true_start,
			  (unsigned long long)(info->true_start + d->pace.cycles),
			  (long long)d->pace.ns, d->pace.ghz);
	return TTP_OK;
}

void pace_device(struct ttp_dev *d)
{
	struct port *p = d->port;
	uint64_t now, there;
	int64_t ns;

	if (!d->pace.runs)
		return;
	clock_enter();
	ns = ttp_host_peek_ns() - d->pace.ns;
	now = p->ops->now(p);
	there = d->pace.cycles + (uint64_t)((double)ns * d->pace.ghz);
	if (there > now) {
		/* What runs, runs on; when nothing is awake any more, time is all that changes. */
		(void)p->ops->wait(p, NULL, 0, there - now);
		now = p->ops->now(p);
		if (there > now)
			p->ops->pass(p, there - now);
	}
	clock_leave();
}

void pace_host(struct ttp_dev *d)
{
	uint64_t now = d->port->ops->now(d->port);
	double mhz = d->port->info.clock_mhz;

	if (d->pace.runs) {
		double ns = (double)(now - d->pace.cycles) / d->pace.ghz -
			    (double)(ttp_host_peek_ns() - d->pace.ns);

		if (ns > 0)
			clock_pass(ns);
	} else if (mhz > 0) {
		clock_pass((double)(now - d->host_cycles) * 1000.0 / mhz);
	}
	d->host_cycles = now;
}
