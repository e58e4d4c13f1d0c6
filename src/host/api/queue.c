// SPDX-License-Identifier: Apache-2.0
/*
 * Running programs.  A program is started when it is enqueued, after what runs on the same cores, or in
 * the same sub-device, is done.  Device time passes in waits; it is added to host time when the caller waits.
 */
#include <stdlib.h>

#include "host/api/guarded_calls.h"
#include "host/api/program.h"
#include "host/host_device.h"
#include "host/logs/marker_results.h"
#include "host/ops/op.h"

#define LOG_AREA "device"
#include "base/log.h"

/* Between two looks at what kernels print, and at those that wait to be read. */
enum { PRINT_CYCLES = 100000, READ_EVERY_NS = 1000000000 };

/*
 * Until nothing runs any more.  Rings of kernel print are emptied at fixed times of the device, idle or
 * not: so how a simulator gets there does not show in when a program ends.
 */
static enum ttp_rc wait_all(struct ttp_dev *d, struct ttp_err *e)
{
	struct port *p = d->port;
	uint64_t begin = p->ops->now(p), limit = d->settings.timeout_cycles;
	enum ttp_rc rc;

	DEVICE_ENTER(d);
	clock_enter();
	for (;;) {
		uint64_t now = p->ops->now(p), left = limit - (now - begin), slice = left;
		bool looks = d->printing || d->drains, printed = false, drained = false;

		if (looks && left > PRINT_CYCLES - now % PRINT_CYCLES)
			slice = PRINT_CYCLES - now % PRINT_CYCLES;
		rc = launch_wait(&d->device, slice, e);
		/* Who waits for us does so until the slice ends, whether its loop is parked or not. */
		if (looks && rc == TTP_GONE && p->ops->pass && !p->ops->fault(p))
			p->ops->pass(p, slice - (p->ops->now(p) - now));
		if (d->printing) {
			struct ttp_err cant_print;

			if (print_drain(d, &printed, &cant_print) && rc != TTP_GONE) {
				*e = cant_print;
				rc = cant_print.rc;
				break;
			}
		}
		if (rc && d->drains) {
			struct ttp_err cant_read;

			if (results_drain(d, &drained, &cant_read)) {
				*e = cant_read;
				rc = cant_read.rc;
				break;
			}
		}
		/* A core whose ring, or part of DRAM, was full goes on now. */
		if (rc == TTP_GONE && (printed || drained))
			rc = TTP_LIMIT;
		if (rc != TTP_LIMIT)
			break;
		if (p->ops->now(p) - begin >= limit) {
			if (looks)
				rc = launch_wait(&d->device, 0, e);
			break;
		}
	}
	clock_leave();
	if (rc == TTP_LIMIT)
		rc = ttp_wrap(e, rc, "gave up after %llu cycles (TTP_DEVICE_TIMEOUT)",
			      (unsigned long long)d->settings.timeout_cycles);
	d->stuck = rc != TTP_OK;
	if (!rc)
		for (int i = 0; i < d->subs; i++)
			d->sub[i].busy = false;
	return rc;
}

enum ttp_rc queue_finish(struct ttp_dev *d, struct ttp_err *e)
{
	enum ttp_rc rc = wait_all(d, e);

	pace_host(d);
	return rc;
}

static bool must_wait(const struct ttp_dev *d, const struct built *b)
{
	if (!d->device.running.len)
		return false;
	return !d->subs || d->dispatch.on || b->sub_device < 0 || d->sub[b->sub_device].busy;
}

/* Tiles whose first program of a replay this is count it: `counted` has a byte for each tile. */
static enum ttp_rc prepare_tiles(struct ttp_dev *d, struct built *b, uint32_t id, uint32_t flags,
				 const uint8_t *counted, struct ttp_err *e)
{
	struct launch_tile *part;
	enum ttp_rc rc = TTP_OK;

	if (!counted)
		return launch_prepare(&d->device, b->work, b->work_n, id, flags, e);
	part = mem_alloc(b->work_n, sizeof(*part));
	for (int first = 1; !rc && first >= 0; first--) {
		size_t n = 0;

		for (size_t i = 0; i < b->work_n; i++) {
			struct tile t = b->work[i].tile;

			if ((counted[t.y * PORT_GRID_MAX + t.x] == 0) == first)
				part[n++] = b->work[i];
		}
		if (n)
			rc = launch_prepare(&d->device, part, n, id,
					    flags | (first ? TTP_LAUNCH_REPLAY : 0), e);
	}
	free(part);
	return rc;
}

/* What was read outlives the program, however it ends.  A scripted clock makes the same log each time, however long it takes. */
static bool is_long_ago(struct ttp_dev *d)
{
	int64_t now = ttp_host_peek_ns();
	bool is = d->last_read_ns && now - d->last_read_ns > READ_EVERY_NS && d->launched.len;

	if (clock_is_scripted() || d->settings.noc_events)
		return false;
	if (is || !d->last_read_ns)
		d->last_read_ns = now;
	return is;
}

/* Reads the profiler if the markers of one more launch might not fit, or about once a second. */
static enum ttp_rc make_room(struct ttp_dev *d, const struct built *b, struct ttp_err *e)
{
	bool fit = true;
	enum ttp_rc rc;

