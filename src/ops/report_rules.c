// SPDX-License-Identifier: Apache-2.0
/* How `ttprof ops` decides; docs/ops.md names each difference from the original. */
#include <math.h>
#include <stdlib.h>

#include "ops/ops_report.h"
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

/* Small, because every row has one: times are worked out again when its turn comes. */
struct timed_row {
	int64_t start;
	uint32_t row, device; /* number of the row; place among the devices of the report */
};

static int by_device_and_start(const void *a, const void *b)
{
	const struct timed_row *l = a, *r = b;

	if (l->device != r->device)
		return l->device < r->device ? -1 : 1;
	if (l->start != r->start)
		return l->start < r->start ? -1 : 1;
	return l->row < r->row ? -1 : l->row > r->row;
}

static double gap_ns(int64_t cycles, double ns_per_cycle)
{
	return cycles >= 0 && ns_per_cycle > 0 ? py_round0((double)cycles * ns_per_cycle) : NAN;
}

/* In the order of the device: from the latest end before to this start; empty when they overlap. */
static void gaps_in_device_order(struct ops_report *r)
{
	VEC(struct timed_row) timed = { 0 };
	struct u64map devices = { 0 };
	int64_t last_end = 0;

	if (r->quasar) { /* has a latency of its own for movers and for compute, which is right */
		report_rules_original.gaps(r);
		return;
	}

	for (size_t i = 0; i < r->join.rows.len; i++) {
		const struct join_row *row = &r->join.rows.at[i];
		struct row_cycles c;
		int64_t device;

		if (!ops_report_cycles(r, row, &c) || !c.has_kernel)
			continue;
		device = run_at(r->source, row->run).device;
		*vec_push(&timed) = (struct timed_row){
			.start = c.kernel_start,
			.row = (uint32_t)i,
			.device = u64map_get_or_put(&devices, (uint64_t)device,
						    (uint32_t)devices.entries.len, NULL)
		};
	}
	if (timed.len)
		qsort(timed.at, timed.len, sizeof(*timed.at), by_device_and_start);
	for (size_t i = 0; i < timed.len; i++) {
		const struct timed_row *t = &timed.at[i];
		struct row_gaps *g = &r->gaps.at[t->row];
		bool first = !i || timed.at[i - 1].device != t->device;
		struct row_cycles c;
		double ns;

		(void)ops_report_cycles(r, &r->join.rows.at[t->row], &c);
		ns = r->freq_mhz > 0 ? 1000.0 / (double)r->freq_mhz : c.ns_per_cycle;

		if (first) {
			g->gap = 0;
			if (c.has_dm)
				g->gap_dm = 0;
		} else {
			g->gap = gap_ns(c.kernel_start - last_end, ns);
			if (c.has_dm)
				g->gap_dm = gap_ns(c.dm_start - last_end, ns);
		}
		if (first || c.kernel_end > last_end)
			last_end = c.kernel_end;
	}
	vec_release(&timed);
	u64map_release(&devices);
}

const struct report_rules report_rules = {
	.join = &join_rules,
	.entry = run_entry,
	.core_count = run_core_count,
	.signpost = whole_header,
	.gaps = gaps_in_device_order,
	.expects_compute = true,
	.own_columns = true,
	.log_tells_chip = true,
	.all_fidelities = true,
	.all_counters = true,
};
