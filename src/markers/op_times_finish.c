// SPDX-License-Identifier: Apache-2.0
/* After the last marker: cores of each run become neighbours, in the order of time; and what is asked of runs then. */
#include <stdlib.h>

#include "markers/log/device_log.h"
#include "markers/op_times.h"

static bool comes_before(const struct op_times *t, const struct op_core *l, const struct op_core *r)
{
	uint64_t a = op_core_time(t, l, CORE_FIRST), b = op_core_time(t, r, CORE_FIRST);

	return a != b ? a < b : l->core < r->core;
}

static void swap_cores(struct op_times *t, size_t a, size_t b)
{
	struct op_core c = t->cores.at[a];

	t->cores.at[a] = t->cores.at[b];
	t->cores.at[b] = c;
	if (t->wants_core_ends) {
		struct op_core_ends e = t->core_ends.at[a];

		t->core_ends.at[a] = t->core_ends.at[b];
		t->core_ends.at[b] = e;
	}
}

/* The few cores of one run: most are in order already, or nearly. */
static void sort_run_cores(struct op_times *t, size_t first, size_t n)
{
	for (size_t i = first + 1; i < first + n; i++)
		for (size_t k = i;
		     k > first && comes_before(t, &t->cores.at[k], &t->cores.at[k - 1]); k--)
			swap_cores(t, k, k - 1);
}

/* Moves each entry to its index, one circle of displaced ones after the other: no second copy. */
static void permute_cores(struct op_times *t, uint32_t *place_of_entry)
{
	for (uint32_t i = 0; i < t->cores.len; i++) {
		while (place_of_entry[i] != i) {
			uint32_t to = place_of_entry[i];

			swap_cores(t, to, i);
			place_of_entry[i] = place_of_entry[to];
			place_of_entry[to] = to;
		}
	}
}

static void index_release(struct op_index *x)
{
	free(x->slot);
	*x = (struct op_index){ 0 };
}

void op_times_forget_keys(struct op_times *t)
{
	index_release(&t->run_index);
}

void op_times_finish(struct op_times *t)
{
	uint32_t *to, at = 0;

	index_release(&t->core_index); /* numbers of entries change */
	to = mem_alloc(t->cores.len ? t->cores.len : 1, sizeof(*to));
	vec_each (r, &t->runs)
		r->first_core = 0;
	vec_each (c, &t->cores)
		t->runs.at[c->run].first_core++;
	vec_each (r, &t->runs) {
		at += r->first_core;
		r->first_core = at; /* its end; each entry takes one from the back */
	}
	for (size_t i = t->cores.len; i-- > 0;)
		to[i] = --t->runs.at[t->cores.at[i].run].first_core;
	permute_cores(t, to);
	free(to);
	vec_each (r, &t->runs)
		sort_run_cores(t, r->first_core, op_run_cores(t, r));
	vec_trim(&t->runs);
	vec_trim(&t->cores);
	vec_trim(&t->core_ends);
	vec_trim(&t->counters);
	vec_each (s, &t->riscs)
		t->irregular |= s->depth != 0;
	t->last_run = OP_NONE;
}

bool op_times_sub_device(const struct op_times *t, uint32_t device, uint64_t run_id,
			 int64_t trace_id, int64_t session, int64_t *out)
{
	uint32_t run = op_times_find(t, device, run_id, trace_id, session);
	bool found = false;

	for (; run != OP_NONE; run = op_run_next_repeat(t, &t->runs.at[run])) {
		const struct op_more *more = op_run_more(t, &t->runs.at[run]);

		if (more && more->has_sub_device) {
			*out = more->sub_device;
			found = true;
		}
	}
	return found;
}

bool op_run_ended_later(const struct op_times *t, const struct op_run *r, uint64_t cycles)
{
	for (int s = 0; s < SLOTS; s++)
		if ((r->has_end >> s & 1) && s != SLOT_FW && s != SLOT_TRISC_FW && s < SLOT_DM_FW &&
		    op_slot_end(t, r, (enum op_slot)s) > cycles)
			return true;
	return false;
}

bool op_run_is_partial(const struct op_times *t, const struct op_run *r)
{
	bool ran = false;

	for (uint32_t i = 0; i < op_run_cores(t, r); i++) {
		const struct op_core *c = &t->cores.at[r->first_core + i];

		if (c->master_starts != c->master_ends)
			return true;
		ran |= c->master_starts > 0;
	}
	return !ran;
}

void op_times_read(struct op_times *t, struct device_log *log)
{
	struct marker_batch batch = { 0 };
	const struct marker *m;

	while ((m = marker_batch_next(&batch, log)))
		op_times_add(t, m, &log->names);
	op_times_finish(t);
}

void op_times_release(struct op_times *t)
{
	RELEASE(vec, &t->runs, &t->wide_runs, &t->rare, &t->more);
	vec_each (n, &t->noc)
		noc_load_release(n);
	RELEASE(vec, &t->noc, &t->replays, &t->cores, &t->core_ends, &t->wide_cores, &t->places,
		&t->devices, &t->riscs, &t->counters, &t->zone_class, &t->risc_class);
	RELEASE(index, &t->run_index, &t->core_index);
	RELEASE(u64map, &t->place_index, &t->risc_index, &t->device_index, &t->replay_index);
	*t = (struct op_times){ 0 };
}
