// SPDX-License-Identifier: Apache-2.0
#include "report/findings.h"

#include <stdlib.h>

#include "report/align.h"
#include "report/label.h"

const char *finding_name(enum finding_what w)
{
	static const char *const names[] = {
#define X(id, name) name,
		FINDING_LIST(X)
#undef X
	};

	return names[w];
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
		t->device_ns += call->time_ns;
		t->wait_ns += call->wait_ns;
		t->cache_misses += (call->flags & CALL_CACHE_MISS) != 0;
		if (r->shape.tensors) {
			t->tensor_ns += call->time_ns;
			t->figured_ns += r->ideal_ns > 0 ? call->time_ns : 0;
			t->over_roof += call->time_ns > 0 &&
					100 * r->ideal_ns > ROOF_BELIEVED_PERCENT * call->time_ns;
		}
		if (call->gap_ns <= 0)
			continue;
		t->gap_ns += call->gap_ns;
		if (call->flags & (CALL_CACHE_MISS | CALL_FIRST)) {
			t->build_gap_ns += call->gap_ns;
			t->build_gaps++;
			t->first_gaps += (call->flags & CALL_FIRST) != 0;
		} else if (call->gap_ns > LONG_GAP_NS) {
			t->long_gap_ns += call->gap_ns - LAUNCH_NS;
			t->long_gaps++;
		}
	}
}

enum verdict verdict_of(const struct totals *t)
{
	double steady = t->device_ns + t->gap_ns - t->build_gap_ns;

	if (t->device_ns + t->gap_ns <= 0)
		return VERDICT_NOTHING;
	if (t->build_gap_ns > steady)
		return VERDICT_BUILD;
	return (t->gap_ns - t->build_gap_ns) * 100 > steady * HOST_BOUND_PERCENT ? VERDICT_HOST
										 : VERDICT_DEVICE;
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

	if (call->flags & (CALL_HOST | CALL_UNTIMED))
		return 0;
	even = imbalance_ns(c, call);
	/* an op without a figure can't be judged, nor one that seems faster than the chip */
	if (full_ns <= 0 || call_roof_percent(c, call) > ROOF_BELIEVED_PERCENT)
		return even;
	return call->time_ns - target > even ? call->time_ns - target : even;
}

static struct finding op_finding(const struct calls *c, const struct alike *a)
{
	const struct call *call = &c->all.at[a->slowest];
	const struct kind *k = &c->kinds.at[a->kind];
	struct buf text = { 0 }, advice = { 0 };
	double percent = a->time_ns > 0 ? 100 * k->roof.ideal_ns * a->calls / a->time_ns : 0;

	label_op(&text, c->table, k);
	if (a->calls > 1)
		buf_printf(&text, " (%u calls)", a->calls);
	if (k->roof.ideal_ns > 0)
		buf_printf(&text, " at %.0f %% of its %s roof", percent, roof_name(k->roof.roof));
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

static void add_slow_ops(struct findings *f, const struct calls *c)
{
	struct alike *group = mem_zero(c->kinds.len, sizeof(*group));

	for (size_t i = 0; i < c->all.len; i++) {
		const struct call *call = &c->all.at[i];
		struct alike *a = &group[call_kind(c, call)->alike];

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
	for (size_t i = 0; i < c->kinds.len; i++)
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

static uint32_t longest_gap(const struct calls *c, bool build)
{
	double most = 0;
	uint32_t id = 0;

	vec_each (call, &c->all)
		if (call->gap_ns > most &&
		    build == ((call->flags & (CALL_CACHE_MISS | CALL_FIRST)) != 0)) {
			most = call->gap_ns;
			id = call->id;
		}
	return id;
}

static void add_gaps(struct findings *f, const struct calls *c)
{
	const struct totals *t = &f->totals;
	struct buf b = { 0 };

	if (!t->long_gaps)
		return;
	buf_printf(&b, "%llu gap%s of more than %.1f µs: the device waits for the host",
		   (unsigned long long)t->long_gaps, t->long_gaps == 1 ? "" : "s",
		   LONG_GAP_NS / 1e3);
	*vec_push(&f->all) = (struct finding){
		.what = FINDING_GAPS,
		.saves_ns = t->long_gap_ns,
		.calls = (uint32_t)t->long_gaps,
		.time_ns = t->gap_ns - t->build_gap_ns,
		.id = longest_gap(c, false),
		.text = b.at,
		.advice = copy(
			"capture a trace and replay it, or give the host less to do between ops"),
	};
}

static void add_builds(struct findings *f, const struct calls *c)
{
	const struct totals *t = &f->totals;
	unsigned long long firsts = t->first_gaps, misses = t->build_gaps - firsts;
	struct buf b = { 0 };

	if (!t->build_gaps)
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
		.id = longest_gap(c, true),
		.text = b.at,
		.advice = copy("warm up first, and set a signpost before the run that counts"),
	};
}

/*
 * Programs that were built for ops that look like one that had a program already: another hash, a miss, and a gap that only
 * building explains.  (tt-metal repeats the flag of a program's first call, so a miss alone is none.)
 */
static void add_rebuilds(struct findings *f, const struct calls *c)
{
	struct finding n = { .what = FINDING_REBUILD };
	struct intern ops = { 0 }, programs = { 0 };
	struct buf b = { 0 };
	double most = 0;

	vec_each (call, &c->all) {
		struct str hash = ops_text(c->table, OPS_PROGRAM_HASH, call->row);
		uint32_t known_ops = intern_count(&ops), program = intern_count(&programs);
		/* each device builds its own, where they are distinguished */
		int64_t key[2] = { call_kind(c, call)->alike };
		bool again, new_program;

		if (call->flags & CALL_HOST || !hash.len)
			continue;
		if (!row_device(c->table, call->row, &key[1]))
			key[1] = INT64_MIN;
		buf_clear(&b);
		buf_add(&b, (const char *)key, sizeof(key));
		again = intern_copy(&ops, buf_view(&b)) < known_ops;
		buf_str(&b, hash);
		new_program = intern_copy(&programs, buf_view(&b)) == program;
		if (!again || !new_program || !(call->flags & CALL_CACHE_MISS) ||
		    call->gap_ns < BUILD_GAP_NS)
			continue;
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
	buf_printf(&b, "%u recompilation%s: programs are built again for ops that had one", n.calls,
		   n.calls == 1 ? "" : "s");
	n.time_ns = n.saves_ns;
	n.text = b.at;
	n.advice = copy(
		"make what changes from call to call an argument at run time: a new constant in a kernel "
		"is a new program");
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

/* What is built again is reported by itself. */
static void part_builds(struct findings *f)
{
	double again = 0;

	vec_each (x, &f->all)
		if (x->what == FINDING_REBUILD)
			again += x->saves_ns;
	vec_each (x, &f->all)
		if (x->what == FINDING_BUILD)
			x->saves_ns -= again < x->saves_ns ? again : x->saves_ns;
}

static int by_saving(const void *a, const void *b)
{
	const struct finding *x = a, *y = b;

	if (x->saves_ns > y->saves_ns || x->saves_ns < y->saves_ns)
		return x->saves_ns > y->saves_ns ? -1 : 1;
	return (x->id > y->id) - (x->id < y->id);
}

void findings_make(struct findings *f, const struct calls *c)
{
	*f = (struct findings){ 0 };
	sum_up(&f->totals, c);
	add_slow_ops(f, c);
	add_gaps(f, c);
	add_builds(f, c);
	add_rebuilds(f, c);
	part_builds(f);
	add_fallbacks(f, c);
	add_waits(f, c);
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
