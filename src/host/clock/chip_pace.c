// SPDX-License-Identifier: Apache-2.0
/*
 * A chip's clock beside host time.
 *
 * A card's clock goes on whatever the host does, and so does that of an embedded chip, unless that is switched off
 * (TTP_SIM_IDLE=0):
 *
 *	cycles = cycles at the start + (host ns - host ns at the start) x its true frequency
 *
 * The host's part of that is whatever ttp_host_ns() says; the chip is brought there before the host does something to
 * it.  A program that was waited for may have taken the chip further than the host is: then the host is taken
 * there when it waits itself.
 */
#include "host/host_device.h"

#define LOG_AREA "device"
#include "base/log.h"

void pace_begin(struct ttp_dev *d)
{
	const struct port_info *info = &d->port->info;

	d->pace.runs = d->port->ops->idle && info->true_mhz > 0;
	d->pace.ns = ttp_host_peek_ns();
	d->pace.cycles = d->port->ops->now(d->port);
	d->pace.ghz = info->true_mhz / 1000;
	if (d->pace.runs)
		log_debug(
			"device %d: its clock began at %llu; at %llu the host has %lld ns; it goes at "
			"%.15f GHz",
			d->id, (unsigned long long)info->true_start,
			(unsigned long long)(info->true_start + d->pace.cycles),
			(long long)d->pace.ns, d->pace.ghz);
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
	if (there > now)
		p->ops->idle(p, there - now);
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
