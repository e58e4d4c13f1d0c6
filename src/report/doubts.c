// SPDX-License-Identifier: Apache-2.0
#include "report/doubts.h"

#include <math.h>

#include "report/chip_fit.h"
#include "report/label.h"

/* A loss is a finding from one in a hundred ops on. */
static bool is_worth_a_word(uint64_t lost, uint64_t seen)
{
	return lost && lost >= seen / 100 + (seen % 100 != 0);
}

/* Ops that nothing is known of: what follows is about the others. */
static bool ops_lost(const struct calls *c, struct finding *n, struct buf *b)
{
	uint64_t seen = account_total(&c->account, ACCOUNT_TOTAL_SEEN),
		 lost = account_total(&c->account, ACCOUNT_TOTAL_DROPPED), most = 0;
	enum account_what what = ACCOUNT_OP_LOST;

	if (!is_worth_a_word(lost, seen))
		return false;
	vec_each (e, &c->account.entries)
		if (account_is_dropped(e->what) && account_count(&c->account, e->what) > most) {
			most = account_count(&c->account, e->what);
			what = e->what;
		}
	buf_printf(b, "%llu of %llu ops are not in these figures: %s", (unsigned long long)lost,
		   (unsigned long long)seen, account_text(what, most));
	n->advice = mem_text(account_hint(what) ? account_hint(what) : "");
	n->calls = (uint32_t)(lost < UINT32_MAX ? lost : UINT32_MAX);
	return true;
}

/* All ops have a row, but markers or events are missing: what that does to the figures, the worst first. */
static bool markers_lost(const struct calls *c, struct finding *n, struct buf *b)
{
	static const char *const short_times = "times may be too short";
	static const char *const no_zones = "zones inside of kernels are not all there";
	static const struct {
		enum account_what what;
		const char *so;
	} losses[] = {
		{ ACCOUNT_OP_PARTIAL, short_times },
		{ ACCOUNT_OP_LOG_CUT, short_times },
		{ ACCOUNT_OP_FEWER_CORES, short_times },
		{ ACCOUNT_OP_NO_COMPUTE, short_times },
		{ ACCOUNT_MARKER_DRAM_LOST, no_zones },
		{ ACCOUNT_MARKER_BUFFER_FULL, no_zones },
		{ ACCOUNT_ZONE_UNBALANCED, no_zones },
		{ ACCOUNT_CLIENT_DROPPED, "zones of the host are not all there" },
	};
	uint64_t seen = account_total(&c->account, ACCOUNT_TOTAL_SEEN);

	for (size_t i = 0; i < sizeof(losses) / sizeof(losses[0]); i++) {
		uint64_t lost = account_count(&c->account, losses[i].what);

		if (!is_worth_a_word(lost, seen))
			continue;
		buf_printf(b, "%llu %s: %s", (unsigned long long)lost,
			   account_text(losses[i].what, lost), losses[i].so);
		n->advice = mem_text(account_hint(losses[i].what));
		n->calls = (uint32_t)(lost < UINT32_MAX ? lost : UINT32_MAX);
		return true;
	}
	return false;
}

/* Times that can't be: many of them, or one that would be a tenth of the run. */
static bool times_odd(const struct findings *f, const struct calls *c, struct finding *n,
		      struct buf *b)
{
	uint64_t odd = account_count(&c->account, ACCOUNT_IMPOSSIBLE_TIME);
	double run = f->totals.device_ns + totals_gap(&f->totals);

	if (!odd || (fabs(c->times.ns) * 10 < run &&
		     !is_worth_a_word(odd, account_total(&c->account, ACCOUNT_TOTAL_SEEN))))
		return false;
	buf_printf(b, "%llu op%s a time that can't be, and that no figure counts: ",
		   (unsigned long long)odd, odd == 1 ? " has" : "s have");
	buf_str(b, ops_col_info[c->times.col].name);
	buf_printf(b, " of op %llu is ",
		   (unsigned long long)ops_row_number(c->table, c->times.row));
	label_ns(b, c->times.ns);
	n->advice = mem_text(account_hint(ACCOUNT_IMPOSSIBLE_TIME));
	n->calls = (uint32_t)(odd < UINT32_MAX ? odd : UINT32_MAX);
	n->id = (uint32_t)ops_row_number(c->table, c->times.row);
	return true;
}

