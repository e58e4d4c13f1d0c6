// SPDX-License-Identifier: Apache-2.0
#include "report/findings.h"

#include <math.h>
#include <stdlib.h>

#include "base/number.h"
#include "report/align.h"
#include "report/build_findings.h"
#include "report/doubts.h"
#include "report/gap_findings.h"
#include "report/gone_device.h"
#include "report/label.h"
#include "report/set_up.h"
#include "report/slow_call.h"
#include "report/slow_device.h"
#include "report/slow_down.h"
#include "report/slow_stretch.h"

const char *finding_name(enum finding_what w)
{
	static const char *const names[] = {
#define X(id, name) name,
		FINDING_LIST(X)
#undef X
	};

	return names[w];
}

static void sum_gap(struct totals *t, const struct call *call)
{
	double own = call_own_gap(call);

	if (call->gap_ns <= 0)
		return;
	t->gap_ns += call->gap_ns;
	t->build_gap_ns += call->build_ns;
	t->profiler_gap_ns += call->profiler_ns;
	if (call->build_ns > 0) {
		t->build_gaps++;
		t->first_gaps +=
			(call->flags & (CALL_BUILT | CALL_OPENS)) == (CALL_BUILT | CALL_OPENS);
		t->again_gaps += (call->flags & (CALL_BUILT | CALL_OPENS)) == CALL_BUILT;
	}
	if (call->flags & CALL_PAUSE) {
		t->pause_ns += call->gap_ns - call->build_ns - call->profiler_ns;
		t->pauses++;
	} else if (own > LONG_GAP_NS) {
		t->long_gap_ns += own - LAUNCH_NS;
		t->long_gaps++;
	}
	if (gap_where(call) == GAP_IN_REPLAY)
		t->replay_gap_ns += own;
}

static void sum_up(struct totals *t, const struct calls *c)
{
	*t = (struct totals){ 0 };
	vec_each (call, &c->all) {
		const struct roofline *r = &call_kind(c, call)->roof;

		if (call->flags & CALL_HOST) {
			t->host_ns += call->time_ns;
			continue;
		}
		sum_gap(t, call);
		if (call->flags & CALL_MARKER) {
			t->marker_ns += call->time_ns;
			t->markers++;
			continue;
		}
		t->device_ns += call->time_ns;
		t->wait_ns += (double)call->wait_ns;
		t->cache_misses += (call->flags & CALL_CACHE_MISS) != 0;
		if (r->shape.tensors) {
			t->tensor_ns += call->time_ns;
			t->figured_ns += r->ideal_ns > 0 ? call->time_ns : 0;
			t->over_roof += call->time_ns > 0 &&
					100 * r->ideal_ns > ROOF_BELIEVED_PERCENT * call->time_ns;
		}
	}
}

enum verdict verdict_of(const struct totals *t)
{
	double gaps = totals_gap(t), steady = t->device_ns + gaps;

	if (t->device_ns <= 0)
		return VERDICT_NOTHING;
	if (t->build_gap_ns > steady)
		return VERDICT_BUILD;
	if (gaps * 100 <= steady * HOST_BOUND_PERCENT)
		return VERDICT_DEVICE;
	return t->replay_gap_ns * 2 > gaps ? VERDICT_DISPATCH : VERDICT_HOST;
}

/* ---- slow ops: kinds that read alike are one finding ---- */

struct alike {
	uint32_t kind, slowest; /* slowest: index of the call */
	uint32_t calls;
	double time_ns, saves_ns, most_ns;
	bool seen;
};

double call_saving(const struct calls *c, const struct call *call)
{
	double full_ns = call_kind(c, call)->roof.full_ns;
	double target = full_ns * 100 / ATTAINABLE_PERCENT, even;

	if (call->flags & (CALL_HOST | CALL_UNTIMED | CALL_MARKER | CALL_FEWER_CORES))
		return 0;
	even = imbalance_ns(c, call);
	/* an op without a figure can't be judged, nor one that seems faster than the chip */
	if (full_ns <= 0 || call_kind(c, call)->roof.ideal_ns <= 0 ||
	    call_roof_percent(c, call) > ROOF_BELIEVED_PERCENT)
		return even;
	return call->time_ns - target > even ? call->time_ns - target : even;
}

