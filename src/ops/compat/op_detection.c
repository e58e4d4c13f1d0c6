// SPDX-License-Identifier: Apache-2.0
#include "ops/compat/op_detection.h"

#include <stdlib.h>

struct group {
	uint64_t run_id, first_cycles;
	uint32_t order;
	VEC(uint32_t) runs;
};

typedef VEC(struct group) group_vec;
typedef VEC(uint32_t) run_vec;

static int by_first_marker(const void *a, const void *b)
{
	const struct group *l = a, *r = b;

	if (l->first_cycles != r->first_cycles)
		return l->first_cycles < r->first_cycles ? -1 : 1;
	return l->order < r->order ? -1 : l->order > r->order;
}

static int by_run_time(const void *a, const void *b, void *ctx)
{
	const struct op_times *t = ctx;
	const struct op_run *l = &t->runs.at[*(const uint32_t *)a];
	const struct op_run *r = &t->runs.at[*(const uint32_t *)b];

	if (l->first_cycles != r->first_cycles)
		return l->first_cycles < r->first_cycles ? -1 : 1;
	return l < r ? -1 : l > r;
}

static void make_groups(struct op_times *t, const uint32_t *runs, size_t n, group_vec *groups)
{
	struct u64map index = { 0 };

	for (size_t k = 0; k < n; k++) {
		uint32_t i = runs[k];
		const struct op_run *r = &t->runs.at[i];
		struct group *g;
		uint32_t at;
		bool added;

		at = u64map_get_or_put(&index, r->run_id, (uint32_t)groups->len, &added);
		if (added)
			*vec_push(groups) = (struct group){ .run_id = r->run_id,
							    .first_cycles = r->first_cycles,
							    .order = at };
		g = &groups->at[at];
		if (r->first_cycles < g->first_cycles)
			g->first_cycles = r->first_cycles;
		*vec_push(&g->runs) = i;
	}
	u64map_release(&index);
	if (groups->len)
		qsort(groups->at, groups->len, sizeof(*groups->at), by_first_marker);
	vec_each (g, groups)
		qsort_r(g->runs.at, g->runs.len, sizeof(*g->runs.at), by_run_time, t);
}

/* Every core that any run of the group has must have started and ended in this one. */
static bool run_closes(const struct op_times *t, const struct group *g, uint32_t run)
{
	const struct op_run *r = &t->runs.at[run];
	size_t all = 0;

	for (uint32_t i = 0; i < r->cores; i++) {
		const struct op_core *c = &t->cores.at[r->first_core + i];

		if (!c->master_starts || !c->master_ends)
			return false;
	}
	if (g->runs.len > 1) {
		struct u64map cores = { 0 };

		vec_each (other, &g->runs) {
			const struct op_run *o = &t->runs.at[*other];

			for (uint32_t i = 0; i < o->cores; i++)
				u64map_put(&cores, t->cores.at[o->first_core + i].core, 0);
		}
		all = cores.entries.len;
		u64map_release(&cores);
	}
	return g->runs.len == 1 || r->cores == all;
}

static int by_core(const void *a, const void *b)
{
	const struct op_core *l = a, *r = b;

	return l->core < r->core ? -1 : l->core > r->core;
}

static int by_first_time(const void *a, const void *b)
{
	const struct op_core *l = a, *r = b;

	if (l->first != r->first)
		return l->first < r->first ? -1 : 1;
	return by_core(a, b);
}

static void merge_core(struct op_core *into, const struct op_core *from)
{
	if (from->first < into->first)
		into->first = from->first;
	if (from->kernels) {
		if (!into->kernels || from->kernel_first < into->kernel_first)
			into->kernel_first = from->kernel_first;
		if (!into->kernels || from->kernel_last > into->kernel_last)
			into->kernel_last = from->kernel_last;
		into->kernels += from->kernels;
	}
	into->has_fw |= from->has_fw;
	into->has_fw_zone |= from->has_fw_zone;
}

/* One run of the parts that were left open and of the one that closed. */
static uint32_t merge_runs(struct op_times *t, const run_vec *parts)
{
	uint32_t made = (uint32_t)t->runs.len;
	struct op_run whole = t->runs.at[parts->at[0]];
	VEC(struct op_core) cores = { 0 };
	size_t n = 0;

	memset(whole.lane, 0xff, sizeof(whole.lane));
	whole.cb_wait = whole.cb_reserve = whole.cb_wait_cores = whole.cb_reserve_cores = 0;
	*vec_push(&t->runs) = whole;
	vec_each (part, parts) {
		const struct op_run *r = &t->runs.at[*part];

		for (uint32_t i = 0; i < r->cores; i++)
			*vec_push(&cores) = t->cores.at[r->first_core + i];
		op_times_merge(t, made, *part);
	}
	qsort(cores.at, cores.len, sizeof(*cores.at), by_core);
	for (size_t i = 0; i < cores.len; i++)
		if (n && cores.at[n - 1].core == cores.at[i].core)
			merge_core(&cores.at[n - 1], &cores.at[i]);
		else
			cores.at[n++] = cores.at[i];
	qsort(cores.at, n, sizeof(*cores.at), by_first_time);
	t->runs.at[made].first_core = (uint32_t)t->cores.len;
	t->runs.at[made].cores = (uint32_t)n;
	for (size_t i = 0; i < n; i++)
		*vec_push(&t->cores) = cores.at[i];
	vec_release(&cores);
	return made;
}

void detect_ops(struct op_times *t, const uint32_t *runs, size_t n, struct detected_ops *out)
{
	group_vec groups = { 0 };
	run_vec open = { 0 };

	make_groups(t, runs, n, &groups);
	vec_each (g, &groups)
		for (size_t i = 0; i < g->runs.len; i++) {
			uint32_t run = g->runs.at[i];

			*vec_push(&open) = run;
			if (!run_closes(t, g, run))
				continue;
			if (open.len > 1)
				run = merge_runs(t, &open);
			*vec_push(out) = (struct detected_op){ run, g->run_id };
			vec_clear(&open);
		}
	vec_each (g, &groups)
		vec_release(&g->runs);
	vec_release(&groups);
	vec_release(&open);
}