static void add_lost(struct findings *f, const struct calls *c)
{
	struct finding n = { .what = FINDING_LOST };
	struct buf b = { 0 };

	if (!ops_lost(c, &n, &b) && !times_odd(f, c, &n, &b) && !markers_lost(c, &n, &b))
		return;
	n.text = b.at;
	*vec_push(&f->all) = n;
}

/* Fewer may have the tensors of another call, and less is no time that anybody waits for. */
enum { IMPOSSIBLE_OPS = 4, PROFILER_NS = 1000 * 1000 };

/* No chip runs an op on more cores than it has. */
static bool add_cores(struct findings *f, const struct calls *c)
{
	struct buf b = { 0 }, advice = { 0 };
	const struct call *most = NULL;
	const struct chip *fits;
	uint32_t n = 0;

	vec_each (call, &c->all) {
		double cores = call_kind(c, call)->roof.cores;

		if (call->flags & CALL_HOST || cores <= c->on.workers)
			continue;
		n++;
		if (!most || cores > call_kind(c, most)->roof.cores)
			most = call;
	}
	if (!most || !c->chip_figures)
		return false;
	fits = chip_with_cores(c, call_kind(c, most)->roof.cores);
	if (n > 1)
		buf_printf(&b, "%u ops ran on more cores than there are", n);
	else
		buf_text(&b, "one op ran on more cores than there are");
	buf_printf(&b, ": op %u on %.0f, of %.0f of %s", most->id, call_kind(c, most)->roof.cores,
		   c->on.workers, c->on.chip->name);
	if (fits && fits != c->on.chip)
		buf_printf(&advice, "it was probably %s: --chip %s; or CORE COUNT is wrong",
			   fits->name, fits->id);
	else
		buf_text(
			&advice,
			"AVAILABLE WORKER CORE COUNT or CORE COUNT is wrong: see where the report comes from");
	*vec_push(&f->all) = (struct finding){
		.what = FINDING_CHIP, .calls = n, .id = most->id, .text = b.at, .advice = advice.at
	};
	return true;
}

/* Most ops would be impossible, or there is a chip on which far fewer are. */
static void add_chip(struct findings *f, const struct calls *c)
{
	uint64_t n = f->totals.over_roof, judged = 0, over;
	struct buf b = { 0 }, advice = { 0 };
	const struct chip *fits;

	vec_each (call, &c->all)
		judged += call->time_ns > 0 && call_kind(c, call)->roof.ideal_ns > 0 &&
			  !(call->flags & (CALL_HOST | CALL_MARKER));
	if (n < IMPOSSIBLE_OPS || n * 10 < judged)
		return;
	fits = chip_that_fits(c, &over);
	if (!fits && n * 2 < judged)
		return;
	buf_printf(&b, "%llu of %llu ops with a roof are faster than %s allows",
		   (unsigned long long)n, (unsigned long long)judged, c->on.chip->name);
	if (fits)
		buf_printf(&advice, "it was probably %s: --chip %s", fits->name, fits->id);
	else
		buf_text(
			&advice,
			"if it was another card, --chip NAME takes its figures; or the report has the "
			"tensors of other calls of the same programs");
	*vec_push(&f->all) = (struct finding){ .what = FINDING_CHIP,
					       .calls = (uint32_t)(n < UINT32_MAX ? n : UINT32_MAX),
					       .text = b.at,
					       .advice = advice.at };
}

/* Figures are without the profiler's time; who waits for it, and what it may have disturbed, is worth a word. */
static void add_profiler(struct findings *f)
{
	const struct totals *t = &f->totals;
	double profiler = totals_profiler(t);
	struct buf b = { 0 };

	if (profiler < PROFILER_NS || profiler <= t->device_ns + totals_gap(t))
		return;
	buf_text(&b, "the profiler itself took ");
	label_ns(&b, profiler);
	buf_text(&b, ", more than the ops and the gaps between them; no other figure counts it");
	*vec_push(&f->all) = (struct finding){
		.what = FINDING_PROFILER,
		.time_ns = profiler,
		.text = b.at,
		.advice = mem_text(
			"record less at once: fewer counters, sums or zones in kernels, or fewer "
			"read-outs of the device"),
	};
}

void doubts_add(struct findings *f, const struct calls *c)
{
	add_lost(f, c);
	if (!add_cores(f, c))
		add_chip(f, c);
	add_profiler(f);
}
