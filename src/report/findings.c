// SPDX-License-Identifier: Apache-2.0
#include "report/findings.h"

#include <math.h>
#include <stdlib.h>

#include "base/number.h"
#include "report/align.h"
#include "report/doubts.h"
#include "report/gone_device.h"
#include "report/label.h"
#include "report/slow_call.h"
#include "report/slow_device.h"
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

/*
 * Where long gaps lie.  Inside of a replay the device's own dispatcher sends one op after the other, whatever the host does; before its
 * first op it waits for the host.
 */
enum gaps_where { GAPS_PLAIN, GAPS_IN_REPLAY, GAPS_BEFORE_REPLAY, GAPS_WHERE };

static enum gaps_where gaps_where(const struct call *call)
{
	if (!(call->flags & CALL_REPLAY))
		return GAPS_PLAIN;
	return call->flags & CALL_STARTS_REPLAY ? GAPS_BEFORE_REPLAY : GAPS_IN_REPLAY;
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
	if (gaps_where(call) == GAPS_IN_REPLAY)
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
static void add_slow_ops(struct findings *f, const struct calls *c, const struct longest *apart)
{
	struct alike *group = mem_zero(2 * c->alikes + 1, sizeof(*group));

	for (size_t i = 0; i < c->all.len; i++) {
		const struct call *call = &c->all.at[i];
		struct alike *a = &group[call_like(c, call)];

		if (apart[call_like(c, call)].is_apart && apart[call_like(c, call)].call == i)
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

static char *copy(const char *text)
{
	struct buf b = { 0 };

	buf_text(&b, text);
	return b.at;
}

/* The call with the longest gap of those that have one of these flags, or none of them. */
static const struct call *longest_gap(const struct calls *c, unsigned flags, bool has)
{
	const struct call *longest = NULL;

	vec_each (call, &c->all)
		if (call->gap_ns > (longest ? longest->gap_ns : 0) &&
		    has == ((call->flags & flags) != 0))
			longest = call;
	return longest;
}

/* Long gaps of one zone of the host; of none: by where they lie. */
struct zone_gaps {
	enum gaps_where where;
	struct str zone;
	double long_ns, own_ns, zone_ns;
	uint32_t gaps;
	const struct call *longest;
};

typedef VEC(struct zone_gaps) zone_gaps;

/*
 * The zone that a gap is named after: what the profiler or building leave of a gap is not theirs, and an op's own zone is how ops are called.  One that
 * has less than a tenth of it explains nothing: devices of several processes have a gap together, and a trace of each.
 */
static struct str named_zone(const struct calls *c, const struct call *call)
{
	const struct host_gap *gap = host_gap_of(c->host, call->row);
	double rest = call->gap_ns - call->build_ns - call->profiler_ns;

	return gap && gap->own_zone_ns * 10 >= rest ? host_gap_own_zone(c->host, gap)
						    : str_n("", 0);
}

/* The first GAPS_WHERE are of no zone. */
static void sum_zones(zone_gaps *z, const struct calls *c)
{
	struct intern names = { 0 };

	(void)intern_copy(&names, STR(""));
	for (int i = 0; i < GAPS_WHERE; i++)
		*vec_push(z) = (struct zone_gaps){ .where = (enum gaps_where)i };
	vec_each (call, &c->all) {
		double own = call->flags & CALL_HOST ? 0 : call_own_gap(call);
		const struct host_gap *gap = host_gap_of(c->host, call->row);
		enum gaps_where where = gaps_where(call);
		uint32_t n = 0;

		if (own <= LONG_GAP_NS)
			continue;
		if (where != GAPS_IN_REPLAY)
			n = intern_copy(&names, named_zone(c, call));
		n = n ? n + GAPS_WHERE - 1 : (uint32_t)where;
		if (n == z->len)
			*vec_push(z) = (struct zone_gaps){ .zone = named_zone(c, call) };
		z->at[n].gaps++;
		z->at[n].own_ns += own;
		z->at[n].long_ns += own - LAUNCH_NS;
		if (n >= GAPS_WHERE)
			z->at[n].zone_ns += number_min(gap->own_zone_ns, own);
		if (!z->at[n].longest || own > call_own_gap(z->at[n].longest))
			z->at[n].longest = call;
	}
	intern_release(&names);
}

static void tell_zone_gaps(struct buf *b, struct buf *advice, const struct zone_gaps *z)
{
	static const char *const says[] = {
		[GAPS_PLAIN] = ": the device waits for the host",
		[GAPS_IN_REPLAY] = " inside of replays: the host has no part in them",
		[GAPS_BEFORE_REPLAY] = " before replays: the device waits for the host",
	};
	static const char *const todo[] = {
		[GAPS_PLAIN] =
			"capture a trace and replay it, or give the host less to do between ops",
		[GAPS_IN_REPLAY] =
			"see what the op after each needs: large kernels and many arguments take long to "
			"send; fewer and larger ops have fewer gaps",
		[GAPS_BEFORE_REPLAY] =
			"start a replay while the last one runs (blocking=False), and write inputs "
			"through a second command queue",
	};

	buf_printf(b, "%u gap%s of more than %.1f µs", z->gaps, z->gaps == 1 ? "" : "s",
		   LONG_GAP_NS / 1e3);
	if (!z->zone.len) {
		buf_text(b, says[z->where]);
		buf_text(advice, todo[z->where]);
		return;
	}
	buf_text(b, ": the host was in ");
	buf_str(b, str_head(z->zone, 100));
	buf_text(b, " for ");
	label_ns(b, z->zone_ns);
	buf_text(advice, "shorten ");
	buf_str(advice, str_head(z->zone, 100));
	buf_text(advice, ", or let it run while the device is busy");
}

static void add_zone_gaps(struct findings *f, const struct zone_gaps *z)
{
	struct buf b = { 0 }, advice = { 0 };

	tell_zone_gaps(&b, &advice, z);
	*vec_push(&f->all) = (struct finding){
		.what = z->where == GAPS_IN_REPLAY ? FINDING_REPLAY_GAPS : FINDING_GAPS,
		.saves_ns = z->long_ns,
		.calls = z->gaps,
		.time_ns = z->own_ns,
		.id = z->longest->id,
		.text = b.at,
		.advice = advice.at,
	};
}

/* A zone is worth a finding that has a tenth of what gaps take; the others are one. */
static void add_gaps(struct findings *f, const struct calls *c)
{
	zone_gaps z = { 0 };

	sum_zones(&z, c);
	for (size_t i = GAPS_WHERE; i < z.len; i++) {
		struct zone_gaps *rest = &z.at[GAPS_PLAIN];

		if (z.at[i].long_ns * 10 >= f->totals.long_gap_ns) {
			add_zone_gaps(f, &z.at[i]);
			continue;
		}
		rest->gaps += z.at[i].gaps;
		rest->own_ns += z.at[i].own_ns;
		rest->long_ns += z.at[i].long_ns;
		if (!rest->longest || call_own_gap(z.at[i].longest) > call_own_gap(rest->longest))
			rest->longest = z.at[i].longest;
	}
	for (int i = 0; i < GAPS_WHERE; i++)
		if (z.at[i].gaps)
			add_zone_gaps(f, &z.at[i]);
	vec_release(&z);
}

static void add_pauses(struct findings *f, const struct calls *c)
{
	const struct totals *t = &f->totals;
	const struct call *longest = longest_gap(c, CALL_PAUSE, true);
	struct buf b = { 0 };

	if (!longest)
		return;
	if (t->pauses == 1)
		buf_text(&b, "one pause of ");
	else
		buf_printf(&b, "%llu pauses of up to ", (unsigned long long)t->pauses);
	label_ns(&b, longest->gap_ns - longest->build_ns - longest->profiler_ns);
	buf_text(&b, ", apart from all other gaps, which take ");
	label_ns(&b, totals_gap(t));
	if (named_zone(c, longest).len) {
		buf_text(&b, ": the host was in ");
		buf_str(&b, str_head(named_zone(c, longest), 100));
	}
	*vec_push(&f->all) = (struct finding){
		.what = FINDING_PAUSE,
		.saves_ns = t->pause_ns,
		.calls = (uint32_t)t->pauses,
		.time_ns = t->pause_ns,
		.id = longest->id,
		.text = b.at,
		.advice = copy(t->pauses == 1
				       ? "see what the program did before that op; if it belongs "
					 "to the set-up, set a signpost after it"
				       : "see what the program did before those ops; if it belongs "
					 "to the set-up, set a signpost after it"),
	};
}

static void add_builds(struct findings *f, const struct calls *c)
{
	const struct totals *t = &f->totals;
	unsigned long long firsts = t->first_gaps, misses = t->build_gaps - firsts - t->again_gaps;
	const struct call *longest = longest_gap(c, CALL_CACHE_MISS | CALL_BUILT, true);
	struct buf b = { 0 };

	if (!(misses + firsts) || !longest)
		return;
	/* one number for misses everywhere; a first op has no gap before it */
	if (misses && misses < t->cache_misses)
		buf_printf(&b, "%llu program-cache misses, %llu of them after a gap",
			   (unsigned long long)t->cache_misses, misses);
	else if (misses)
		buf_printf(&b, "%llu program-cache miss%s", misses, misses == 1 ? "" : "es");
	if (misses && firsts)
		buf_text(&b, misses < t->cache_misses ? ", and " : " and ");
	if (firsts)
		buf_printf(&b,
			   firsts == 1 ? "%llu first call after a long gap"
				       : "%llu first calls after long gaps",
			   firsts);
	buf_text(&b, misses + firsts > 1 ? ": the host was building programs"
		     : misses            ? ": the host was building a program"
					 : ": the host was building its program");
	*vec_push(&f->all) = (struct finding){
		.what = FINDING_BUILD,
		.saves_ns = t->build_gap_ns,
		.calls = (uint32_t)t->build_gaps,
		.time_ns = t->build_gap_ns,
		.id = longest->id,
		.text = b.at,
		.advice = copy("warm up first, and set a signpost before the run that counts"),
	};
}

/*
 * Programs that were built for ops that look like one that had a program already: another hash, and a gap that only building
 * explains.  Or the same one once more, by evidence of this call.
 */
static void add_rebuilds(struct findings *f, const struct calls *c)
{
	static const char *const changed =
		"make what changes from call to call an argument at run time: a new constant in a kernel "
		"is a new program";
	static const char *const gone =
		"keep the program cache: it is switched off, too small, or cleared between calls";
	struct finding n = { .what = FINDING_REBUILD };
	struct intern ops = { 0 }, programs = { 0 };
	struct buf b = { 0 };
	double most = 0;
	uint32_t same = 0;

	vec_each (call, &c->all) {
		struct str hash = ops_text(c->table, OPS_PROGRAM_HASH, call->row);
		uint32_t known_ops = intern_count(&ops), program = intern_count(&programs);
		/* each device builds its own, where they are distinguished */
		int64_t key[2] = { call_alike(c, call) };
		bool again, new_program;

		if (call->flags & CALL_HOST || (!hash.len && !call->build_ns))
			continue;
		if (!row_device(c->table, call->row, &key[1]))
			key[1] = INT64_MIN;
		buf_clear(&b);
		buf_add(&b, (const char *)key, sizeof(key));
		again = intern_copy(&ops, buf_view(&b)) < known_ops;
		buf_str(&b, hash);
		new_program = intern_copy(&programs, buf_view(&b)) == program && hash.len;
		if (!call_builds(call) || call->gap_ns < BUILD_GAP_NS ||
		    !(new_program ? again : !(call->flags & CALL_OPENS)))
			continue;
		same += !new_program;
		n.calls++;
		n.saves_ns += call->gap_ns;
		if (call->gap_ns > most) {
			most = call->gap_ns;
			n.id = call->id;
		}
	}
	buf_clear(&b);
	intern_release(&ops);
	intern_release(&programs);
	if (!n.calls) {
		buf_release(&b);
		return;
	}
	buf_printf(&b, "%u recompilation%s: programs are built again %s", n.calls,
		   n.calls == 1 ? "" : "s",
		   same * 2 > n.calls ? "that were there before" : "for ops that had one");
	n.time_ns = n.saves_ns;
	n.text = b.at;
	n.advice = copy(same * 2 > n.calls ? gone : changed);
	*vec_push(&f->all) = n;
}

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
	n.advice = copy(n.calls == 1 ? "move it to the device" : "move them to the device");
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
	n.text = copy("devices wait for each other in collectives");
	n.advice = copy("balance the work between devices: the last one sets the pace");
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
	n.text = copy(b.at);
	n.advice = copy(
		d.slow > 1 && busy
			? "divide the work evenly; if it is, compare their clocks and their cores (ttprof heat)"
		: d.slow > 1
			? "look at what their processes do between ops: ttprof timeline, ttprof top --gaps"
		: busy ? "give it as much work as the others; if it has, compare its clock and its cores (ttprof heat)"
		       : "look at what its process does between ops: ttprof timeline, ttprof top --gaps");
	*vec_push(&f->all) = n;
}

/* What is built again is reported by itself; where that is all, it is the only one. */
static void part_builds(struct findings *f)
{
	double again = 0;
	size_t kept = 0;

	vec_each (x, &f->all)
		if (x->what == FINDING_REBUILD)
			again += x->saves_ns;
	vec_each (x, &f->all) {
		if (x->what == FINDING_BUILD)
			x->saves_ns -= again < x->saves_ns ? again : x->saves_ns;
		if (x->what == FINDING_BUILD && x->saves_ns <= 0) {
			free(x->text);
			free(x->advice);
			continue;
		}
		f->all.at[kept++] = *x;
	}
	f->all.len = kept;
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

void findings_make(struct findings *f, const struct calls *c)
{
	SCOPED(mem) struct longest *apart = slow_calls_find(c);

	*f = (struct findings){ 0 };
	sum_up(&f->totals, c);
	add_slow_ops(f, c, apart);
	slow_calls_add(f, c, apart);
	add_gaps(f, c);
	add_pauses(f, c);
	add_builds(f, c);
	add_rebuilds(f, c);
	part_builds(f);
	add_fallbacks(f, c);
	add_waits(f, c);
	add_slow_device(f, c);
	slow_stretch_add(f, c);
	gone_devices_add(f, c);
	doubts_add(f, c);
	vec_each (x, &f->all)
		x->rank = rank_of(f, x->what);
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