static struct finding op_finding(const struct calls *c, const struct alike *a)
{
	const struct call *call = &c->all.at[a->slowest];
	const struct kind *k = &c->kinds.at[a->kind];
	struct buf text = { 0 }, advice = { 0 };
	double percent = a->time_ns > 0 ? 100 * k->roof.ideal_ns * a->calls / a->time_ns : 0;

	label_call(&text, c->table, c, call);
	if (a->calls > 1)
		buf_printf(&text, " (%u calls)", a->calls);
	if (k->roof.ideal_ns > 0)
		buf_printf(&text, " at %.0f %% of its %s roof", percent, roof_name(k->roof.roof));
	if (k->roof.ideal_ns > 0 && k->roof.roof == ROOF_FLOP &&
	    k->roof.matrix_cores < k->roof.cores)
		buf_printf(&text, " with %.0f that compute", k->roof.matrix_cores);
	if (k->roof.cores > 0)
		buf_printf(&text, " on %.0f of %.0f cores", k->roof.cores, c->on.workers);
	advise_op(&advice, c, call, "; ");
	if (!advice.len)
		buf_text(&advice, "look at its kernels' times: --id shows them");
	return (struct finding){
		.what = FINDING_OP,
		.saves_ns = a->saves_ns,
		.kind = a->kind,
		.calls = a->calls,
		.time_ns = a->time_ns,
		.id = call->id,
		.cause = cause_of(c, call),
		.text = text.at,
		.advice = advice.at,
	};
}

/* `apart`: calls that are findings by themselves, and say nothing of those like them. */
static void add_slow_ops(struct findings *f, const struct calls *c, const struct slow_calls *apart)
{
	struct alike *group = mem_zero(2 * c->alikes + 1, sizeof(*group));

	for (size_t i = 0; i < c->all.len; i++) {
		const struct call *call = &c->all.at[i];
		struct alike *a = &group[call_like(c, call)];

		if (slow_calls_has(apart, c, i))
			continue;
		if (!a->seen || call->time_ns > a->most_ns) {
			a->kind = call->kind;
			a->slowest = (uint32_t)i;
			a->most_ns = call->time_ns;
			a->seen = true;
		}
		a->calls++;
		a->time_ns += call->time_ns;
		a->saves_ns += call_saving(c, call);
	}
	for (size_t i = 0; i < 2 * c->alikes; i++)
		if (group[i].seen && group[i].saves_ns > 0 &&
		    group[i].saves_ns > f->totals.device_ns / 1000)
			*vec_push(&f->all) = op_finding(c, &group[i]);
	free(group);
}

/* ---- the others ---- */

static void add_fallbacks(struct findings *f, const struct calls *c)
{
	struct finding n = { .what = FINDING_FALLBACK };
	struct buf b = { 0 };
	double most = -1;

	vec_each (call, &c->all) {
		if (!(call->flags & CALL_HOST))
			continue;
		n.calls++;
		n.time_ns += call->time_ns;
		if (call->time_ns > most) {
			most = call->time_ns;
			n.id = call->id;
		}
	}
	if (!n.calls)
		return;
	buf_printf(&b, n.calls == 1 ? "%u op runs on the host" : "%u ops run on the host", n.calls);
	n.saves_ns = n.time_ns;
	n.text = b.at;
	n.advice = mem_text(n.calls == 1 ? "move it to the device" : "move them to the device");
	*vec_push(&f->all) = n;
}

static void add_waits(struct findings *f, const struct calls *c)
{
	struct finding n = { .what = FINDING_WAIT, .saves_ns = f->totals.wait_ns };
	float most = 0;

	vec_each (call, &c->all)
		if (call->wait_ns > 0) {
			n.calls++;
			n.time_ns += call->time_ns;
			if (call->wait_ns > most) {
				most = call->wait_ns;
				n.id = call->id;
			}
		}
	if (n.saves_ns <= 0 || n.saves_ns < f->totals.device_ns / 100)
		return;
	n.text = mem_text("devices wait for each other in collectives");
	n.advice = mem_text("balance the work between devices: the last one sets the pace");
	*vec_push(&f->all) = n;
}

