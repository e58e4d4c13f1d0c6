// SPDX-License-Identifier: Apache-2.0
#include "ops/join/ops_report.h"

const struct run_time_info run_time_info[RUN_TIMES] = {
#define X(id, column, name) { column, name },
	RUN_TIME_LIST(X)
#undef X
};

#define SLOT(s) (1u << SLOT_##s)

enum {
	MOVERS = SLOT(BRISC) | SLOT(NCRISC) | SLOT(ERISC) | SLOT(OTHER_MOVER),
	TRISCS = SLOT(TRISC0) | SLOT(TRISC1) | SLOT(TRISC2) | SLOT(NEO),
	/* TRACE- zones are not an op's */
	KERNELS = MOVERS | TRISCS | SLOT(DM) | SLOT(OTHER),
	/* DM0-FW is not among the firmwares whose time counts */
	FIRMWARES = SLOT(FW) | SLOT(TRISC_FW) | SLOT(DM_FW),
};

/* Which zones start and which end a time. */
static const struct {
	uint16_t start, end;
} parts[RUN_TIMES] = {
	[RUN_FIRST_TO_LAST] = { KERNELS, KERNELS },
	[RUN_FW] = { FIRMWARES, FIRMWARES },
	[RUN_KERNEL] = { KERNELS, KERNELS },
	[RUN_DM_START] = { MOVERS, KERNELS },
	[RUN_BRISC] = { SLOT(BRISC), SLOT(BRISC) },
	[RUN_NCRISC] = { SLOT(NCRISC), SLOT(NCRISC) },
	[RUN_TRISC0] = { SLOT(TRISC0), SLOT(TRISC0) },
	[RUN_TRISC1] = { SLOT(TRISC1), SLOT(TRISC1) },
	[RUN_TRISC2] = { SLOT(TRISC2), SLOT(TRISC2) },
	[RUN_ERISC] = { SLOT(ERISC), SLOT(ERISC) },
	[RUN_QUASAR_DM] = { SLOT(DM), SLOT(DM) },
	[RUN_QUASAR_TRISC] = { TRISCS, TRISCS },
	[RUN_DM_FW] = { SLOT(DM_FW), SLOT(DM_FW) },
	[RUN_TRISC_FW] = { SLOT(TRISC_FW), SLOT(TRISC_FW) },
	[RUN_TRACE_FW] = { SLOT(AGG_FW), SLOT(AGG_FW) },
	[RUN_TRACE_KERNEL] = { SLOT(AGG), SLOT(AGG) },
};

/* The end is another marker than the start: a second one of the same zones, or one of others. */
static bool has_second(const struct op_times *t, const struct op_run *r, unsigned start,
		       unsigned end)
{
	unsigned found = r->has_end & end, twice;

	if (!t->any_phase)
		return true;
	twice = r->rare == OP_NONE ? 0 : t->rare.at[r->rare].twice;
	return (twice & end) || (found & (found - 1)) || (found & ~start);
}

struct run_entry run_entry(const struct op_times *t, const struct op_run *r, enum run_time what)
{
	unsigned start = parts[what].start & r->has_start, end = parts[what].end & r->has_end;
	struct run_entry e = { 0 };

	if (what == RUN_FIRST_TO_LAST) {
		e.has = r->kernel_starts > 1;
		if (e.has) {
			e.start = op_run_time(t, r, TIME_FIRST_START);
			e.end = op_run_time(t, r, TIME_LAST_START);
		}
		return e;
	}
	if (!start || !end || !has_second(t, r, parts[what].start, parts[what].end))
		return e;
	e.start = UINT64_MAX;
	for (enum op_slot s = 0; s < SLOTS; s++) {
		uint64_t time;

		if (start >> s & 1) {
			time = op_slot_start(t, r, s);
			e.start = time < e.start ? time : e.start;
		}
		if (end >> s & 1) {
			time = op_slot_end(t, r, s);
			e.end = time > e.end ? time : e.end;
		}
	}
	e.has = e.end >= e.start;
	return e;
}

struct run_cores run_cores(const struct op_times *t, const struct op_run *r)
{
	struct run_cores c = { 0 };
	double sum = 0;

	for (uint32_t i = 0; i < op_run_cores(t, r); i++) {
		const struct op_core *core = &t->cores.at[r->first_core + i];
		uint64_t took;

		if (core->kernels < 2)
			continue;
		took = op_core_time(t, core, CORE_KERNEL_LAST) -
		       op_core_time(t, core, CORE_KERNEL_FIRST);
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

uint32_t run_core_count(const struct op_times *t, const struct op_run *r, unsigned has)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < op_run_cores(t, r); i++)
		n += !!(t->cores.at[r->first_core + i].has & has);
	return n;
}
