// SPDX-License-Identifier: Apache-2.0
#include "report/gap_findings.h"

#include <stdlib.h>

#include "base/number.h"
#include "report/label.h"

enum { FEW_PERCENT = 10 /* of the ops wait: the others show that the host keeps up */ };

static const struct call *longest_pause(const struct calls *c)
{
	const struct call *longest = NULL;

	vec_each (call, &c->all)
		if (call->flags & CALL_PAUSE && call->gap_ns > (longest ? longest->gap_ns : 0))
			longest = call;
	return longest;
}

/* Long gaps of one zone of the host; of none: by where they lie. */
struct zone_gaps {
	enum gap_where where;
	struct str zone, place, from;
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
	const struct host_gap *gap = call_host_gap(c, call);
	double rest = call->gap_ns - call->build_ns - call->profiler_ns;

	return gap && gap->own_zone_ns * 10 >= rest ? host_gap_own_zone(c->host, gap)
						    : str_n("", 0);
}

static const struct str collector = STR_INIT("Python garbage collection");

/* What that zone works for: a helper of several functions is a finding for each; the collector works for all. */
static struct str named_from(const struct calls *c, const struct call *call)
{
	struct str zone = named_zone(c, call);

	return zone.len && !str_eq(zone, collector)
		       ? host_gap_own_from(c->host, host_gap_of(c->host, call->row))
		       : str_n("", 0);
}

/* The first GAP_WHERES are of no zone. */
static void sum_zones(zone_gaps *z, const struct calls *c)
{
	SCOPED(buf) struct buf key = { 0 };
	struct intern names = { 0 };

	(void)intern_copy(&names, STR(""));
	for (int i = 0; i < GAP_WHERES; i++)
		*vec_push(z) = (struct zone_gaps){ .where = (enum gap_where)i };
	vec_each (call, &c->all) {
		double own = call->flags & CALL_HOST ? 0 : call_own_gap(call);
		const struct host_gap *gap = call_host_gap(c, call);
		enum gap_where where = gap_where(call);
		uint32_t n = 0;

		if (own <= LONG_GAP_NS)
			continue;
		if (where != GAP_IN_REPLAY) {
			buf_clear(&key);
			buf_str(&key, named_zone(c, call));
			if (key.len)
				buf_char(&key, '\n');
			buf_str(&key, named_from(c, call));
			n = intern_copy(&names, buf_view(&key));
		}
		n = n ? n + GAP_WHERES - 1 : (uint32_t)where;
		if (n == z->len)
			*vec_push(z) =
				(struct zone_gaps){ .zone = named_zone(c, call),
						    .place = host_gap_own_place(c->host, gap),
						    .from = named_from(c, call) };
		z->at[n].gaps++;
		z->at[n].own_ns += own;
		z->at[n].long_ns += own - LAUNCH_NS;
		if (n >= GAP_WHERES)
			z->at[n].zone_ns += number_min(gap->own_zone_ns, own);
		if (!z->at[n].longest || own > call_own_gap(z->at[n].longest))
			z->at[n].longest = call;
	}
	intern_release(&names);
}