static void add_slow_device(struct findings *f, const struct calls *c)
{
	struct finding n = { .what = FINDING_SLOW_DEVICE };
	SCOPED(buf) struct buf b = { 0 };
	struct slow_device d;
	bool busy;

	if (!slow_device_find(c, &d))
		return;
	n.saves_ns = d.more_busy_ns + d.more_gap_ns;
	if (n.saves_ns < (f->totals.device_ns + totals_gap(&f->totals)) / 50) {
		buf_release(&d.names);
		return;
	}
	busy = d.more_busy_ns >= d.more_gap_ns;
	if (d.slow > 1)
		n.what = FINDING_SLOW_DEVICES;
	if (d.slow > 1)
		buf_printf(&b, "%u of %u devices (%s %s)", d.slow, d.devices,
			   d.rank >= 0 ? "ranks" : "devices", d.names.at);
	else if (d.rank >= 0)
		buf_printf(&b, "rank %lld (device %lld)", (long long)d.rank, (long long)d.device);
	else if (c->table->files.len > 1)
		buf_printf(&b, "device %lld of %s", (long long)d.device,
			   c->table->files.at[d.file].in.name);
	else
		buf_printf(&b, "device %lld", (long long)d.device);
	buf_release(&d.names);
	buf_printf(&b, " take%s %.1f times as long as the others for the same ops, most of it %s",
		   d.slow > 1 ? "" : "s", d.times, busy ? "in the ops themselves" : "between them");
	n.text = mem_text(b.at);
	n.advice = mem_text(
		d.slow > 1 && busy
			? "divide the work evenly; if it is, compare their clocks and their cores (ttprof heat)"
		: d.slow > 1
			? "look at what their processes do between ops: ttprof timeline, ttprof top --gaps"
		: busy ? "give it as much work as the others; if it has, compare its clock and its cores (ttprof heat)"
		       : "look at what its process does between ops: ttprof timeline, ttprof top --gaps");
	*vec_push(&f->all) = n;
}

static int rank_of(const struct findings *f, enum finding_what what)
{
	switch (what) {
	case FINDING_LOST:
		return 0;
	case FINDING_GONE:
	case FINDING_CHIP:
		return 1;
	case FINDING_PROFILER:
	case FINDING_OTHER_PART:
		return 2;
	case FINDING_BUILD:
	case FINDING_REBUILD:
		if (verdict_of(&f->totals) == VERDICT_BUILD)
			return 3;
		return what == FINDING_BUILD ? 5 : 4;
	case FINDING_SET_UP:
		return 6;
	default:
		return 4;
	}
}

static int by_saving(const void *a, const void *b)
{
	const struct finding *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	if (x->saves_ns > y->saves_ns || x->saves_ns < y->saves_ns)
		return x->saves_ns > y->saves_ns ? -1 : 1;
	return (x->id > y->id) - (x->id < y->id);
}

/* It explains half of what any other finding could save, and more: what grows is what to look at. */
static void put_slow_down_first(struct findings *f)
{
	struct finding *slow = NULL;
	double most = 0;

	vec_each (x, &f->all)
		if (x->what == FINDING_SLOW_DOWN)
			slow = x;
		else if (x->rank == 4)
			most = x->saves_ns > most ? x->saves_ns : most;
	if (slow && slow->saves_ns * 2 >= most)
		slow->rank = 3;
}

void findings_make(struct findings *f, const struct calls *c)
{
	struct slow_calls apart;

	slow_calls_find(&apart, c);
	*f = (struct findings){ 0 };
	sum_up(&f->totals, c);
	add_slow_ops(f, c, &apart);
	slow_calls_add(f, c, &apart);
	slow_calls_release(&apart);
	gap_findings_add(f, c);
	build_findings_add(f, c);
	add_fallbacks(f, c);
	add_waits(f, c);
	add_slow_device(f, c);
	if (!slow_down_add(f, c))
		slow_stretch_add(f, c);
	other_part_add(f, c);
	set_up_add(f, c);
	gone_devices_add(f, c);
	doubts_add(f, c);
	vec_each (x, &f->all)
		x->rank = rank_of(f, x->what);
	put_slow_down_first(f);
	vec_sort(&f->all, by_saving);
}

void findings_release(struct findings *f)
{
	vec_each (x, &f->all) {
		free(x->text);
		free(x->advice);
	}
	vec_release(&f->all);
}
