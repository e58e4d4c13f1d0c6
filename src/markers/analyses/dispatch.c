// SPDX-License-Identifier: Apache-2.0
#include "markers/analyses/marker_log.h"

#include <stdlib.h>

/* The op that a dispatcher means; today's runtime tells the id without the device. */
static struct op_run *run_of(struct op_times *t, uint32_t device, int64_t id)
{
	uint64_t tried[2] = { (uint64_t)id, (uint64_t)id << 10 | device };

	for (int i = 0; i < 2; i++) {
		struct op_run *first = NULL;

		/* a replay has its own key: the earliest run of the id is meant */
		vec_each (r, &t->runs)
			if (r->run_id == tried[i] && op_run_device(t, r) == device &&
			    op_run_cores(t, r) &&
			    (!first ||
			     op_run_time(t, r, TIME_FIRST) < op_run_time(t, first, TIME_FIRST)))
				first = r;
		if (first)
			return first;
	}
	return NULL;
}

/* One more than the cycles from first to last marker that counts; 0 without two. */
static uint64_t took(const struct marker *all, const struct dispatch_op *op,
		     const struct intern *zones, uint16_t risc)
{
	uint64_t first = 0, last = 0;
	size_t n = 0;

	vec_each (i, &op->series) {
		struct str name = intern_get(zones, all[*i].zone);
		bool counts = risc == RISC_BRISC
				      ? str_has(name, STR("CQ_DISPATCH_"))
				      : str_eq(name, STR("CQ_DISPATCH_CMD_SEND_GO_SIGNAL"));

		if (all[*i].risc != risc || !counts)
			continue;
		if (!n++)
			first = all[*i].time_cycles;
		last = all[*i].time_cycles;
	}
	return n > 1 ? last - first + 1 : 0;
}

static void add_core(struct op_times *t, uint32_t device, struct marker *all, size_t n,
		     struct intern *zones)
{
	SCOPED(vec) marker_series series = { 0 };
	SCOPED(dispatch_vec) dispatch_vec ops = { 0 };

	for (uint32_t i = 0; i < n; i++)
		*vec_push(&series) = i;
	series_sort(&series, all);
	dispatch_ops_detect(all, &series, zones, &ops);
	vec_each (op, &ops) {
		struct op_run *run = run_of(t, device, op->workers_id);

		if (!run)
			continue;
		op_run_make_more(t, run)->dispatch_cmd = took(all, op, zones, RISC_BRISC);
		op_run_make_more(t, run)->dispatch_wait = took(all, op, zones, RISC_NCRISC);
	}
}

void dispatch_times_add(struct op_times *t, struct device_log *log)
{
	struct marker_batch batch = { 0 };
	const struct marker *m;
	SCOPED(mem) VEC(struct marker) *cores = mem_zero(t->places.len, sizeof(*cores));
	uint64_t rows = log->rows, bad = log->bad_rows;

	device_log_rewind(log);
	while ((m = marker_batch_next(&batch, log))) {
		uint64_t key = (uint64_t)m->device << 32 | (uint64_t)m->x << 16 | m->y;
		uint32_t at;

		if (u64map_get(&t->place_index, key, &at) && t->places.at[at].dispatch)
			*vec_push(&cores[at]) = *m;
	}
	log->rows = rows;
	log->bad_rows = bad;
	for (size_t i = 0; i < t->places.len; i++) {
		if (cores[i].len)
			add_core(t, t->places.at[i].device, cores[i].at, cores[i].len,
				 &log->names.zones);
		vec_release(&cores[i]);
	}
}
