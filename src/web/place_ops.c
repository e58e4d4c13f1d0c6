// SPDX-License-Identifier: Apache-2.0
/* Ops in time: a lane of ops per device, where the host asked for each, and what leads from there to the device. */
#include <math.h>
#include <stdlib.h>

#include "base/keyed.h"
#include "base/order.h"
#include "web/build.h"

struct placed {
	int64_t start_ns, end_ns;
	uint32_t row;
	int32_t device;
};

ORDER_BY(by_device_and_start, struct placed, device, start_ns, row)

/* Zones of devices in the trace say when an op began: the middle of all differences. */
static bool clock_of_sights(struct page_sources *s, struct device_clock *c)
{
	SCOPED(u64map) struct u64map first = { 0 };
	SCOPED(vec) VEC(int64_t) start = { 0 };
	SCOPED(vec) VEC(int64_t) off = { 0 };
	uint64_t zero = 0;

	vec_each (k, &s->clocks->sights) {
		uint32_t i;

		if (k->device != c->device)
			continue;
		i = keyed_at(&first, k->run_id, &start, k->start_ns);
		if (k->start_ns < start.at[i])
			start.at[i] = k->start_ns;
	}
	vec_each (op, &s->rows) {
		uint32_t i;

		if (op->device != (int32_t)c->device || !op->has_cycles ||
		    !u64map_get(&first, op->run_id, &i))
			continue;
		if (!off.len)
			zero = (uint64_t)op->start_cycles;
		*vec_push(&off) = start.at[i] -
				  (int64_t)((double)(int64_t)((uint64_t)op->start_cycles - zero) *
					    c->ns_per_cycle);
	}
	if (off.len) {
		vec_sort(&off, order_i64);
		clock_tie(c, zero, off.at[off.len / 2], c->ns_per_cycle);
	}
	return c->known;
}

/* Without a log: the rate is in the ops themselves; the first op began when the host had launched it. */
static void clock_of_ops(struct page *p, struct page_sources *s, struct device_clock *c)
{
	const struct page_op *first = NULL;

	c->ns_per_cycle = 1;
	vec_each (op, &s->rows)
		if (op->device == (int32_t)c->device && op->has_cycles) {
			if (op->end_cycles > op->start_cycles && op->fw_ns > 0 &&
			    (!first || first->fw_ns < op->fw_ns))
				c->ns_per_cycle =
					op->fw_ns / (double)(op->end_cycles - op->start_cycles);
			if (!first || op->start_cycles < first->start_cycles)
				first = op;
		}
	if (first && clock_of_sights(s, c))
		page_device(p, c->device)->synced = true;
	if (!first || c->known)
		return;
	clock_tie(c, (uint64_t)first->start_cycles, 0, c->ns_per_cycle);
	if (!isnan(first->host_end_ns) && fabs(first->host_end_ns) < 4e15) {
		c->knot[0].ns = (int64_t)first->host_end_ns;
		page_note(
			p, "device",
			"device %u is not placed by its log: its first op is put where the host had "
			"launched it",
			c->device);
	}
}

static void set(struct page_field *f, size_t row, double v)
{
	if (f)
		f->number[row] = v;
}

static void add_op_lanes(struct page *p, struct page_sources *s)
{
	struct page_field *start = page_own(p, "start_ns"), *end = page_own(p, "end_ns");
	SCOPED(vec) VEC(struct placed) all = { 0 };
	struct page_stack stack = { 0 };
	int32_t last = -1;

	for (uint32_t row = 0; row < s->rows.len; row++) {
		const struct page_op *op = &s->rows.at[row];
		struct device_clock *c;

		if (op->device < 0 || !op->has_cycles)
			continue;
		(void)page_device_lane(p, (uint32_t)op->device);
		c = clock_map_device(s->clocks, (uint32_t)op->device);
		if (!c->knots)
			clock_of_ops(p, s, c);
		*vec_push(&all) =
			(struct placed){ clock_ns(c, (uint64_t)op->start_cycles),
					 clock_ns(c, (uint64_t)op->end_cycles), row, op->device };
	}
	vec_sort(&all, by_device_and_start);
	vec_each (k, &all) {
		if (k->device != last) {
			uint32_t lane =
				page_lane(p, LANE_OPS, page_device_lane(p, (uint32_t)k->device),
					  page_text_of(p, "ops"), 0);

			p->lanes.at[lane].device = k->device;
			vec_release(&stack.lanes);
			*vec_push(&stack.lanes) = lane;
			last = k->device;
		}
		if (page_stack_zone(p, &stack, k->start_ns, k->end_ns, s->rows.at[k->row].name,
				    k->row + 1) == PAGE_NONE)
			continue;
		set(start, k->row, (double)k->start_ns);
		set(end, k->row, (double)k->end_ns);
	}
	vec_release(&stack.lanes);
}