/* `ops`: of the run. */
static void tell_zone_gaps(struct buf *b, struct buf *advice, const struct zone_gaps *z, size_t ops)
{
	static const char *const says[] = {
		[GAP_PLAIN] = ": the device waits for the host",
		[GAP_IN_REPLAY] = " inside of replays: the host has no part in them",
		[GAP_BEFORE_REPLAY] = " before replays: the device waits for the host",
	};
	static const char *const todo[] = {
		[GAP_PLAIN] =
			"capture a trace and replay it, or give the host less to do between ops",
		[GAP_IN_REPLAY] =
			"see what the op after each needs: large kernels and many arguments take long to "
			"send; fewer and larger ops have fewer gaps",
		[GAP_BEFORE_REPLAY] =
			"start a replay while the last one runs (blocking=False), and write inputs "
			"through a second command queue",
	};

	buf_printf(b, "%u gap%s of more than %.1f µs", z->gaps, z->gaps == 1 ? "" : "s",
		   LONG_GAP_NS / 1e3);
	if (!z->zone.len && z->where == GAP_PLAIN && z->gaps * 100 <= ops * FEW_PERCENT) {
		buf_printf(b, ", before one op in %zu: the device waits for the host",
			   ops / z->gaps);
		buf_text(advice,
			 "see what the program does before these ops, and not before the others: "
			 "--each --sort gap, ttprof top --gaps");
		return;
	}
	if (!z->zone.len) {
		buf_text(b, says[z->where]);
		buf_text(advice, todo[z->where]);
		return;
	}
	buf_text(b, ": the host was in ");
	buf_str(b, str_head(z->zone, 100));
	buf_text(b, " for ");
	label_ns(b, z->zone_ns);
	if (z->from.len) {
		buf_text(b, ", called from ");
		buf_str(b, str_head(z->from, 100));
	}
	if (str_eq(z->zone, collector)) {
		buf_text(
			advice,
			"make fewer objects that refer to others; or gc.freeze() and gc.disable() behind the set-up, "
			"and gc.collect() where nothing waits for it");
		return;
	}
	buf_text(advice, "shorten ");
	buf_str(advice, str_head(z->zone, 100));
	if (z->place.len && !str_ends(z->zone, STR(")"))) {
		buf_text(advice, " (");
		buf_str(advice, z->place);
		buf_char(advice, ')');
	}
	buf_text(advice, ", or let it run while the device is busy");
	if (str_starts(z->zone, STR("PY_FUNC_")))
		buf_text(advice, "; ttprof run -p -l says which line");
}

static void add_zone_gaps(struct findings *f, const struct zone_gaps *z, size_t ops)
{
	struct buf b = { 0 }, advice = { 0 };

	tell_zone_gaps(&b, &advice, z, ops);
	*vec_push(&f->all) = (struct finding){
		.what = z->where == GAP_IN_REPLAY ? FINDING_REPLAY_GAPS : FINDING_GAPS,
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
	for (size_t i = GAP_WHERES; i < z.len; i++) {
		struct zone_gaps *rest = &z.at[GAP_PLAIN];

		if (z.at[i].long_ns * 10 >= f->totals.long_gap_ns) {
			add_zone_gaps(f, &z.at[i], c->all.len);
			continue;
		}
		rest->gaps += z.at[i].gaps;
		rest->own_ns += z.at[i].own_ns;
		rest->long_ns += z.at[i].long_ns;
		if (!rest->longest || call_own_gap(z.at[i].longest) > call_own_gap(rest->longest))
			rest->longest = z.at[i].longest;
	}
	for (int i = 0; i < GAP_WHERES; i++)
		if (z.at[i].gaps)
			add_zone_gaps(f, &z.at[i], c->all.len);
	vec_release(&z);
}

static void add_pauses(struct findings *f, const struct calls *c)
{
	const struct totals *t = &f->totals;
	const struct call *longest = longest_pause(c);
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
		if (named_from(c, longest).len) {
			buf_text(&b, ", called from ");
			buf_str(&b, str_head(named_from(c, longest), 100));
		}
	}
	*vec_push(&f->all) = (struct finding){
		.what = FINDING_PAUSE,
		.saves_ns = t->pause_ns,
		.calls = (uint32_t)t->pauses,
		.time_ns = t->pause_ns,
		.id = longest->id,
		.text = b.at,
		.advice = mem_text(
			t->pauses == 1 ? "see what the program did before that op; if it belongs "
					 "to the set-up, set a signpost after it"
				       : "see what the program did before those ops; if it belongs "
					 "to the set-up, set a signpost after it"),
	};
}

void gap_findings_add(struct findings *f, const struct calls *c)
{
	add_gaps(f, c);
	add_pauses(f, c);
}
