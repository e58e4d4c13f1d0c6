// SPDX-License-Identifier: Apache-2.0
#include "cmd/compare_zones.h"

#include <math.h>

/* From the first op of the steps to the last one, on the host's clock. */
static bool window_of(const struct op_sequence *s, double *from, double *to)
{
	const struct calls *calls = s->calls;
	size_t first = calls->all.len;

	vec_each (p, &s->at)
		first = p->call < first ? p->call : first;
	*from = INFINITY;
	*to = -INFINITY;
	for (size_t i = first; i < calls->all.len; i++) {
		double start, end;
		uint32_t row = calls->all.at[i].row;

		if (ops_real(calls->table, OPS_HOST_START, row, &start) && start > 0 &&
		    ops_real(calls->table, OPS_HOST_END, row, &end) && end >= start) {
			*from = start < *from ? start : *from;
			*to = end > *to ? end : *to;
		}
	}
	return *from < *to;
}

static enum ttp_rc read_run(struct compare_zones *z, struct host_zones *to,
			    struct compare_input *in, const struct op_sequence *s,
			    struct ttp_err *why)
{
	struct zone_stacks *stacks;
	double from, to_ns, steps = s->repeats ? s->repeats : 1;
	struct trace t;
	enum ttp_rc rc;

	if (!in->run.parts.trace.len)
		return ttp_fail(why, TTP_USAGE, "%s has no trace", in->name.at);
	if (!window_of(s, &from, &to_ns))
		return ttp_fail(why, TTP_USAGE, "the ops of %s have no times of the host",
				in->name.at);
	rc = run_trace(&in->run, &t, why);
	if (rc)
		return ttp_wrap(why, rc, "%s", in->name.at);
	stacks = vec_push(&z->stacks);
	*stacks = (struct zone_stacks){ 0 };
	rc = zone_stacks_read(stacks, &t, from, to_ns, why);
	run_trace_close(&in->run, &t);
	if (rc)
		return ttp_wrap(why, rc, "%s", in->name.at);
	vec_each (x, &stacks->all)
		*vec_push(&to->all) =
			(struct host_zone){ .stack = intern_get(&stacks->texts, x->text),
					    .calls = (double)x->calls / steps,
					    .total_ns = x->total_ns / steps,
					    .self_ns = x->self_ns / steps };
	return TTP_OK;
}

bool compare_zones_make(struct compare_zones *z, const struct compare_inputs *in,
			const struct compare *c, struct ttp_err *why)
{
	*z = (struct compare_zones){ 0 };
	for (int side = BASE; side < SIDES; side++) {
		z->n[side] = in[side].all.len;
		z->runs[side] = mem_zero(z->n[side] + 1, sizeof(*z->runs[side]));
	}
	for (int side = BASE; side < SIDES; side++)
		for (size_t r = 0; r < z->n[side]; r++)
			if (read_run(z, &z->runs[side][r], in[side].all.at[r], &c->runs[side][r],
				     why))
				return false;
	zone_lines_make(&z->lines, (const struct host_zones *const *)z->runs, z->n, &c->ask);
	return true;
}

void compare_zones_release(struct compare_zones *z)
{
	zone_lines_release(&z->lines);
	for (int side = BASE; side < SIDES; side++) {
		for (size_t r = 0; z->runs[side] && r < z->n[side]; r++)
			vec_release(&z->runs[side][r].all);
		free(z->runs[side]);
	}
	vec_each (s, &z->stacks)
		zone_stacks_release(s);
	vec_release(&z->stacks);
}
