// SPDX-License-Identifier: Apache-2.0
/* After the last marker: cores of each run become neighbours, in the order of time. */
#include <stdlib.h>

#include "ops/op_times.h"

static bool comes_before(const struct op_times *t, const struct op_core *l, const struct op_core *r)
{
	uint64_t a = op_core_time(t, l, CORE_FIRST), b = op_core_time(t, r, CORE_FIRST);

	return a != b ? a < b : l->core < r->core;
}

/* The few cores of one run: most are in order already, or nearly. */
static void sort_run_cores(struct op_times *t, struct op_core *at, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		struct op_core c = at[i];
		size_t k = i;

		for (; k > 0 && comes_before(t, &c, &at[k - 1]); k--)
			at[k] = at[k - 1];
		at[k] = c;
	}
}

/* Brings each entry to its place, one circle of displaced ones after the other: no second copy. */
static void permute_cores(struct op_times *t, uint32_t *place_of_entry)
{
	for (uint32_t i = 0; i < t->cores.len; i++) {
		while (place_of_entry[i] != i) {
			uint32_t to = place_of_entry[i];
			struct op_core c = t->cores.at[to];

			t->cores.at[to] = t->cores.at[i];
			t->cores.at[i] = c;
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

void op_times_finish(struct op_times *t)
{
	uint32_t *to, at = 0;

	index_release(&t->core_index); /* numbers of entries change */
	vec_release(&t->follower);
	to = mem_alloc(t->cores.len ? t->cores.len : 1, sizeof(*to));
	vec_each (c, &t->cores)
		t->runs.at[c->run].cores++;
	vec_each (r, &t->runs) {
		r->first_core = at;
		at += r->cores;
		r->cores = 0;
	}
	for (size_t i = 0; i < t->cores.len; i++) {
		struct op_run *r = &t->runs.at[t->cores.at[i].run];

		to[i] = r->first_core + r->cores++;
	}
	permute_cores(t, to);
	free(to);
	vec_each (r, &t->runs)
		sort_run_cores(t, t->cores.at + r->first_core, r->cores);
	vec_trim(&t->runs);
	vec_trim(&t->cores);
	vec_trim(&t->counters);
	vec_each (s, &t->riscs)
		t->irregular |= s->depth != 0;
	t->last_run = OP_NONE;
}

void op_times_read(struct op_times *t, struct marker_source *from)
{
	enum { BATCH = 256 };
	struct marker batch[BATCH];
	size_t n;

	while ((n = from->next(from->self, batch, BATCH)) > 0)
		for (size_t i = 0; i < n; i++)
			op_times_add(t, &batch[i], from->names);
	op_times_finish(t);
}

void op_times_release(struct op_times *t)
{
	vec_release(&t->runs);
	vec_release(&t->wide_runs);
	vec_release(&t->more);
	vec_each (n, &t->noc)
		noc_load_release(n);
	vec_release(&t->noc);
	vec_release(&t->replays);
	vec_release(&t->cores);
	vec_release(&t->wide_cores);
	vec_release(&t->places);
	vec_release(&t->devices);
	vec_release(&t->riscs);
	vec_release(&t->counters);
	vec_release(&t->follower);
	vec_release(&t->zone_class);
	vec_release(&t->risc_class);
	index_release(&t->run_index);
	index_release(&t->core_index);
	u64map_release(&t->place_index);
	u64map_release(&t->risc_index);
	u64map_release(&t->device_index);
	u64map_release(&t->replay_index);
	*t = (struct op_times){ 0 };
}