	if (!d->settings.auto_read)
		return TTP_OK;
	rc = results_fit(d, b, &fit, e);
	if (rc || (fit && !is_long_ago(d)))
		return rc;
	/* Other sub-devices may be running. */
	rc = wait_all(d, e);
	return rc ? rc : results_read(d, false, e);
}

/*
 * Device zones of a trace are placed by it.  libttp has our clock, unless it ran before we were loaded: a Python that imports us
 * is recorded from its start.
 */
static void note_first_launch(struct ttp_dev *d)
{
	int64_t ticks;

	d->first_launch_ns = ttp_host_peek_ns();
	if (clock_is_scripted() || !op_recorded())
		return; /* to ask for the time moves it */
	ticks = ttp_now();
	if (ticks < d->first_launch_ns || ticks > ttp_host_peek_ns())
		d->first_launch_ticks = ticks;
}

enum ttp_rc queue_launch(struct ttp_dev *d, struct built *b, uint32_t id, struct ttp_trace *trace,
			 const uint8_t *counted, struct ttp_err *e)
{
	bool recorded = d->profiled && (trace || !d->settings.trace_only) && ttp_recording();
	uint32_t flags = recorded ? TTP_LAUNCH_PROFILE : 0;
	struct built *pass = NULL;
	enum ttp_rc rc;
	bool zone;

	if (d->subs ? b->sub_device < 0 : b->sub_device >= 0)
		return ttp_fail(e, TTP_USAGE,
				"the sub-devices have changed since this was captured");
	if (must_wait(d, b))
		TTP_TRY(wait_all(d, e));
	TTP_TRY(recorded ? make_room(d, b, e) : TTP_OK);
	if (recorded && d->dispatch.on) {
		TTP_TRY(dispatch_pass(d, b, id, &pass, e));
		rc = make_room(d, pass, e);
		/* a read for its sake has forgotten what the program takes */
		rc = rc ? rc : make_room(d, b, e);
		if (rc) {
			built_drop(pass);
			return rc;
		}
	}
	zone = op_zone_begin(OP_ZONE_CONFIGURE);
	host_enter(d);
	clock_enter();
	rc = prepare_tiles(d, b, id, flags, counted, e);
	if (!rc && pass)
		rc = launch_prepare(&d->device, pass->work, pass->work_n, id, flags, e);
	clock_leave();
	host_leave(d);
	op_zone_end(zone);
	if (rc) {
		built_drop(pass);
		return rc;
	}
	zone = op_zone_begin(OP_ZONE_LAUNCH);
	if (!trace)
		pace_device(d); /* a replay goes on without the host */
	if (!d->first_launch_ns && (recorded || !d->profiled))
		note_first_launch(d);
	host_enter(d);
	clock_enter();
	rc = pass ? launch_hold(&d->device, b->work, b->work_n, e)
		  : launch_go(&d->device, b->work, b->work_n, e);
	if (!rc && pass)
		rc = launch_go(&d->device, pass->work, pass->work_n, e);
	clock_leave();
	host_leave(d);
	op_zone_end(zone);
	if (rc) {
		built_drop(pass);
		return rc;
	}
	if (d->subs)
		d->sub[b->sub_device].busy = true;
	if (recorded)
		*vec_push(&d->launched) = (struct launched){
			built_take(b),
			id,
			trace ? trace->id : NO_TRACE,
			trace ? trace->replays : 0,
			d->subs ? d->manager : -1,
			b->sub_device,
			d->replaying,
			false,
			pass,
		};
	if (!d->settings.slow_dispatch)
		return TTP_OK;
	rc = queue_finish(d, e);
	return rc ? rc : results_read(d, true, e);
}

static enum ttp_rc build(struct ttp_program *p, struct ttp_err *e)
{
	size_t known = p->dev->images.len;
	bool zone = !p->built && op_zone_begin(OP_ZONE_COMPILE);
	enum ttp_rc rc = program_build(p, e);

	op_zone_end(zone);
	if (!rc)
		op_program_built(p, p->dev->images.len != known);
	return rc;
}

int call_enqueue(struct ttp_program *p)
{
	struct ttp_dev *d;
	struct ttp_err e;
	uint32_t id;
	enum ttp_rc rc = TTP_OK;

	if (!p)
		return host_no("program");
	d = p->dev;
	op_take_program(p);
	if (build(p, &e))
		return host_fail(&e);
	id = ttp_program_id(p) | (uint32_t)p->fallback << 31;
	if (p->op && d->profiled)
		perf_data_name(&d->perf, ttp_encode_program_id(id, (uint32_t)d->id, p->fallback),
			       buf_view(&p->op->code));
	if (d->capturing) {
		*vec_push(&d->capturing->steps) = (struct trace_step){ built_take(p->built), id };
		trace_enqueued(d->capturing, id);
	} else {
		rc = queue_launch(d, p->built, id, NULL, NULL, &e);
	}
	return rc ? host_fail(&e) : 0;
}

int call_finish(struct ttp_dev *d)
{
	struct ttp_err e;

	if (!d)
		return host_no("device");
	return queue_finish(d, &e) ? host_fail(&e) : 0;
}
