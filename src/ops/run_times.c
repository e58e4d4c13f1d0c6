// SPDX-License-Identifier: Apache-2.0
#include "ops/run_times.h"

const struct run_time_info run_time_info[RUN_TIMES] = {
#define X(id, column, name) { column, name },
	RUN_TIME_LIST(X)
#undef X
};

#define LANE(l) (1u << LANE_##l)

enum {
	MOVERS = LANE(BRISC) | LANE(NCRISC) | LANE(ERISC),
	TRISCS = LANE(TRISC0) | LANE(TRISC1) | LANE(TRISC2) | LANE(NEO),
	/* DM0-FW is not among the firmwares whose time counts; TRACE- zones are not an op's */
	ALL = MOVERS | TRISCS | LANE(DM) | LANE(OTHER),
};

/* Which lanes start and which end a time, and of which zone. */
static const struct {
	unsigned start, end;
	enum op_zone zone;
} parts[RUN_TIMES] = {
	[RUN_FIRST_TO_LAST] = { ALL, ALL, OP_ZONE_KERNEL },
	[RUN_FW] = { ALL, ALL, OP_ZONE_FW },
	[RUN_KERNEL] = { ALL, ALL, OP_ZONE_KERNEL },
	[RUN_DM_START] = { MOVERS, ALL, OP_ZONE_KERNEL },
	[RUN_BRISC] = { LANE(BRISC), LANE(BRISC), OP_ZONE_KERNEL },
	[RUN_NCRISC] = { LANE(NCRISC), LANE(NCRISC), OP_ZONE_KERNEL },
	[RUN_TRISC0] = { LANE(TRISC0), LANE(TRISC0), OP_ZONE_KERNEL },
	[RUN_TRISC1] = { LANE(TRISC1), LANE(TRISC1), OP_ZONE_KERNEL },
	[RUN_TRISC2] = { LANE(TRISC2), LANE(TRISC2), OP_ZONE_KERNEL },
	[RUN_ERISC] = { LANE(ERISC), LANE(ERISC), OP_ZONE_KERNEL },
	[RUN_QUASAR_DM] = { LANE(DM), LANE(DM), OP_ZONE_KERNEL },
	[RUN_QUASAR_TRISC] = { TRISCS, TRISCS, OP_ZONE_KERNEL },
	[RUN_DM_FW] = { LANE(DM), LANE(DM), OP_ZONE_FW },
	[RUN_TRISC_FW] = { TRISCS, TRISCS, OP_ZONE_FW },
	[RUN_TRACE_FW] = { LANE(AGG), LANE(AGG), OP_ZONE_FW },
	[RUN_TRACE_KERNEL] = { LANE(AGG), LANE(AGG), OP_ZONE_KERNEL },
};

/* All markers of these lanes in these phases (a mask) together. */
static struct span gather(const struct op_times *t, const struct op_run *r, unsigned lanes,
			  enum op_zone zone, unsigned phases)
{
	struct span all = { 0 };

	for (int l = 0; l < LANES; l++)
		for (int p = 0; p < OP_PHASES; p++) {
			const struct span *s;

			if (!(lanes >> l & 1) || !(phases >> p & 1))
				continue;
			s = op_span(t, r, (enum op_lane)l, zone, (enum op_phase)p);
			if (!s)
				continue;
			if (!all.count || s->first < all.first)
				all.first = s->first;
			if (!all.count || s->last > all.last)
				all.last = s->last;
			all.count += s->count;
		}
	return all;
}

static struct run_entry entry_of(struct span start, struct span end, bool same)
{
	struct run_entry e = { .start = start.first, .end = end.last };

	/* the end is another marker that comes later */
	e.has = start.count && end.count &&
		(e.end > e.start || (e.end == e.start && end.count > (same ? 1u : 0u)));
	return e;
}

struct run_entry run_entry_any_phase(const struct op_times *t, const struct op_run *r,
				     enum run_time what)
{
	enum { BOTH = 3, STARTS = 1 };
	unsigned phases = what == RUN_FIRST_TO_LAST ? STARTS : BOTH;
	struct span end = gather(t, r, parts[what].end, parts[what].zone, phases);

	return entry_of(gather(t, r, parts[what].start, parts[what].zone, phases), end, true);
}

struct run_entry run_entry(const struct op_times *t, const struct op_run *r, enum run_time what)
{
	enum { STARTS = 1, ENDS = 2 };
	unsigned end_phase = what == RUN_FIRST_TO_LAST ? STARTS : ENDS;
	struct span start = gather(t, r, parts[what].start, parts[what].zone, STARTS);
	struct span end = gather(t, r, parts[what].end, parts[what].zone, end_phase);

	return entry_of(start, end, what == RUN_FIRST_TO_LAST);
}

struct run_cores run_cores(const struct op_times *t, const struct op_run *r)
{
	struct run_cores c = { 0 };
	double sum = 0;

	for (uint32_t i = 0; i < r->cores; i++) {
		const struct op_core *core = &t->cores.at[r->first_core + i];
		uint64_t took = core->kernel_last - core->kernel_first;

		if (core->kernels < 2)
			continue;
		if (!c.cores) {
			c.first = took;
			c.min = c.max = took;
		}
		c.min = took < c.min ? took : c.min;
		c.max = took > c.max ? took : c.max;
		sum += (double)took;
		c.cores++;
	}
	c.average = c.cores ? sum / c.cores : 0;
	return c;
}

uint32_t run_core_count_any_fw(const struct op_times *t, const struct op_run *r)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < r->cores; i++)
		n += t->cores.at[r->first_core + i].has_fw;
	return n;
}

uint32_t run_core_count(const struct op_times *t, const struct op_run *r)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < r->cores; i++)
		n += t->cores.at[r->first_core + i].has_fw_zone;
	return n;
}
