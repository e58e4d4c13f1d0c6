// SPDX-License-Identifier: Apache-2.0
#include "report/steady.h"

#include <stdlib.h>

#include "base/map.h"
#include "report/align.h"
#include "report/calls.h"
#include "report/programs.h"

enum {
	CANDIDATES = 64,      /* periods that are tried */
	COVERS_PERCENT = 80,  /* of the ops: a smaller part is no picture of the run */
	OUTSIDE_PERCENT = 90, /* of all long gaps that lie before or behind the steady part */
	MATTERS_PERCENT = 10, /* of the device time that they take at least */
	LEAST_PERCENT = 10,   /* of the device time that the steady part has */
};

/* An op on the first device that has any. */
struct step {
	uint32_t at; /* of `rows` */
	uint32_t op;
};

typedef VEC(struct step) steps_vec;

/* Attributes differ where addresses or ids of semaphores are among them, so that name and tensors alone make an op the same. */
static uint32_t *ops_of_kinds(const struct ops_table *t, const struct row_kinds *k)
{
	uint32_t *op = mem_alloc(k->first.len + 1, sizeof(*op));
	SCOPED(buf) struct buf b = { 0 };
	struct u64map ops = { 0 };

	for (size_t i = 0; i < k->first.len; i++) {
		uint32_t row = k->first.at[i];
		uint32_t code = t->column[OPS_OP_CODE].text ? t->column[OPS_OP_CODE].text[row] : 0;

		buf_clear(&b);
		buf_add(&b, (const char *)&code, sizeof(code));
		vec_each (p, &t->tensor)
			buf_add(&b, (const char *)&(*p)[row], sizeof(uint32_t));
		op[i] = u64map_get_or_put(&ops, str_hash(buf_view(&b)), (uint32_t)ops.entries.len,
					  NULL);
	}
	u64map_release(&ops);
	return op;
}

static void take_steps(steps_vec *s, const struct ops_table *t, const struct row_kinds *kinds,
		       const uint32_t *rows)
{
	SCOPED(mem) uint32_t *op = ops_of_kinds(t, kinds);
	int64_t mine = 0, device;

	for (uint32_t i = 0; i < t->rows; i++) {
		if (!ops_row_is(t, rows[i], OPS_ROW_DEVICE_OP))
			continue;
		if (!row_device(t, rows[i], &device))
			device = -1;
		if (!s->len)
			mine = device;
		if (device == mine)
			*vec_push(s) = (struct step){ i, op[kinds->of_row[rows[i]]] };
	}
}

/* ---- the period ---- */

struct candidate {
	uint64_t weight;
	uint32_t period;
};

static int heaviest_first(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (x->weight != y->weight)
		return x->weight < y->weight ? 1 : -1;
	return (x->period > y->period) - (x->period < y->period);
}

typedef VEC(struct candidate) candidates;

/* How far it is to the next op of the same kind: what occurs once in a period is that far. */
static void find_candidates(const steps_vec *s, candidates *c)
{
	uint64_t *weight = mem_zero(s->len + 1, sizeof(*weight));
	uint32_t *last, ops = 0;

	vec_each (x, s)
		ops = x->op < ops ? ops : x->op + 1;
	last = mem_alloc(ops + 1, sizeof(*last));
	memset(last, 0xff, ops * sizeof(*last));
	for (uint32_t i = 0; i < s->len; i++) {
		uint32_t before = last[s->at[i].op];

		if (before != UINT32_MAX)
			weight[i - before] += i - before;
		last[s->at[i].op] = i;
	}
	for (uint32_t p = 2; p <= s->len / 2; p++)
		if (weight[p])
			*vec_push(c) = (struct candidate){ weight[p], p };
	if (c->len)
		vec_sort(c, heaviest_first);
	if (c->len > CANDIDATES)
		c->len = CANDIDATES;
	free(last);
	free(weight);
}

/* The longest stretch that repeats with a period; 0 if not even twice. */
static size_t stretch_of(const steps_vec *s, size_t period, size_t *start)
{
	size_t run = 0, most = 0;

	for (size_t i = 0; i + period < s->len; i++) {
		run = s->at[i].op == s->at[i + period].op ? run + 1 : 0;
		if (run > most) {
			most = run;
			*start = i + 1 - run;
		}
	}
	return most >= period ? most + period : 0;
}

