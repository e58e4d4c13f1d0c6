// SPDX-License-Identifier: Apache-2.0
/* ttp/trace.h: zones by name.  Figures are those of `ttprof top --zones` (runs/zone_sums.h). */
#include "library/library.h"

static void take_sums(struct ttprof_run *r)
{
	const struct intern *texts = &r->sums.texts;

	vec_each (s, &r->sums.all)
		*vec_push(&r->zone_sums) = (struct ttprof_zone_sum){
			.name = intern_get(texts, s->name).at,
			.function = intern_get(texts, s->function).at,
			.at = intern_get(texts, s->at).at,
			.where = intern_get(texts, s->where).at,
			.calls = s->calls,
			.total_ns = s->total_ns,
			.all_ns = s->all_ns,
			.self_ns = s->self_ns,
			.min_ns = s->min_ns,
			.max_ns = s->max_ns,
		};
}

const struct ttprof_zone_sum *ttprof_run_zone_sums(struct ttprof_run *r, size_t *count,
						   struct ttprof_error *to)
{
	struct ttp_err e = { 0 };

	if (count)
		*count = 0;
	if (!r || !count)
		return NULL;
	if (!r->zone_sums_asked && (r->run.parts.trace.len || r->run.parts.log.len)) {
		r->zone_sums_asked = true;
		if (!zone_sums_of_run(&r->sums, &r->run, &e))
			take_sums(r);
	}
	library_error(to, &e);
	*count = r->zone_sums.len;
	return r->zone_sums.at;
}
