// SPDX-License-Identifier: Apache-2.0
/*
 * Latencies from one row of the report to the next, whatever the device did.  What the originals have; and right for Quasar, which has one
 * latency for its data movers and one for its compute.
 */
#include <math.h>

#include "ops/join/ops_report.h"
#include "ops/py_text.h"

struct previous {
	int64_t device;
	bool has_quasar[2];
	int64_t quasar_end[2];
	bool has_kernel, has_dm, has_ns;
	int64_t kernel_end, dm_end;
	double ns_per_cycle;
};

typedef VEC(struct previous) previous_vec;

static struct previous *previous_of(previous_vec *all, int64_t device)
{
	vec_each (p, all)
		if (p->device == device)
			return p;
	*vec_push(all) = (struct previous){ .device = device };
	return &all->at[all->len - 1];
}

/* Never "-0". */
static double whole(double v)
{
	return py_round0(v) + 0.0;
}

/* From the runtime's report: its own text (see report_tells_gaps), else from the row before, else 0. */
static void gaps_of_report_row(const struct row_cycles *c, struct previous *p, struct row_gaps *g)
{
	if (!p->has_ns && c->ns_per_cycle > 0) {
		p->has_ns = true;
		p->ns_per_cycle = c->ns_per_cycle;
	}
	g->gap = g->gap_dm = 0;
	if (p->has_ns && c->has_kernel && p->has_kernel)
		g->gap = whole((double)(c->kernel_start - p->kernel_end) * p->ns_per_cycle);
	if (p->has_ns && c->has_dm && p->has_dm)
		g->gap_dm = whole((double)(c->dm_start - p->dm_end) * p->ns_per_cycle);
}

static void gaps_of_log_row(const struct row_cycles *c, const struct previous *p,
			    struct row_gaps *g)
{
	/* both are scaled by the kernel's own ratio */
	if (!c->has_kernel)
		return;
	g->gap = 0;
	if (p->has_kernel && c->cycles_per_ns > 0)
		g->gap = whole((double)(c->kernel_start - p->kernel_end) / c->cycles_per_ns);
	if (!c->has_dm)
		return;
	g->gap_dm = 0;
	if (p->has_dm && c->cycles_per_ns > 0)
		g->gap_dm = whole((double)(c->dm_start - p->dm_end) / c->cycles_per_ns);
}

/* Quasar: one latency for its data movers, one for its compute, each scaled by its own time. */
static void gaps_of_quasar_row(const struct ops_report *r, const struct join_row *row,
			       struct previous *p, struct row_gaps *g)
{
	static const unsigned starts[2] = { PERF_QUASAR_DM_START, PERF_QUASAR_TRISC_START };
	static const unsigned ends[2] = { PERF_QUASAR_DM_END, PERF_QUASAR_TRISC_END };
	static const unsigned times[2] = { OPS_QUASAR_DM, OPS_QUASAR_TRISC };
	const struct perf_report *report = r->source->report;
	const struct perf_row *pr = &report->rows.at[row->run];
	double *gap[2] = { &g->gap, &g->gap_dm };

	for (int i = 0; i < 2; i++) {
		int64_t start, end, ns;

		if (!perf_i64(report, pr, starts[i], &start) ||
		    !perf_i64(report, pr, ends[i], &end))
			continue;
		*gap[i] = 0;
		if (p->has_quasar[i] && end > start && perf_i64(report, pr, times[i], &ns))
			*gap[i] = whole((double)(start - p->quasar_end[i]) *
					((double)ns / (double)(end - start)));
		p->has_quasar[i] = true;
		p->quasar_end[i] = end;
	}
}

void gaps_by_row(struct ops_report *r)
{
	SCOPED(vec) previous_vec all = { 0 };

	for (size_t i = 0; i < r->join.rows.len; i++) {
		const struct join_row *row = &r->join.rows.at[i];
		struct row_cycles c;
		struct row_gaps g;
		struct previous *p;

		/* Quasar's latencies are in the runtime's report only */
		if (!ops_report_cycles(r, row, &c) || (r->quasar && !r->source->report))
			continue;
		p = previous_of(&all, run_at(r->source, row->run).device);
		g = (struct row_gaps){ NAN, NAN };
		if (r->source->report && r->quasar)
			gaps_of_quasar_row(r, row, p, &g);
		else if (r->source->report)
			gaps_of_report_row(&c, p, &g);
		else
			gaps_of_log_row(&c, p, &g);
		ops_report_set_gaps(r, i, &g);
		if (c.has_kernel) {
			p->has_kernel = true;
			p->kernel_end = c.kernel_end;
		}
		if (c.has_dm) {
			p->has_dm = true;
			p->dm_end = c.dm_end;
		}
	}
}
