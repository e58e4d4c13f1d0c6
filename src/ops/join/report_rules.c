// SPDX-License-Identifier: Apache-2.0
/* How `ttprof ops` decides; docs/guide/ops.md names each difference from the original. */
#include <math.h>
#include <stdlib.h>

#include "base/keyed.h"
#include "base/order.h"
#include "ops/join/ops_report.h"
#include "ops/py_text.h"

/* All of the first line after "TT_SIGNPOST: " is the header, all that follows the message. */
static void whole_header(struct str text, struct str *header, struct str *message)
{
	size_t at = str_find(text, STR("TT_SIGNPOST:")), nl;

	text = at == STR_NONE ? text : str_from(text, at + 12);
	if (text.len && text.at[0] == ' ')
		text = str_from(text, 1);
	nl = str_find_char(text, '\n');
	*header = str_head(text, nl);
	*message = nl == STR_NONE ? (struct str){ NULL, 0 } : str_from(text, nl + 1);
}

struct timed_row {
	int64_t start;
	uint32_t row, device; /* number of the row; index of its device in the report */
};

ORDER_BY(by_device_and_start, struct timed_row, device, start, row)

static double gap_ns(int64_t cycles, double ns_per_cycle)
{
	return cycles >= 0 && ns_per_cycle > 0 ? py_round0((double)cycles * ns_per_cycle) : NAN;
}

/* Where a device is, while its ops are walked in the order of their starts. */
struct device_so_far {
	bool started;
	int64_t last_start, last_end;
};

struct gap_walk {
	struct u64map devices; /* to their indexes in `so_far` */
	VEC(struct device_so_far) so_far;
};

static uint32_t device_of(struct gap_walk *w, const struct ops_report *r,
			  const struct join_row *row)
{
	uint64_t device = (uint64_t)run_at(r->source, row->run).device;
	return keyed_at(&w->devices, device, &w->so_far, (struct device_so_far){ 0 });
}

/* From the latest end before to this start; empty when they overlap. */
static void set_gap(struct ops_report *r, size_t row, const struct row_cycles *c,
		    struct device_so_far *d)
{
	double ns = r->freq_mhz > 0 ? 1000.0 / (double)r->freq_mhz : c->ns_per_cycle;
	struct row_gaps g = { 0, c->has_dm ? 0 : NAN };

	if (d->started) {
		g.gap = gap_ns(c->kernel_start - d->last_end, ns);
		g.gap_dm = c->has_dm ? gap_ns(c->dm_start - d->last_end, ns) : NAN;
	}
	if (!d->started || c->kernel_end > d->last_end)
		d->last_end = c->kernel_end;
	d->last_start = c->kernel_start;
	d->started = true;
	ops_report_set_gaps(r, row, &g);
}

/* In the order of the rows, as long as it is that of the devices; false when it is not. */
static bool gaps_of_ordered_rows(struct ops_report *r, struct gap_walk *w)
{
	for (size_t i = 0; i < r->join.rows.len; i++) {
		const struct join_row *row = &r->join.rows.at[i];
		struct device_so_far *d;
		struct row_cycles c;
		uint32_t at;

		if (!ops_report_cycles(r, row, &c) || !c.has_kernel)
			continue;
		at = device_of(w, r, row);
		d = &w->so_far.at[at];
		if (d->started && c.kernel_start < d->last_start)
			return false;
		set_gap(r, i, &c, d);
	}
	return true;
}

static void gaps_of_sorted_rows(struct ops_report *r, struct gap_walk *w)
{
	SCOPED(vec) VEC(struct timed_row) timed = { 0 };

	vec_each (d, &w->so_far)
		*d = (struct device_so_far){ 0 };
	for (size_t i = 0; i < r->join.rows.len; i++) {
		const struct join_row *row = &r->join.rows.at[i];
		struct row_cycles c;

		if (ops_report_cycles(r, row, &c) && c.has_kernel)
			*vec_push(&timed) = (struct timed_row){ .start = c.kernel_start,
								.row = (uint32_t)i,
								.device = device_of(w, r, row) };
	}
	vec_sort(&timed, by_device_and_start);
	vec_each (t, &timed) {
		struct row_cycles c;

		(void)ops_report_cycles(r, &r->join.rows.at[t->row], &c);
		set_gap(r, t->row, &c, &w->so_far.at[t->device]);
	}
}

static void gaps_in_device_order(struct ops_report *r)
{
	struct gap_walk w = { 0 };

	if (r->quasar) { /* has a latency of its own for movers and for compute, which is right */
		gaps_by_row(r);
		return;
	}
	if (!gaps_of_ordered_rows(r, &w))
		gaps_of_sorted_rows(r, &w);
	u64map_release(&w.devices);
	vec_release(&w.so_far);
}

const struct report_rules report_rules = {
	.join = &join_rules,
	.entry = run_entry,
	.core_has = CORE_HAS_FW_ZONE,
	.signpost = whole_header,
	.gaps = gaps_in_device_order,
	.expects_compute = true,
	.own_columns = true,
	.log_tells_chip = true,
	.all_fidelities = true,
	.all_counters = true,
};
