// SPDX-License-Identifier: Apache-2.0
#include "report/part.h"

#include "base/keyed.h"

/* A process of a run: its rows in time order, as a range of all that were put in the order of processes. */
struct owner {
	int64_t pid;
	bool ranked, sets;  /* sets: signposts */
	size_t begin, stop; /* of the range */
	struct part p;      /* of that */
	size_t n;
};

struct owners {
	const struct ops_table *t;
	VEC(struct owner) all;
	uint32_t *rows;     /* process by process */
	uint32_t *position; /* per row of the table: in time order */
	size_t setters, ranks;
};

int64_t row_process(const struct ops_table *t, size_t row)
{
	int64_t pid = -1;

	return ops_i64(t, OPS_PROCESS, row, &pid) ? pid : -1;
}

static void owners_find(struct owners *w, const uint32_t *rows, struct part whole, const bool *keep)
{
	SCOPED(u64map) struct u64map index = { 0 };
	size_t at = 0;

	for (size_t i = whole.from; i < whole.to; i++) {
		int64_t pid = row_process(w->t, rows[i]), rank;
		struct owner *o;

		w->position[rows[i]] = (uint32_t)i;
		if (!keep[rows[i]])
			continue;
		o = keyed_item(&index, (uint64_t)pid, &w->all, (struct owner){ .pid = pid });
		o->n++;
		o->ranked |= ops_i64(w->t, OPS_RANK, rows[i], &rank);
		o->sets |= ops_row_is(w->t, rows[i], OPS_ROW_SIGNPOST);
	}
	vec_each (o, &w->all) {
		o->begin = o->stop = at;
		at += o->n;
		w->setters += o->sets && o->pid >= 0;
		w->ranks += o->ranked;
	}
	for (size_t i = whole.from; i < whole.to; i++)
		if (keep[rows[i]]) {
			struct owner *o = keyed_item(&index, (uint64_t)row_process(w->t, rows[i]),
						     &w->all, (struct owner){ 0 });

			w->rows[o->stop++] = rows[i];
		}
	vec_each (o, &w->all)
		o->p = (struct part){ .from = o->begin, .to = o->stop };
}

/* Which of the process's signposts of that name it is, from 1. */
static uint32_t ordinal(const struct owners *w, const struct owner *o, size_t at)
{
	struct str name = ops_text(w->t, OPS_OP_CODE, w->rows[at]);
	uint32_t n = 0;

	for (size_t i = o->begin; i <= at; i++)
		n += ops_row_is(w->t, w->rows[i], OPS_ROW_SIGNPOST) &&
		     str_eq(ops_text(w->t, OPS_OP_CODE, w->rows[i]), name);
	return n;
}

static size_t find_nth(const struct owners *w, const struct owner *o, struct str name, uint32_t n)
{
	for (size_t i = o->begin; i < o->stop; i++)
		if (ops_row_is(w->t, w->rows[i], OPS_ROW_SIGNPOST) &&
		    str_eq(ops_text(w->t, OPS_OP_CODE, w->rows[i]), name) && !--n)
			return i;
	return SIZE_MAX;
}

/* A rank that ended early, or sets more than others: all begin behind the last signpost that each of them has. */
static void take_common(struct owners *w, struct calls *c)
{
	const struct owner *one = w->all.at;
	size_t at;

	while (!one->sets)
		one++;
	for (at = one->stop; at-- > one->begin;) {
		struct str name = ops_text(w->t, OPS_OP_CODE, w->rows[at]);
		bool all = ops_row_is(w->t, w->rows[at], OPS_ROW_SIGNPOST) && at + 1 < one->stop;
		uint32_t n = all ? ordinal(w, one, at) : 0;

		for (size_t i = 0; all && i < w->all.len; i++) {
			size_t there = w->all.at[i].sets ? find_nth(w, &w->all.at[i], name, n) : 0;

			all = !w->all.at[i].sets ||
			      (there != SIZE_MAX && there + 1 < w->all.at[i].stop);
		}
		if (!all)
			continue;
		vec_each (o, &w->all)
			if (o->sets) {
				o->p.from = find_nth(w, o, name, n) + 1;
				o->p.start = name;
			}
		c->common_start = true;
		return;
	}
	vec_each (o, &w->all) {
		o->p.from = o->begin;
		o->p.start = (struct str){ 0 };
	}
}

static bool starts_agree(const struct owners *w)
{
	const struct owner *one = NULL;

	vec_each (o, &w->all) {
		if (!o->sets)
			continue;
		if (!one)
			one = o;
		if (!str_eq(o->p.start, one->p.start) ||
		    (o->p.start.len &&
		     ordinal(w, o, o->p.from - 1) != ordinal(w, one, one->p.from - 1)))
			return false;
	}
	return true;
}

/* Ranks without signposts: what they did meanwhile. */
static void follow(struct owners *w, struct owner *o)
{
	const struct owner *one = w->all.at;
	size_t from = o->p.from, to = o->p.to;

	while (!one->sets)
		one++;
	if (one->p.from > one->begin)
		while (from < to &&
		       w->position[w->rows[from]] < w->position[w->rows[one->p.from - 1]])
			from++;
	if (one->p.end.len)
		while (to > from && w->position[w->rows[to - 1]] > w->position[w->rows[one->p.to]])
			to--;
	o->p.from = from;
	o->p.to = to;
}

static void describe(struct owners *w, struct calls *c, const struct call_options *o)
{
	bool some_start = false, some_end = false, all_small = true;

	vec_each (x, &w->all) {
		if (!x->sets)
			continue;
		some_start |= !x->p.no_start;
		some_end |= !x->p.no_end;
		all_small &= x->p.small;
		if (c->start.len && x->p.start.len && !str_eq(c->start, x->p.start))
			c->own_starts = true;
		if (!c->start.len)
			c->start = x->p.start;
		if (!c->end.len)
			c->end = x->p.end;
	}
	c->small_last = w->setters && all_small && !c->common_start;
	c->start_missing |= o->start_signpost && !some_start;
	c->end_missing |= o->end_signpost && !some_end;
}

bool parts_by_process(struct calls *c, const uint32_t *rows, struct part whole,
		      const struct call_options *o, bool *keep)
{
	SCOPED(mem) uint32_t *sorted = mem_alloc(whole.to - whole.from + 1, sizeof(*sorted));
	SCOPED(mem) uint32_t *position = mem_zero(c->table->rows + 1, sizeof(*position));
	struct owners w = { .t = c->table, .rows = sorted, .position = position };
	bool asked = o->start_signpost || o->end_signpost, each;

	owners_find(&w, rows, whole, keep);
	/* not: one rank that sets them for all, or nobody does */
	each = o->process || (w.all.len > 1 && w.setters > (w.ranks ? 1 : 0));
	c->by_process |= each && w.all.len > 1;
	if (each && !o->whole_file) {
		vec_each (x, &w.all)
			if (x->sets)
				x->p = part_by_signposts(&c->times, w.rows, x->p, o);
		if (w.ranks && !asked && !starts_agree(&w))
			take_common(&w, c);
		vec_each (x, &w.all)
			if (!x->sets && x->ranked && w.setters)
				follow(&w, x);
			else if (asked && (!x->sets || x->p.no_start))
				x->p.from = x->p.to; /* it has nothing of that */
		describe(&w, c, o);
		for (size_t i = whole.from; i < whole.to; i++)
			keep[rows[i]] = false;
		vec_each (x, &w.all)
			for (size_t i = x->p.from; i < x->p.to; i++)
				keep[w.rows[i]] = true;
	}
	vec_release(&w.all);
	return each;
}