static bool find_period(const steps_vec *s, size_t *start, size_t *period, size_t *repeats)
{
	candidates c = { 0 };
	size_t best = 0, covers, at = 0;

	find_candidates(s, &c);
	*period = 0;
	vec_each (k, &c) {
		covers = stretch_of(s, k->period, &at);
		/* twice a period is one, too: of equals the shorter */
		if (!covers || covers * 20 < best * 19 ||
		    (covers * 19 <= best * 20 && *period && k->period > *period))
			continue;
		best = covers;
		*start = at;
		*period = k->period;
		*repeats = covers / k->period;
	}
	vec_release(&c);
	return *period && best * 100 >= s->len * COVERS_PERCENT;
}

/* ---- whether it matters ---- */

static double time_in(const struct row_times *t, enum ops_col col, uint32_t row)
{
	double ns;

	return row_ns(t, col, row, &ns) && ns > 0 ? ns : 0;
}

/* Without long gaps the run as a whole is as good, and no period is searched for. */
static bool has_long_gaps(const steps_vec *s, const struct row_times *t, const uint32_t *rows)
{
	double device = 0, gaps = 0;

	for (size_t i = 0; i < s->len; i++) {
		double gap_ns = i ? time_in(t, OPS_GAP, rows[s->at[i].at]) : 0;

		device += time_in(t, OPS_DURATION, rows[s->at[i].at]);
		gaps += gap_ns >= BUILD_GAP_NS ? gap_ns : 0;
	}
	return gaps * 100 >= device * MATTERS_PERCENT;
}

/* [from, to) of the steps: the gap before its first op lies before it. */
static bool matters(const steps_vec *s, const struct row_times *t, const uint32_t *rows,
		    size_t from, size_t to, double *warm_up_ns)
{
	double device = 0, inside = 0, outside = 0, rest = 0;

	*warm_up_ns = 0;
	for (size_t i = 0; i < s->len; i++) {
		uint32_t row = rows[s->at[i].at];
		double ns = time_in(t, OPS_DURATION, row);
		/* before the first op there is none */
		double gap_ns = i ? time_in(t, OPS_GAP, row) : 0;

		device += ns;
		if (i >= from && i < to)
			inside += ns;
		if (gap_ns >= BUILD_GAP_NS)
			*(i <= from || i >= to ? &outside : &rest) += gap_ns;
		if (i < from)
			*warm_up_ns += ns;
		if (i <= from)
			*warm_up_ns += gap_ns;
	}
	return outside * 100 >= (outside + rest) * OUTSIDE_PERCENT &&
	       inside * 100 >= device * LEAST_PERCENT && inside > 0;
}

static bool find_replays(const steps_vec *s, const struct ops_table *t, const uint32_t *rows,
			 size_t *from, size_t *to)
{
	*from = *to = 0;
	for (size_t i = 0; i < s->len; i++)
		if (ops_row_is(t, rows[s->at[i].at], OPS_ROW_REPLAY)) {
			*from = *to ? *from : i;
			*to = i + 1;
		}
	return *to > 0;
}

bool steady_find(struct steady *out, const struct row_times *times, const struct row_kinds *kinds,
		 const uint32_t *rows)
{
	const struct ops_table *t = times->table;
	size_t from, to, period = 0, repeats = 0;
	steps_vec s = { 0 };
	bool found, worth;

	take_steps(&s, t, kinds, rows);
	worth = has_long_gaps(&s, times, rows);
	found = worth && find_replays(&s, t, rows, &from, &to);
	if (worth && !found && find_period(&s, &from, &period, &repeats)) {
		to = from + repeats * period;
		from += period;
		repeats--;
		found = true;
	}
	found = found && matters(&s, times, rows, from, to, &out->warm_up_ns);
	if (found) {
		out->from = s.at[from].at;
		out->to = to < s.len ? s.at[to].at : t->rows;
		out->repeats = (uint32_t)repeats;
		out->period = (uint32_t)period;
	}
	vec_release(&s);
	return found;
}