/* ---- the host's side ---- */

struct host_zone {
	uint32_t lane, zone;
};

static void flows_from_trace(struct page *p, struct page_sources *s)
{
	SCOPED(u64map) struct u64map at = { 0 };
	SCOPED(vec) VEC(struct host_zone) zones = { 0 };

	for (uint32_t i = 0; i < p->lanes.len; i++) {
		const struct page_lane *l = &p->lanes.at[i];

		if (l->kind != LANE_THREAD && l->kind != LANE_PYTHON)
			continue;
		for (uint32_t z = 0; z < l->zones.len; z++) {
			if (!str_starts(intern_get(&p->strings, l->zones.at[z].name), STR("TT_")))
				continue;
			(void)u64map_get_or_put(&at, (uint64_t)l->zones.at[z].start_ns,
						(uint32_t)zones.len, NULL);
			*vec_push(&zones) = (struct host_zone){ i, z };
		}
	}
	for (uint32_t row = 0; row < s->rows.len; row++) {
		const struct page_op *op = &s->rows.at[row];
		struct page_zone *z;
		uint32_t i;

		if (isnan(op->host_start_ns) || fabs(op->host_start_ns) > 4e15 || op->signpost ||
		    !u64map_get(&at, (uint64_t)(int64_t)op->host_start_ns, &i))
			continue;
		z = &p->lanes.at[zones.at[i].lane].zones.at[zones.at[i].zone];
		/* replays of a trace have the host's time of its capture: that was one call */
		if (z->op)
			continue;
		z->op = row + 1;
		if (op->has_cycles)
			*vec_push(&p->flows) = (struct page_flow){ zones.at[i].lane, row + 1,
								   z->start_ns + z->dur_ns };
	}
}

/* A report alone still says when the host asked for each op. */
static void host_from_rows(struct page *p, struct page_sources *s)
{
	SCOPED(vec) VEC(struct placed) all = { 0 };
	struct page_stack stack = { 0 };

	for (uint32_t row = 0; row < s->rows.len; row++) {
		const struct page_op *op = &s->rows.at[row];

		if (op->signpost || isnan(op->host_start_ns) || fabs(op->host_start_ns) > 4e15)
			continue;
		*vec_push(&all) =
			(struct placed){ (int64_t)op->host_start_ns,
					 !isnan(op->host_end_ns) && fabs(op->host_end_ns) < 4e15
						 ? (int64_t)op->host_end_ns
						 : (int64_t)op->host_start_ns,
					 row, 0 };
	}
	if (!all.len)
		return;
	vec_sort(&all, by_device_and_start);
	*vec_push(&stack.lanes) = page_lane(
		p, LANE_THREAD, page_lane(p, LANE_PROCESS, PAGE_NONE, page_text_of(p, "host"), 0),
		page_text_of(p, "ops, as the report has them"), 0);
	for (size_t i = 0; i < all.len; i++) {
		const struct page_op *op = &s->rows.at[all.at[i].row];
		uint32_t lane;

		if (i && all.at[i].start_ns == all.at[i - 1].start_ns &&
		    all.at[i].end_ns == all.at[i - 1].end_ns)
			continue; /* the same call, on another device or replayed */
		lane = page_stack_zone(p, &stack, all.at[i].start_ns, all.at[i].end_ns, op->name,
				       all.at[i].row + 1);
		if (lane != PAGE_NONE && op->has_cycles)
			*vec_push(&p->flows) =
				(struct page_flow){ lane, all.at[i].row + 1, all.at[i].end_ns };
	}
	vec_release(&stack.lanes);
}

/* Signposts of the report, where no trace has them. */
static void signposts_from_rows(struct page *p, struct page_sources *s)
{
	if (p->signposts.len)
		return;
	vec_each (op, &s->rows)
		if (op->signpost && fabs(op->host_start_ns) < 4e15 &&
		    page_time_ok(p, (int64_t)op->host_start_ns))
			*vec_push(&p->signposts) =
				(struct page_mark){ (int64_t)op->host_start_ns, op->name };
}

void page_place_ops(struct page *p, struct page_sources *s)
{
	vec_each (d, &p->devices)
		d->synced = clock_map_device(s->clocks, d->id)->known;
	add_op_lanes(p, s);
	if (p->has_trace)
		flows_from_trace(p, s);
	else
		host_from_rows(p, s);
	signposts_from_rows(p, s);
}
